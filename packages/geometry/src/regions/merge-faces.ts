import { groupBy } from '@meadow/document'
import { createBrepBuilder } from '../breps/brep-builder.ts'
import { pickFaces } from '../breps/list-faces.ts'
import { createFaceOfEdges, type PlanarFace } from '../breps/planar-face.ts'
import { integrateRegion, samplePoints } from '../breps/region.ts'
import { checkpoint } from '../budget/budget.ts'
import { reverseCurve } from '../curves/split.ts'
import { createGroups } from '../meshes/disjoint-sets.ts'
import { findSurfacePlane } from '../surfaces/evaluate-surface.ts'
import type { Brep, BrepEdge, BrepFace } from '../values/brep.ts'
import { flipPlane, toLocal } from '../values/planes.ts'
import type { Plane } from '../values/points.ts'
import type { Curve } from '../values/value.ts'
import { cross, dot, length } from '../values/vector.ts'

/**
 * A brep in which flat faces that share an edge and lie in one plane, with the same outside, are one face, at the place
 * of the first of them. Edges in one line stay apart; the brep itself if there is nothing to merge. Undefined where
 * faces are parallel within `angleTolerance` (radians) but leave the plane, and where a merged face touches itself.
 */
export function mergeCoplanarFaces(brep: Brep, tolerance: number, angleTolerance: number): Brep | undefined {
  const planes = brep.faces.map(({ surface, isReversed }) => {
    const plane = findSurfacePlane(surface, tolerance)
    return plane && isReversed ? flipPlane(plane) : plane
  })
  const groups = createGroups(brep.faces.length)
  for (const [one, other] of listNeighbours(brep)) {
    const [a, b] = [planes[one]?.zAxis, planes[other]?.zAxis]
    if (a && b && Math.atan2(length(cross(a, b)), dot(a, b)) <= angleTolerance) groups.join(one, other)
  }
  const members = groupBy(brep.faces.keys(), (i) => groups.find(i))
  if (members.size === brep.faces.length) return brep
  const builder = createBrepBuilder(tolerance)
  for (const [first, indices] of members) {
    const faces = indices.map((i) => brep.faces[i] as BrepFace)
    if (faces.length === 1) builder.addBrep(pickFaces(brep, faces))
    else {
      const merged = mergeFaces(brep, faces, planes[first] as Plane, tolerance)
      if (!merged) return undefined
      builder.addFace(merged.surface, merged.loops)
    }
  }
  return builder.build()
}

/** Pairs of faces on both sides of an edge. */
function listNeighbours({ edges, faces }: Brep): [number, number][] {
  const sides: number[][] = edges.map(() => [])
  for (const [i, { loops }] of faces.entries()) {
    for (const { edge } of loops.flat()) if (edge !== undefined) sides[edge]?.push(i)
  }
  return sides.filter((faces): faces is [number, number] => faces.length === 2)
}

/** A side of a loop that runs along the loop, seen from the outside of the face. */
interface Side {
  readonly edge: number
  readonly from: number
  readonly to: number
  readonly curve: Curve
}

function mergeFaces(
  brep: Brep,
  faces: readonly BrepFace[],
  plane: Plane,
  tolerance: number,
): PlanarFace | undefined {
  const byEdge = groupBy(
    faces.flatMap((face) => listSides(brep, face)),
    ({ edge }) => edge,
  )
  const border = [...byEdge.values()].flatMap((sides) => (sides.length === 1 ? sides : []))
  const isInPlane = ({ curve }: Side) =>
    samplePoints(curve).every((point) => Math.abs(toLocal(plane, point).z) <= tolerance)
  const leaving = new Map(border.map((side) => [side.from, side]))
  if (leaving.size < border.length || ![...byEdge.values()].every(([side]) => isInPlane(side!)))
    return undefined
  const loops: Curve[][] = []
  for (const start of border) {
    const loop: Curve[] = []
    for (let side = leaving.get(start.from); side; side = leaving.get(side.to)) {
      checkpoint()
      leaving.delete(side.from)
      loop.push(side.curve)
    }
    if (loop.length > 0) loops.push(loop)
  }
  const outer = loops.filter((loop) => integrateRegion(loop, plane).area > 0)
  return outer.length === 1
    ? createFaceOfEdges(plane, [...outer, ...loops.filter((loop) => loop !== outer[0])])
    : undefined
}

function listSides({ edges }: Brep, { loops, isReversed }: BrepFace): Side[] {
  return loops.flat().flatMap((trim) => {
    if (trim.edge === undefined) return []
    const { curve, start, end } = edges[trim.edge] as BrepEdge
    return trim.isReversed === isReversed
      ? { edge: trim.edge, from: start, to: end, curve }
      : { edge: trim.edge, from: end, to: start, curve: reverseCurve(curve) }
  })
}
