import type { Brep } from './brep.ts'
import type { NurbsCurve, PolyCurve, Polyline } from './curves.ts'
import type { Mesh } from './mesh.ts'
import type { NurbsSurface } from './nurbs-surface.ts'
import type { Group, Value } from './value.ts'

/** Geometry of several parts. */
export type CompositeGeometry = Polyline | NurbsCurve | PolyCurve | NurbsSurface | Brep | Mesh | Group

/**
 * Whether the parts of a geometry fit together: numbers of knots and weights, indices, at least one segment. Its members and
 * the curves of a brep are not checked. Source: openNURBS, `ON_Object::IsValid`.
 */
export function isConsistent(value: CompositeGeometry): boolean {
  switch (value.type) {
    case 'polyline':
      return value.vertices.length > 1
    case 'polyCurve':
      return value.segments.length > 0
    case 'nurbsCurve': {
      const { degree, points, knots, weights } = value
      return fitsKnots(degree, points.length, knots) && (!weights || weights.length === points.length)
    }
    case 'nurbsSurface':
      return isSurfaceConsistent(value)
    case 'brep':
      return isBrepConsistent(value)
    case 'mesh':
      return isMeshConsistent(value)
    case 'group':
      return true
  }
}

function fitsKnots(degree: number, pointCount: number, knots: readonly number[]): boolean {
  if (degree < 1 || pointCount <= degree || knots.length !== pointCount + degree - 1) return false
  for (let i = 1; i < knots.length; i++) if ((knots[i - 1] as number) > (knots[i] as number)) return false
  return true
}

function isSurfaceConsistent({ degreeU, degreeV, points, weights, knotsU, knotsV }: NurbsSurface): boolean {
  const width = points[0]?.length ?? 0
  const isWide = (row: readonly unknown[]) => row.length === width
  if (!points.every(isWide) || (weights && !(weights.length === points.length && weights.every(isWide))))
    return false
  return fitsKnots(degreeU, points.length, knotsU) && fitsKnots(degreeV, width, knotsV)
}

function isBrepConsistent({ vertices, edges, faces }: Brep): boolean {
  const hasVertices = edges.every(({ start, end }) => isIndexOf(start, vertices) && isIndexOf(end, vertices))
  const hasEdges = faces.every(({ loops }) =>
    loops.every((loop) => loop.every(({ edge }) => edge === undefined || isIndexOf(edge, edges))),
  )
  return hasVertices && hasEdges
}

function isMeshConsistent({ vertices, faces, colours, normals }: Mesh): boolean {
  const isPerVertex = (list: readonly unknown[] | undefined) => !list || list.length === vertices.length
  if (!isPerVertex(colours) || !isPerVertex(normals)) return false
  return faces.every(
    ({ a, b, c, d }) =>
      isIndexOf(a, vertices) && isIndexOf(b, vertices) && isIndexOf(c, vertices) && isIndexOf(d, vertices),
  )
}

function isIndexOf(index: number, list: readonly unknown[]): boolean {
  return index >= 0 && index < list.length && Number.isInteger(index)
}

const COMPOSITES: ReadonlySet<string> = new Set<CompositeGeometry['type']>([
  'polyline',
  'nurbsCurve',
  'polyCurve',
  'nurbsSurface',
  'brep',
  'mesh',
  'group',
])

/** What is wrong with an invalid value, for messages. */
export function describeFlaw(value: Value): string {
  return hasMisfit(value) ? 'its parts do not fit together' : 'a coordinate is not a finite number'
}

function hasMisfit(value: Value): boolean {
  if (typeof value !== 'object' || !COMPOSITES.has(value.type)) return false
  const composite = value as CompositeGeometry
  if (!isConsistent(composite)) return true
  if (composite.type === 'group') return composite.members.some(hasMisfit)
  return composite.type === 'polyCurve' && composite.segments.some(hasMisfit)
}
