import { BinaryReader } from '../items/binary-reader.ts'
import { findItemType, ITEM_CODECS } from '../items/item-codecs.ts'
import type { Archive, Chunk, Item } from '../tree/archive.ts'
import { ElementPath } from '../tree/element-path.ts'
import { Fault, locate } from '../tree/grasshopper-error.ts'
import { DEFAULT_LIMITS, type Limits } from '../tree/limits.ts'
import { startsWithRootName } from '../tree/root-names.ts'

/** The size of the smallest item: an empty name, index, type, and a value of one byte. */
const SMALLEST_ITEM = 10
/** The size of the smallest chunk: an empty name, index and two counts. */
const SMALLEST_CHUNK = 13

/**
 * Reads an archive from its inflated bytes. All bytes have to belong to it.
 * Fails: `GrasshopperError`; `where` is a chunk path and the offset in the inflated bytes.
 */
export function readInflatedArchive(inflated: Uint8Array, limits: Partial<Limits> = {}): Archive {
  const { maxElements } = { ...DEFAULT_LIMITS, ...limits }
  const reader = new BinaryReader(inflated)
  const path = new ElementPath()
  let elementsLeft = maxElements
  try {
    if (!startsWithRootName(inflated))
      throw new Fault('not_an_archive', 'The bytes are not those of an archive')
    const root = readChunk()
    if (reader.bytesLeft > 0)
      throw new Fault('malformed', `${reader.bytesLeft} bytes follow the end of the archive`)
    return { root }
  } catch (error) {
    throw locate(error, path.toString(), `byte ${reader.offset}`)
  }

  function readChunk(): Chunk {
    const name = reader.readString()
    const index = reader.readInt32()
    path.enterChunk(name, index)
    const itemCount = reader.readCount(SMALLEST_ITEM, 'items')
    const chunkCount = reader.readCount(SMALLEST_CHUNK, 'chunks')
    elementsLeft -= itemCount + chunkCount
    if (elementsLeft < 0) throw new Fault('too_large', `There are more than ${maxElements} items and chunks`)
    const chunk: Chunk = { name, index, items: [], chunks: [] }
    for (let left = itemCount; left > 0; left--) chunk.items.push(readItem())
    for (let left = chunkCount; left > 0; left--) chunk.chunks.push(readChunk())
    path.leave()
    return chunk
  }

  function readItem(): Item {
    const name = reader.readString()
    const index = reader.readInt32()
    path.enterItem(name, index)
    const code = reader.readInt32()
    const type = findItemType(code)
    if (type === undefined) throw new Fault('malformed', `An item has the type ${code}, which does not exist`)
    const value = ITEM_CODECS[type].read(reader)
    path.leave()
    return { name, index, type, value } as Item
  }
}
