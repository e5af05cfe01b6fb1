import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { getBrepArea } from '../breps/brep-mass.ts'
import { interpolateClosed } from '../curves/interpolate-points.ts'
import { toNurbs } from '../curves/to-nurbs.ts'
import { anyArrangement, assertAreas } from '../testing/outlines.ts'
import { applyTransform } from '../transform/apply-transform.ts'
import { createTranslation } from '../transform/create.ts'
import { arc, circle, line, type NurbsCurve, polyline } from '../values/curves.ts'
import { xyPlane } from '../values/planes.ts'
import type { Xyz } from '../values/points.ts'
import type { Curve } from '../values/value.ts'
import { createPlanarBreps } from './planar-breps.ts'

const TOLERANCE = 0.001
const p = (x: number, y: number, z = 0): Xyz => ({ x, y, z })
const disc = (x: number, y: number, radius: number) => circle(xyPlane(p(x, y)), radius)
const box = (x: number, y: number, width: number, height = width) =>
  polyline([p(x, y), p(x + width, y), p(x + width, y + height), p(x, y + height), p(x, y)])
const through = (...points: Xyz[]) => interpolateClosed(points, 'chord') as Curve
const around = (count: number, toPoint: (angle: number) => Xyz) =>
  through(...Array.from({ length: count }, (_, i) => toPoint((i / count) * 2 * Math.PI)))

const UPRIGHT = { ...xyPlane(p(2, 2)), yAxis: p(0, 0, 1), zAxis: p(0, -1) }
const LOOP: NurbsCurve = {
  type: 'nurbsCurve',
  degree: 3,
  points: [p(0, 0), p(6, 4), p(-2, 4), p(4, 0)],
  knots: [0, 0, 0, 1, 1, 1],
}

const TOUCHING: Record<string, [curves: Curve[], areas: number[]]> = {
  'a circle that touches a square around it': [[box(-1, -1, 2), disc(0, 0, 1)], [4 - Math.PI]],
  'the same circle as NURBS': [[box(-1, -1, 2), toNurbs(disc(0, 0, 1))], [4 - Math.PI]],
  'circles that touch outside': [
    [disc(0, 0, 1), disc(2, 0, 1), toNurbs(disc(1, Math.sqrt(3), 1))],
    [Math.PI, Math.PI, Math.PI],
  ],
  'circles that touch inside': [
    [toNurbs(disc(0, 0, 2)), toNurbs(disc(1, 0, 1)), disc(-1, 0, 1)],
    [2 * Math.PI],
  ],
  'squares in one corner of each other': [
    [box(0, 0, 8), box(0, 0, 6), box(0, 0, 4), box(2, 2, 2), box(0, 2, 2)],
    [28, 8],
  ],
  'round ends with circles on them': [
    [
      {
        type: 'polyCurve',
        segments: [
          line(p(0, 0), p(4, 0)),
          arc(xyPlane(p(4, 1)), 1, -Math.PI / 2, Math.PI / 2),
          line(p(4, 2), p(0, 2)),
          arc(xyPlane(p(0, 1)), 1, Math.PI / 2, 1.5 * Math.PI),
        ],
      },
      disc(0, 1, 1),
      disc(4, 1, 0.5),
    ],
    [8 - Math.PI / 4],
  ],
  'an outline that touches itself in a corner': [
    [polyline([p(0, 0), p(1, 1), p(2, 0), p(2, 2), p(1, 1), p(0, 2), p(0, 0)])],
    [2],
  ],
  'an outline with a corner on its own edge': [
    [polyline([p(0, 0), p(4, 0), p(4, 4), p(2, 0), p(0, 4), p(0, 0)])],
    [8],
  ],
  'outlines in planes that cross, and in parallel ones': [
    [box(0, 0, 4), circle(UPRIGHT, 1), circle(xyPlane(p(2, 2, 1)), 1)],
    [16, Math.PI, Math.PI],
  ],
  'squares far from the origin': [
    [box(1e6, 1e6, 4), box(1e6 + 4, 1e6, 4), disc(1e6 + 2, 1e6 + 2, 1)],
    [16 - Math.PI, 16],
  ],
  'squares smaller than the tolerance': [
    [box(0, 0, 5e-4), box(5e-4, 0, 5e-4)],
    [25e-8, 25e-8],
  ],
}

const FAULTS: Record<string, [curves: Curve[], fault: string]> = {
  'squares that overlap': [[box(0, 0, 4), box(2, 2, 4)], 'overlap'],
  'equal squares from other corners': [
    [box(0, 0, 4), polyline([p(4, 4), p(4, 0), p(0, 0), p(0, 4), p(4, 4)])],
    'overlap',
  ],
  'circles that overlap': [[disc(0, 0, 2), toNurbs(disc(1.5, 0, 2))], 'overlap'],
  'equal circles, one of them as NURBS': [[disc(0, 0, 2), toNurbs(disc(0, 0, 2))], 'unclear'],
  'a bow tie of equal halves': [[polyline([p(0, 0), p(2, 2), p(2, 0), p(0, 2), p(0, 0)])], 'crosses itself'],
  'a bow tie of unequal halves': [
    [polyline([p(0, 0), p(2, 2), p(2, 0), p(0, 3), p(0, 0)])],
    'crosses itself',
  ],
  'a bow tie that crosses in a corner': [
    [polyline([p(0, 0), p(1, 1), p(2, 2), p(2, -1), p(1, 1), p(0, 2), p(0, 0)])],
    'crosses itself',
  ],
  'a pentagram': [
    [polyline([0, 2, 4, 1, 3, 0].map((i) => p(Math.cos(i * 0.4 * Math.PI), Math.sin(i * 0.4 * Math.PI))))],
    'crosses itself',
  ],
  'an outline that goes along a line and back': [
    [polyline([p(0, 0), p(4, 0), p(6, 0), p(4, 0), p(4, 4), p(0, 4), p(0, 0)])],
    'crosses itself',
  ],
  'a smooth eight': [[through(p(0, 0), p(2, 2), p(4, 0), p(2, -1), p(0, 2))], 'crosses itself'],
  'a smooth eight of equal halves': [
    [around(16, (angle) => p(Math.sin(angle), Math.sin(angle) * Math.cos(angle)))],
    'crosses itself',
  ],
  'a loop in a loop': [
    [
      around(24, (angle) =>
        p((1 + 2 * Math.cos(angle)) * Math.cos(angle), (1 + 2 * Math.cos(angle)) * Math.sin(angle)),
      ),
    ],
    'crosses itself',
  ],
  'one cubic span with a loop': [
    [{ type: 'polyCurve', segments: [LOOP, polyline([p(4, 0), p(4, -3), p(0, -3), p(0, 0)])] }],
    'crosses itself',
  ],
}

describe('planar breps', () => {
  for (const [name, [curves, areas]] of Object.entries(TOUCHING)) {
    test(`[G-2] given ${name}, then the faces are right`, () => {
      assertAreas({ curves, areas, slack: 1e-6 }, TOLERANCE)
    })
  }

  for (const [name, [curves, fault]] of Object.entries(FAULTS)) {
    test(`[G-2] given ${name}, then a fault`, () => {
      const found = createPlanarBreps(curves, TOLERANCE)
      assert.deepEqual([found.breps, found.fault], [[], fault])
    })
  }

  test('[G-2] given outlines that touch in any way, then each face has its area, or they overlap', () => {
    fc.assert(
      fc.property(anyArrangement, (arrangement) => assertAreas(arrangement, TOLERANCE)),
      { numRuns: 1000 },
    )
  })

  test('[G-2] given outlines in two planes and an open curve, then the planes do not matter to each other', () => {
    fc.assert(
      fc.property(anyArrangement, anyArrangement, (one, other) => {
        const { x, y, z } = one.normal
        const away = createTranslation(p(7 * x, 7 * y, 7 * z))
        const moved = other.curves.map((curve) => applyTransform(curve, away) as Curve)
        const { breps, open, fault } = createPlanarBreps(
          [...one.curves, line(p(1e6, 0), p(1e6, 9)), ...moved],
          TOLERANCE,
        )
        const areas = one.areas && other.areas && [...one.areas, ...other.areas]
        assert.deepEqual([open, fault], [1, areas ? undefined : 'overlap'])
        for (const [i, brep] of breps.entries()) {
          assert.ok(Math.abs(getBrepArea(brep).size - areas![i]!) <= one.slack + other.slack)
        }
        assert.equal(breps.length, areas?.length ?? 0)
      }),
      { numRuns: 20 },
    )
  })
})
