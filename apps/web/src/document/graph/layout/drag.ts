import type { GraphContent, Node } from '@meadow/contract'
import { grow, type Rectangle, rectangleOf, unite } from './rectangle.ts'
import { boxOfWire, type DrawnWire } from './wires.ts'

/** Nodes that are being dragged, and their offset from where the document has them, in canvas units. */
export interface Drag {
  ids: ReadonlySet<string>
  x: number
  y: number
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

/** The wire with the ends moved that belong to dragged nodes; the same object when neither does. */
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

/** Some nodes and wires, painted together. */
export interface GraphPart {
  nodes: readonly Node[]
  wires: readonly DrawnWire[]
}

export interface SplitGraph {
  /** Does not move. */
  fixed: GraphPart
  /** Moves without changing its shape. */
  moved: GraphPart
  /** The wires between the two, which change their shape. */
  stretched: readonly DrawnWire[]
}

/** Splits a graph by how it is painted while nodes are dragged. */
export function splitByDrag(
  nodes: readonly Node[],
  wires: readonly DrawnWire[],
  draggedIds: ReadonlySet<string> | undefined,
): SplitGraph {
  if (!draggedIds) return { fixed: { nodes, wires }, moved: { nodes: [], wires: [] }, stretched: [] }
  const countDraggedEnds = ({ from, to }: DrawnWire) =>
    Number(draggedIds.has(from.nodeInstanceId)) + Number(draggedIds.has(to.nodeInstanceId))
  const byEnds = Map.groupBy(wires, countDraggedEnds)
  return {
    fixed: {
      nodes: nodes.filter(({ instanceId }) => !draggedIds.has(instanceId)),
      wires: byEnds.get(0) ?? [],
    },
    moved: {
      nodes: nodes.filter(({ instanceId }) => draggedIds.has(instanceId)),
      wires: byEnds.get(2) ?? [],
    },
    stretched: byEnds.get(1) ?? [],
  }
}

/** Half of the widest stroke, in canvas units. */
const STROKE_MARGIN = 4

/** The bounding box of a part with its strokes; undefined for an empty one. */
export function areaOf({ nodes, wires }: GraphPart): Rectangle | undefined {
  const area = unite([...nodes.map(rectangleOf), ...wires.map(boxOfWire)])
  return area && grow(area, STROKE_MARGIN)
}
