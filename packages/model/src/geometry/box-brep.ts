import { createRectangle } from '@meadow/geometry/breps/to-brep'
import type { Brep, BrepFace, BrepTrim } from '@meadow/geometry/values/brep'
import type { Line } from '@meadow/geometry/values/curves'
import type { Box, Xyz } from '@meadow/geometry/values/points'
import { distance, pointAt, xyz } from './xyz.ts'

/**
 * The corners of each side, counter-clockwise seen from outside. Corners 0 to 3 are at the bottom, 4 to 7 above
 * them.
 */
const SIDES = [
  [0, 3, 2, 1],
  [4, 5, 6, 7],
  [0, 1, 5, 4],
  [1, 2, 6, 5],
  [2, 3, 7, 6],
  [3, 0, 4, 7],
] as const

const EDGES = [
  [0, 1],
  [1, 2],
  [2, 3],
  [3, 0],
  [4, 5],
  [5, 6],
  [6, 7],
  [7, 4],
  [0, 4],
  [1, 5],
  [2, 6],
  [3, 7],
] as const

/** Six planar faces with outward normals; undefined for a flat box. */
export function findBoxBrep(box: Box): Brep | undefined {
  const [x, y, z] = [box.x, box.y, box.z].map(
    ({ start, end }) => [Math.min(start, end), Math.max(start, end)] as const,
  )
  if (!x || !y || !z || [x, y, z].some(([low, high]) => !(low < high))) return undefined
  const around = [
    [x[0], y[0]],
    [x[1], y[0]],
    [x[1], y[1]],
    [x[0], y[1]],
  ] as const
  const vertices = z.flatMap((height) => around.map(([u, v]) => pointAt(box.plane, u, v, height)))
  const edges = EDGES.map(([start, end]) => ({ curve: toLine(vertices[start]!, vertices[end]!), start, end }))
  return { type: 'brep', vertices, edges, faces: SIDES.map((corners) => createSide(vertices, corners)) }
}

function toLine(from: Xyz, to: Xyz): Line {
  return { type: 'line', from, to }
}

function createSide(vertices: readonly Xyz[], corners: readonly [number, number, number, number]): BrepFace {
  const [a, b, c, d] = corners.map((corner) => vertices[corner]!) as [Xyz, Xyz, Xyz, Xyz]
  const [width, height] = [distance(a, b), distance(a, d)]
  const surface = createRectangle([a, b, c, d], width, height)
  const around = [xyz(0, 0, 0), xyz(width, 0, 0), xyz(width, height, 0), xyz(0, height, 0)]
  const trims = corners.map((from, i): BrepTrim => {
    const to = corners[(i + 1) % 4]!
    return {
      curve: { type: 'polyline', vertices: [around[i]!, around[(i + 1) % 4]!] },
      ...findEdge(from, to),
    }
  })
  return { surface, isReversed: false, loops: [trims] }
}

function findEdge(from: number, to: number): { edge: number; isReversed: boolean } {
  const edge = EDGES.findIndex(
    ([start, end]) => (start === from && end === to) || (start === to && end === from),
  )
  return { edge, isReversed: EDGES[edge]![0] !== from }
}
