import type { GraphContent, Group } from '@meadow/contract'
import { useReactFlow, ViewportPortal } from '@xyflow/react'
import { type MouseEvent, memo, type PointerEvent, useMemo } from 'react'
import type { Drag } from '../layout/drag.ts'
import { boundsOf, moveBy, type Rectangle, unite } from '../layout/rectangle.ts'
import styles from './group-layer.module.css'

/** How far a group extends beyond its nodes. */
const MARGIN = 14

interface GroupLayerProps {
  content: GraphContent
  drag: Drag | undefined
  isReadOnly: boolean
  onSelect: (nodeIds: readonly string[], isAdded: boolean) => void
  onMenu: (event: MouseEvent, nodeIds: readonly string[]) => void
  onDrag: (drag: Drag) => void
  onDrop: (drag: Drag) => void
}

/** The coloured areas behind groups of nodes. A click selects the nodes of a group; a drag moves them. */
export const GroupLayer = memo(function GroupLayer(props: GroupLayerProps) {
  const { content, drag, isReadOnly, onSelect, onMenu, onDrag, onDrop } = props
  const { getZoom } = useReactFlow()
  const boxes = useMemo(() => listBoxes(content), [content])
  return (
    <ViewportPortal>
      {boxes.map(({ group, members, box }) => {
        const { left, top, right, bottom } = drag ? stretch(content, members, box, drag) : box
        return (
          // biome-ignore lint/a11y/useKeyWithClickEvents: its nodes can be selected one by one.
          // biome-ignore lint/a11y/noStaticElementInteractions: as above.
          <div
            key={group.id}
            className={styles.group}
            style={{
              left: left - MARGIN,
              top: top - MARGIN,
              width: right - left + 2 * MARGIN,
              height: bottom - top + 2 * MARGIN,
              backgroundColor: group.colour,
            }}
            onClick={({ shiftKey }) => onSelect(members, shiftKey)}
            onContextMenu={(event) => {
              event.preventDefault()
              event.stopPropagation()
              onMenu(event, members)
            }}
            onPointerDown={(event) => {
              if (event.button !== 0 || isReadOnly) return
              event.stopPropagation()
              const ids = new Set(members)
              const dragBy = (x: number, y: number) => ({ ids, x: x / getZoom(), y: y / getZoom() })
              trackPointer(event, {
                move: (x, y) => onDrag(dragBy(x, y)),
                end: (x, y) => onDrop(dragBy(x, y)),
              })
            }}
          >
            {group.label && <span className={styles.label}>{group.label}</span>}
          </div>
        )
      })}
    </ViewportPortal>
  )
})

function listBoxes({ groups, nodes }: GraphContent) {
  const byId = new Map(groups.map((group) => [group.id, group]))
  return groups.flatMap((group) => {
    const members = listMembers(group, byId)
    const box = boundsOf(members, nodes)
    return box ? [{ group, members, box }] : []
  })
}

/** The box of a group while some of its nodes are dragged. */
function stretch(
  { nodes }: GraphContent,
  members: readonly string[],
  box: Rectangle,
  { ids, x, y }: Drag,
): Rectangle {
  const moved = boundsOf(
    members.filter((id) => ids.has(id)),
    nodes,
  )
  if (!moved) return box
  const others = boundsOf(
    members.filter((id) => !ids.has(id)),
    nodes,
  )
  return unite([moveBy(moved, x, y), ...(others ? [others] : [])])!
}

/** The nodes of a group and of the groups inside it. */
function listMembers(group: Group, byId: ReadonlyMap<string, Group>): string[] {
  const members = new Set<string>()
  const seen = new Set<Group>()
  const pending = [group]
  for (let next = pending.pop(); next; next = pending.pop()) {
    if (seen.has(next)) continue
    seen.add(next)
    for (const id of next.nodeInstanceIds) members.add(id)
    for (const id of next.groupIds) {
      const inner = byId.get(id)
      if (inner) pending.push(inner)
    }
  }
  return [...members]
}

/** A pointer that moved no further is a click, in CSS pixels. */
const CLICK_DISTANCE = 3

/** Reports the drag of a pressed pointer, as an offset in CSS pixels; a click is not reported. */
function trackPointer(
  { currentTarget, pointerId, clientX, clientY }: PointerEvent,
  handlers: { move: (x: number, y: number) => void; end: (x: number, y: number) => void },
): void {
  let isMoved = false
  const listeners = new AbortController()
  const on = (name: 'pointermove' | 'pointerup' | 'pointercancel', listen: (x: number, y: number) => void) =>
    currentTarget.addEventListener(
      name,
      (event) => {
        const { clientX: x, clientY: y } = event as globalThis.PointerEvent
        listen(x - clientX, y - clientY)
      },
      { signal: listeners.signal },
    )
  currentTarget.setPointerCapture(pointerId)
  on('pointermove', (x, y) => {
    isMoved ||= Math.hypot(x, y) > CLICK_DISTANCE
    if (isMoved) handlers.move(x, y)
  })
  const finish = (x: number, y: number) => {
    listeners.abort()
    if (isMoved) handlers.end(x, y)
  }
  on('pointerup', finish)
  on('pointercancel', () => finish(0, 0))
}
