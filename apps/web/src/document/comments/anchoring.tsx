import type { GraphContent } from '@meadow/contract'
import type { CommentAnchor } from '@meadow/contract/web'
import { useReactFlow, useStoreApi } from '@xyflow/react'
import { useEffect, useEffectEvent } from 'react'
import { findNodeAt } from '../graph/canvas/graph-canvas.tsx'
import { findGroupAt, listGroupBoxes } from '../graph/layout/groups.ts'
import styles from './anchoring.module.css'

const EVENTS = ['pointerdown', 'pointerup', 'mousedown', 'mouseup', 'click', 'dblclick'] as const

interface AnchoringProps {
  content: GraphContent
  onAnchor: (anchor: CommentAnchor) => void
}

/**
 * While it is shown, a click on the canvas chooses the node or group there, and does nothing else. It is loaded with the
 * canvas, not with the other parts for comments, so that no click is missed.
 */
export function Anchoring({ content, onAnchor }: AnchoringProps) {
  const store = useStoreApi()
  const { screenToFlowPosition } = useReactFlow()
  const onEvent = useEffectEvent((event: MouseEvent) => {
    const canvas = store.getState().domNode
    const { target } = event
    if (!(target instanceof Element) || !canvas?.contains(target) || event.button !== 0) return
    if (target.closest('.react-flow__panel, [data-pin]')) return
    // The event is stopped before React and React Flow handle it.
    event.stopPropagation()
    if (event.type !== 'click') return
    const point = screenToFlowPosition({ x: event.clientX, y: event.clientY })
    const node = findNodeAt(content, point)
    const group = node ? undefined : findGroupAt(listGroupBoxes(content), point)
    onAnchor(
      node
        ? { kind: 'node', node: node.instanceId }
        : group
          ? { kind: 'group', group: group.group.id }
          : { kind: 'document' },
    )
  })
  useEffect(() => {
    const listen = (event: MouseEvent) => onEvent(event)
    for (const name of EVENTS) addEventListener(name, listen, true)
    return () => {
      for (const name of EVENTS) removeEventListener(name, listen, true)
    }
  }, [])
  return <div className={styles.anchoring} />
}
