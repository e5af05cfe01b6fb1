import type { ChunkReader } from '../opennurbs/chunk-reader.ts'
import { readObject } from '../opennurbs/object-chunk.ts'
import { TYPE } from '../opennurbs/type-codes.ts'

/** The names of layers by the number that objects call them by. Source: `ON_Layer::Read`. */
export function readLayers(table: ChunkReader): Map<number, string> {
  const layers = new Map<number, string>()
  while (table.remaining > 0) {
    const { typeCode, body } = table.chunk()
    if (typeCode !== TYPE.layerRecord) continue
    const { data } = readObject(body)
    data.version()
    data.skip(4)
    const index = data.int32()
    // IGES level, material, a former index, colour, and a line style that never was used.
    data.skip(4 + 4 + 4 + 4 + 20)
    layers.set(index, data.text())
  }
  return layers
}
