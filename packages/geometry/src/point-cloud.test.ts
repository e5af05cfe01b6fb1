import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { findNearest } from './point-cloud.ts'
import { point } from './values/points.ts'
import { distance } from './values/vector.ts'

const coordinate = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.double({ min: -10, max: 10, noNaN: true }),
  fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY),
)
const place = fc.tuple(coordinate, coordinate, coordinate).map(([x, y, z]) => point(x, y, z))

test('given a list of points, when it is searched often, then each search finds the points that sorting all of them finds', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof({ weight: 9, arbitrary: place }, fc.constant(null)), { maxLength: 200 }),
      fc.array(place, { minLength: 12, maxLength: 20 }),
      fc.integer({ min: 1, max: 30 }),
      (cloud, locations, count) => {
        for (const location of locations) {
          const all = cloud.flatMap((candidate, index) => {
            const away = candidate ? distance(location, candidate) : Infinity
            return away < Infinity ? [{ index, away }] : []
          })
          all.sort((a, b) => a.away - b.away || a.index - b.index)
          assert.deepEqual(findNearest(cloud, location, count), all.slice(0, count))
        }
      },
    ),
  )
})
