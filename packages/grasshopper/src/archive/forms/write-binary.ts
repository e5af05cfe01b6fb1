import { BinaryWriter } from '../items/binary-writer.ts'
import { checkIdentity, getCodec } from '../items/item-codecs.ts'
import type { Archive, Chunk, Item } from '../tree/archive.ts'
import { ElementPath } from '../tree/element-path.ts'
import { locate } from '../tree/grasshopper-error.ts'

/**
 * The bytes of an archive before deflating. Compare these, since deflating one document twice may give different bytes.
 * Fails: `GrasshopperError` if a value does not fit its type; `where` is a chunk path.
 */
export function writeInflatedArchive({ root }: Archive): Uint8Array {
  const writer = new BinaryWriter()
  const path = new ElementPath()
  try {
    writeChunk(root)
    return writer.finish()
  } catch (error) {
    throw locate(error, path.toString())
  }

  function writeChunk(chunk: Chunk): void {
    path.enterChunk(chunk.name, chunk.index)
    writeIdentity(chunk)
    writer.writeInt32(chunk.items.length)
    writer.writeInt32(chunk.chunks.length)
    for (const item of chunk.items) writeItem(item)
    for (const child of chunk.chunks) writeChunk(child)
    path.leave()
  }

  function writeItem(item: Item): void {
    path.enterItem(item.name, item.index)
    const codec = getCodec(item)
    writeIdentity(item)
    writer.writeInt32(codec.code)
    codec.write(writer, item.value)
    path.leave()
  }

  function writeIdentity(element: Chunk | Item): void {
    checkIdentity(element)
    writer.writeString(element.name)
    writer.writeInt32(element.index)
  }
}
