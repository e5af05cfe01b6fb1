import { Modal, type ModalProps } from '@mantine/core'
import {
  type ComponentType,
  type FocusEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { type LoadPart, lazyPart, notLoaded } from './lazy-part.tsx'

/** A dialog over the page. The focus returns to what opened it when it is closed or removed, in any order of both. */
export function Dialog(props: ModalProps) {
  useFocusReturn(props.opened)
  return <Modal {...props} returnFocus={false} />
}

/**
 * Notes which element has the focus when `isOpen` becomes true, also in the first render, and moves the focus back there
 * once it is false or the component is removed. An element outside the dialog, or outside of what has `data-panel`, that was
 * given the focus meanwhile keeps it.
 */
export function useFocusReturn(isOpen: boolean): void {
  const opener = useRef<HTMLElement>(null)
  const [wasOpen, setWasOpen] = useState(false)
  const [found, setFound] = useState<HTMLElement | null>(null)
  // A menu whose item was chosen is still there while this renders; without animations, it is gone afterwards.
  if (isOpen !== wasOpen) {
    setWasOpen(isOpen)
    setFound(isOpen ? findOpener() : null)
  }
  // Layout effects run before the dialog takes the focus, and before a dialog that replaces another one looks for it.
  useLayoutEffect(() => {
    if (isOpen) opener.current ??= document.activeElement === document.body ? found : findOpener()
    else returnFocus(opener)
  }, [isOpen, found])
  useLayoutEffect(() => () => returnFocus(opener), [])
}

/** The element with the focus, or the button of its menu, because the menu closes when one of its items is chosen. */
function findOpener(): HTMLElement | null {
  const { activeElement } = document
  const menu = activeElement?.closest('[role=menu]')
  const opener = menu ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '') : activeElement
  return opener instanceof HTMLElement ? opener : null
}

function returnFocus(opener: { current: HTMLElement | null }): void {
  const { activeElement, body } = document
  if (activeElement === body || activeElement?.closest('[role=dialog], [role=menu], [data-panel]'))
    opener.current?.focus({ preventScroll: true })
  opener.current = null
}

/**
 * Gives an element the focus when what had it inside is removed or disabled. The element, of
 * `tabIndex` −1, takes the handlers that it returns.
 */
export function useKeptFocus(ref: RefObject<HTMLElement | null>) {
  const hadFocus = useRef(false)
  useEffect(() => {
    const element = ref.current!
    const observer = new MutationObserver(() => {
      if (hadFocus.current && document.activeElement === document.body) element.focus({ preventScroll: true })
    })
    observer.observe(element, { childList: true, subtree: true })
    return () => observer.disconnect()
  }, [ref])
  return {
    onFocus() {
      hadFocus.current = true
    },
    onBlur({ target }: FocusEvent) {
      // A button that is busy loses the focus as one that is removed does.
      hadFocus.current = target.matches(':disabled')
    },
  }
}

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
    <Dialog opened={isOpen} onClose={close} title={title}>
      <NotLoaded />
    </Dialog>
  ))
  return function LazyDialog(props: Props) {
    const [wasOpened, setWasOpened] = useState(false)
    if (props.isOpen && !wasOpened) setWasOpened(true)
    // While the chunk is loaded, the focus may leave what opened the dialog.
    useFocusReturn(props.isOpen)
    return wasOpened && <Loaded {...props} />
  }
}
