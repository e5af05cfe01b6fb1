import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { getPoint, getStart } from '../curves/evaluate.ts'
import { reverseCurve } from '../curves/split.ts'
import { line, type NurbsCurve } from '../values/curves.ts'
import type { Xyz } from '../values/points.ts'
import { add, distance, interpolate, subtract } from '../values/vector.ts'
import { findCoonsPatch, findLoop } from './coons.ts'
import { getSurfacePoint } from './evaluate-surface.ts'

const coordinate = fc.integer({ min: -9, max: 9 })
const place = fc.record({ x: coordinate, y: coordinate, z: coordinate }, { noNullPrototype: true })
const at = (x: number, y: number, z = 0): Xyz => ({ x, y, z })

const bend = (from: Xyz, middle: Xyz, to: Xyz): NurbsCurve => ({
  type: 'nurbsCurve',
  degree: 2,
  points: [from, middle, to],
  knots: [0, 0, 1, 1],
})
const wave = (from: Xyz, a: Xyz, b: Xyz, to: Xyz): NurbsCurve => ({
  type: 'nurbsCurve',
  degree: 2,
  points: [from, a, b, to],
  knots: [0, 0, 0.25, 1, 1],
})

test('given a loop of four curves, then the patch is the sum of both ruled surfaces without the bilinear one', () => {
  fc.assert(
    fc.property(
      fc.array(place, { minLength: 9, maxLength: 9 }),
      fc.constantFrom(0, 0.2, 0.5, 1),
      fc.constantFrom(0, 0.3, 1),
      (places, u, v) => {
        const [a, b, c, d, ab, bc, cb, cd, da] = places as [Xyz, Xyz, Xyz, Xyz, Xyz, Xyz, Xyz, Xyz, Xyz]
        const loop = [bend(a, ab, b), wave(b, bc, cb, c), wave(c, cd, cb, d), bend(d, da, a)]
        const patch = findCoonsPatch(loop)
        assert.ok(patch)
        const [low, right] = loop as [NurbsCurve, NurbsCurve]
        const [top, left] = [reverseCurve(loop[2]!), reverseCurve(loop[3]!)]
        // Reversed curves run from -1 to 0.
        const acrossV = interpolate(getPoint(low, u), getPoint(top, u - 1), v)
        const acrossU = interpolate(getPoint(left, v - 1), getPoint(right, v), u)
        const bilinear = interpolate(interpolate(a, b, u), interpolate(d, c, u), v)
        const expected = subtract(add(acrossV, acrossU), bilinear)
        assert.ok(distance(getSurfacePoint(patch, u, v), expected) < 1e-9)
      },
    ),
  )
})

test('given curves in any order and direction, then they are turned into a loop, if they form one', () => {
  const [a, b, c, d] = [at(0, 0), at(1, 0), at(1, 1), at(0, 1)]
  const loop = findLoop([line(a, b), line(d, c), line(c, b), line(d, a)], 0)
  assert.deepEqual(loop?.map(getStart), [a, b, c, d])
  assert.equal(findLoop([line(a, b), line(d, c), line(c, b)], 0), undefined)
})
