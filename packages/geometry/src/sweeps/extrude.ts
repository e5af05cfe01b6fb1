import { type BrepBuilder, createBrepBuilder } from '../breps/brep-builder.ts'
import { countUses } from '../breps/list-faces.ts'
import { cutAtKinks } from '../breps/planar-face.ts'
import { getEnd, getStart } from '../curves/evaluate.ts'
import type { ArcSurface } from '../surfaces/arcs.ts'
import { findNormalAt, touchSurface } from '../surfaces/evaluate-surface.ts'
import { transpose } from '../surfaces/rows.ts'
import { createExtrusion } from '../surfaces/ruled.ts'
import { applyTransform } from '../transform/apply-transform.ts'
import { createTranslation } from '../transform/create.ts'
import type { Brep, BrepFace } from '../values/brep.ts'
import { getSurfaceDomains } from '../values/curve-domain.ts'
import { line, type Polyline, polyline } from '../values/curves.ts'
import type { Xyz } from '../values/points.ts'
import type { Curve, Domain } from '../values/value.ts'
import { add, dot } from '../values/vector.ts'

/**
 * Extrudes a curve along a vector: one face for each part without kinks, u along the vector and v along the
 * curve. The ends are open.
 * Source: recorded outputs of Grasshopper 8 (Extrude Linear) in github.com/ezzahiranass/pyhopper.
 */
export function extrudeCurve(curve: Curve, direction: Xyz, tolerance: number): Brep {
  const builder = createBrepBuilder(tolerance)
  for (const part of cutAtKinks(curve)) {
    const { bottom, top, start, end } = listSides(part, direction)
    const surface = createExtrusion(part, direction)
    const { arcs } = surface
    const { u, v } = getSurfaceDomains(surface)
    const turned: ArcSurface = { ...transpose(surface), ...(arcs?.u ? { arcs: { v: arcs.u } } : {}) }
    const trims = listTrims(v, u)
    builder.addFace(turned, [
      [
        { curve: trims[0], edge: start, isReversed: false },
        { curve: trims[1], edge: top, isReversed: false },
        { curve: trims[2], edge: end, isReversed: true },
        { curve: trims[3], edge: bottom, isReversed: true },
      ],
    ])
  }
  return builder.build()
}

/**
 * Extrudes faces along a vector: the faces, their translated copies, and a side for each open edge. Normals
 * point outwards.
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
      // The face is to the left of its loop, seen against the surface normal, so the outside of the side is to
      // the right.
      addSide(builder, (brep.edges[edge] as Brep['edges'][number]).curve, direction, isReversed === isAhead)
    }
  }
  return builder.build()
}

/** The surface normal at the middle of the domain, which for a flat surface is that everywhere. */
function findFaceDirection({ surface }: BrepFace): Xyz {
  const { u, v } = getSurfaceDomains(surface)
  const [middleU, middleV] = [(u.start + u.end) / 2, (v.start + v.end) / 2]
  return findNormalAt(surface, middleU, middleV) ?? touchSurface(surface, middleU, middleV).du
}

function addSide(builder: BrepBuilder, edge: Curve, direction: Xyz, isReversed: boolean): void {
  const surface = createExtrusion(edge, direction)
  const { u, v } = getSurfaceDomains(surface)
  const { bottom, top, start, end } = listSides(edge, direction)
  const trims = listTrims(u, v)
  const loop = [
    { curve: trims[0], edge: bottom, isReversed: false },
    { curve: trims[1], edge: end, isReversed: false },
    { curve: trims[2], edge: top, isReversed: true },
    { curve: trims[3], edge: start, isReversed: true },
  ]
  builder.addFace(surface, [loop], isReversed)
}

/** The curve, its translated copy, and the paths of its ends. */
function listSides(bottom: Curve, direction: Xyz) {
  const [from, to] = [getStart(bottom), getEnd(bottom)]
  const top = applyTransform(bottom, createTranslation(direction)) as Curve
  return { bottom, top, start: line(from, add(from, direction)), end: line(to, add(to, direction)) }
}

/** The border of a domain, counter-clockwise from its lower corner. */
function listTrims(u: Domain, v: Domain): [Polyline, Polyline, Polyline, Polyline] {
  const corner = (x: number, y: number): Xyz => ({ x, y, z: 0 })
  const [a, b] = [corner(u.start, v.start), corner(u.end, v.start)]
  const [c, d] = [corner(u.end, v.end), corner(u.start, v.end)]
  return [polyline([a, b]), polyline([b, c]), polyline([c, d]), polyline([d, a])]
}
