import type { Brep } from './brep.ts'
import { isTriangle } from './mesh.ts'
import type { Geometry } from './value.ts'

/** A short description of a geometry without a text format. */
export function describeGeometry(geometry: Geometry): string {
  switch (geometry.type) {
    case 'nurbsCurve':
      return `NURBS curve of degree ${geometry.degree} with ${geometry.points.length} control points`
    case 'polyCurve':
      return `Polycurve of ${geometry.segments.length} segments`
    case 'nurbsSurface':
      return `NURBS surface of degrees ${geometry.degreeU} and ${geometry.degreeV}`
    case 'brep':
      return `${describeShell(geometry)} of ${count(geometry.faces.length, 'face')}`
    case 'mesh':
      return `Mesh of ${geometry.vertices.length} vertices and ${geometry.faces.length} faces${
        geometry.faces.every(isTriangle) && geometry.faces.length > 0 ? ', all triangles' : ''
      }`
    case 'group':
      return `Group of ${count(geometry.members.length, 'object')}`
    default:
      return geometry.type
  }
}

function describeShell(brep: Brep): string {
  if (brep.faces.length === 1) return 'Trimmed surface'
  return isClosedBrep(brep) ? 'Closed brep' : 'Open brep'
}

/** Whether each edge has a face on both sides. */
export function isClosedBrep({ edges, faces }: Brep): boolean {
  const uses = edges.map(() => 0)
  for (const { loops } of faces) {
    for (const { edge } of loops.flat()) if (edge !== undefined) uses[edge] = (uses[edge] ?? 0) + 1
  }
  return faces.length > 0 && uses.every((count) => count === 2)
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}
