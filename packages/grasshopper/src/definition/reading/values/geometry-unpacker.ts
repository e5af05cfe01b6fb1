import { inflateRaw } from '@meadow/inflate'
import { findRhinoObject, type RhinoObject } from './read-rhino-object.ts'

/** Bytes of typed-in geometry that one definition may inflate to. The most met in a real file is 5 MB. */
export const MAX_GEOMETRY_BYTES = 128 * 1024 * 1024

/** Unpacks the ON_Data of one definition, `unreadable` and `left_out` told apart. */
export type UnpackGeometry = (packed: Uint8Array) => RhinoObject | 'unreadable' | 'left_out'

/**
 * Inflates at most `maxBytes` altogether: once an object would pass that, it and all later ones are left out,
 * so a file full of deflate bombs costs no more than one.
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
