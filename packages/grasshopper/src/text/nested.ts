import { inflateRaw } from '@meadow/inflate'
import { readInflatedArchive } from '../archive/forms/read-binary.ts'
import { writeInflatedArchive } from '../archive/forms/write-binary.ts'
import { findPacking, type Packing } from '../archive/packing.ts'
import type { Archive, Chunk, Item } from '../archive/tree/archive.ts'
import { GrasshopperError } from '../archive/tree/grasshopper-error.ts'
import type { Limits } from '../archive/tree/limits.ts'
import { startsWithRootName } from '../archive/tree/root-names.ts'

/** The items whose bytes are archives: the content of a cluster, and the object of a .ghuser file. */
const NESTED = new Set(['ClusterDocument', 'Object'])

export interface NestedArchive {
  archive: Archive
  packing: Packing
}

/** Finds the archives in the bytes of items, within limits for all of them together. */
export interface NestedArchives {
  /**
   * Finds the archive in the bytes of an item at `depth`; undefined if they are something else, would be written as
   * other bytes, or are beyond a limit.
   */
  find(item: Item, depth: number): NestedArchive | undefined
}

export function createNestedArchives({ maxBytes, maxElements }: Limits, maxDepth: number): NestedArchives {
  let bytesLeft = maxBytes
  return {
    find(item, depth) {
      if (item.type !== 'bytearray' || !NESTED.has(item.name)) return undefined
      const { end, bytes, packedBytes } = inflateRaw(item.value, bytesLeft)
      bytesLeft -= bytes.length
      if (end !== 'whole' || packedBytes !== item.value.length || !startsWithRootName(bytes)) return undefined
      const archive = readOrUndefined(bytes, maxElements)
      if (!archive || depth + 1 + depthOf(archive.root) > maxDepth) return undefined
      // The bits of a NaN can change on the way through the tree.
      if (!Buffer.from(bytes).equals(writeInflatedArchive(archive))) return undefined
      return { archive, packing: findPacking(item.value, bytes) }
    },
  }
}

function readOrUndefined(bytes: Uint8Array, maxElements: number): Archive | undefined {
  try {
    return readInflatedArchive(bytes, { maxElements })
  } catch (error) {
    if (error instanceof GrasshopperError) return undefined
    throw error
  }
}

const depthOf = (chunk: Chunk): number =>
  chunk.chunks.reduce((depth, child) => Math.max(depth, depthOf(child)), 0) + 1
