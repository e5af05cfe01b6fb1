import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { getEnd, getStart } from '../curves/evaluate.ts'
import { getLength } from '../curves/length.ts'
import { isClosed, reverseCurve } from '../curves/split.ts'
import { at } from '../curves/testing.ts'
import { arc, line } from '../values/curves.ts'
import { WORLD_XY } from '../values/planes.ts'
import { joinCurves } from './join.ts'

test('join: given the sides of a polygon in any order and direction, then one closed polyline is the result', () => {
  const side = (i: number) =>
    line(at(10 * Math.cos(i), 10 * Math.sin(i)), at(10 * Math.cos(i + 1), 10 * Math.sin(i + 1)))
  fc.assert(
    fc.property(
      fc.shuffledSubarray([0, 1, 2, 3, 4, 5], { minLength: 6 }),
      fc.array(fc.boolean(), { minLength: 6, maxLength: 6 }),
      (order, turned) => {
        const sides = [...[0, 1, 2, 3, 4].map(side), line(at(10 * Math.cos(5), 10 * Math.sin(5)), at(10, 0))]
        const curves = order.map((i) =>
          turned[i]
            ? reverseCurve(sides[i] as ReturnType<typeof line>)
            : (sides[i] as ReturnType<typeof line>),
        )
        const [whole, ...others] = joinCurves(curves, 0.001)
        assert.ok(whole)
        assert.equal(others.length, 0)
        assert.equal(whole.type, 'polyline')
        assert.ok(isClosed(whole))
        const total = curves.reduce((sum, curve) => sum + getLength(curve), 0)
        assert.ok(Math.abs(getLength(whole) - total) < 1e-9)
      },
    ),
  )
})

test('join: given a line and an arc, when directions are kept, then only an end joins a start', () => {
  const half = arc(WORLD_XY, 1, 0, Math.PI)
  const [joined] = joinCurves([half, line(at(-1, 0), at(-5, 0))], 0.001, true)
  assert.equal(joined?.type, 'polyCurve')
  assert.equal(joinCurves([half, line(at(-5, 0), at(-1, 0))], 0.001, true).length, 2)
  assert.equal(joinCurves([half, line(at(-5, 0), at(-1, 0))], 0.001).length, 1)
})

test('join: given ends with a gap within the tolerance, then the gap is closed, of the line next to an arc', () => {
  const [joined] = joinCurves([arc(WORLD_XY, 1, 0, Math.PI), line(at(-1, -0.0005), at(-5, 0))], 0.001)
  assert.ok(joined?.type === 'polyCurve')
  const [bow, straight] = joined.segments
  assert.ok(bow && straight)
  assert.deepEqual(getStart(straight), getEnd(bow))
})
