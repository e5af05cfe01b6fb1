import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { point } from '../values/points.ts'
import { domain } from '../values/value.ts'
import { distance } from '../values/vector.ts'
import { findConvexHull } from './convex-hull.ts'
import { triangulatePoints } from './delaunay.ts'
import { groupWithin } from './group-within.ts'
import { createPredicates, type Xy } from './predicates.ts'
import { findCell, listNeighbours } from './voronoi.ts'

const whole = (most: number) => fc.integer({ min: 1, max: most })
const onGrid = fc.array(fc.record({ x: whole(7), y: whole(7) }), { minLength: 3, maxLength: 40 })

test('given points, then their hull is convex, starts on the right and holds them all', () => {
  fc.assert(
    fc.property(onGrid, (points) => {
      const { orient } = createPredicates(points)
      const hull = findConvexHull(points)
      assert.equal(hull.length === 0, triangulatePoints(points).length === 0)
      for (const [i, from] of hull.entries()) {
        const [to, after] = [hull[(i + 1) % hull.length]!, hull[(i + 2) % hull.length]!]
        assert.ok(orient(from, to, after) > 0)
        for (const index of points.keys()) assert.ok(orient(from, to, index) >= 0)
      }
      const [first] = hull
      if (first === undefined) return
      const { x, y } = points[first]!
      assert.ok(points.every((other) => other.x < x || (other.x === x && other.y >= y)))
    }),
  )
})

function measureArea(polygon: readonly Xy[]): number {
  return polygon.reduce((sum, { x, y }, i) => {
    const next = polygon[(i + 1) % polygon.length]!
    return sum + (x * next.y - y * next.x) / 2
  }, 0)
}

test('given points in a rectangle, then their cells fill it, and a corner of a cell is as close to no other point', () => {
  const distinct = fc.uniqueArray(fc.record({ x: whole(7), y: whole(9) }), {
    minLength: 3,
    maxLength: 30,
    selector: ({ x, y }) => `${x} ${y}`,
  })
  fc.assert(
    fc.property(distinct, (points) => {
      const triangles = triangulatePoints(points)
      fc.pre(triangles.length > 0)
      const neighbours = listNeighbours(points.length, triangles)
      const frame = { x: domain(8, 0), y: domain(0, 10) }
      const cells = points.map((site, i) =>
        findCell(
          site,
          neighbours[i]!.map((other) => points[other]!),
          frame,
        ),
      )
      const area = cells.reduce((sum, cell) => sum + measureArea(cell), 0)
      assert.ok(Math.abs(area - 80) < 1e-9, `${area}`)
      for (const [i, cell] of cells.entries()) {
        for (const corner of cell) {
          const gap = ({ x, y }: Xy) => Math.hypot(x - corner.x, y - corner.y)
          const own = gap(points[i]!)
          assert.ok(points.every((other) => gap(other) >= own - 1e-9))
        }
      }
    }),
  )
})

test('given points and a distance, then the groups are those of all pairs within it', () => {
  const anywhere = fc.array(fc.tuple(whole(6), whole(6), whole(3)), { maxLength: 40 })
  fc.assert(
    fc.property(anywhere, fc.constantFrom(0, 0.5, 1, Math.SQRT2, 2.5), (places, reach) => {
      const points = places.map(([x, y, z]) => point(x, y, z))
      const groups = groupWithin(points, reach)
      assert.deepEqual(
        groups.flat().toSorted((a, b) => a - b),
        [...points.keys()],
      )
      const groupOf = new Map(groups.flatMap((members, g) => members.map((member) => [member, g] as const)))
      for (const [i, a] of points.entries()) {
        for (const [j, b] of points.entries()) {
          if (distance(a, b) <= reach) assert.equal(groupOf.get(i), groupOf.get(j))
        }
      }
      // Inside a group each member is reached from the first one by steps within the distance.
      for (const members of groups) {
        const reached = new Set(members.slice(0, 1))
        for (const from of reached) {
          for (const to of members) if (distance(points[from]!, points[to]!) <= reach) reached.add(to)
        }
        assert.equal(reached.size, members.length)
      }
    }),
  )
})

test('given many points in one place and many around, then they are grouped without comparing all pairs', () => {
  const points = Array.from({ length: 50_000 }, (_, i) =>
    point((i % 100) / 1000, Math.floor(i / 25_000) * 10, 0),
  )
  const groups = groupWithin(points, 0.5)
  assert.deepEqual(
    groups.map(({ length }) => length),
    [25_000, 25_000],
  )
  assert.equal(groupWithin(points, 0).length, 200)
})

test('given coordinates that are far larger than the distance, then the groups are right', () => {
  const points = [point(1e300, 0, 0), point(1e300, 0, 0), point(-1e300, 0, 0), point(1e300, 1e-300, 0)]
  assert.deepEqual(groupWithin(points, 1e-300), [[3, 1, 0], [2]])
  assert.deepEqual(groupWithin(points, 0), [[3], [2], [1, 0]])
})
