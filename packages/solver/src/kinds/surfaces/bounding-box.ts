import { findTightBounds, unite } from '../../geometry/breps/tight-bounds.ts'
import type { Bounds } from '../../values/bounding-box.ts'
import { WORLD_XY } from '../../values/planes.ts'
import type { Box, Plane } from '../../values/points.ts'
import { domain } from '../../values/value.ts'
import { defineKind, type Kind } from '../define-kind.ts'
import { findOption } from '../options.ts'
import { item, list } from '../ports.ts'

export const BOUNDING_BOX: readonly Kind[] = [
  defineKind({
    guid: '0bb3d234-9097-45db-9998-621639c87d3b',
    description: 'The smallest box around each geometry, or around all of a list, along the axes of a plane.',
    inputs: { content: list.geometry, plane: item.plane },
    outputs: { box: list.box, local: list.box },
    solve: ({ content, plane }, context) => {
      context.reserve(2 * content.length)
      const bounds = content.map((geometry) => (geometry ? findTightBounds(geometry, plane) : undefined))
      const wanted = findOption<boolean>(context.node, 'unionBox', 'boolean') ? [unite(bounds)] : bounds
      return {
        box: wanted.map((one) => toBox(plane, one)),
        local: wanted.map((one) => toBox(WORLD_XY, one)),
      }
    },
  }),
]

function toBox(plane: Plane, bounds: Bounds | undefined): Box | null {
  if (!bounds) return null
  const { min, max } = bounds
  return { type: 'box', plane, x: domain(min.x, max.x), y: domain(min.y, max.y), z: domain(min.z, max.z) }
}
