import type { Node } from '@meadow/contract'
import { grow, type Rectangle, rectangleOf, unite } from './rectangle.ts'
import { boxOfWire, type DrawnWire } from './wires.ts'

/** Some of what is painted. */
export interface Part {
  nodes: readonly Node[]
  wires: readonly DrawnWire[]
}

export interface SplitGraph {
  /** Where it is. */
  fixed: Part
  /** Moves as it is. */
  moved: Part
  /** The wires between those, which change their shape. */
  stretched: readonly DrawnWire[]
}

export function splitByDrag(
  nodes: readonly Node[],
  wires: readonly DrawnWire[],
  dragged: ReadonlySet<string> | undefined,
): SplitGraph {
  if (!dragged) return { fixed: { nodes, wires }, moved: { nodes: [], wires: [] }, stretched: [] }
  const endsIn = ({ from, to }: DrawnWire) =>
    Number(dragged.has(from.nodeInstanceId)) + Number(dragged.has(to.nodeInstanceId))
  const byEnds = Map.groupBy(wires, endsIn)
  return {
    fixed: {
      nodes: nodes.filter(({ instanceId }) => !dragged.has(instanceId)),
      wires: byEnds.get(0) ?? [],
    },
    moved: {
      nodes: nodes.filter(({ instanceId }) => dragged.has(instanceId)),
      wires: byEnds.get(2) ?? [],
    },
    stretched: byEnds.get(1) ?? [],
  }
}

/** How far lines reach beyond what they are the lines of, in canvas units. */
const LINES = 4

/** What a part takes up, with its lines; undefined for an empty one. */
export function areaOf({ nodes, wires }: Part): Rectangle | undefined {
  const area = unite([...nodes.map(rectangleOf), ...wires.map(boxOfWire)])
  return area && grow(area, LINES)
}
