import { type FocusEvent, type PointerEvent, useRef } from 'react'
import { useHover } from './use-hover.ts'

/** The delay before a card opens, in milliseconds. It is longer than for ports, because nodes are everywhere. */
const SHOW_MS = 600

export interface ShownNode {
  nodeId: string
  /** The bounding box of the node on the screen. */
  anchor: DOMRect
  /** Whether the keyboard opened the card. It then lists the ports, which the keyboard cannot go to. */
  isFocused: boolean
}

/**
 * Returns the node whose card is shown, while the pointer or the focus of the keyboard is on it, and the event
 * handlers.
 */
export function useNodeCard() {
  const { shown, show, hide, close } = useHover<ShownNode>(SHOW_MS)
  /** The node that was pressed: it is being used, and needs no explanation until the pointer is back. */
  const pressed = useRef<string>(undefined)
  const over = useRef<string>(undefined)
  const handlers = {
    onPointerOver({ target, buttons, pointerType }: PointerEvent) {
      if (buttons !== 0 || pointerType !== 'mouse') return
      const node = findNode(target)
      const nodeId = node?.dataset.id
      if (nodeId !== pressed.current) pressed.current = undefined
      if (nodeId === over.current) return
      over.current = nodeId
      if (node && nodeId !== undefined && pressed.current === undefined)
        show({ nodeId, anchor: node.getBoundingClientRect(), isFocused: false })
      else hide()
    },
    onPointerLeave() {
      over.current = undefined
      pressed.current = undefined
      hide()
    },
    onPointerDownCapture() {
      pressed.current = over.current
      close()
    },
    onWheelCapture: close,
    onFocus({ target }: FocusEvent) {
      if (!(target instanceof HTMLElement && target.matches('.react-flow__node:focus-visible'))) return
      const { id } = target.dataset
      if (id !== undefined) show({ nodeId: id, anchor: target.getBoundingClientRect(), isFocused: true })
    },
    onBlur: hide,
    onKeyDownCapture: close,
  }
  return { shown, handlers }
}

/** Returns the node of an element, unless the element is a port, balloon or field, which speaks for itself. */
const findNode = (target: EventTarget): HTMLElement | null =>
  target instanceof Element && !target.closest('.react-flow__handle, [role=img], input, button, select')
    ? target.closest<HTMLElement>('.react-flow__node')
    : null
