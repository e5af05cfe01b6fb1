import { getFacePart } from './breps/face-part.ts'
import { type Bounds, findBounds, unite } from './values/bounding-box.ts'
import type { Geometry } from './values/value.ts'

/** How much larger than its outer loop the part of a surface is that openNURBS measures for a face. */
const FACE_MARGIN = 0.1

/**
 * The bounding box of a geometry along the world axes as openNURBS has it, which contains the geometry: of the control
 * points of NURBS curves and surfaces, and for a face of a brep of the part of its surface around its outer loop.
 * Undefined for geometry without points. Documents have the same boxes, which rhino3dm computes.
 */
export function findLooseBounds(geometry: Geometry): Bounds | undefined {
  switch (geometry.type) {
    case 'brep':
      return unite(geometry.faces.map((face) => findBounds(getFacePart(face, FACE_MARGIN))))
    case 'group':
      return unite(geometry.members.map(findLooseBounds))
    default:
      return findBounds(geometry)
  }
}
