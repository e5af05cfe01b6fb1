import type { Node } from '@meadow/document'
import type { Chunk } from '../../archive/tree/archive.ts'
import { findChunk, findItem } from '../../archive/tree/find.ts'
import type { DefinitionObject } from './definition-object.ts'
import { toFinite } from './text.ts'

/** The pivot, otherwise the corner of the bounds; files of 2011 call them BBox. */
export function readPosition({ container }: DefinitionObject): Node['position'] {
  const attributes = findChunk(container, 'Attributes')
  const point = attributes && (findItem(attributes, 'Pivot', 'drawing_pointf') ?? findBounds(attributes))
  return { x: toFinite(point?.x), y: toFinite(point?.y) }
}

/** Width and height in canvas units; undefined if the file does not have them. */
export function findSize({ container }: DefinitionObject): { width: number; height: number } | undefined {
  const attributes = findChunk(container, 'Attributes')
  const bounds = attributes && findBounds(attributes)
  return bounds && { width: toFinite(bounds.width), height: toFinite(bounds.height) }
}

/** The items Locked and Hidden; in files of 2011, Enabled and Preview. */
export function readStatus({ container }: DefinitionObject): Node['status'] {
  const isOn = (name: string) => findItem(container, name, 'bool') ?? false
  return isOf2011(container)
    ? { isEnabled: isOn('Enabled'), isPreviewed: isOn('Preview') }
    : { isEnabled: !isOn('Locked'), isPreviewed: !isOn('Hidden') }
}

/** Objects of 2011 have both items; a current plug-in may use one of the names for something else. */
export function isOf2011(container: Chunk): boolean {
  return ['Enabled', 'Preview'].every((name) => findItem(container, name, 'bool') !== undefined)
}

function findBounds(attributes: Chunk) {
  return (
    findItem(attributes, 'Bounds', 'drawing_rectanglef') ?? findItem(attributes, 'BBox', 'drawing_rectanglef')
  )
}
