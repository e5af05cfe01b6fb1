import { checkpoint } from '../budget/budget.ts'
import { joinCurves } from '../curve-editing/join.ts'
import { findPlaneCrossings } from '../curve-intersection/intersect-plane.ts'
import { getPoint } from '../curves/evaluate.ts'
import { isClosed } from '../curves/split.ts'
import { toNurbs } from '../curves/to-nurbs.ts'
import type { Brep, BrepEdge, BrepFace } from '../values/brep.ts'
import { isClosedBrep } from '../values/describe-geometry.ts'
import { toLocal } from '../values/planes.ts'
import type { Plane, Xyz } from '../values/points.ts'
import type { Curve } from '../values/value.ts'
import { sectionFace } from './section-face.ts'
import { SectionError } from './zero-paths.ts'

/** The curves, or the reason why there are no curves, as the end of a sentence. */
export type SectionResult = { readonly curves: readonly Curve[] } | { readonly problem: string }

/**
 * The curves in which a brep and a plane intersect, joined, within a tenth of the tolerance; edges in the plane are as
 * they are. There is no result where the plane touches a face, between faces in the plane, and where the curves around
 * a closed brep are open.
 */
export function sectionBrep(brep: Brep, plane: Plane, tolerance: number): SectionResult {
  try {
    const inPlane = brep.edges.map(({ curve }) => isInPlane(toNurbs(curve).points, plane, tolerance))
    const crossings = brep.edges.map(({ curve }, i) =>
      inPlane[i] ? [] : findPlaneCrossings(curve, plane, tolerance / 1000).map((t) => getPoint(curve, t)),
    )
    const isFlush = brep.faces.map(({ surface }) =>
      surface.points.every((row) => isInPlane(row, plane, tolerance)),
    )
    if (hasNeighbours(brep, isFlush)) throw new SectionError('two faces that meet are in the plane')
    const pieces = brep.faces.flatMap((face, i) => {
      if (isFlush[i]) return []
      const own = listEdges(face)
      const edges = own.filter((edge) => inPlane[edge]).map((edge) => (brep.edges[edge] as BrepEdge).curve)
      return sectionFace(
        face,
        plane,
        { ends: own.flatMap((edge) => crossings[edge] as Xyz[]), edges },
        tolerance,
      )
    })
    const flush = brep.edges.filter((_, i) => inPlane[i]).map(({ curve }) => curve)
    const curves = joinCurves([...pieces, ...flush], tolerance)
    if (isClosedBrep(brep) && !curves.every((curve) => isClosed(curve, tolerance)))
      throw new SectionError('the plane touches an edge')
    return { curves }
  } catch (error) {
    if (error instanceof SectionError) return { problem: error.message }
    throw error
  }
}

function isInPlane(points: readonly Xyz[], plane: Plane, tolerance: number): boolean {
  checkpoint(points.length)
  return points.every((point) => Math.abs(toLocal(plane, point).z) <= tolerance)
}

/** The edges of a face, each once. */
function listEdges({ loops }: BrepFace): number[] {
  return [...new Set(loops.flat().flatMap(({ edge }) => (edge === undefined ? [] : [edge])))]
}

/** Whether two faces in the plane share an edge: it is not known whether that is part of the section. */
function hasNeighbours({ faces }: Brep, isFlush: readonly boolean[]): boolean {
  const edges = faces.filter((_, i) => isFlush[i]).flatMap(listEdges)
  return new Set(edges).size < edges.length
}
