import type { Node } from '@meadow/contract'
import { boxOfWire, type DrawnWire } from './drawn-wires.ts'
import { grow, type Rectangle, rectangleOf, unite } from './rectangle.ts'

/** Some of what is painted. */
export interface Part {
  nodes: readonly Node[]
  wires: readonly DrawnWire[]
}

export interface SplitGraph {
  /** Where it is. */
  still: Part
  /** Moves as it is. */
  carried: Part
  /** The wires between those, which change their shape. */
  stretched: readonly DrawnWire[]
}

export function splitByDrag(
  nodes: readonly Node[],
  wires: readonly DrawnWire[],
  dragged: ReadonlySet<string> | undefined,
): SplitGraph {
  if (!dragged) return { still: { nodes, wires }, carried: { nodes: [], wires: [] }, stretched: [] }
  const endsIn = ({ from, to }: DrawnWire) =>
    Number(dragged.has(from.nodeInstanceId)) + Number(dragged.has(to.nodeInstanceId))
  const byEnds = Map.groupBy(wires, endsIn)
  return {
    still: {
      nodes: nodes.filter(({ instanceId }) => !dragged.has(instanceId)),
      wires: byEnds.get(0) ?? [],
    },
    carried: {
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
