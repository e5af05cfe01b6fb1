/** A place in a plane. */
export interface Flat {
  readonly x: number
  readonly y: number
}

/**
 * The triangles of a polygon with holes, by cutting off its ears: three numbers of vertices for each, in the list of
 * all rings one after the other, counter-clockwise. Rings may run either way and do not repeat their first place. What
 * crosses itself gives some triangles too; nothing fails. Time grows with the square of the number of places.
 * Source: D. Eberly, "Triangulation by Ear Clipping".
 */
export function triangulatePolygon(outer: readonly Flat[], holes: readonly (readonly Flat[])[]): number[] {
  const places = [...outer, ...holes.flat()]
  let ring = orient(
    outer.map((_, i) => i),
    places,
    1,
  )
  let start = outer.length
  const inner = holes.map((hole) => {
    const numbers = hole.map((_, i) => start + i)
    start += hole.length
    return orient(numbers, places, -1)
  })
  // The rightmost first: what is to the right of a hole is joined before it is.
  const furthest = (numbers: readonly number[]) => Math.max(...numbers.map((i) => places[i]!.x))
  for (const hole of inner.filter(({ length }) => length > 2).sort((a, b) => furthest(b) - furthest(a))) {
    ring = joinHole(ring, hole, places)
  }
  return cutEars(ring, places)
}

function orient(ring: number[], places: readonly Flat[], sign: 1 | -1): number[] {
  return Math.sign(areaOf(ring.map((i) => places[i]!))) === -sign ? ring.reverse() : ring
}

/** Twice the area; positive for a ring that runs counter-clockwise. */
export function areaOf(ring: readonly Flat[]): number {
  let area = 0
  for (const [i, { x, y }] of ring.entries()) {
    const next = ring[(i + 1) % ring.length]!
    area += x * next.y - next.x * y
  }
  return area
}

/** Twice the area of a triangle; positive when it runs counter-clockwise. */
const turn = (a: Flat, b: Flat, c: Flat): number => (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)

const isInside = (p: Flat, a: Flat, b: Flat, c: Flat): boolean =>
  turn(a, b, p) >= 0 && turn(b, c, p) >= 0 && turn(c, a, p) >= 0

/** Cuts the ring open towards the hole, at a place that its rightmost one sees. */
function joinHole(ring: readonly number[], hole: readonly number[], places: readonly Flat[]): number[] {
  const from = hole.reduce((best, _, i) => (places[hole[i]!]!.x > places[hole[best]!]!.x ? i : best), 0)
  const at = findBridge(ring, places[hole[from]!]!, places)
  const around = [...hole.slice(from), ...hole.slice(0, from), hole[from]!]
  return [...ring.slice(0, at + 1), ...around, ...ring.slice(at)]
}

/** Which place of the ring is seen from a place inside of it. */
function findBridge(ring: readonly number[], eye: Flat, places: readonly Flat[]): number {
  let nearest = Infinity
  let found = 0
  for (const [i, number] of ring.entries()) {
    const a = places[number]!
    const next = (i + 1) % ring.length
    const b = places[ring[next]!]!
    // Edges that the look to the right crosses upwards: the inside of the ring is on their left.
    if (a.y > eye.y || b.y < eye.y || a.y === b.y) continue
    const x = a.x + ((eye.y - a.y) / (b.y - a.y)) * (b.x - a.x)
    if (x < eye.x || x >= nearest) continue
    nearest = x
    found = a.x > b.x ? i : next
  }
  if (nearest === Infinity) return 0
  // What stands in the triangle between may hide it: then the one that is closest to the look is seen.
  const hit = { x: nearest, y: eye.y }
  const seen = places[ring[found]!]!
  let flattest = Math.abs(seen.y - eye.y) / Math.max(seen.x - eye.x, Number.MIN_VALUE)
  const [a, b, c] = seen.y < eye.y ? [eye, seen, hit] : [eye, hit, seen]
  for (const [i, number] of ring.entries()) {
    const place = places[number]!
    if (place === seen || place.x < eye.x || !isInside(place, a, b, c)) continue
    const slope = Math.abs(place.y - eye.y) / Math.max(place.x - eye.x, Number.MIN_VALUE)
    if (slope < flattest) [flattest, found] = [slope, i]
  }
  return found
}

function cutEars(ring: readonly number[], places: readonly Flat[]): number[] {
  const left = [...ring]
  const triangles: number[] = []
  let at = 0
  let tried = 0
  while (left.length > 3) {
    const count = left.length
    const [i, j, k] = [at % count, (at + 1) % count, (at + 2) % count]
    const [a, b, c] = [left[i]!, left[j]!, left[k]!]
    // One that has gone all the way round without an ear crosses itself: it is cut anywhere, and gets simpler.
    if (tried > count || isEar(left, a, b, c, places)) {
      if (turn(places[a]!, places[b]!, places[c]!) > 0) triangles.push(a, b, c)
      left.splice(j, 1)
      at = j === 0 ? 0 : Math.max(i - 1, 0)
      tried = 0
    } else {
      at = j
      tried++
    }
  }
  if (left.length === 3) triangles.push(left[0]!, left[1]!, left[2]!)
  return triangles
}

/** Whether no other place lies in the triangle. One without area is an ear too: it is in the way of the others. */
function isEar(ring: readonly number[], a: number, b: number, c: number, places: readonly Flat[]): boolean {
  const [p, q, r] = [places[a]!, places[b]!, places[c]!]
  const area = turn(p, q, r)
  if (area <= 0) return area === 0
  const [left, right] = [Math.min(p.x, q.x, r.x), Math.max(p.x, q.x, r.x)]
  const [low, high] = [Math.min(p.y, q.y, r.y), Math.max(p.y, q.y, r.y)]
  for (const number of ring) {
    const place = places[number]!
    if (place.x < left || place.x > right || place.y < low || place.y > high) continue
    if (isSame(place, p) || isSame(place, q) || isSame(place, r)) continue
    if (isInside(place, p, q, r)) return false
  }
  return true
}

const isSame = (a: Flat, b: Flat): boolean => a.x === b.x && a.y === b.y
