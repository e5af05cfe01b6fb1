import { POINT_BYTES } from '../../budget/budget.ts'
import { createGridMesh } from '../../geometry/meshes/grid.ts'
import { pointAt } from '../../values/planes.ts'
import { defineKind, type Kind } from '../define-kind.ts'
import { atShare } from '../maths/domains.ts'
import { item, named } from '../ports.ts'

export const MESH_PRIMITIVES: readonly Kind[] = [
  defineKind({
    guid: '8adbf481-7589-4a40-b490-006531ea001d',
    name: 'Mesh Plane',
    description: 'A rectangle as a mesh of equal quads, and its area.',
    inputs: {
      boundary: named('Boundary (B)', item.rectangle),
      width: named('Width count (W)', item.integer),
      height: named('Height count (H)', item.integer),
    },
    outputs: { mesh: named('Mesh (M)', item.mesh), area: named('Area (A)', item.number) },
    solve: ({ boundary: { plane, x, y }, width, height }, context) => {
      if (width < 1 || height < 1) {
        context.error('Counts must be 1 or more')
        return {}
      }
      context.reserve(2 * (width + 1) * (height + 1), 2 * POINT_BYTES)
      const rows = Array.from({ length: height + 1 }, (_, j) =>
        Array.from({ length: width + 1 }, (_, i) => {
          const place = pointAt(plane, atShare(x, i / width), atShare(y, j / height))
          return { x: place.x, y: place.y, z: place.z }
        }),
      )
      return { mesh: createGridMesh(rows), area: Math.abs((x.end - x.start) * (y.end - y.start)) }
    },
  }),
]
