import type { BrepBuilder } from '../breps/brep-builder.ts'
import { createPlanarFace } from '../breps/planar-face.ts'
import { evaluateNurbs } from '../curves/evaluate-nurbs.ts'
import { listWeighted } from '../curves/knots.ts'
import { reverseCurve } from '../curves/split.ts'
import { toNurbs } from '../curves/to-nurbs.ts'
import { revolve } from '../surfaces/revolve.ts'
import { getRow, transpose } from '../surfaces/rows.ts'
import { createSkin } from '../surfaces/skin.ts'
import { getCurveDomain } from '../values/curve-domain.ts'
import { circle, type NurbsCurve } from '../values/curves.ts'
import type { NurbsSurface } from '../values/nurbs-surface.ts'
import { findPlaneFromNormal, plane, WORLD_XY } from '../values/planes.ts'
import type { Xyz } from '../values/points.ts'
import { type Curve, domain } from '../values/value.ts'
import { add, addScaled, cross, distance, dot, scale, subtract, X_AXIS } from '../values/vector.ts'
import { type Frame, listFrames } from './moving-frame.ts'

/**
 * A section curve of a pipe: a circle or ellipse around the rail with nine control points, counter-clockwise
 * seen against the direction of the rail.
 */
export type SectionCurve = NurbsCurve

export function createSectionCurve(centre: Xyz, direction: Xyz, radius: number): SectionCurve {
  const base = findPlaneFromNormal(centre, direction) ?? WORLD_XY
  return toNurbs({ ...circle(base, radius), domain: domain(0, 1) })
}

/** Projects a section curve along the direction of the pipe onto a plane. */
export function slideSectionCurve(
  section: SectionCurve,
  direction: Xyz,
  location: Xyz,
  normal: Xyz,
): SectionCurve {
  const rate = 1 / dot(direction, normal)
  return {
    ...section,
    points: section.points.map((point) =>
      addScaled(point, direction, dot(subtract(location, point), normal) * rate),
    ),
  }
}

/** A tube around a bent curve from a section curve at its start; exact for arcs and circles. */
export function createBentTube(
  rail: Curve,
  section: SectionCurve,
  isRound: boolean,
  tolerance: number,
): { surface: NurbsSurface; end: SectionCurve } {
  const surface =
    rail.type === 'arc' || rail.type === 'circle'
      ? createTorus(rail, section)
      : sweepSectionCurve(rail, section, isRound, tolerance)
  return { surface, end: { ...section, points: surface.points.map((row) => row.at(-1) as Xyz) } }
}

function createTorus(rail: Extract<Curve, { type: 'arc' | 'circle' }>, section: SectionCurve): NurbsSurface {
  const angle = rail.type === 'arc' ? rail.endAngle - rail.startAngle : 2 * Math.PI
  return transpose(revolve(section, rail.plane.origin, rail.plane.zAxis, domain(0, angle)))
}

const MAX_SECTION_CURVES = 4096

/**
 * Sweeps with section curves at equal steps of the rail parameter, doubling their number until the surface is
 * within the tolerance.
 */
function sweepSectionCurve(
  rail: Curve,
  section: SectionCurve,
  isRound: boolean,
  tolerance: number,
): NurbsSurface {
  const { start, end } = getCurveDomain(rail)
  for (let count = 16; ; count *= 2) {
    const parameters = Array.from(
      { length: 2 * count + 1 },
      (_, k) => start + ((end - start) * k) / (2 * count),
    )
    const frames = listFrames(rail, parameters, X_AXIS, isRound)
    const sections = frames.map((frame) => moveSectionCurve(section, frames[0] as Frame, frame))
    const even = sections.filter((_, k) => k % 2 === 0)
    const surface = createSkin({
      degreeU: section.degree,
      knotsU: section.knots,
      sections: even.map(listWeighted),
      parameters: parameters.filter((_, k) => k % 2 === 0),
    })
    if (count >= MAX_SECTION_CURVES || getError(surface, sections, parameters) <= tolerance) return surface
  }
}

/** The distance of the surface from the section curves that it does not interpolate. */
function getError(
  surface: NurbsSurface,
  sections: readonly SectionCurve[],
  parameters: readonly number[],
): number {
  let worst = 0
  for (const i of surface.points.keys()) {
    const row = getRow(surface, i)
    for (let k = 1; k < sections.length; k += 2) {
      const [point] = evaluateNurbs(row, parameters[k] as number)
      worst = Math.max(worst, distance(point as Xyz, sections[k]?.points[i] as Xyz))
    }
  }
  return worst
}

function moveSectionCurve(section: SectionCurve, from: Frame, to: Frame): SectionCurve {
  return {
    ...section,
    points: section.points.map((point) => {
      const offset = subtract(point, from.point)
      const inX = scale(to.xAxis, dot(offset, from.xAxis))
      return addScaled(add(to.point, inX), to.yAxis, dot(offset, from.yAxis))
    }),
  }
}

/** A flat or hemispherical cap at an end; `outwards` points away from the pipe. */
export function addCap(
  builder: BrepBuilder,
  section: SectionCurve,
  centre: Xyz,
  outwards: Xyz,
  radius: number,
  shape: 'flat' | 'round',
): void {
  const isAhead = dot(getNormal(section, centre), outwards) > 0
  if (shape === 'flat') {
    const xAxis = scale(subtract(section.points[0] as Xyz, centre), 1 / radius)
    const face = createPlanarFace(plane(centre, xAxis, cross(outwards, xAxis), outwards), [
      isAhead ? section : reverseCurve(section),
    ])
    builder.addFace(face.surface, face.loops)
    return
  }
  const pole = addScaled(centre, outwards, radius)
  const weight = Math.SQRT1_2
  const surface: NurbsSurface = {
    type: 'nurbsSurface',
    degreeU: 2,
    degreeV: 2,
    points: section.points.map((point) => [point, addScaled(point, outwards, radius), pole]),
    weights: section.points.map((_, i) => [1, weight, 1].map((t) => t * (section.weights?.[i] ?? 1))),
    knotsU: section.knots,
    knotsV: [0, 0, 1, 1],
  }
  builder.addSurface(surface, !isAhead)
}

function getNormal({ points }: SectionCurve, centre: Xyz): Xyz {
  return cross(subtract(points[0] as Xyz, centre), subtract(points[2] as Xyz, centre))
}
