import { type Arc, arc, line, polyline } from '../../values/curves.ts'
import { plane } from '../../values/planes.ts'
import type { Xyz } from '../../values/points.ts'
import type { Curve } from '../../values/value.ts'
import { addScaled, areEqual, cross, distance, dot, findUnit, subtract } from '../../values/vector.ts'
import { getEnd, getStart } from '../curves/evaluate.ts'
import { createPolyCurve } from '../curves/split.ts'

/**
 * Rounds the corners of a polyline with arcs of the radius, or with the largest arc that fits within half of
 * the adjacent sides. A closed result starts with the arc of its first corner.
 * Source: what Grasshopper's Fillet returns, as pyhopper (github.com/ezzahiranass/pyhopper) describes it.
 */
export function roundCorners(vertices: readonly Xyz[], radius: number): Curve {
  const [first, last] = [vertices[0] as Xyz, vertices.at(-1) as Xyz]
  const isClosed = areEqual(first, last, 1e-9)
  const count = vertices.length - 1
  const corners = isClosed ? vertices.slice(0, -1) : vertices
  const arcs = corners.map((corner, i) => {
    if (!isClosed && (i === 0 || i === count)) return undefined
    const [before, after] = [vertices[i === 0 ? count - 1 : i - 1] as Xyz, vertices[i + 1] as Xyz]
    const factors = isClosed ? [0.5, 0.5] : [i === 1 ? 1 : 0.5, i === count - 1 ? 1 : 0.5]
    return findCornerArc(before, corner, after, radius, factors as [number, number])
  })
  const segments: Curve[] = []
  for (const [i, corner] of corners.entries()) {
    const own = arcs[i]
    if (own) segments.push(own)
    const nextIndex = i + 1 === corners.length ? 0 : i + 1
    if (!isClosed && nextIndex === 0) break
    const from = own ? getEnd(own) : corner
    const next = arcs[nextIndex]
    const to = next ? getStart(next) : (corners[nextIndex] as Xyz)
    if (!areEqual(from, to, 1e-9)) segments.push(line(from, to))
  }
  return arcs.some((own) => own) ? createPolyCurve(segments) : polyline(vertices)
}

/**
 * The arc tangent to both sides of a corner; undefined for collinear sides. `factors` are the fractions of the
 * sides that it may use.
 */
function findCornerArc(
  before: Xyz,
  corner: Xyz,
  after: Xyz,
  radius: number,
  factors: [number, number],
): Arc | undefined {
  const [arriving, leaving] = [findUnit(subtract(corner, before)), findUnit(subtract(after, corner))]
  if (!arriving || !leaving) return undefined
  const angle = Math.acos(Math.min(1, Math.max(-1, dot(arriving, leaving))))
  const inwards = findUnit(subtract(leaving, arriving))
  if (angle < 1e-9 || Math.PI - angle < 1e-9 || !inwards) return undefined
  const free = Math.min(factors[0] * distance(before, corner), factors[1] * distance(corner, after))
  const cut = Math.min(radius * Math.tan(angle / 2), free)
  const fitting = cut / Math.tan(angle / 2)
  const centre = addScaled(corner, inwards, fitting / Math.cos(angle / 2))
  const xAxis = findUnit(subtract(addScaled(corner, arriving, -cut), centre))
  return xAxis && arc(plane(centre, xAxis, arriving, cross(xAxis, arriving)), fitting, 0, angle)
}
