import type { Colour } from '@meadow/geometry/values/value'
import type { ChunkReader } from '../opennurbs/chunk-reader.ts'
import { ModelFault } from '../opennurbs/model-fault.ts'
import { TYPE } from '../opennurbs/type-codes.ts'

export interface Attributes {
  id: string
  layerIndex: number
  name: string
  /** The colour of the object; undefined if it has the colour of its layer. */
  colour: Colour | undefined
  /** The index of its material in the material table; undefined for an object with the material of its layer. */
  materialIndex: number | undefined
  /** Whether it is a part of a block, and not in the model itself. */
  isInBlock: boolean
}

const BLOCK_MEMBER = 3
const toMembership = (mode: number): boolean => (mode & 15) === BLOCK_MEMBER

/** Items are preceded by a byte with their type, in ascending order; default values are omitted. */
const ITEM = { name: 1, materialIndex: 4, colour: 6, mode: 12, colourSource: 13, materialSource: 16 }
const FROM_OBJECT = 1

/** How to skip the items before and between those that are read. Later ones are not read. */
const SKIP: Readonly<Record<number, (body: ChunkReader) => unknown>> = {
  // The address of a link, and the index of a line type.
  2: (body) => body.text(),
  3: (body) => body.skip(4),
  // Rendering attributes.
  5: (body) => body.chunkOf(TYPE.anonymous),
  // Colour and width in print, decoration, wire density, visibility.
  7: (body) => body.skip(4),
  8: (body) => body.skip(8),
  9: (body) => body.skip(1),
  10: (body) => body.skip(4),
  11: (body) => body.skip(1),
  // The sources of colour and width in print.
  14: (body) => body.skip(1),
  15: (body) => body.skip(1),
}

/** Reads the first attributes of an object. Source: `ON_3dmObjectAttributes::Read` and `Internal_ReadV5`. */
export function readAttributes(body: ChunkReader): Attributes {
  const { major } = body.version()
  if (major === 1) return readFirstForm(body)
  if (major !== 2) throw new ModelFault(`attributes of form ${major}`)
  const id = body.uuid()
  const layerIndex = body.int32()
  let name = ''
  let materialIndex = -1
  let mode = 0
  let own: Colour = BLACK
  let [hasColour, hasMaterial] = [false, false]
  for (let item = nextItem(body); item !== 0 && item <= ITEM.materialSource; item = nextItem(body)) {
    if (item === ITEM.name) name = body.text()
    else if (item === ITEM.materialIndex) materialIndex = body.int32()
    else if (item === ITEM.mode) mode = body.byte()
    else if (item === ITEM.colour) own = readColour(body)
    else if (item === ITEM.colourSource) hasColour = body.byte() === FROM_OBJECT
    else if (item === ITEM.materialSource) hasMaterial = body.byte() === FROM_OBJECT
    else SKIP[item]!(body)
  }
  return {
    id,
    layerIndex,
    name,
    colour: hasColour ? own : undefined,
    materialIndex: hasMaterial && materialIndex >= 0 ? materialIndex : undefined,
    isInBlock: toMembership(mode),
  }
}

/** Reads the attributes in archives of version 2 to 4. */
function readFirstForm(body: ChunkReader): Attributes {
  const id = body.uuid()
  const layerIndex = body.int32()
  const materialIndex = body.int32()
  const own = readColour(body)
  // Skips an unused line style and the wire density.
  body.skip(20 + 4)
  const isInBlock = toMembership(body.byte())
  const hasColour = body.byte() === FROM_OBJECT
  // Skips the source of the line type.
  body.skip(1)
  const hasMaterial = body.byte() === FROM_OBJECT
  return {
    id,
    layerIndex,
    name: body.text(),
    colour: hasColour ? own : undefined,
    materialIndex: hasMaterial && materialIndex >= 0 ? materialIndex : undefined,
    isInBlock,
  }
}

/** Reads the type of the next item; 0 at the end. */
const nextItem = (body: ChunkReader): number => (body.remaining > 0 ? body.byte() : 0)

/** The colour of an object whose own colour has no item, since black is omitted. */
const BLACK: Colour = { type: 'colour', red: 0, green: 0, blue: 0, alpha: 255 }

/** Alpha is stored as transparency. */
function readColour(body: ChunkReader): Colour {
  const [red, green, blue, clear] = [body.byte(), body.byte(), body.byte(), body.byte()]
  return { type: 'colour', red, green, blue, alpha: 255 - clear }
}
