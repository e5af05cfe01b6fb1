import { createHash } from 'node:crypto'
import { normalizeGeometry } from '@meadow/document'
import type { Item } from '../archive/tree/archive.ts'
import {
  createGeometryUnpacker,
  type UnpackGeometry,
} from '../definition/reading/values/geometry-unpacker.ts'
import { decodePng } from './decode-png.ts'

/** The items that Rhino and Grasshopper write with other bytes at each save: geometry, and the icon of an object. */
export const REWRITTEN: ReadonlySet<string> = new Set(['ON_Data', 'IconOverride'])

/** Finds what bytes of items mean. One finder inflates as much as one definition may. */
export type FindMeaning = (item: Item) => string | undefined

/**
 * Gives the meaning of geometry and icons as a digest, equal for bytes that say the same; undefined for other items, and for
 * bytes that cannot be read, which mean nothing but themselves.
 */
export function createMeanings(): FindMeaning {
  const unpack = createGeometryUnpacker()
  return (item) => {
    if (!REWRITTEN.has(item.name)) return undefined
    if (item.name === 'ON_Data' && item.type === 'bytearray') return meaningOfGeometry(item.value, unpack)
    return item.type === 'drawing_bitmap' || item.type === 'bytearray' ? meaningOfIcon(item.value) : undefined
  }
}

function meaningOfGeometry(packed: Uint8Array, unpack: UnpackGeometry): string | undefined {
  const unpacked = unpack(packed)
  if (typeof unpacked === 'string') return undefined
  const { className, geometry } = unpacked
  const digest = createHash('sha256').update(normalizeGeometry(geometry)).digest('base64')
  return `${className} ${digest}`
}

function meaningOfIcon(file: Uint8Array): string | undefined {
  const pixels = decodePng(file)
  if (!pixels) return undefined
  const { width, height, rgba } = pixels
  return `${width} × ${height} ${createHash('sha256').update(rgba).digest('base64')}`
}
