import type { Xyz } from '@meadow/geometry/values/points'
import type { DrawnModel, DrawnValue } from './draw-model.ts'
import type { Shape } from './shapes.ts'

/**
 * How coordinates of a document become those of a file: in metres, with y up, relative to an origin in the file's axes.
 */
export interface Frame {
  metersPerUnit: number
  origin: readonly [x: number, y: number, z: number]
}

/** Within this distance of the origin, in metres, floats are exact to 0.1 mm. */
const NEAR = 1000

/**
 * Creates the frame of a model. If the model is so far away that floats would round, the origin is at the model, in
 * whole metres.
 */
export function createFrame({ nodes, metersPerUnit }: Pick<DrawnModel, 'nodes' | 'metersPerUnit'>): Frame {
  const min = [Infinity, Infinity, Infinity]
  const max = [-Infinity, -Infinity, -Infinity]
  for (const { shape } of listDrawn(nodes)) {
    const { x, y, z } = firstOf(shape)
    for (const [axis, number] of [x, z, -y].entries()) {
      min[axis] = Math.min(min[axis]!, number * metersPerUnit)
      max[axis] = Math.max(max[axis]!, number * metersPerUnit)
    }
  }
  const middle = min.map((number, axis) => Math.round((number + max[axis]!) / 2))
  const isFar = middle.some((number) => Number.isFinite(number) && Math.abs(number) > NEAR)
  return { metersPerUnit, origin: isFar ? [middle[0]!, middle[1]!, middle[2]!] : [0, 0, 0] }
}

export const listDrawn = (nodes: DrawnModel['nodes']): DrawnValue[] =>
  nodes.flatMap(({ ports }) => ports.flatMap(({ values }) => values))

function firstOf({ positions, lines, points }: Shape): Xyz {
  const [x, y, z] = positions
  if (x !== undefined && y !== undefined && z !== undefined) return { x, y, z }
  return lines[0]?.[0] ?? points[0]!
}
