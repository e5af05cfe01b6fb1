import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { triangulatePoints } from './delaunay.ts'
import { createPredicates, type Xy } from './predicates.ts'

const xy = (x: number, y: number): Xy => ({ x, y })

test('given a square, then two triangles, counter-clockwise', () => {
  const points = [xy(0, 0), xy(1, 0), xy(1, 1), xy(0, 1)]
  const { orient } = createPredicates(points)
  const triangles = triangulatePoints(points)
  assert.equal(triangles.length, 2)
  assert.ok(triangles.every(([a, b, c]) => orient(a, b, c) > 0))
})

test('given points in one line, or fewer than three, then no triangles', () => {
  assert.deepEqual(triangulatePoints([xy(0, 0), xy(1, 1), xy(2, 2), xy(0.5, 0.5)]), [])
  assert.deepEqual(triangulatePoints([xy(0, 0), xy(0, 0), xy(1, 0)]), [])
  assert.deepEqual(triangulatePoints([]), [])
})

test('given almost equal numbers, then the sides of a line are distinguished exactly', () => {
  // 0.1 + 0.2 is a bit more than 0.3 in binary: exact arithmetic sees it, the plain formula does not always.
  const { orient } = createPredicates([xy(0, 0), xy(1e-300, 1e-300), xy(2e-300, 2.0000000000000004e-300)])
  assert.ok(orient(0, 1, 2) > 0)
})

// On a grid of whole numbers many points share circles and lines: the hardest input.
const onGrid = fc.array(fc.record({ x: fc.integer({ min: 0, max: 7 }), y: fc.integer({ min: 0, max: 7 }) }), {
  maxLength: 60,
})
const anywhere = fc.array(
  fc.record({
    x: fc.double({ min: -1, max: 1, noNaN: true }),
    y: fc.double({ min: -1, max: 1, noNaN: true }),
  }),
  { maxLength: 40 },
)

for (const [name, given] of [
  ['on a grid', onGrid],
  ['anywhere', anywhere],
] as const) {
  test(`given points ${name}, then no circle holds another point, and the triangles fill the hull`, () => {
    fc.assert(
      fc.property(given, (points) => {
        const { compare, orient, inCircle } = createPredicates(points)
        const triangles = triangulatePoints(points)
        const distinct = points.flatMap((_, i) =>
          points.some((__, j) => j < i && compare(i, j) === 0) ? [] : [i],
        )
        for (const [a, b, c] of triangles) {
          assert.ok(orient(a, b, c) > 0)
          for (const d of distinct) assert.ok(inCircle(a, b, c, d) <= 0)
        }
        // Each point but those of a single line is used: Euler's formula yields the number of triangles from the hull's edges.
        const edges = new Map<string, number>()
        for (const [a, b, c] of triangles) {
          for (const [from, to] of [
            [a, b],
            [b, c],
            [c, a],
          ] as const) {
            const key = [Math.min(from, to), Math.max(from, to)].join()
            edges.set(key, (edges.get(key) ?? 0) + 1)
          }
        }
        const hull = [...edges.values()].filter((count) => count === 1).length
        if (triangles.length > 0) assert.equal(triangles.length, 2 * distinct.length - 2 - hull)
      }),
      { numRuns: 300 },
    )
  })
}
