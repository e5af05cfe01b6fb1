import type { Colour } from '@meadow/solver'
import { ModelFault } from '../model-fault.ts'
import type { ChunkReader } from '../opennurbs/chunk-reader.ts'

export interface Attributes {
  id: string
  layerIndex: number
  name: string
  /** Its own; undefined for one that has that of its layer. */
  colour: Colour | undefined
}

/** What follows tells by a byte before each what it is, in this order; what is as usual is left out. */
const ITEM = { name: 1, colour: 6, colourSource: 13 }
const FROM_OBJECT = 1

/**
 * The start of an object's attributes, as far as files have it that are written here: links, line types and materials
 * would stand between name and colour. Source: `ON_3dmObjectAttributes::Internal_ReadV5`.
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

/** Black is left out, but that the colour is the object's own is not. Alpha is stored as what is missing of it. */
function readColour(body: ChunkReader, item: number): Colour | undefined {
  if (item === ITEM.colour) {
    const [red, green, blue, clear] = [body.byte(), body.byte(), body.byte(), body.byte()]
    return { type: 'colour', red, green, blue, alpha: 255 - clear }
  }
  return item === ITEM.colourSource && body.byte() === FROM_OBJECT ? BLACK : undefined
}
