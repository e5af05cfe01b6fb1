import { inflateRawSync } from 'node:zlib'
import { findRhinoObject, type RhinoObject } from './read-rhino-object.ts'

/** Bytes of typed-in geometry that one definition may inflate to. The most met in a real file is 5 MB. */
export const MAX_GEOMETRY_BYTES = 128 * 1024 * 1024

/** No deflated byte gives more. Damaged bytes are charged this much, since nobody tells how far they got. */
const MAX_RATIO = 1032

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
    try {
      const bytes = inflateRawSync(packed, { maxOutputLength: bytesLeft })
      bytesLeft -= bytes.length
      return findRhinoObject(bytes) ?? 'unreadable'
    } catch (error) {
      const isTooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
      bytesLeft = isTooLarge ? 0 : Math.max(0, bytesLeft - packed.length * MAX_RATIO)
      return isTooLarge ? 'left_out' : 'unreadable'
    }
  }
}
