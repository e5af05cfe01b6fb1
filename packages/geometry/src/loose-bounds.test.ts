import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findLooseBounds } from './loose-bounds.ts'
import { findTightBounds } from './tight-bounds.ts'
import type { Brep } from './values/brep.ts'
import { polyline } from './values/curves.ts'
import type { NurbsSurface } from './values/nurbs-surface.ts'
import { WORLD_XY } from './values/planes.ts'
import { point } from './values/points.ts'

/** The parabola z = x², 0 to 10 along x and y. */
const PARABOLA: NurbsSurface = {
  type: 'nurbsSurface',
  degreeU: 2,
  degreeV: 1,
  points: [
    [
      { x: 0, y: 0, z: 0 },
      { x: 0, y: 10, z: 0 },
    ],
    [
      { x: 5, y: 0, z: 0 },
      { x: 5, y: 10, z: 0 },
    ],
    [
      { x: 10, y: 0, z: 100 },
      { x: 10, y: 10, z: 100 },
    ],
  ],
  knotsU: [0, 0, 10, 10],
  knotsV: [0, 10],
}

/** The part of the parabola over a rectangle of parameters. */
function trim(fromU: number, toU: number, fromV: number, toV: number): Brep {
  const corners: [number, number][] = [
    [fromU, fromV],
    [toU, fromV],
    [toU, toV],
    [fromU, toV],
  ]
  const sides = corners.map(([u, v], i) => {
    const [nextU, nextV] = corners[(i + 1) % 4] as [number, number]
    return [point(u, v, 0), point(nextU, nextV, 0)] as const
  })
  const onSurface = ({ x, y }: { x: number; y: number }) => ({ x, y, z: x * x })
  return {
    type: 'brep',
    vertices: corners.map(([x, y]) => onSurface({ x, y })),
    edges: sides.map(([from, to], i) => ({
      curve: polyline([onSurface(from), onSurface(to)]),
      start: i,
      end: (i + 1) % 4,
    })),
    faces: [
      {
        surface: PARABOLA,
        isReversed: false,
        loops: [sides.map(([from, to], edge) => ({ curve: polyline([from, to]), edge, isReversed: false }))],
      },
    ],
  }
}

const near = (actual: number | undefined, expected: number) =>
  assert.ok(Math.abs((actual ?? Number.NaN) - expected) < 1e-9, `${actual} is not ${expected}`)

test('given a trimmed face that is bent, when its box is computed, then it is that of the trimmed part, a tenth larger', () => {
  const bounds = findLooseBounds(trim(2, 4, 5, 6))
  near(bounds?.min.x, 1.8)
  near(bounds?.max.x, 4.2)
  near(bounds?.min.y, 4.9)
  near(bounds?.max.y, 6.1)
  near(bounds?.max.z, 4.2 ** 2)
  // The middle control point of the part from 1.8 to 4.2.
  near(bounds?.min.z, Math.min(1.8 ** 2, 1.8 * 4.2))
})

test('given a face trimmed near the end of its surface, when its box is computed, then it ends with the surface', () => {
  const bounds = findLooseBounds(trim(0, 9.5, 0, 10))
  assert.deepEqual([bounds?.min.x, bounds?.min.y, bounds?.max.y], [0, 0, 10])
  near(bounds?.max.x, 10)
  near(bounds?.max.z, 100)
})

test('given a group with a trimmed face, when its box is computed, then it is that of all members', () => {
  const bounds = findLooseBounds({ type: 'group', members: [trim(2, 4, 5, 6), point(0, 0, -1)] })
  assert.deepEqual(bounds?.min, { x: 0, y: 0, z: -1 })
  near(bounds?.max.y, 6.1)
  assert.equal(findLooseBounds({ type: 'group', members: [] }), undefined)
})

test('given a trimmed face that is bent, when its tight box is computed, then it is that of the trimmed part', () => {
  const bounds = findTightBounds(trim(2, 4, 5, 6), WORLD_XY)
  near(bounds?.min.x, 2)
  near(bounds?.max.x, 4)
  near(bounds?.max.y, 6)
  near(bounds?.min.z, 4)
  near(bounds?.max.z, 16)
})
