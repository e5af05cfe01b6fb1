import type { Colour } from '@meadow/solver'
import { ModelFault } from '../model-fault.ts'
import type { ChunkReader } from '../opennurbs/chunk-reader.ts'

export interface Attributes {
  id: string
  layerIndex: number
  name: string
  /** Undefined for an object with the colour of its layer. */
  colour: Colour | undefined
}

/** Items are preceded by a byte with their type, in ascending order; default values are omitted. */
const ITEM = { name: 1, colour: 6, colourSource: 13 }
const FROM_OBJECT = 1

/**
 * Reads the first attributes of an object, as far as files written here have them: links, line types and
 * materials would be between name and colour. Source: `ON_3dmObjectAttributes::Internal_ReadV5`.
 */
export function readAttributes(body: ChunkReader): Attributes {
  const { major } = body.version()
  if (major !== 2) throw new ModelFault(`attributes of form ${major}`)
  const id = body.uuid()
  const layerIndex = body.int32()
  let item = body.byte()
  let name = ''
  if (item === ITEM.name) {
    name = body.text()
    item = body.remaining > 0 ? body.byte() : 0
  }
  return { id, layerIndex, name, colour: readColour(body, item) }
}

const BLACK: Colour = { type: 'colour', red: 0, green: 0, blue: 0, alpha: 255 }

/** Black is omitted, but the colour source is not. Alpha is stored as transparency. */
function readColour(body: ChunkReader, item: number): Colour | undefined {
  if (item === ITEM.colour) {
    const [red, green, blue, clear] = [body.byte(), body.byte(), body.byte(), body.byte()]
    return { type: 'colour', red, green, blue, alpha: 255 - clear }
  }
  return item === ITEM.colourSource && body.byte() === FROM_OBJECT ? BLACK : undefined
}
