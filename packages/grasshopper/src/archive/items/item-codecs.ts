import type { Item, ItemType, ItemValues, Xyz } from '../tree/archive.ts'
import { Fault } from '../tree/grasshopper-error.ts'
import { bytesItem, type Packing } from './bytes-item.ts'
import { decimal } from './decimal.ts'
import type { ItemCodec } from './item-codec.ts'
import { numbersItem, type TagsOf } from './numbers-item.ts'
import { scalarItem } from './scalar.ts'
import { bool, byte, colour, double, guid, int32, int64, single, string } from './scalars.ts'

const xy = { x: 'X', y: 'Y' }
const size = { width: 'W', height: 'H' }
const pointA: TagsOf<Xyz> = { x: 'Ax', y: 'Ay', z: 'Az' }
const pointB: TagsOf<Xyz> = { x: 'Bx', y: 'By', z: 'Bz' }

const plainBytes: Packing<Uint8Array> = {
  elementSize: 1,
  pack: (bytes) => bytes,
  unpack: (bytes) => bytes,
  accepts: (value) => value instanceof Uint8Array && value.length < 2 ** 31,
}

/** The bytes are used directly: little-endian, like all platforms of Node. */
const doubles: Packing<Float64Array> = {
  elementSize: 8,
  pack: (array) => new Uint8Array(array.buffer, array.byteOffset, array.byteLength),
  unpack: (bytes) => new Float64Array(bytes.buffer),
  accepts: (value) => value instanceof Float64Array && value.length < 2 ** 31,
}

/** All item types, whether seen in files or not. An archive with any other type cannot be read. */
export const ITEM_CODECS: { readonly [T in ItemType]: ItemCodec<ItemValues[T]> } = {
  bool: scalarItem(1, bool),
  byte: scalarItem(2, byte),
  int32: scalarItem(3, int32),
  int64: scalarItem(4, int64),
  single: scalarItem(5, single),
  double: scalarItem(6, double),
  decimal: scalarItem(7, decimal),
  date: scalarItem(8, int64),
  guid: scalarItem(9, guid),
  string: scalarItem(10, string, true),
  bytearray: bytesItem(20, 'stream', plainBytes),
  doublearray: bytesItem(21, 'stream', doubles),
  drawing_point: numbersItem(30, int32, xy),
  drawing_pointf: numbersItem(31, single, xy),
  drawing_size: numbersItem(32, int32, size),
  drawing_sizef: numbersItem(33, single, size),
  drawing_rectangle: numbersItem(34, int32, { ...xy, ...size }),
  drawing_rectanglef: numbersItem(35, single, { ...xy, ...size }),
  drawing_color: numbersItem(36, colour, 'ARGB'),
  drawing_bitmap: bytesItem(37, 'bitmap', plainBytes),
  point2d: numbersItem(50, double, xy),
  point3d: numbersItem(51, double, { ...xy, z: 'Z' }),
  point4d: numbersItem(52, double, { ...xy, z: 'Z', w: 'W' }),
  interval1d: numbersItem(60, double, { a: 'A', b: 'B' }),
  interval2d: numbersItem(61, double, { u: { a: 'Au', b: 'Bu' }, v: { a: 'Av', b: 'Bv' } }),
  line: numbersItem(70, double, { from: pointA, to: pointB }),
  // No known file has a bounding box. The tags are assumed to be those of a line.
  boundingbox: numbersItem(71, double, { min: pointA, max: pointB }),
  plane: numbersItem(72, double, {
    origin: { x: 'Ox', y: 'Oy', z: 'Oz' },
    xAxis: { x: 'Xx', y: 'Xy', z: 'Xz' },
    yAxis: { x: 'Yx', y: 'Yy', z: 'Yz' },
  }),
  version: numbersItem(80, int32, { major: 'Major', minor: 'Minor', revision: 'Revision' }),
}

/** The type with a number, which is the same in both forms. */
export function findItemType(code: number): ItemType | undefined {
  return TYPES_BY_CODE.get(code)
}

const TYPES_BY_CODE = new Map(
  Object.entries(ITEM_CODECS).map(([type, codec]) => [codec.code, type as ItemType]),
)

/** Rejects a name or index that the format cannot hold and that would be read back as another one. */
export function checkIdentity(element: { name: string; index: number }): void {
  if (!string.accepts(element.name)) throw new Fault('malformed', 'A name cannot be written as UTF-8')
  if (!int32.accepts(element.index)) throw new Fault('malformed', 'An index is not an int32')
}

/** The codec of an item. Fails: `malformed` if it cannot hold the value. */
export function getCodec(item: Item): ItemCodec<Item['value']> {
  // The compiler does not relate the type of the codec to that of the item.
  const codec = ITEM_CODECS[item.type] as ItemCodec<Item['value']> | undefined
  if (codec === undefined) throw new Fault('malformed', `There is no item type ${item.type}`)
  if (!codec.accepts(item.value)) throw new Fault('malformed', `A ${item.type} cannot hold this value`)
  return codec
}
