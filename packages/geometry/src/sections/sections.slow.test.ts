import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { getBrepVolume } from '../breps/brep-mass.ts'
import { findClosestOnBrep } from '../breps/closest-on-brep.ts'
import { integrateRegion, samplePoints } from '../breps/region.ts'
import { createBrepOfSurface } from '../breps/surface-brep.ts'
import { getLength } from '../curves/length.ts'
import { isClosed } from '../curves/split.ts'
import { capPlanarHoles } from '../regions/cap-holes.ts'
import { createSphere } from '../surfaces/revolve.ts'
import { extrudeCurve } from '../sweeps/extrude.ts'
import { loft } from '../sweeps/loft.ts'
import type { Brep } from '../values/brep.ts'
import { circle } from '../values/curves.ts'
import type { NurbsSurface } from '../values/nurbs-surface.ts'
import { findPlaneFromNormal, toLocal, WORLD_XY, xyPlane } from '../values/planes.ts'
import type { Plane, Xyz } from '../values/points.ts'
import type { Curve } from '../values/value.ts'
import { distance, scale } from '../values/vector.ts'
import { sectionBrep } from './section-brep.ts'

const TOLERANCE = 0.001
const p = (x: number, y: number, z = 0): Xyz => ({ x, y, z })
const through = (point: Xyz, normal: Xyz) => findPlaneFromNormal(point, normal) as Plane

const SPHERE = createBrepOfSurface(createSphere(WORLD_XY, 3))
const CYLINDER = capPlanarHoles(extrudeCurve(circle(WORLD_XY, 2), p(0, 0, 5), TOLERANCE), TOLERANCE)!.brep
const BENT = capPlanarHoles(
  loft([circle(WORLD_XY, 2), circle(xyPlane(p(1, 0, 3)), 1), circle(xyPlane(p(4, 0, 6)), 2)], TOLERANCE)
    ?.brep as Brep,
  TOLERANCE,
)!.brep

/** Hills and hollows, with borders in no plane. */
const HILLS: NurbsSurface = {
  type: 'nurbsSurface',
  degreeU: 3,
  degreeV: 3,
  points: Array.from({ length: 8 }, (_, i) =>
    Array.from({ length: 8 }, (__, j) => p(i, j, 2 * Math.sin(1.3 * i + 0.2) * Math.cos(1.1 * j + 0.1))),
  ),
  knotsU: [0, 0, 0, 1, 2, 3, 4, 5, 5, 5],
  knotsV: [0, 0, 0, 1, 2, 3, 4, 5, 5, 5],
}

function section(brep: Brep, plane: Plane): readonly Curve[] {
  const result = sectionBrep(brep, plane, TOLERANCE)
  assert.ok('curves' in result, 'problem' in result ? result.problem : '')
  return result.curves
}

const near = (actual: number, expected: number, tolerance: number) =>
  assert.ok(Math.abs(actual - expected) <= tolerance, `${actual} is not ${expected}`)
const sumLengths = (curves: readonly Curve[]) => curves.reduce((sum, curve) => sum + getLength(curve), 0)

test('given planes whose sections are known, then their lengths', () => {
  near(sumLengths(section(SPHERE, xyPlane(p(0, 0, 1)))), 2 * Math.PI * Math.sqrt(8), 1e-4)
  near(sumLengths(section(CYLINDER, through(p(0.5, 0), p(1, 0)))), 10 + 4 * Math.sqrt(3.75), 1e-9)
  near(sumLengths(section(CYLINDER, xyPlane(p(0, 0, 5)))), 4 * Math.PI, 1e-9)
  // Ramanujan's second formula, for half axes of 2 and √5.
  const [a, b] = [2, Math.sqrt(5)]
  const h = ((a - b) / (a + b)) ** 2
  const ellipse = Math.PI * (a + b) * (1 + (3 * h) / (10 + Math.sqrt(4 - 3 * h)))
  near(sumLengths(section(CYLINDER, through(p(0, 0, 2.5), p(0.5, 0, 1)))), ellipse, 1e-4)
  assert.deepEqual(section(SPHERE, xyPlane(p(0, 0, 4))), [])
})

const coordinate = fc.double({ min: -1, max: 1, noNaN: true })
const direction = fc
  .record({ x: coordinate, y: coordinate, z: coordinate })
  .filter(({ x, y, z }) => Math.hypot(x, y, z) > 0.1)

test('given any plane through a curved brep, then the curves are on both, and closed around solids', () => {
  for (const [brep, middle] of [
    [SPHERE, p(0, 0, 0)],
    [CYLINDER, p(0, 0, 2.5)],
    [BENT, p(1.5, 0, 3)],
    [createBrepOfSurface(HILLS), p(3.5, 3.5, 0)],
  ] as const) {
    fc.assert(
      fc.property(direction, direction, (normal, shift) => {
        const plane = through({ x: middle.x + shift.x, y: middle.y + shift.y, z: middle.z + shift.z }, normal)
        const result = sectionBrep(brep, plane, TOLERANCE)
        // Planes that touch, or pass along an edge, have no result.
        fc.pre('curves' in result)
        assert.ok(result.curves.length > 0 || brep.faces[0]?.surface === HILLS)
        for (const curve of result.curves) {
          if (brep.faces[0]?.surface !== HILLS) assert.ok(isClosed(curve, TOLERANCE))
          for (const point of samplePoints(curve, 3).filter((_, i) => i % 11 === 0)) {
            assert.ok(Math.abs(toLocal(plane, point).z) <= TOLERANCE)
            assert.ok(distance(findClosestOnBrep(brep, point)?.point ?? p(99, 0), point) <= TOLERANCE)
          }
        }
      }),
      // The section passes near the poles of the sphere, whose closest point is not the pole.
      { numRuns: 5, examples: [[p(-0.1, 0), p(-0.1, 0)]] },
    )
  }
})

test('given parallel planes through a solid, then the areas of the sections add up to its volume', () => {
  const normal = p(0.48, 0.6, 0.64)
  const steps = 40
  for (const [brep, from, to] of [
    [SPHERE, -3, 3],
    [BENT, -2, 7.5],
  ] as const) {
    let volume = 0
    for (let i = 0; i < steps; i++) {
      const height = from + ((to - from) * (i + 0.5)) / steps
      const plane = through(scale(normal, height), normal)
      for (const curve of section(brep, plane)) {
        volume += (Math.abs(integrateRegion([curve], plane).area) * (to - from)) / steps
      }
    }
    near(volume, getBrepVolume(brep).size, 0.005 * volume)
  }
})

test('given planes that touch, then a problem instead of a wrong result', () => {
  const saddle = createBrepOfSurface({
    type: 'nurbsSurface',
    degreeU: 2,
    degreeV: 2,
    points: [0, 1, 2].map((i) =>
      [0, 1, 2].map((j) => p(i, j, i === 1 ? 1 - (j === 1 ? 1 : 0) : j === 1 ? -1 : 0)),
    ),
    knotsU: [0, 0, 1, 1],
    knotsV: [0, 0, 1, 1],
  })
  for (const [brep, plane] of [
    [SPHERE, xyPlane(p(0, 0, 3))],
    [SPHERE, through(p(3, 0, 0), p(1, 0, 0))],
    [saddle, xyPlane(p(0, 0, 0))],
  ] as const) {
    assert.deepEqual(sectionBrep(brep, plane, TOLERANCE), { problem: 'the plane touches a face' })
  }
})
