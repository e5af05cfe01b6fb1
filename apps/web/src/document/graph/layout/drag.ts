import type { GraphContent, Node } from '@meadow/contract'
import type { NodePositionChange } from '@xyflow/react'
import { type GroupBox, stretchGroup } from './groups.ts'
import { boxOf } from './node-box.ts'
import { grow, type Rectangle, rectangleOf, unite } from './rectangle.ts'
import { boxOfWire, type DrawnWire } from './wires.ts'

/** Nodes that are being dragged, and their offset from where the document has them, in canvas units. */
export interface Drag {
  ids: ReadonlySet<string>
  x: number
  y: number
}

/**
 * Returns the drag that React Flow reports, which moves the selected nodes if the held one is among them; undefined
 * when none of the nodes is in the document. React Flow goes on to report nodes that somebody has deleted during the
 * drag.
 */
export function readDrag(
  moves: readonly NodePositionChange[],
  nodes: GraphContent['nodes'],
  selectedIds: ReadonlySet<string>,
): { drag: Drag; isDropped: boolean } | undefined {
  const move = moves.find(({ id }) => nodes[id])
  const node = move && nodes[move.id]
  if (!node) return undefined
  const box = boxOf(node)
  const { x, y } = move.position ?? box
  const ids = selectedIds.has(move.id) ? selectedIds : new Set([move.id])
  return { drag: { ids, x: x - box.x, y: y - box.y }, isDropped: !move.dragging }
}

/** Returns the drag of only those nodes that are in the document, or the same object if all of them are. */
export const keepThere = (drag: Drag, nodes: GraphContent['nodes']): Drag => {
  const ids = [...drag.ids].filter((id) => nodes[id])
  return ids.length === drag.ids.size ? drag : { ...drag, ids: new Set(ids) }
}

/** Positions of nodes as the document stores them, by node id. */
export type Positions = Record<string, Node['position']>

/** The new positions of dragged nodes. */
export function positionsOf({ ids, x, y }: Drag, { nodes }: GraphContent): Positions {
  return Object.fromEntries(
    [...ids].flatMap((id) => {
      const position = nodes[id]?.position
      return position ? [[id, { x: position.x + x, y: position.y + y }] as const] : []
    }),
  )
}

/** Returns the wire with those ends moved that belong to dragged nodes, or the same object if neither does. */
export function moveWireEnds(wire: DrawnWire, { ids, x, y }: Drag): DrawnWire {
  const [isStartMoved, isEndMoved] = [ids.has(wire.from.nodeInstanceId), ids.has(wire.to.nodeInstanceId)]
  if (!isStartMoved && !isEndMoved) return wire
  return {
    ...wire,
    startX: wire.startX + (isStartMoved ? x : 0),
    startY: wire.startY + (isStartMoved ? y : 0),
    endX: wire.endX + (isEndMoved ? x : 0),
    endY: wire.endY + (isEndMoved ? y : 0),
  }
}

/** Some nodes, wires and groups, painted together. */
export interface GraphPart {
  nodes: readonly Node[]
  wires: readonly DrawnWire[]
  groups: readonly GroupBox[]
}

export interface SplitGraph {
  /** The part that does not move. */
  fixed: GraphPart
  /** The part that moves without changing its shape. */
  moved: GraphPart
  /** The wires and groups between the two, which change their shape. */
  stretched: GraphPart
}

export const EMPTY_PART: GraphPart = { nodes: [], wires: [], groups: [] }

/** Splits a graph by how it is painted while nodes are dragged. */
export function splitByDrag(graph: GraphPart, draggedIds: ReadonlySet<string> | undefined): SplitGraph {
  if (!draggedIds) return { fixed: graph, moved: EMPTY_PART, stretched: EMPTY_PART }
  const { nodes, wires, groups } = graph
  const isDragged = (id: string) => draggedIds.has(id)
  const byEnds = Map.groupBy(
    wires,
    ({ from, to }) => Number(isDragged(from.nodeInstanceId)) + Number(isDragged(to.nodeInstanceId)),
  )
  const byMembers = Map.groupBy(groups, ({ members }) =>
    members.every(isDragged) ? 'moved' : members.some(isDragged) ? 'stretched' : 'fixed',
  )
  return {
    fixed: {
      nodes: nodes.filter(({ instanceId }) => !isDragged(instanceId)),
      wires: byEnds.get(0) ?? [],
      groups: byMembers.get('fixed') ?? [],
    },
    moved: {
      nodes: nodes.filter(({ instanceId }) => isDragged(instanceId)),
      wires: byEnds.get(2) ?? [],
      groups: byMembers.get('moved') ?? [],
    },
    stretched: { nodes: [], wires: byEnds.get(1) ?? [], groups: byMembers.get('stretched') ?? [] },
  }
}

/** The part of a graph that changes its shape, as it is while nodes are dragged. */
export const stretchPart = (
  { wires, groups }: GraphPart,
  nodes: GraphContent['nodes'],
  drag: Drag,
): GraphPart => ({
  nodes: [],
  wires: wires.map((wire) => moveWireEnds(wire, drag)),
  groups: groups.map((group) => stretchGroup(group, nodes, drag)),
})

/** Half of the widest stroke, in canvas units. */
const STROKE_MARGIN = 4

/** The bounding box of a part with its strokes; undefined for an empty one. */
export function areaOf({ nodes, wires, groups }: GraphPart): Rectangle | undefined {
  const area = unite([...nodes.map(rectangleOf), ...wires.map(boxOfWire), ...groups.map(({ box }) => box)])
  return area && grow(area, STROKE_MARGIN)
}
