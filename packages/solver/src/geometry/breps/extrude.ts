import type { Brep, BrepFace } from '../../values/brep.ts'
import { getCurveDomain, getSurfaceDomains } from '../../values/curve-domain.ts'
import { line, polyline } from '../../values/curves.ts'
import type { Xyz } from '../../values/points.ts'
import type { Curve } from '../../values/value.ts'
import { getEnd, getStart } from '../curves/index.ts'
import { findNormalAt, touchSurface } from '../surfaces/evaluate-surface.ts'
import { createExtrusion } from '../surfaces/ruled.ts'
import { applyTransform } from '../transform/apply-transform.ts'
import { createTranslation } from '../transform/create.ts'
import { add, dot, length } from '../vector.ts'
import { type BrepBuilder, createBrepBuilder } from './brep-builder.ts'
import { cutAtKinks } from './planar-face.ts'

/** What a curve passes over while it is moved by a vector: one face for each of its parts without kinks. Open at both ends. */
export function extrudeCurve(curve: Curve, direction: Xyz, tolerance: number): Brep {
  const builder = createBrepBuilder(tolerance)
  for (const part of cutAtKinks(curve)) addSide(builder, part, direction, false)
  return builder.build()
}

/**
 * What faces pass over while they are moved by a vector: the faces themselves, their copies at the end of the way, and
 * a side for each open edge. The outside is outside.
 */
export function extrudeBrep(brep: Brep, direction: Xyz, tolerance: number): Brep {
  const builder = createBrepBuilder(tolerance)
  const top = applyTransform(brep, createTranslation(direction)) as Brep
  const uses = countUses(brep)
  for (const face of brep.faces) {
    const isAhead = dot(findFaceDirection(face), direction) > 0
    builder.addBrep({ ...brep, faces: [{ ...face, isReversed: isAhead }] })
  }
  for (const [i, face] of top.faces.entries()) {
    const isAhead = dot(findFaceDirection(brep.faces[i] as BrepFace), direction) > 0
    builder.addBrep({ ...top, faces: [{ ...face, isReversed: !isAhead }] })
  }
  for (const face of brep.faces) {
    const isAhead = dot(findFaceDirection(face), direction) > 0
    for (const { edge, isReversed } of face.loops.flat()) {
      if (edge === undefined || uses[edge] !== 1) continue
      // A loop has its face on the left about the surface's normal, so the side's outside is on the right.
      addSide(builder, (brep.edges[edge] as Brep['edges'][number]).curve, direction, isReversed === isAhead)
    }
  }
  return builder.build()
}

/** How many trims each edge has. */
export function countUses({ edges, faces }: Brep): number[] {
  const uses = edges.map(() => 0)
  for (const { edge } of faces.flatMap(({ loops }) => loops.flat())) {
    if (edge !== undefined) uses[edge] = (uses[edge] as number) + 1
  }
  return uses
}

/** The surface's normal in the middle of its parameters; of a flat surface it is that everywhere. */
function findFaceDirection({ surface }: BrepFace): Xyz {
  const { u, v } = getSurfaceDomains(surface)
  const [middleU, middleV] = [(u.start + u.end) / 2, (v.start + v.end) / 2]
  return findNormalAt(surface, middleU, middleV) ?? touchSurface(surface, middleU, middleV).du
}

function addSide(builder: BrepBuilder, edge: Curve, direction: Xyz, isReversed: boolean): void {
  const surface = createExtrusion(edge, direction)
  const { start, end } = getCurveDomain(edge)
  const size = length(direction)
  const corner = (x: number, y: number): Xyz => ({ x, y, z: 0 })
  const corners = [corner(start, 0), corner(end, 0), corner(end, size), corner(start, size)]
  const side = (i: number) => polyline([corners[i] as Xyz, corners[(i + 1) % 4] as Xyz])
  const [from, to] = [getStart(edge), getEnd(edge)]
  const upper = applyTransform(edge, createTranslation(direction)) as Curve
  builder.addFace(
    surface,
    [
      [
        { curve: side(0), edge, isReversed: false },
        { curve: side(1), edge: line(to, add(to, direction)), isReversed: false },
        { curve: side(2), edge: upper, isReversed: true },
        { curve: side(3), edge: line(from, add(from, direction)), isReversed: true },
      ],
    ],
    isReversed,
  )
}
