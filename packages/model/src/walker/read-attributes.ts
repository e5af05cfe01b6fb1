import type { Colour } from '@meadow/solver'
import { ModelFault } from '../model-fault.ts'
import type { ChunkReader } from '../opennurbs/chunk-reader.ts'
import { TYPE } from '../opennurbs/type-codes.ts'

export interface Attributes {
  id: string
  layerIndex: number
  name: string
  /** Undefined for an object with the colour of its layer. */
  colour: Colour | undefined
}

/** Items are preceded by a byte with their type, in ascending order; default values are omitted. */
const ITEM = { name: 1, url: 2, lineType: 3, material: 4, rendering: 5, colour: 6, colourSource: 13 }
const FROM_OBJECT = 1

/** Reads the first attributes of an object. Source: `ON_3dmObjectAttributes::Read`. */
export function readAttributes(body: ChunkReader): Attributes {
  const { major } = body.version()
  if (major === 1) return readOldAttributes(body)
  if (major !== 2) throw new ModelFault(`attributes of form ${major}`)
  const id = body.uuid()
  const layerIndex = body.int32()
  const next = () => (body.remaining > 0 ? body.byte() : 0)
  let item = next()
  let name = ''
  if (item === ITEM.name) {
    name = body.text()
    item = next()
  }
  return { id, layerIndex, name, colour: readColour(body, item, next) }
}

const BLACK: Colour = { type: 'colour', red: 0, green: 0, blue: 0, alpha: 255 }
/** The sizes of the items between the colour and its source: for plotting, decoration, wires, visibility, mode. */
const SIZES = new Map([
  [7, 4],
  [8, 8],
  [9, 1],
  [10, 4],
  [11, 1],
  [12, 1],
])

/** Black is omitted, but the colour source is not. */
function readColour(body: ChunkReader, first: number, next: () => number): Colour | undefined {
  let item = first
  let colour = BLACK
  if (item === ITEM.url) {
    body.text()
    item = next()
  }
  for (const index of [ITEM.lineType, ITEM.material]) {
    if (item !== index) continue
    body.skip(4)
    item = next()
  }
  if (item === ITEM.rendering) {
    body.chunkOf(TYPE.anonymous)
    item = next()
  }
  if (item === ITEM.colour) {
    colour = readRgba(body)
    item = next()
  }
  for (let size = SIZES.get(item); size !== undefined; size = SIZES.get(item)) {
    body.skip(size)
    item = next()
  }
  return item === ITEM.colourSource && body.byte() === FROM_OBJECT ? colour : undefined
}

/** Alpha is stored as transparency. */
function readRgba(body: ChunkReader): Colour {
  const [red, green, blue, clear] = [body.byte(), body.byte(), body.byte(), body.byte()]
  return { type: 'colour', red, green, blue, alpha: 255 - clear }
}

/** The form of archives before version 50. */
function readOldAttributes(body: ChunkReader): Attributes {
  const id = body.uuid()
  const layerIndex = body.int32()
  body.skip(4)
  const colour = readRgba(body)
  // An unused line style, the density of wires, the mode.
  body.skip(2 + 2 + 8 + 8 + 4 + 1)
  const source = body.byte()
  body.skip(2)
  return { id, layerIndex, name: body.text(), colour: source === FROM_OBJECT ? colour : undefined }
}
