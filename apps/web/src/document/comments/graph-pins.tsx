import type { GraphContent } from '@meadow/contract'
import type { CommentAnchor } from '@meadow/contract/web'
import { useStore, ViewportPortal } from '@xyflow/react'
import { useMemo } from 'react'
import { useRenderedView } from '../graph/canvas/viewport.ts'
import { type GroupBox, listGroupBoxes } from '../graph/layout/groups.ts'
import { boxOf } from '../graph/layout/node-box.ts'
import type { Comments } from '../state/use-comments.ts'
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
  const { threads, threadId, anchor } = comments
  const view = useRenderedView()
  const scale = useStore(({ transform: [, , zoom] }) => 1 / zoom)
  const groups = useMemo(() => listGroupBoxes(content), [content])
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
