/** A place in a plane. */
export interface Xy {
  readonly x: number
  readonly y: number
}

/** Questions about places by their index, answered as exact arithmetic would. */
export interface Predicates {
  /** More than 0 when c lies to the left of the way from a to b, 0 when the three are in line. */
  orient(a: number, b: number, c: number): number
  /** More than 0 when d is inside of the circle through a, b and c, which run counter-clockwise; 0 when on it. */
  inCircle(a: number, b: number, c: number, d: number): number
}

const EPSILON = 2 ** -53
/** Below this products of products may fall out of the range of floating-point numbers. */
const TINY = 1e-200

/**
 * Floating-point numbers decide where their rounding cannot matter, whole numbers of any size elsewhere.
 * Source of the error bounds: Shewchuk, Adaptive Precision Floating-Point Arithmetic, 1997 (filters of stage A).
 */
export function createPredicates(places: readonly Xy[]): Predicates {
  const exact = createExact(places)
  return {
    orient(a, b, c) {
      const [p, q, r] = [places[a] as Xy, places[b] as Xy, places[c] as Xy]
      const left = (p.x - r.x) * (q.y - r.y)
      const right = (p.y - r.y) * (q.x - r.x)
      const size = Math.abs(left) + Math.abs(right)
      const isSure = size > TINY && Math.abs(left - right) > (3 + 16 * EPSILON) * EPSILON * size
      return isSure ? left - right : exact.orient(a, b, c)
    },
    inCircle(a, b, c, d) {
      const [p, q, r, s] = [places[a] as Xy, places[b] as Xy, places[c] as Xy, places[d] as Xy]
      const [px, py, qx, qy, rx, ry] = [p.x - s.x, p.y - s.y, q.x - s.x, q.y - s.y, r.x - s.x, r.y - s.y]
      const [pp, qq, rr] = [px * px + py * py, qx * qx + qy * qy, rx * rx + ry * ry]
      const value = pp * (qx * ry - rx * qy) + qq * (rx * py - px * ry) + rr * (px * qy - qx * py)
      const size =
        pp * (Math.abs(qx * ry) + Math.abs(rx * qy)) +
        qq * (Math.abs(rx * py) + Math.abs(px * ry)) +
        rr * (Math.abs(px * qy) + Math.abs(qx * py))
      const isSure = size > TINY && Math.abs(value) > (10 + 96 * EPSILON) * EPSILON * size
      return isSure ? value : exact.inCircle(a, b, c, d)
    },
  }
}

function createExact(places: readonly Xy[]): Predicates {
  const known = new Map<number, readonly [bigint, bigint]>()
  let unit: number | undefined
  const take = (index: number): readonly [bigint, bigint] => {
    const found = known.get(index)
    if (found) return found
    unit ??= findSmallestBit(places)
    const { x, y } = places[index] as Xy
    const made = [toWhole(x, unit), toWhole(y, unit)] as const
    known.set(index, made)
    return made
  }
  return {
    orient(a, b, c) {
      const [[px, py], [qx, qy], [rx, ry]] = [take(a), take(b), take(c)]
      return signOf((px - rx) * (qy - ry) - (py - ry) * (qx - rx))
    },
    inCircle(a, b, c, d) {
      const [sx, sy] = take(d)
      const [[px, py], [qx, qy], [rx, ry]] = [a, b, c].map((index) => {
        const [x, y] = take(index)
        return [x - sx, y - sy] as const
      }) as [readonly [bigint, bigint], readonly [bigint, bigint], readonly [bigint, bigint]]
      return signOf(
        (px * px + py * py) * (qx * ry - rx * qy) +
          (qx * qx + qy * qy) * (rx * py - px * ry) +
          (rx * rx + ry * ry) * (px * qy - qx * py),
      )
    },
  }
}

function signOf(value: bigint): number {
  return value > 0n ? 1 : value < 0n ? -1 : 0
}

/** The exponent of the smallest bit that any coordinate uses: all are whole multiples of 2 to that power. */
function findSmallestBit(places: readonly Xy[]): number {
  let smallest = 1023
  for (const { x, y } of places) {
    for (const value of [x, y]) if (value !== 0) smallest = Math.min(smallest, takeApart(value).exponent)
  }
  return smallest
}

function toWhole(value: number, unit: number): bigint {
  if (value === 0) return 0n
  const { mantissa, exponent } = takeApart(value)
  return BigInt(mantissa) << BigInt(exponent - unit)
}

/** A whole number below 2 to the power of 53, and the power of 2 that it is multiplied by. */
function takeApart(value: number): { mantissa: number; exponent: number } {
  let exponent = Math.max(Math.floor(Math.log2(Math.abs(value))) - 52, -1074)
  let mantissa = value / 2 ** exponent
  while (!Number.isInteger(mantissa)) {
    exponent--
    mantissa = value / 2 ** exponent
  }
  return { mantissa, exponent }
}
