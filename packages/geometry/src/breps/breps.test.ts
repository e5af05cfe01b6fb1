import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { getPoint } from '../curves/evaluate.ts'
import { interpolateClosed, interpolatePoints } from '../curves/interpolate-points.ts'
import { getLength } from '../curves/length.ts'
import { toNurbs } from '../curves/to-nurbs.ts'
import { capPlanarHoles } from '../regions/cap-holes.ts'
import { createPlanarBreps } from '../regions/planar-breps.ts'
import { createSphere } from '../surfaces/revolve.ts'
import { extrudeBrep, extrudeCurve } from '../sweeps/extrude.ts'
import { coneOver } from '../sweeps/extrude-to-point.ts'
import { loft } from '../sweeps/loft.ts'
import { createPipe, type PipeCaps } from '../sweeps/pipe.ts'
import { revolveCurve } from '../sweeps/revolve-curve.ts'
import { findTightBounds } from '../tight-bounds.ts'
import type { Brep } from '../values/brep.ts'
import { getCurveDomain } from '../values/curve-domain.ts'
import { arc, circle, line, polyline } from '../values/curves.ts'
import { isClosedBrep } from '../values/describe-geometry.ts'
import { findPlaneFromNormal, WORLD_XY, xyPlane } from '../values/planes.ts'
import type { Xyz } from '../values/points.ts'
import { type Curve, domain } from '../values/value.ts'
import { distance } from '../values/vector.ts'
import { getBrepArea, getBrepVolume } from './brep-mass.ts'
import { joinBreps } from './join-breps.ts'
import { countUses, listFaces } from './list-faces.ts'
import { findCentroid } from './mass.ts'
import { integrateRegion } from './region.ts'
import { toBrep } from './to-brep.ts'

const TOLERANCE = 0.001
const p = (x: number, y: number, z = 0): Xyz => ({ x, y, z })
const square = (size: number, z = 0) =>
  polyline([p(-size, -size, z), p(size, -size, z), p(size, size, z), p(-size, size, z), p(-size, -size, z)])
const near = (actual: number, expected: number, relative = 1e-8) =>
  assert.ok(Math.abs(actual - expected) <= relative * Math.abs(expected), `${actual} is not ${expected}`)

function fill(...curves: Curve[]): Brep {
  const [brep] = createPlanarBreps(curves, TOLERANCE).breps
  assert.ok(brep)
  return brep
}

function assertSolid(brep: Brep, volume: number, relative?: number): void {
  assert.ok(isClosedBrep(brep))
  near(getBrepVolume(brep).size, volume, relative)
}

test('given curves in curves, then every other one is a hole, and islands are faces of their own', () => {
  const { breps } = createPlanarBreps(
    [circle(WORLD_XY, 1), square(4), circle(WORLD_XY, 2), circle(xyPlane(p(20, 0)), 1)],
    TOLERANCE,
  )
  assert.deepEqual(
    breps.map(({ faces }) => faces[0]?.loops.length),
    [1, 2, 1],
  )
  const areas = breps.map((brep) => getBrepArea(brep).size)
  for (const [i, area] of [Math.PI, 64 - 4 * Math.PI, Math.PI].entries()) near(areas[i]!, area)
})

test('given an arc from any angle to any other, tilted or not, then its region is that of the polygon of its points', () => {
  const angle = fc.double({ min: -6, max: 6, noNaN: true })
  fc.assert(
    fc.property(angle, fc.double({ min: 0.05, max: 6, noNaN: true }), angle, (start, sweep, tilt) => {
      const plane = findPlaneFromNormal(p(3, -2, 1), p(Math.sin(tilt), 0.3, 1))!
      const bent = arc(plane, 2, start, start + sweep)
      const steps = 4000
      const { start: first, end: last } = getCurveDomain(bent)
      const at = (k: number) => getPoint(bent, first + ((last - first) * k) / steps)
      const inside = polyline(Array.from({ length: steps + 1 }, (_, k) => at(k)))
      const [exact, nurbs, rough] = [bent, toNurbs(bent), inside].map((curve) =>
        integrateRegion([curve, line(at(steps), at(0))], WORLD_XY),
      )
      for (const key of ['area', 'momentX', 'momentY'] as const) {
        assert.ok(Math.abs(exact![key] - rough![key]) < 1e-4, `${key} is ${exact![key]}, not ${rough![key]}`)
        assert.ok(
          Math.abs(exact![key] - nurbs![key]) < 1e-11,
          `${key} is ${exact![key]}, as NURBS ${nurbs![key]}`,
        )
      }
    }),
    { numRuns: 40 },
  )
})

test('given a rectangle with round corners, as NURBS too, then its area is that of the formula', () => {
  const corner = (x: number, y: number, turn: number) =>
    arc(xyPlane(p(x, y)), 1, (turn * Math.PI) / 2, ((turn + 1) * Math.PI) / 2)
  const round: Curve = {
    type: 'polyCurve',
    segments: [
      line(p(-2, -2), p(2, -2)),
      corner(2, -1, 3),
      line(p(3, -1), p(3, 1)),
      corner(2, 1, 0),
      line(p(2, 2), p(-2, 2)),
      corner(-2, 1, 1),
      line(p(-3, 1), p(-3, -1)),
      corner(-2, -1, 2),
    ],
  }
  for (const curve of [round, toNurbs(round)]) {
    const { area, momentX, momentY } = integrateRegion([curve], xyPlane(p(1, 0)))
    near(area, 20 + Math.PI, 1e-14)
    near(momentX, -area, 1e-13)
    assert.ok(Math.abs(momentY) < 1e-12)
  }
})

test('given open curves that meet, then they bound one surface; open and bent ones are counted', () => {
  const sides = [
    line(p(0, 0), p(2, 0)),
    line(p(2, 2), p(2, 0)),
    line(p(2, 2), p(0, 2)),
    line(p(0, 0), p(0, 2)),
  ]
  near(getBrepArea(fill(...sides)).size, 4)
  const bent = polyline([p(0, 0), p(2, 0), p(2, 2, 1), p(0, 2), p(0, 0)])
  assert.deepEqual(createPlanarBreps([line(p(0, 0), p(1, 0)), bent], TOLERANCE), {
    breps: [],
    open: 1,
    bent: 1,
  })
})

test('given a flat face and any direction out of its plane, then its extrusion is a solid of area times height', () => {
  const bases = [
    fill(square(2)),
    fill(square(2), circle(WORLD_XY, 1)),
    fill(interpolateClosed([p(0, 0), p(5, 0), p(6, 5), p(0, 5)], 'chord')),
  ]
  const step = fc.double({ min: -5, max: 5, noNaN: true })
  fc.assert(
    fc.property(fc.constantFrom(...bases), step, step, step, (base, x, y, z) => {
      if (Math.abs(z) < 0.01) return
      assertSolid(extrudeBrep(base, p(x, y, z), TOLERANCE), getBrepArea(base).size * Math.abs(z), 1e-6)
    }),
    { numRuns: 30 },
  )
})

test('given a box, then its faces can be separated and joined again, regardless of their orientation', () => {
  const box = toBrep({ type: 'box', plane: WORLD_XY, x: domain(0, 1), y: domain(0, 2), z: domain(0, 3) })!
  const faces = listFaces(box).map((face, i) =>
    i % 2 === 0
      ? face
      : { ...face, faces: face.faces.map((one) => ({ ...one, isReversed: !one.isReversed })) },
  )
  assert.deepEqual(
    faces.map(({ edges, vertices }) => [edges.length, vertices.length]),
    Array(6).fill([4, 4]),
  )
  const [joined, ...others] = joinBreps(faces, TOLERANCE)
  assert.equal(others.length, 0)
  assertSolid(joined!, 6)
  assert.deepEqual([joined!.edges.length, joined!.vertices.length], [12, 8])
  assert.equal(joinBreps(faces.slice(0, 1).concat(fill(circle(xyPlane(p(9, 9)), 1))), TOLERANCE).length, 2)
})

test('given open tubes, then flat openings are capped, others counted', () => {
  assertSolid(
    capPlanarHoles(extrudeCurve(circle(WORLD_XY, 2), p(0, 0, 3), TOLERANCE), TOLERANCE)!.brep,
    12 * Math.PI,
  )
  // A frustum: (A + B + sqrt(A B)) h / 3.
  assertSolid(
    capPlanarHoles(loft([square(1), square(0.5, 2)], TOLERANCE)!.brep, TOLERANCE)!.brep,
    ((4 + 1 + 2) * 2) / 3,
  )
  const skew = loft(
    [square(1), polyline([p(-1, -1, 1), p(1, -1, 2), p(1, 1, 1), p(-1, 1, 2), p(-1, -1, 1)])],
    TOLERANCE,
  )!.brep
  const half = capPlanarHoles(skew, TOLERANCE)!
  assert.deepEqual(
    [half.capped, half.left, countUses(half.brep).filter((uses) => uses === 1).length],
    [1, 1, 4],
  )
})

const RAILS: readonly [name: string, rail: Curve, isRound: boolean][] = [
  ['a line', line(p(0, 0), p(1, 2, 3)), false],
  ['a polyline', polyline([p(0, 0), p(4, 0), p(4, 4, 2), p(0, 4)]), false],
  ['a closed polyline', square(3), true],
  ['an arc', arc(WORLD_XY, 5, 0.5, 2.5), false],
  ['a circle', circle(WORLD_XY, 5), true],
  ['a curve', interpolatePoints([p(0, 0), p(3, 1, 1), p(5, 4, 2), p(9, 4)]), false],
  ['a closed curve', interpolateClosed([p(0, 0), p(5, 0, 1), p(5, 5), p(0, 5, 3)], 'chord'), true],
]

for (const [name, rail, isRound] of RAILS) {
  // By Pappus and Guldin a tube about any curve holds its section times the curve's length; mitres take as much as they add.
  test(`given a pipe about ${name}, then it is closed by its caps and has the volume of its length`, () => {
    for (const [caps, ends] of [
      ['flat', 0],
      ['round', (4 / 3) * Math.PI * 0.4 ** 3],
    ] as [PipeCaps, number][]) {
      const pipes = createPipe(rail, 0.4, caps, 1e-3)
      assert.ok(typeof pipes !== 'string' && pipes.length === 1)
      assertSolid(pipes[0]!, Math.PI * 0.16 * getLength(rail) + (isRound ? 0 : ends), 1e-3)
    }
    const [open] = createPipe(rail, 0.4, 'none', 1e-3) as Brep[]
    assert.equal(isClosedBrep(open!), isRound)
  })
}

test('given a rail without length, or one that turns back, then there is no pipe', () => {
  assert.equal(createPipe(line(p(1, 1), p(1, 1)), 1, 'none', TOLERANCE), 'no length')
  assert.equal(createPipe(polyline([p(0, 0), p(4, 0), p(1, 0)]), 1, 'none', TOLERANCE), 'turns back')
})

test('given curves to turn, then cylinder, cone and sphere have their areas, and a circle makes a torus', () => {
  const turn = (curve: Curve, angle = 2 * Math.PI) =>
    revolveCurve(curve, p(0, 0), p(0, 0, 1), domain(0, angle), TOLERANCE)
  near(getBrepArea(turn(line(p(2, 0), p(2, 0, 3)))).size, 12 * Math.PI)
  near(getBrepArea(turn(line(p(2, 0), p(2, 0, 3)), Math.PI / 3)).size, 2 * Math.PI)
  near(getBrepArea(turn(line(p(3, 0), p(0, 0, 4)))).size, 15 * Math.PI)
  const upright = findPlaneFromNormal(p(5, 0), p(0, 1))!
  assert.ok(isClosedBrep(turn(circle(upright, 1))))
  near(Math.abs(getBrepVolume(turn(circle(upright, 1))).size), 10 * Math.PI ** 2)
})

test('given a base and an apex, then the cone over it holds a third of the prism', () => {
  assertSolid(coneOver(fill(circle(WORLD_XY, 2)), p(1, 1, 3), TOLERANCE), 4 * Math.PI)
  assertSolid(coneOver(fill(square(1)), p(0, 0, -3), TOLERANCE), 4)
  near(getBrepArea(coneOver(circle(WORLD_XY, 3), p(0, 0, 4), TOLERANCE)).size, 15 * Math.PI)
})

test('given a sphere far from the origin, then area, volume and middle are right', () => {
  const sphere = toBrep(createSphere(xyPlane(p(1000, -2000, 3000)), 3))!
  near(getBrepArea(sphere).size, 36 * Math.PI)
  near(getBrepVolume(sphere).size, 36 * Math.PI)
  assert.ok(distance(findCentroid(getBrepVolume(sphere))!, p(1000, -2000, 3000)) < 1e-6)
})

test('given four sections, then the loft passes each, and its kinks are edges', () => {
  const { brep, isKnown } = loft([square(2), square(3, 1), square(2.5, 4), square(1, 6)], TOLERANCE)!
  assert.equal(isKnown, false)
  assert.deepEqual([brep.faces.length, brep.edges.length, brep.vertices.length], [4, 12, 8])
  assert.equal(loft([square(2), square(2)], TOLERANCE), undefined)
})

test('given a plane, then the box around a circle lies along it and is tight', () => {
  const plane = findPlaneFromNormal(p(1, 2, 3), p(1, 1, 1))!
  const { min, max } = findTightBounds(circle({ ...plane, origin: p(1, 2, 3) }, 2), plane)!
  for (const [actual, expected] of [
    [min.x, -2],
    [max.y, 2],
  ] as const)
    near(actual, expected)
  assert.ok(Math.abs(min.z) < 1e-9 && Math.abs(max.z) < 1e-9)
  const tube = (createPipe(circle(WORLD_XY, 5), 1, 'none', TOLERANCE) as Brep[])[0]!
  near(findTightBounds(tube, WORLD_XY)!.max.x, 6)
})
