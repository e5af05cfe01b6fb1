import { Modal } from '@mantine/core'
import { type ComponentType, useState } from 'react'
import { type LoadPart, lazyPart, notLoaded } from './lazy-part.tsx'

interface DialogProps {
  isOpen: boolean
  close: () => void
}

const NotLoaded = notLoaded('The dialog')

/** Returns a dialog in a chunk of its own, which is loaded when it is opened first. See {@link lazyPart}. */
export function lazyDialog<Name extends string, Props extends DialogProps>(
  load: LoadPart<Name, Props>,
  name: Name,
  title: string,
): ComponentType<Props> {
  const Loaded = lazyPart(load, name, ({ isOpen, close }) => (
    <Modal opened={isOpen} onClose={close} title={title}>
      <NotLoaded />
    </Modal>
  ))
  return function LazyDialog(props: Props) {
    const [wasOpened, setWasOpened] = useState(false)
    if (props.isOpen && !wasOpened) setWasOpened(true)
    return wasOpened && <Loaded {...props} />
  }
}
