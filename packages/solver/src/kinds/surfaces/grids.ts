import type { ArcSurface } from '../../geometry/surfaces/arcs.ts'
import { createFromControlPoints } from '../../geometry/surfaces/from-grid.ts'
import { getSurface } from '../../geometry/surfaces/get-surface.ts'
import { getColumn, getRow } from '../../geometry/surfaces/rows.ts'
import type { Xyz } from '../../values/points.ts'
import { distance } from '../../values/vector.ts'
import { defineKind, type Kind } from '../define-kind.ts'
import { item, list, named, present } from '../ports.ts'

// Both as recorded outputs of Grasshopper 8 show, in github.com/ezzahiranass/pyhopper.
export const CONTROL_GRIDS: readonly Kind[] = [
  defineKind({
    guid: '4b04a1e1-cddf-405d-a7db-335aaa940541',
    name: 'Surface From Points',
    description: 'A surface with a grid of points as its control points; the list goes along v first.',
    inputs: {
      points: named('Points (P)', list.point),
      count: named('U Count (U)', item.integer),
      interpolate: named('Interpolate (I)', item.boolean),
    },
    outputs: { surface: named('Surface (S)', item.surface) },
    solve: ({ points, count, interpolate }, context) => {
      const places = present(points).map(({ x, y, z }): Xyz => ({ x, y, z }))
      const countV = places.length / count
      if (count < 2 || countV < 2 || !Number.isInteger(countV)) {
        context.error('U Count has to divide the number of points, into rows of at least 2')
        return {}
      }
      if (interpolate) {
        context.error('Interpolating points is not supported')
        return {}
      }
      const rows = Array.from({ length: count }, (_, i) => places.slice(i * countV, (i + 1) * countV))
      return { surface: createFromControlPoints(rows) }
    },
  }),
  defineKind({
    guid: 'f241e42e-8983-4ed3-b869-621c07630b00',
    name: 'Dimensions',
    description: 'How large a surface is along u and v: the longest of its lines of control points.',
    inputs: { surface: named('Surface (S)', item.surface) },
    outputs: { u: named('U dimension (U)', item.number), v: named('V dimension (V)', item.number) },
    solve: ({ surface }, context) => {
      const { surface: whole } = getSurface(surface)
      if ((whole as ArcSurface).arcs) {
        context.error('Dimensions of surfaces of revolution are not supported')
        return {}
      }
      const columns = (whole.points[0] ?? []).map((_, j) => getColumn(whole, j).points)
      const rows = whole.points.map((_, i) => getRow(whole, i).points)
      return { u: Math.max(...columns.map(measure)), v: Math.max(...rows.map(measure)) }
    },
  }),
]

function measure(places: readonly Xyz[]): number {
  return places.slice(1).reduce((sum, place, i) => sum + distance(places[i] as Xyz, place), 0)
}
