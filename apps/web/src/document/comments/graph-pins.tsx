import type { GraphContent } from '@meadow/contract'
import type { CommentAnchor } from '@meadow/contract/web'
import { useReactFlow, useStore, useStoreApi, ViewportPortal } from '@xyflow/react'
import { useEffect, useEffectEvent, useMemo } from 'react'
import { findNodeAt } from '../graph/canvas/graph-canvas.tsx'
import { useRenderedView } from '../graph/canvas/viewport.ts'
import { findGroupAt, type GroupBox, listGroupBoxes } from '../graph/layout/groups.ts'
import { boxOf } from '../graph/layout/node-box.ts'
import type { Comments } from '../state/use-comments.ts'
import styles from './comments.module.css'
import { choosePins, DraftPin, limitPins, Pin } from './pin.tsx'

export interface GraphPinsProps {
  comments: Comments
  content: GraphContent
}

interface Spot {
  x: number
  y: number
}

/** How far the pins of one node stand apart, in CSS pixels. */
const STEP = 24

/** The threads about nodes and groups, as pins at their upper right corners, which keep their size at every zoom. */
export function GraphPins({ comments, content }: GraphPinsProps) {
  const { threads, threadId, anchor, isAnchoring } = comments
  const view = useRenderedView()
  const scale = useStore(({ transform: [, , zoom] }) => 1 / zoom)
  const groups = useMemo(() => listGroupBoxes(content), [content])
  useAnchoring(isAnchoring, content, groups, comments.setAnchor)
  const pins = useMemo(() => {
    const placed = new Map<string, number>()
    const found = choosePins(threads, threadId).flatMap((thread) => {
      const spot = findSpot(thread.anchor, content, groups)
      if (!spot || !view) return []
      const { left, top, right, bottom } = view.area
      if (spot.x < left || spot.x > right || spot.y < top || spot.y > bottom) return []
      const key = `${spot.x} ${spot.y}`
      const index = placed.get(key) ?? 0
      placed.set(key, index + 1)
      return [{ thread, spot, index }]
    })
    return limitPins(found, threadId)
  }, [threads, threadId, content, groups, view])
  const draft = anchor && findSpot(anchor, content, groups)
  const place = ({ x, y }: Spot, index = 0) => ({
    left: x,
    top: y,
    transform: `scale(${scale}) translate(${index * STEP - 8}px, -18px)`,
  })
  return (
    <>
      {isAnchoring && <div className={styles.anchoring} />}
      <ViewportPortal>
        {pins.map(({ thread, spot, index }) => (
          <Pin
            key={thread.id}
            thread={thread}
            isShown={thread.id === threadId}
            onChoose={() => comments.show(thread.id)}
            style={place(spot, index)}
          />
        ))}
        {draft && <DraftPin style={place(draft)} />}
      </ViewportPortal>
    </>
  )
}

/** Returns where a pin stands; undefined if its node or group is not in this graph. */
function findSpot(
  anchor: CommentAnchor,
  { nodes }: GraphContent,
  groups: readonly GroupBox[],
): Spot | undefined {
  if (anchor.kind === 'node') {
    const node = Object.hasOwn(nodes, anchor.node) ? nodes[anchor.node] : undefined
    if (!node) return undefined
    const { x, y, width } = boxOf(node)
    return { x: x + width, y }
  }
  if (anchor.kind === 'group') {
    const box = groups.find(({ group }) => group.id === anchor.group)?.box
    return box && { x: box.right, y: box.top }
  }
  return undefined
}

const EVENTS = ['pointerdown', 'pointerup', 'mousedown', 'mouseup', 'click', 'dblclick'] as const

/** While an anchor is chosen, a click on the canvas chooses the node or group there, and does nothing else. */
function useAnchoring(
  isAnchoring: boolean,
  content: GraphContent,
  groups: readonly GroupBox[],
  onAnchor: (anchor: CommentAnchor) => void,
): void {
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
    const group = node ? undefined : findGroupAt(groups, point)
    onAnchor(
      node
        ? { kind: 'node', node: node.instanceId }
        : group
          ? { kind: 'group', group: group.group.id }
          : { kind: 'document' },
    )
  })
  useEffect(() => {
    if (!isAnchoring) return undefined
    const listen = (event: MouseEvent) => onEvent(event)
    for (const name of EVENTS) addEventListener(name, listen, true)
    return () => {
      for (const name of EVENTS) removeEventListener(name, listen, true)
    }
  }, [isAnchoring])
}
