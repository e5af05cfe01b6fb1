import type { GraphContent, Group } from '@meadow/contract'
import type { Drag } from './drag.ts'
import { boundsOf, grow, moveBy, type Rectangle, unite } from './rectangle.ts'

/** How far a group extends beyond its nodes, in canvas units. */
const MARGIN = 14

/** A group with the area that it covers. */
export interface GroupBox {
  group: Group
  /** The ids of its nodes, and of the nodes of groups inside it. */
  members: readonly string[]
  /** The area in canvas units. */
  box: Rectangle
}

/** The groups that have nodes, from the back to the front: larger ones are behind. */
export function listGroupBoxes({ groups, nodes }: GraphContent): GroupBox[] {
  const byId = new Map(groups.map((group) => [group.id, group]))
  const boxes = groups.flatMap((group) => {
    const members = listMembers(group, byId)
    const bounds = boundsOf(members, nodes)
    return bounds ? [{ group, members, box: grow(bounds, MARGIN) }] : []
  })
  return boxes.sort((a, b) => sizeOf(b.box) - sizeOf(a.box))
}

const sizeOf = ({ left, top, right, bottom }: Rectangle) => (right - left) * (bottom - top)

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

/** The frontmost group at a point of the canvas. */
export const findGroupAt = (
  boxes: readonly GroupBox[],
  { x, y }: { x: number; y: number },
): GroupBox | undefined =>
  boxes.findLast(({ box }) => x >= box.left && x <= box.right && y >= box.top && y <= box.bottom)

/** The group with the box that it has while some of its nodes are dragged. */
export function stretchGroup(group: GroupBox, nodes: GraphContent['nodes'], { ids, x, y }: Drag): GroupBox {
  const moved = boundsOf(
    group.members.filter((id) => ids.has(id)),
    nodes,
  )
  const others = boundsOf(
    group.members.filter((id) => !ids.has(id)),
    nodes,
  )
  const bounds = unite([moved && moveBy(moved, x, y), others].filter((part) => part !== undefined))
  return bounds ? { ...group, box: grow(bounds, MARGIN) } : group
}
