import { Modal } from '@mantine/core'
import { type ComponentType, lazy, Suspense, useState } from 'react'
import { ApiError } from '../api/call.ts'
import { Failure } from './failure.tsx'

// A browser does not request a module again that failed to load.
const NOT_LOADED = new ApiError(0, 'The dialog cannot be shown: reload the page once the server answers.')

interface DialogProps {
  isOpen: boolean
  close: () => void
}

/**
 * A dialog in a chunk of its own, which is loaded when it is opened first. The page around the dialog stays when the chunk
 * cannot be loaded.
 */
export function lazyDialog<Props extends DialogProps>(
  title: string,
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  const NotLoaded = ({ isOpen, close }: DialogProps) => (
    <Modal opened={isOpen} onClose={close} title={title}>
      <Failure error={NOT_LOADED} />
    </Modal>
  )
  const Loaded: ComponentType<Props> = lazy(
    async (): Promise<{ default: ComponentType<Props> }> =>
      load().then(
        (dialog) => ({ default: dialog }),
        () => ({ default: NotLoaded }),
      ),
  )
  return function LazyDialog(props: Props) {
    const [wasOpened, setWasOpened] = useState(false)
    if (props.isOpen && !wasOpened) setWasOpened(true)
    if (!wasOpened) return null
    return (
      <Suspense fallback={null}>
        <Loaded {...props} />
      </Suspense>
    )
  }
}
