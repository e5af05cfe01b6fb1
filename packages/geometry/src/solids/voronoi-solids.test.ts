import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { locateInBrep } from '../breps/brep-hits.ts'
import { getBrepVolume } from '../breps/brep-mass.ts'
import { isClosedBrep } from '../values/describe-geometry.ts'
import { findPlaneFromAxes, pointAt, toLocal, WORLD_XY } from '../values/planes.ts'
import type { Box, Xyz } from '../values/points.ts'
import { domain } from '../values/value.ts'
import { distance } from '../values/vector.ts'
import { findVoronoiSolids } from './voronoi-solids.ts'

const tilted = findPlaneFromAxes({ x: 3, y: -2, z: 1 }, { x: 1, y: 1, z: 0 }, { x: 0, y: 1, z: 2 })!
const BOX: Box = { type: 'box', plane: tilted, x: domain(0, 6), y: domain(5, 0), z: domain(0, 4) }
const VOLUME = 120

// On a grid of whole numbers many points are on one sphere: the hardest input.
const onGrid = fc.record({
  x: fc.integer({ min: 1, max: 5 }),
  y: fc.integer({ min: 1, max: 4 }),
  z: fc.integer({ min: 1, max: 3 }),
})
const anywhere = fc.record({
  x: fc.double({ min: 0.01, max: 5.99, noNaN: true }),
  y: fc.double({ min: 0.01, max: 4.99, noNaN: true }),
  z: fc.double({ min: 0.01, max: 3.99, noNaN: true }),
})
const distinct = (places: fc.Arbitrary<Xyz>) =>
  fc.uniqueArray(places, {
    minLength: 1,
    maxLength: 25,
    comparator: (a, b) => distance(a, b) < 0.01,
  })

for (const [name, places] of [
  ['on a grid', onGrid],
  ['anywhere', anywhere],
] as const) {
  test(`given points ${name} in a box, then their cells are closed, fill it, and hold what is closest to them`, () => {
    fc.assert(
      fc.property(distinct(places), fc.array(anywhere, { minLength: 3, maxLength: 3 }), (locals, probes) => {
        const points = locals.map(({ x, y, z }) => pointAt(tilted, x, y, z))
        const cells = findVoronoiSolids(points, BOX)
        assert.ok(cells && cells.length === points.length)
        assert.ok(cells.every(({ brep }) => isClosedBrep(brep)))
        const volume = cells.reduce((sum, { brep }) => sum + getBrepVolume(brep).size, 0)
        assert.ok(Math.abs(volume - VOLUME) < 1e-6, `${volume}`)
        for (const probe of probes) {
          const place = pointAt(tilted, probe.x, probe.y, probe.z)
          const gaps = points.map((point) => distance(point, place))
          const nearest = gaps.indexOf(Math.min(...gaps))
          const own = locateInBrep(cells[nearest]!.brep, place, 1e-6)
          assert.ok(own === 'inside' || own === 'on' || own === undefined, own)
        }
        for (const { brep, isAtBoundary } of cells) {
          const isAtSide = brep.vertices.some((vertex) => {
            const { x, y, z } = toLocal(tilted, vertex)
            return [x, 6 - x, y, 5 - y, z, 4 - z].some((gap) => gap < 1e-9)
          })
          if (isAtBoundary) assert.ok(isAtSide)
        }
      }),
      { numRuns: 60 },
    )
  })
}

test('given a cube of 27 points, then the middle cell alone is not at the boundary', () => {
  const points = Array.from({ length: 27 }, (_, i) => ({
    x: (i % 3) + 0.5,
    y: (Math.floor(i / 3) % 3) + 0.5,
    z: Math.floor(i / 9) + 0.5,
  }))
  const side = domain(0, 3)
  const cells = findVoronoiSolids(points, { type: 'box', plane: WORLD_XY, x: side, y: side, z: side })
  assert.deepEqual(
    cells?.flatMap(({ isAtBoundary }, i) => (isAtBoundary ? [] : [i])),
    [13],
  )
  assert.ok(cells?.every(({ brep }) => brep.faces.length === 6 && brep.vertices.length === 8))
})

test('given a point outside or twice, then there are no cells', () => {
  const inside = pointAt(tilted, 1, 1, 1)
  assert.equal(findVoronoiSolids([inside, inside], BOX), undefined)
  assert.equal(findVoronoiSolids([inside, pointAt(tilted, 7, 1, 1)], BOX), undefined)
})
