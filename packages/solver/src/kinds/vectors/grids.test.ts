import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Polyline, Rectangle } from '@meadow/geometry/values/curves'
import { WORLD_XY, xyPlane } from '@meadow/geometry/values/planes'
import { type Point, point } from '@meadow/geometry/values/points'
import { domain, integer, type Value } from '@meadow/geometry/values/value'
import { distance } from '@meadow/geometry/values/vector'
import { run, type Shown } from '../../testing/run.ts'

const SQUARE = '717a1e25-a075-4530-bc80-d43ecc2500d9'
const RECTANGULAR = '1a25aae0-0b56-497a-85b2-cc5bf7e4b96b'
const TRIANGULAR = '86a9944b-dea5-4126-9433-9e95ff07927a'
const RADIAL = '66eedc35-187d-4dab-b49b-408491b1255f'
const HEXAGONAL = '125dc122-8544-4617-945e-bb9a0c101c50'

// The order and the points: russell-newton.github.io/DesignScripting, week 5, "Grasshopper Grid Components".
test('Rectangular: given 2 by 1 cells of 3 by 4, when it runs, then a branch for each step along x is the result', () => {
  const base = xyPlane(point(10, 0, 0))
  const { outputs } = run(RECTANGULAR, [base, 3, 4, integer(2), integer(1)])
  const cell = (start: number, end: number): Rectangle => ({
    type: 'rectangle',
    plane: base,
    x: domain(start, end),
    y: domain(0, 4),
  })
  assert.deepEqual(outputs.map(listRows), [
    [[cell(0, 3)], [cell(3, 6)]],
    [
      [point(10, 0, 0), point(10, 4, 0)],
      [point(13, 0, 0), point(13, 4, 0)],
      [point(16, 0, 0), point(16, 4, 0)],
    ],
  ])
})

test('Square: given 3 by 2 cells, when it runs, then 6 cells and 12 corners are the result', () => {
  const [cells, points] = run(SQUARE, [WORLD_XY, 2, integer(3), integer(2)]).outputs.map(listRows)
  assert.equal(cells?.flat().length, 6)
  assert.equal(points?.flat().length, 12)
  assert.deepEqual(points?.[3]?.[2], point(6, 4, 0))
})

// The other grids: tests/golden/components/Vector of github.com/ezzahiranass/pyhopper, made with Grasshopper 8.
test('Hexagonal: given 3 by 2 cells, when it runs, then every other column stands half a cell higher', () => {
  const [cells = [], points = []] = run(HEXAGONAL, [WORLD_XY, 2, integer(3), integer(2)]).outputs.map(
    listRows,
  )
  const height = 2 * Math.sqrt(3)
  assert.deepEqual(points, [
    [point(0, 0, 0), point(0, height, 0)],
    [point(3, 0.5 * height, 0), point(3, 1.5 * height, 0)],
    [point(6, 0, 0), point(6, height, 0)],
  ])
  for (const [i, cell] of (cells.flat() as Polyline[]).entries()) {
    const centre = points.flat()[i] as Point
    assert.equal(cell.vertices.length, 7)
    assert.deepEqual(cell.vertices[0], cell.vertices[6])
    assert.deepEqual(cell.vertices[0], point(centre.x + 2, centre.y, 0))
    for (const corner of cell.vertices) assert.ok(Math.abs(distance(corner, centre) - 2) < 1e-12)
  }
})

test('Triangular: given 2 by 2 cells, when it runs, then those beside an upright one stand on their tip', () => {
  const outputs = run(TRIANGULAR, [WORLD_XY, 2, integer(2), integer(2)]).outputs.map(listRows)
  const [cells, points] = outputs as [Polyline[][], Point[][]]
  const height = Math.sqrt(3)
  assert.deepEqual(
    round(cells[0]?.[0]?.vertices ?? []),
    [
      [0, 0],
      [2, 0],
      [1, height],
      [0, 0],
    ].map(snap),
  )
  assert.deepEqual(
    round(cells[1]?.[0]?.vertices ?? []),
    [
      [2, 0],
      [3, height],
      [1, height],
      [2, 0],
    ].map(snap),
  )
  assert.deepEqual(
    points.map(round),
    [
      [
        [1, height / 3],
        [1, height * (5 / 3)],
      ],
      [
        [2, height * (2 / 3)],
        [2, height * (4 / 3)],
      ],
    ].map((row) => row.map(snap)),
  )
})

test('Radial: given 2 rings of 4, when it runs, then cells begin at the y axis and go clockwise', () => {
  const outputs = run(RADIAL, [WORLD_XY, 1, integer(2), integer(4)]).outputs.map(listRows)
  const [cells, points] = outputs as [Polyline[][], Point[][]]
  assert.deepEqual(round(cells[0]?.[0]?.vertices ?? []), [
    [0, 0],
    [0, 1],
    [1, 0],
    [0, 0],
  ])
  assert.deepEqual(round(cells[1]?.[0]?.vertices ?? []), [
    [0, 1],
    [0, 2],
    [2, 0],
    [1, 0],
    [0, 1],
  ])
  assert.deepEqual(points.map(round), [
    [
      [0, 0],
      [0, 0],
      [0, 0],
      [0, 0],
    ],
    [
      [0, 1],
      [1, 0],
      [0, -1],
      [-1, 0],
    ],
    [
      [0, 2],
      [2, 0],
      [0, -2],
      [-2, 0],
    ],
  ])
})

for (const [name, size, count, message] of [
  ['no size', 0, 3, 'error: Cells need a size'],
  ['no cells', 1, 0, 'error: A grid needs one cell or more in each direction'],
] as const) {
  test(`Square: given ${name}, when it runs, then there is no result but an error`, () => {
    const { outputs, messages } = run(SQUARE, [WORLD_XY, size, integer(count), integer(3)])
    assert.deepEqual(outputs, [{}, {}])
    assert.deepEqual(messages, [message])
  })
}

test('Square: given more cells than memory holds, when it runs, then the solve ends', () => {
  const count = integer(1_000_000)
  assert.throws(() => run(SQUARE, [WORLD_XY, 1, count, count]), /more values than it may/)
})

/** The branches in order, without the leading path indices. */
function listRows(shown: Shown): (readonly (Value | null)[])[] {
  return Object.values(shown)
}

function round(points: readonly { x: number; y: number }[]): number[][] {
  return points.map(({ x, y }) => snap([x, y]))
}

function snap(numbers: readonly number[]): number[] {
  return numbers.map((number) => Number(number.toFixed(12)) + 0)
}
