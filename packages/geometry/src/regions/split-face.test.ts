import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { getBrepArea } from '../breps/brep-mass.ts'
import { toBrep } from '../breps/to-brep.ts'
import { circle, line, polyline } from '../values/curves.ts'
import { WORLD_XY, xyPlane } from '../values/planes.ts'
import type { Curve } from '../values/value.ts'
import { createPlanarBreps } from './planar-breps.ts'
import { splitFlatFace } from './split-face.ts'

const at = (x: number, y: number) => ({ x, y, z: 0 })
const SIZE = 10
const SQUARE = toBrep({
  type: 'nurbsSurface',
  degreeU: 1,
  degreeV: 1,
  points: [
    [at(0, 0), at(0, SIZE)],
    [at(SIZE, 0), at(SIZE, SIZE)],
  ],
  knotsU: [0, SIZE],
  knotsV: [0, SIZE],
})!
const listAreas = (curves: readonly Curve[], face = SQUARE) =>
  splitFlatFace(face, curves, WORLD_XY, 1e-3)?.map((part) => getBrepArea(part).size)
const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)
const place = fc.integer({ min: -3, max: SIZE + 3 })
const point = fc.tuple(place, place).map(([x, y]) => at(x, y))
const cutter = fc.oneof(
  fc
    .tuple(point, point)
    .filter(([a, b]) => a.x !== b.x || a.y !== b.y)
    .map(([a, b]): Curve => line(a, b)),
  fc
    .tuple(point, fc.integer({ min: 1, max: 4 }))
    .map(([centre, radius]): Curve => circle(xyPlane(centre), radius)),
)

test('[G-6] given curves across a face, when it is split, then the areas of the parts add up to that of the face', () => {
  fc.assert(
    fc.property(fc.array(cutter, { maxLength: 6 }), (curves) => {
      const areas = listAreas(curves)
      if (!areas) return
      assert.ok(areas.every((area) => area > 0))
      assert.ok(Math.abs(sum(areas) - SIZE * SIZE) < 0.05, `${areas}`)
    }),
  )
})

test('[G-6] given lines across a face, when it is split, then into as many parts as they make', () => {
  const columns = [2, 4, 6].map((x) => line(at(x, -1), at(x, SIZE + 1)))
  assert.equal(listAreas(columns)?.length, 4)
  assert.equal(listAreas([...columns, line(at(-1, 5), at(SIZE + 1, 5))])?.length, 8)
  assert.equal(listAreas([...columns, ...columns])?.length, 4)
})

test('[G-6] given a face with a hole, when it is split, then the parts are beside the hole', () => {
  const outline = polyline([at(0, 0), at(SIZE, 0), at(SIZE, SIZE), at(0, SIZE), at(0, 0)])
  const [ring] = createPlanarBreps([outline, circle(xyPlane(at(5, 5)), 2)], 1e-3).breps
  const areas = listAreas([line(at(5, -1), at(5, SIZE + 1))], ring)!
  const half = (SIZE * SIZE - Math.PI * 4) / 2
  assert.deepEqual(
    areas.map((area) => Math.abs(area - half) < 1e-9),
    [true, true],
  )
  const inHole = listAreas([circle(xyPlane(at(5, 5)), 1)], ring)!
  assert.equal(inHole.length, 1)
})

test('[G-6] given curves that end inside of a face, or lead to a closed one, when it is split, then only closed ones divide it', () => {
  assert.deepEqual(listAreas([line(at(1, 1), at(4, 4)), line(at(-1, 5), at(5, 5))]), [SIZE * SIZE])
  const lasso = listAreas([circle(xyPlane(at(5, 5)), 1), line(at(-1, 5), at(4, 5))])!
  assert.deepEqual(
    lasso.map((area) => area.toFixed(9)),
    [(SIZE * SIZE - Math.PI).toFixed(9), Math.PI.toFixed(9)],
  )
})
