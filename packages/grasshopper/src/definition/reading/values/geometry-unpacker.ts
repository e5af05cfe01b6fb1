import { inflateRaw } from '@meadow/inflate'
import { findRhinoObject, type RhinoObject } from './read-rhino-object.ts'

/** The limit of inflated literal geometry in one definition. The largest real file has 5 MB. */
export const MAX_GEOMETRY_BYTES = 128 * 1024 * 1024

/** Unpacks the ON_Data of one definition. `left_out` is beyond the limit. */
export type UnpackGeometry = (packed: Uint8Array) => RhinoObject | 'unreadable' | 'left_out'

/**
 * Inflates at most `maxBytes` in total. The first object beyond that and all later ones are left out, so a file full of
 * deflate bombs costs no more than one.
 */
export function createGeometryUnpacker(maxBytes = MAX_GEOMETRY_BYTES): UnpackGeometry {
  let bytesLeft = maxBytes
  return (packed) => {
    if (bytesLeft === 0) return 'left_out'
    const { end, bytes } = inflateRaw(packed, bytesLeft)
    bytesLeft = end === 'too_large' ? 0 : bytesLeft - bytes.length
    if (end === 'too_large') return 'left_out'
    return (end === 'whole' && findRhinoObject(bytes)) || 'unreadable'
  }
}
