import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createPredicates, type Xy } from './predicates.ts'

/** A number as a whole multiple of 2 to the power of -1074, the smallest that there is. */
function toWhole(value: number): bigint {
  const bits = new DataView(new ArrayBuffer(8))
  bits.setFloat64(0, value)
  const word = bits.getBigUint64(0)
  const exponent = (word >> 52n) & 0x7ffn
  const fraction = word & 0xfffffffffffffn
  const size = exponent === 0n ? fraction : (fraction | 0x10000000000000n) << (exponent - 1n)
  return word >> 63n ? -size : size
}

const signOf = (value: bigint): number => (value > 0n ? 1 : value < 0n ? -1 : 0)

function orientExactly(points: readonly Xy[]): number {
  const [[px, py], [qx, qy], [rx, ry]] = points.map(({ x, y }) => [toWhole(x), toWhole(y)]) as [
    [bigint, bigint],
    [bigint, bigint],
    [bigint, bigint],
  ]
  return signOf((px - rx) * (qy - ry) - (py - ry) * (qx - rx))
}

function inCircleExactly(points: readonly Xy[]): number {
  const last = points[3] as Xy
  const [[px, py], [qx, qy], [rx, ry]] = points
    .slice(0, 3)
    .map(({ x, y }) => [toWhole(x) - toWhole(last.x), toWhole(y) - toWhole(last.y)]) as [
    [bigint, bigint],
    [bigint, bigint],
    [bigint, bigint],
  ]
  return signOf(
    (px * px + py * py) * (qx * ry - rx * qy) +
      (qx * qx + qy * qy) * (rx * py - px * ry) +
      (rx * rx + ry * ry) * (px * qy - qx * py),
  )
}

const SCALES = [1, 0.1, 1e-3, 3e-160, 7e-300, 5e-324 * 2 ** 60, 1e12, 1.7e150, 2e306]

/** Points of few numbers, so that many are in line or on one circle, moved by a bit or two at any scale. */
const degenerate = fc
  .record({
    scale: fc.constantFrom(...SCALES),
    cells: fc.array(fc.tuple(fc.integer({ min: -6, max: 6 }), fc.integer({ min: -6, max: 6 })), {
      minLength: 4,
      maxLength: 4,
    }),
    nudges: fc.array(fc.integer({ min: -2, max: 2 }), { minLength: 8, maxLength: 8 }),
  })
  .map(({ scale, cells, nudges }) =>
    cells.map(
      ([x, y], i): Xy => ({
        x: x * scale * (1 + (nudges[2 * i] as number) * 2 ** -52),
        y: y * scale * (1 + (nudges[2 * i + 1] as number) * 2 ** -52),
      }),
    ),
  )

const anywhere = fc.array(
  fc.record({
    x: fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e100, max: 1e100 }),
    y: fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e100, max: 1e100 }),
  }),
  { minLength: 4, maxLength: 4 },
)

test('[G-1] given almost degenerate points at any scale, when sides are computed, then they agree with rational arithmetic', () => {
  fc.assert(
    fc.property(degenerate, (points) => {
      const { orient, inCircle } = createPredicates(points)
      assert.equal(Math.sign(orient(0, 1, 2)) || 0, orientExactly(points))
      assert.equal(Math.sign(inCircle(0, 1, 2, 3)) || 0, inCircleExactly(points))
    }),
    { numRuns: 5000 },
  )
})

test('[G-1] given finite points of any size, when they are asked about, then the answers are numbers', () => {
  const huge = fc.array(
    fc.record({
      x: fc.double({ noNaN: true, noDefaultInfinity: true }),
      y: fc.double({ noNaN: true, noDefaultInfinity: true }),
    }),
    { minLength: 4, maxLength: 4 },
  )
  fc.assert(
    fc.property(fc.oneof(huge, anywhere), (points) => {
      const { orient, inCircle } = createPredicates(points)
      assert.ok(Number.isFinite(orient(0, 1, 2)))
      assert.ok(Number.isFinite(inCircle(0, 1, 2, 3)))
    }),
  )
})
