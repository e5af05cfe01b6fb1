import type { Brep, BrepTrim } from '@meadow/geometry/values/brep'
import type { Circle, PolyCurve } from '@meadow/geometry/values/curves'
import type { Mesh } from '@meadow/geometry/values/mesh'
import type { NurbsSurface } from '@meadow/geometry/values/nurbs-surface'
import type { Box, Plane, Xyz } from '@meadow/geometry/values/points'
import { xyz } from '../geometry/xyz.ts'

export const WORLD: Plane = {
  type: 'plane',
  origin: xyz(0, 0, 0),
  xAxis: xyz(1, 0, 0),
  yAxis: xyz(0, 1, 0),
  zAxis: xyz(0, 0, 1),
}

function at(plane: Plane, x: number, y: number, z: number): Plane {
  return { ...plane, origin: xyz(x, y, z) }
}

export function box(width: number, depth: number, height: number): Box {
  const from0 = (end: number) => ({ type: 'domain', start: 0, end }) as const
  return { type: 'box', plane: at(WORLD, 5, 6, 7), x: from0(width), y: from0(depth), z: from0(height) }
}

/** A line, then a quarter turn. */
export const BENT: PolyCurve = {
  type: 'polyCurve',
  segments: [
    { type: 'line', from: xyz(0, 0, 0), to: xyz(2, 0, 0) },
    { type: 'arc', plane: at(WORLD, 2, 1, 0), radius: 1, startAngle: -Math.PI / 2, endAngle: 0 },
  ],
}

export const SADDLE: NurbsSurface = {
  type: 'nurbsSurface',
  degreeU: 1,
  degreeV: 2,
  points: [
    [xyz(0, 0, 0), xyz(0, 1, 1), xyz(0, 2, 0)],
    [xyz(3, 0, 1), xyz(3, 1, 0), xyz(3, 2, 1)],
  ],
  weights: [
    [1, 0.5, 1],
    [1, 2, 1],
  ],
  knotsU: [0, 1],
  knotsV: [0, 0, 1, 1],
}

/** A square plate of side 4 with a round hole of radius 1 in its middle. */
export function plateWithHole(): Brep {
  const corners = [xyz(0, 0, 0), xyz(4, 0, 0), xyz(4, 4, 0), xyz(0, 4, 0)] as const
  const rim: Circle = { type: 'circle', plane: at(WORLD, 2, 2, 0), radius: 1 }
  const outer = corners.map((from, i): BrepTrim => {
    const to = corners[(i + 1) % 4]!
    return { curve: { type: 'polyline', vertices: [from, to] }, edge: i, isReversed: false }
  })
  return {
    type: 'brep',
    vertices: [...corners, xyz(3, 2, 0)],
    edges: [
      ...corners.map((from, i) => {
        const end = (i + 1) % 4
        return { curve: { type: 'line', from, to: corners[end]! } as const, start: i, end }
      }),
      { curve: rim, start: 4, end: 4 },
    ],
    faces: [
      {
        surface: {
          type: 'nurbsSurface',
          degreeU: 1,
          degreeV: 1,
          points: [
            [corners[0], corners[3]],
            [corners[1], corners[2]],
          ],
          knotsU: [0, 4],
          knotsV: [0, 4],
        },
        isReversed: false,
        loops: [outer, [{ curve: clockwiseCircle(2, 2, 1), edge: 4, isReversed: true }]],
      },
    ],
  }
}

/** In parameters of a surface, from the right side on. Holes run clockwise. */
function clockwiseCircle(x: number, y: number, radius: number): BrepTrim['curve'] {
  const around = [
    [1, 0],
    [1, -1],
    [0, -1],
    [-1, -1],
    [-1, 0],
    [-1, 1],
    [0, 1],
    [1, 1],
    [1, 0],
  ] as const
  const side = Math.SQRT1_2
  return {
    type: 'nurbsCurve',
    degree: 2,
    points: around.map(([u, v]): Xyz => xyz(x + radius * u, y + radius * v, 0)),
    weights: around.map((_, i) => (i % 2 === 0 ? 1 : side)),
    knots: [0, 0, 1, 1, 2, 2, 3, 3, 4, 4],
  }
}

/** A wavy net of `side` by `side` vertices with normals and colours. */
export function net(side: number): Mesh {
  const indices = Array.from({ length: side * side }, (_, i) => [i % side, Math.floor(i / side)] as const)
  return {
    type: 'mesh',
    vertices: indices.map(([x, y]) => xyz(x / 3, y / 7, Math.sin(x * y))),
    faces: indices.flatMap(([x, y], i) =>
      x < side - 1 && y < side - 1
        ? [{ type: 'meshFace', a: i, b: i + 1, c: i + side + 1, d: i + side } as const]
        : [],
    ),
    normals: indices.map(() => xyz(0, 0, 1)),
    colours: indices.map(([x, y]) => ({
      type: 'colour',
      red: x % 256,
      green: y % 256,
      blue: 7,
      alpha: 255 - (x % 100),
    })),
  }
}
