import { findTangent, getEnd, getStart } from '../curves/evaluate.ts'
import { toNurbs } from '../curves/to-nurbs.ts'
import { findVertices } from '../curves/vertices.ts'
import type { Brep } from '../values/brep.ts'
import { getCurveDomain } from '../values/curve-domain.ts'
import type { Arc, Circle } from '../values/curves.ts'
import type { Xyz } from '../values/points.ts'
import { type Curve, domain } from '../values/value.ts'
import { dot, findUnit, scale, subtract } from '../values/vector.ts'
import { extrudeCurve } from './extrude.ts'
import { revolveCurve } from './revolve-curve.ts'

/**
 * Sweeps a section along a straight line or an arc, to which it is perpendicular at one end: exact, since the section
 * moves along the line or turns around the axis. Undefined for other rails and positions.
 */
export function sweepSection(rail: Curve, section: Curve, tolerance: number): Brep | undefined {
  const end = findSectionEnd(rail, section, tolerance)
  if (!end) return undefined
  if (rail.type === 'arc' || rail.type === 'circle') return turnSection(rail, section, end, tolerance)
  const vertices = findVertices(rail)
  if (vertices?.length !== 2) return undefined
  const along = subtract(getEnd(rail), getStart(rail))
  return extrudeCurve(section, end === 'start' ? along : scale(along, -1), tolerance)
}

function turnSection(rail: Arc | Circle, section: Curve, end: 'start' | 'end', tolerance: number): Brep {
  const turn = rail.type === 'arc' ? rail.endAngle - rail.startAngle : 2 * Math.PI
  const angles = end === 'start' ? domain(0, turn) : domain(-turn, 0)
  return revolveCurve(section, rail.plane.origin, rail.plane.zAxis, angles, tolerance)
}

/** The end of the rail in whose perpendicular plane a section is. */
function findSectionEnd(rail: Curve, section: Curve, tolerance: number): 'start' | 'end' | undefined {
  const { start, end } = getCurveDomain(rail)
  const { points } = toNurbs(section)
  const isAt = (location: Xyz, t: number) => {
    const direction = findUnit(findTangent(rail, t) ?? { x: 0, y: 0, z: 0 })
    return (
      direction && points.every((point) => Math.abs(dot(subtract(point, location), direction)) <= tolerance)
    )
  }
  if (isAt(getStart(rail), start)) return 'start'
  return isAt(getEnd(rail), end) ? 'end' : undefined
}
