import { type FocusEvent, type PointerEvent, useMemo, useRef } from 'react'
import { useHover } from './use-hover.ts'

/** Longer than that of ports: nodes are everywhere. */
const SHOW_MS = 600

export interface ShownNode {
  nodeId: string
  /** The bounding box of the node on the screen. */
  anchor: DOMRect
  /** Whether the keyboard brought it: then it lists the ports, which the keyboard cannot go to. */
  isFocused: boolean
}

/** What a node is, while the pointer or the focus of the keyboard is on it. Nothing is there otherwise. */
export function useNodeCard() {
  const { shown, show, hide, close } = useHover<ShownNode>(SHOW_MS)
  /** The node that was pressed: it is being used, and needs no explanation until the pointer is back. */
  const pressed = useRef<string>(undefined)
  const over = useRef<string>(undefined)
  const handlers = useMemo(
    () => ({
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
    }),
    [show, hide, close],
  )
  return { shown, handlers }
}

/** The node of an element that says nothing itself: ports, balloons and fields do. */
const findNode = (target: EventTarget): HTMLElement | null =>
  target instanceof Element && !target.closest('.react-flow__handle, [role=img], input, button, select')
    ? target.closest<HTMLElement>('.react-flow__node')
    : null
