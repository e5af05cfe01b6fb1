import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { getBrepArea, getBrepVolume } from '../breps/brep-mass.ts'
import { toBrep } from '../breps/to-brep.ts'
import { capPlanarHoles } from '../regions/cap-holes.ts'
import { extrudeCurve } from '../sweeps/extrude.ts'
import type { Brep } from '../values/brep.ts'
import { circle, polyline } from '../values/curves.ts'
import { isClosedBrep } from '../values/describe-geometry.ts'
import { findPlaneFromNormal, WORLD_XY, xyPlane } from '../values/planes.ts'
import type { Plane, Xyz } from '../values/points.ts'
import { domain } from '../values/value.ts'
import { addScaled } from '../values/vector.ts'
import { type BooleanResult, intersectSolids, subtractSolids, trimBySolids, uniteSolids } from './booleans.ts'
import { findFlatFaces, getWindingAround } from './flat-faces.ts'

const TOLERANCE = 0.001
const p = (x: number, y: number, z = 0): Xyz => ({ x, y, z })

function box(plane: Plane, x: number, y: number, z: number): Brep {
  const brep = toBrep({ type: 'box', plane, x: domain(0, x), y: domain(0, y), z: domain(0, z) })
  assert.ok(brep)
  return brep
}

const boxAt = (at: Xyz, x: number, y: number, z: number) => box(xyPlane(at), x, y, z)

/** An L-shaped prism: a solid that is not convex. */
function angle(at: Xyz, size: number, direction: Xyz): Brep {
  const corners = [p(0, 0), p(2, 0), p(2, 1), p(1, 1), p(1, 2), p(0, 2), p(0, 0)]
  const outline = polyline(corners.map(({ x, y }) => p(at.x + size * x, at.y + size * y, at.z)))
  return capPlanarHoles(extrudeCurve(outline, direction, TOLERANCE), TOLERANCE)!.brep
}

function get(result: BooleanResult): readonly Brep[] {
  assert.ok('breps' in result, 'problem' in result ? result.problem : '')
  return result.breps
}

const sumVolumes = (breps: readonly Brep[]) => breps.reduce((sum, brep) => sum + getBrepVolume(brep).size, 0)
const near = (actual: number, expected: number, tolerance = 1e-9) =>
  assert.ok(
    Math.abs(actual - expected) <= tolerance * (1 + Math.abs(expected)),
    `${actual} is not ${expected}`,
  )
const isInside = (breps: readonly Brep[], point: Xyz) =>
  breps.some((brep) => Math.round(getWindingAround(findFlatFaces(brep, 0, TOLERANCE) ?? [], point, 0)) > 0)

const OFFSETS = [p(1, 0), p(-1, 0), p(0, 1), p(0, -1), p(0, 0, 1), p(0, 0, -1)]
/** Whether a point is farther from the faces of a solid than they may move. */
const isClear = (solid: Brep, point: Xyz) =>
  OFFSETS.every(
    (offset) => isInside([solid], addScaled(point, offset, 4 * TOLERANCE)) === isInside([solid], point),
  )

const between = (min: number, max: number) => fc.double({ min, max, noNaN: true })
const location = fc.record({ x: between(0, 4), y: between(0, 4), z: between(0, 4) })
const direction = fc
  .record({ x: between(-1, 1), y: between(-1, 1), z: between(0.2, 1) })
  .map(({ x, y, z }) => ({ x: 3 * x, y: 3 * y, z: 3 * z }))
const solid = fc.oneof(
  fc
    .record({ at: location, normal: direction, x: between(1, 5), y: between(1, 5), z: between(1, 5) })
    .map(({ at, normal, x, y, z }) => box(findPlaneFromNormal(at, normal) as Plane, x, y, z)),
  fc
    .record({ at: location, size: between(0.5, 2), direction })
    .map(({ at, size, direction }) => angle(at, size, direction)),
)
const whole = fc.integer({ min: 0, max: 4 })
const length = fc.integer({ min: 1, max: 4 })
/** Many of their faces are in the same planes. */
const blocks = fc
  .record({ x: whole, y: whole, z: whole, a: length, b: length, c: length })
  .map(({ x, y, z, a, b, c }) => boxAt(p(x, y, z), a, b, c))

for (const [name, shapes] of [
  ['solids in any position', solid],
  ['boxes with faces in the same planes', blocks],
] as const) {
  test(`given two ${name}, then volumes add up, results are closed, and contain what they should`, () => {
    fc.assert(
      fc.property(shapes, shapes, fc.array(location, { minLength: 5, maxLength: 5 }), (a, b, points) => {
        const results = {
          union: uniteSolids([a, b], TOLERANCE),
          common: intersectSolids([a], [b], TOLERANCE),
          difference: subtractSolids([a], [b], TOLERANCE),
        }
        // Bodies that touch along an edge, and details of the size of the tolerance, have no result.
        fc.pre(Object.values(results).every((result) => 'breps' in result))
        const [union, common, difference] = [results.union, results.common, results.difference].map(get) as [
          readonly Brep[],
          readonly Brep[],
          readonly Brep[],
        ]
        const [volumeA, volumeB] = [sumVolumes([a]), sumVolumes([b])]
        // Faces closer than the tolerance become one.
        const allowed = 0.5 * TOLERANCE * (getBrepArea(a).size + getBrepArea(b).size)
        near(sumVolumes(union) + sumVolumes(common), volumeA + volumeB, allowed)
        near(sumVolumes(difference) + sumVolumes(common), volumeA, allowed)
        assert.ok([...union, ...common, ...difference].every(isClosedBrep))
        for (const { x, y, z } of points) {
          const point = p(x + 0.0123, y + 0.0456, z + 0.0789)
          const [inA, inB] = [isInside([a], point), isInside([b], point)]
          if (!isClear(a, point) || !isClear(b, point)) continue
          assert.equal(isInside(union, point), inA || inB)
          assert.equal(isInside(common, point), inA && inB)
          assert.equal(isInside(difference, point), inA && !inB)
        }
      }),
      { numRuns: 60 },
    )
  })
}

test('given a box through another one, then a solid with a hole: two faces with inner loops and four sides', () => {
  const [result, ...others] = get(
    subtractSolids([boxAt(p(0, 0), 4, 4, 1)], [boxAt(p(1, 1, -1), 2, 2, 3)], TOLERANCE),
  )
  assert.equal(others.length, 0)
  assert.ok(result)
  assert.deepEqual(result.faces.map(({ loops }) => loops.length).sort(), [1, 1, 1, 1, 1, 1, 1, 1, 2, 2])
  assert.deepEqual([result.vertices.length, result.edges.length], [16, 24])
  near(getBrepVolume(result).size, 12)
  near(getBrepArea(result).size, 2 * 12 + 4 * 4 + 4 * 2)
})

test('given a cutter whose faces are flush with those of the solid, then a notch without slivers', () => {
  const [result] = get(subtractSolids([boxAt(p(0, 0), 4, 4, 2)], [boxAt(p(2, 0, 1), 2, 4, 1)], TOLERANCE))
  assert.ok(result)
  assert.equal(result.faces.length, 8)
  near(getBrepVolume(result).size, 24)
})

test('given a cutter that halves a solid, then two results', () => {
  const halves = get(subtractSolids([boxAt(p(0, 0), 4, 4, 2)], [boxAt(p(1, -1, -1), 1, 6, 6)], TOLERANCE))
  assert.deepEqual(
    halves.map((half) => Math.round(getBrepVolume(half).size)).sort((a, b) => a - b),
    [8, 16],
  )
})

test('given boxes of which one sticks out by less than the tolerance, then their union can be combined further', () => {
  const boxes = [boxAt(p(0, 0), 1, 2, 1.4), boxAt(p(0.0005, 0), 3, 1, 1.5)]
  const [union] = get(uniteSolids(boxes, TOLERANCE))
  assert.ok(union)
  const [whole] = get(uniteSolids([union, boxAt(p(0.5, 0.5), 1, 1, 5)], TOLERANCE))
  assert.ok(whole)
  near(
    getBrepVolume(whole).size,
    5 + 2.8 + 4.5 - 1.4 - (0.5 * 1.4 + 0.5 * 0.5 * 1.5 + 0.5 * 0.5 * 0.1),
    TOLERANCE,
  )
})

test('given boxes side by side, then their union keeps faces of different boxes apart', () => {
  const [result, apart] = get(
    uniteSolids([boxAt(p(0, 0), 1, 1, 1), boxAt(p(1, 0), 1, 1, 1), boxAt(p(9, 0), 1, 1, 1)], TOLERANCE),
  )
  assert.ok(result && apart)
  assert.equal(result.faces.length, 10)
  assert.equal(apart.faces.length, 6)
  near(getBrepVolume(result).size, 2)
})

test('given solids that do not meet, or only touch, then a difference hands on the same solid', () => {
  const block = boxAt(p(0, 0), 2, 2, 2)
  const cutters = [boxAt(p(5, 5, 5), 1, 1, 1), boxAt(p(2, 0, 0), 1, 1, 1)]
  assert.deepEqual(get(subtractSolids([block], cutters, TOLERANCE)), [block])
  assert.equal(get(subtractSolids([block], cutters, TOLERANCE))[0], block)
  assert.deepEqual(get(intersectSolids([block], cutters, TOLERANCE)), [])
  assert.deepEqual(get(subtractSolids([block], [boxAt(p(-1, -1, -1), 5, 5, 5)], TOLERANCE)), [])
})

test('given faces on surfaces of any parameters, then results keep the surfaces', () => {
  const block = boxAt(p(0, 0), 4, 3, 2)
  const [result] = get(subtractSolids([block], [boxAt(p(1, 1, 1), 1, 1, 5)], TOLERANCE))
  const surfaces = new Set(block.faces.map(({ surface }) => surface))
  assert.equal(result?.faces.filter(({ surface }) => surfaces.has(surface)).length, 6)
})

test('given an open shape and cutters, then the faces outside the cutters, and no new ones', () => {
  const outline = polyline([p(0, 0), p(4, 0), p(4, 4), p(0, 4), p(0, 0)])
  const walls = extrudeCurve(outline, p(0, 0, 3), TOLERANCE)
  const windows = [boxAt(p(1, -1, 1), 2, 2, 1), boxAt(p(3, 1, 1), 2, 2, 1)]
  const [result, ...others] = get(trimBySolids(walls, windows, TOLERANCE))
  assert.equal(others.length, 0)
  assert.ok(result)
  assert.equal(result.faces.length, 4)
  near(getBrepArea(result).size, 4 * 12 - 2 * 2)
  const slice = boxAt(p(-1, -1, 1), 6, 6, 1)
  const parts = get(trimBySolids(walls, [slice], TOLERANCE))
  assert.deepEqual(
    parts.map((part) => Math.round(getBrepArea(part).size)),
    [16, 16],
  )
})

test('given what cannot be combined, then a problem instead of a wrong result', () => {
  const block = boxAt(p(0, 0), 2, 2, 2)
  const cylinder = capPlanarHoles(extrudeCurve(circle(WORLD_XY, 1), p(0, 0, 3), TOLERANCE), TOLERANCE)!.brep
  const open = extrudeCurve(polyline([p(0, 0), p(1, 0), p(1, 1), p(0, 0)]), p(0, 0, 3), TOLERANCE)
  const insideOut = {
    ...block,
    faces: block.faces.map((face) => ({ ...face, isReversed: !face.isReversed })),
  }
  const problem = (result: BooleanResult) => ('problem' in result ? result.problem : 'none')
  assert.deepEqual(
    [
      subtractSolids([block], [cylinder], TOLERANCE),
      uniteSolids([block, open], TOLERANCE),
      intersectSolids([insideOut], [block], TOLERANCE),
      subtractSolids([boxAt(p(-1, -1, -1), 4, 4, 4)], [block], TOLERANCE),
      uniteSolids([block, boxAt(p(2, 2, 0), 1, 1, 1)], TOLERANCE),
      trimBySolids(block, [boxAt(p(0, 0, 1), 1, 1, 4)], TOLERANCE),
    ].map(problem),
    [
      'a brep has curved faces or edges',
      'a brep is open',
      'a brep is inside out',
      'the result would have a hollow inside',
      'the result would touch itself along an edge',
      'a cutter has a face in the plane of another face',
    ],
  )
})
