import { countUses } from '@meadow/geometry/breps/list-faces'
import { toBrep } from '@meadow/geometry/breps/to-brep'
import { joinCurves } from '@meadow/geometry/curve-editing/join'
import { findVertices } from '@meadow/geometry/curves/vertices'
import { findBoundsOfPoints } from '@meadow/geometry/values/bounding-box'
import { findStraightEnds } from '@meadow/geometry/values/curve-dimensions'
import {
  type Arc,
  type Circle,
  isCurve,
  type Line,
  line,
  type Rectangle,
} from '@meadow/geometry/values/curves'
import { findPlaneFromAxes, toLocal } from '@meadow/geometry/values/planes'
import { type Curve, domain, type Value } from '@meadow/geometry/values/value'
import { areEqual, distance, dot, findUnit, subtract } from '@meadow/geometry/values/vector'

/** Returns curves unchanged. A surface or brep with one naked outline becomes it (rule C-14). */
export function toCurve(value: Value): Curve | undefined {
  if (isCurve(value)) return value
  const outlines = listOutlines(value)
  return outlines.length === 1 ? outlines[0] : undefined
}

/** Ends of edges that are closer than this part of the size of a brep meet. */
const MEETING = 1e-6

/** The naked edges of a surface or brep, joined. */
function listOutlines(value: Value): readonly Curve[] {
  if (typeof value !== 'object' || (value.type !== 'brep' && value.type !== 'nurbsSurface')) return []
  const brep = toBrep(value)
  const bounds = brep && findBoundsOfPoints(brep.vertices)
  if (!brep || !bounds) return []
  const uses = countUses(brep)
  const naked = brep.edges.filter((_, i) => uses[i] === 1).map(({ curve }) => curve)
  return joinCurves(naked, MEETING * distance(bounds.min, bounds.max))
}

/** A straight curve as a line from its start to its end. */
export function toLine(value: Value): Line | undefined {
  if (!isCurve(value)) return undefined
  if (value.type === 'line') return value
  const [from, to] = findStraightEnds(value) ?? []
  return from && to && line(from, to)
}

const FULL_TURN = 2 * Math.PI

/** A circle, or a full arc. */
export function toCircle(value: Value): Circle | undefined {
  if (typeof value !== 'object') return undefined
  if (value.type === 'circle') return value
  if (value.type !== 'arc' || Math.abs(value.endAngle - value.startAngle - FULL_TURN) > 1e-9) return undefined
  return { type: 'circle', plane: value.plane, radius: value.radius }
}

export function toArc(value: Value): Arc | undefined {
  if (typeof value !== 'object') return undefined
  if (value.type === 'arc') return value
  if (value.type !== 'circle') return undefined
  return { type: 'arc', plane: value.plane, radius: value.radius, startAngle: 0, endAngle: FULL_TURN }
}

const TOLERANCE = 1e-9

/** A rectangle, or a closed polyline with four corners that form one. */
export function toRectangle(value: Value): Rectangle | undefined {
  if (!isCurve(value)) return undefined
  if (value.type === 'rectangle') return value
  const [a, b, c, d, e] = findVertices(value) ?? []
  if (!a || !b || !c || !d || !e || !areEqual(a, e, TOLERANCE)) return undefined
  const plane = findPlaneFromAxes(a, subtract(b, a), subtract(d, a))
  const [side, other] = [findUnit(subtract(b, a)), findUnit(subtract(d, a))]
  if (!plane || !side || !other || Math.abs(dot(side, other)) > TOLERANCE) return undefined
  const corner = toLocal(plane, c)
  const size = { x: distance(a, b), y: distance(a, d) }
  const isClosed = areEqual(corner, { ...size, z: 0 }, TOLERANCE * (1 + size.x + size.y))
  return isClosed ? { type: 'rectangle', plane, x: domain(0, size.x), y: domain(0, size.y) } : undefined
}
