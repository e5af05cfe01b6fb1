import { findTightBounds } from '@meadow/geometry/tight-bounds'
import { type Bounds, listBoxCorners, unite } from '@meadow/geometry/values/bounding-box'
import { plane as createPlane, pointAt, toLocal, WORLD_XY } from '@meadow/geometry/values/planes'
import { type Box, type Plane, toPoint, toVector, type Xyz } from '@meadow/geometry/values/points'
import { type Domain, domain } from '@meadow/geometry/values/value'
import { subtract } from '@meadow/geometry/values/vector'
import { defineKind, type Kind } from '../declaration/define-kind.ts'
import { findOption } from '../declaration/options.ts'
import { list } from '../declaration/ports.ts'
import { interpolateDomain } from '../maths/domains.ts'

export const BOXES: readonly Kind[] = [
  defineKind({
    guid: '2a43ef96-8f87-4892-8b94-237a47e8d3cf',
    description: 'A box between two opposite corners, along the axes of a plane.',
    solve: ([a, b, plane]) => [createBoxAround(plane, toLocal(plane, a), toLocal(plane, b))],
  }),
  defineKind({
    guid: '28061aae-04fb-4cb5-ac45-16f3b66bc0a4',
    description: 'A box centred on the origin of a plane; the sizes are the distances to each side.',
    solve: ([base, x, y, z]) => [createBoxAround(base, { x: -x, y: -y, z: -z }, { x, y, z })],
  }),
  defineKind({
    guid: '79aa7f47-397c-4d3f-9761-aaf421bb7f5f',
    description: 'A box from a plane and a domain along each axis.',
    solve: ([base, x, y, z]) => [createBox(base, x, y, z)],
  }),
  defineKind({
    guid: 'd0a56c9e-2483-45e7-ab98-a450b97f1bc0',
    description: 'A box over a rectangle.',
    solve: ([{ plane, x, y }, height]) => [createBox(plane, x, y, height)],
  }),
  defineKind({
    guid: 'a10e8cdf-7c7a-4aac-aa70-ddb7010ab231',
    description:
      'The corners of a box: around the bottom, starting at the minimum corner, then around the top.',
    solve: ([box]) => {
      const [a, b, d, c, e, f, h, g] = listBoxCorners(box).map(toPoint)
      return [a, b, c, d, e, f, g, h]
    },
  }),
  defineKind({
    guid: 'db7d83b1-2898-4ef9-9be5-4e94b4e2048d',
    description: 'The plane of a box, and its domains along the axes.',
    solve: ([{ plane, x, y, z }]) => [plane, x, y, z],
  }),
  defineKind({
    guid: '13b40e9c-3aed-4669-b2e8-60bd02091421',
    description:
      'The point of a box at parameters from 0 to 1 along its sides, with its plane, and whether it is inside.',
    solve: ([{ plane, x, y, z }, u, v, w]) => {
      const location = pointAt(
        plane,
        interpolateDomain(x, u),
        interpolateDomain(y, v),
        interpolateDomain(z, w),
      )
      const { xAxis, yAxis, zAxis } = plane
      const isInside = [u, v, w].every((parameter) => parameter >= 0 && parameter <= 1)
      return [createPlane(location, xAxis, yAxis, zAxis), location, isInside]
    },
  }),
  defineKind({
    guid: 'af9cdb9d-9617-4827-bb3c-9efd88c76a70',
    description: 'The centre, diagonal, area and volume of a box, and its number of flat directions.',
    solve: ([box], context) => {
      const sizes = [box.x, box.y, box.z].map(({ start, end }) => Math.abs(end - start))
      const [x = 0, y = 0, z = 0] = sizes
      const corners = listBoxCorners(box)
      return [
        pointAt(box.plane, middle(box.x), middle(box.y), middle(box.z)),
        toVector(subtract(corners[7] as Xyz, corners[0] as Xyz)),
        2 * (x * y + y * z + z * x),
        x * y * z,
        sizes.filter((size) => size <= context.tolerance).length,
      ]
    },
  }),
]

function createBox(plane: Plane, x: Domain, y: Domain, z: Domain): Box {
  return { type: 'box', plane, x, y, z }
}

function createBoxAround(plane: Plane, a: Xyz, b: Xyz): Box {
  const range = (axis: 'x' | 'y' | 'z') => domain(Math.min(a[axis], b[axis]), Math.max(a[axis], b[axis]))
  return createBox(plane, range('x'), range('y'), range('z'))
}

function middle({ start, end }: Domain): number {
  return (start + end) / 2
}

export const BOUNDING_BOX: readonly Kind[] = [
  defineKind({
    guid: '0bb3d234-9097-45db-9998-621639c87d3b',
    description: 'The bounding box of each geometry, or of a whole list, along the axes of a plane.',
    options: { unionBox: 'boolean' },
    outputs: [list.box, list.box],
    solve: ([content, plane], context) => {
      context.reserve(2 * content.length)
      const bounds = content.map((geometry) => (geometry ? findTightBounds(geometry, plane) : undefined))
      const selected = findOption<boolean>(context.node, 'unionBox', 'boolean') ? [unite(bounds)] : bounds
      return [selected.map((one) => toBox(plane, one)), selected.map((one) => toBox(WORLD_XY, one))]
    },
  }),
]

function toBox(plane: Plane, bounds: Bounds | undefined): Box | null {
  if (!bounds) return null
  const { min, max } = bounds
  return { type: 'box', plane, x: domain(min.x, max.x), y: domain(min.y, max.y), z: domain(min.z, max.z) }
}
