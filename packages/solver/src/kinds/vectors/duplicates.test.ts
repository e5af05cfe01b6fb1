import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Line, line } from '@meadow/geometry/values/curves'
import { type Point, point } from '@meadow/geometry/values/points'
import { distance } from '@meadow/geometry/values/vector'
import fc from 'fast-check'
import { type InputData, listOnly, run } from '../../testing/run.ts'

const POINTS = '5e2f9e3f-d467-46f6-870c-6fa7cd01e1ed'
const LINES = '5b882297-9063-439e-82b9-70961f743c5d'

const clean = (guid: string, values: InputData, tolerance?: number) => {
  const { outputs, messages } = run(guid, [values, tolerance])
  return { unique: listOnly(outputs)[0], messages }
}
const along = (a: number, b: number): Line => line({ x: a, y: 0, z: 0 }, { x: b, y: 0, z: 0 })

test('[I-8] given points, when some are closer than the tolerance, then one of each group stays, and that is marked', () => {
  const [a, b, c] = [point(0, 0, 0), point(0.009, 0, 0), point(0.02, 0, 0)]
  const { unique, messages } = clean(POINTS, [a, null, b, c])
  assert.deepEqual(unique, [a, c])
  assert.match(messages.join(), /^remark: Which of the values/)
  assert.deepEqual(clean(POINTS, [a, c]), { unique: [a, c], messages: [] })
  assert.deepEqual(clean(POINTS, [a, b, c], 1).unique, [a])
  // Closer than 0 is nothing.
  for (const tolerance of [0, -1, Number.NaN])
    assert.deepEqual(clean(POINTS, [a, a], tolerance).unique, [a, a])
  assert.deepEqual(clean(POINTS, [a, point(1e300, 0, 0)], Infinity).unique, [a])
  assert.deepEqual(clean(POINTS, [null, null]).unique, [])
  assert.deepEqual(clean(POINTS, [point(-1e-300, 0, 0), point(1e-300, 0, 0)]).unique?.length, 1)
})

test('[I-8] given any points, when cleaned, then no two are closer than the tolerance, and each dropped one is close to one that stays', () => {
  const coordinate = fc.integer({ min: -6, max: 6 }).map((n) => n / 4)
  const points = fc.array(
    fc.tuple(coordinate, coordinate, coordinate).map(([x, y, z]) => point(x, y, z)),
    { minLength: 1 },
  )
  fc.assert(
    fc.property(points, fc.double({ min: 0.1, max: 2, noNaN: true }), (all, tolerance) => {
      const unique = clean(POINTS, all, tolerance).unique as readonly Point[]
      const isApart = unique.every((a, i) => unique.every((b, j) => i === j || distance(a, b) >= tolerance))
      const isNear = (a: Point) => unique.some((b) => a === b || distance(a, b) < tolerance)
      return isApart && all.every(isNear)
    }),
  )
})

test('[I-8] given lines, when their ends are close in either direction, then one stays', () => {
  const lines = [along(0, 10), along(10, 0), along(0, 5), along(0.005, 9.995), along(0, 10.02), along(3, 3)]
  const { unique, messages } = clean(LINES, lines)
  assert.deepEqual(unique, [lines[0], lines[2], lines[4], lines[5]])
  assert.match(messages.join(), /^remark: /)
  assert.deepEqual(clean(LINES, [lines[0] as Line]), { unique: [lines[0]], messages: [] })
})
