import type { Brep } from '@meadow/geometry/values/brep'
import { isGeometry } from '@meadow/geometry/values/is-geometry'
import type { Mesh } from '@meadow/geometry/values/mesh'
import type { Value } from '@meadow/geometry/values/value'
import type { Solution } from '../solve/solve.ts'

/**
 * What is wrong with values of a node: geometry with a coordinate that is not finite, or whose parts do not fit together.
 * Values that were `given` to the node do not count as wrongly built.
 */
export function listInvalid(
  { ports }: Solution,
  id: string,
  given: ReadonlySet<unknown> = new Set(),
): string[] {
  const trees = [...(ports.get(id)?.values() ?? [])]
  const values = trees.flatMap(({ branches }) => branches.flatMap((branch) => branch.values))
  return values.flatMap((value) => {
    if (value === null || typeof value !== 'object') return []
    const hasCoordinates = isGeometry(value) || value.type === 'vector' || value.type === 'transform'
    if (hasCoordinates && !holdsFinite(value)) return [`${value.type} with a number that is not finite`]
    return given.has(value) ? [] : listMisfits(value)
  })
}

function holdsFinite(part: unknown): boolean {
  if (typeof part === 'number') return Number.isFinite(part)
  return typeof part !== 'object' || part === null || Object.values(part).every(holdsFinite)
}

function listMisfits(value: Value): string[] {
  if (typeof value !== 'object') return []
  switch (value.type) {
    case 'polyline':
      return value.vertices.length < 2 ? ['polyline of less than two vertices'] : []
    case 'nurbsCurve': {
      const { degree, points, knots, weights = points } = value
      const fits = knots.length === points.length + degree - 1 && weights.length === points.length
      return fits && points.length > degree && isAscending(knots) ? [] : ['nurbsCurve whose parts do not fit']
    }
    case 'nurbsSurface': {
      const { degreeU, degreeV, points, knotsU, knotsV } = value
      const rows = points.every((row) => knotsV.length === row.length + degreeV - 1)
      const fits = rows && knotsU.length === points.length + degreeU - 1
      return fits && isAscending(knotsU) && isAscending(knotsV) ? [] : ['nurbsSurface whose parts do not fit']
    }
    case 'polyCurve':
      return value.segments.length === 0
        ? ['polyCurve without segments']
        : value.segments.flatMap(listMisfits)
    case 'group':
      return value.members.flatMap(listMisfits)
    case 'mesh':
      return hasItsVertices(value) ? [] : ['mesh with indices that it lacks']
    case 'brep':
      return hasItsEdges(value) ? [] : ['brep with indices that it lacks']
    default:
      return []
  }
}

function isAscending(numbers: readonly number[]): boolean {
  return numbers.every((number, i) => i === 0 || (numbers[i - 1] as number) <= number)
}

function hasItsVertices({ vertices, faces, colours, normals }: Mesh): boolean {
  const has = (index: number) => Number.isInteger(index) && index >= 0 && index < vertices.length
  const isPerVertex = (list?: readonly unknown[]) => list === undefined || list.length === vertices.length
  return (
    faces.every(({ a, b, c, d }) => [a, b, c, d].every(has)) && isPerVertex(colours) && isPerVertex(normals)
  )
}

function hasItsEdges({ vertices, edges, faces }: Brep): boolean {
  const ends = edges.flatMap(({ start, end }) => [start, end])
  const trims = faces.flatMap(({ loops }) => loops.flat())
  return (
    ends.every((index) => vertices[index] !== undefined) &&
    trims.every(({ edge }) => edge === undefined || edges[edge] !== undefined)
  )
}
