import fc from 'fast-check'
import type { Archive, Chunk, Interval, Item, ItemType, ItemValues, Xy, Xyz } from '../tree/archive.ts'

const int32 = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })
const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
const single = fc.float()
const double = fc.double()
const bytes = fc.uint8Array({ maxLength: 40 })
const index = fc.oneof({ weight: 3, arbitrary: fc.constant(-1) }, fc.nat(20), int32)

/** Text that XML can contain, including white space, both kinds of line ends and characters that XML escapes. */
const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc
    .array(
      fc.constantFrom(
        'a',
        ' ',
        '\n',
        '\r',
        '\t',
        '&',
        '<',
        '>',
        '"',
        "'",
        ']]>',
        '&amp;',
        'é',
        '🦗',
        '\ufeff',
      ),
    )
    .map((parts) => parts.join('')),
)

const decimal = fc
  .tuple(fc.boolean(), fc.bigInt({ min: 0n, max: 2n ** 96n - 1n }), fc.nat(28))
  .map(([isNegative, integer, decimals]) => {
    const digits = String(integer).padStart(decimals + 1, '0')
    const point = digits.length - decimals
    const fraction = decimals > 0 ? `.${digits.slice(point)}` : ''
    return `${isNegative ? '-' : ''}${digits.slice(0, point)}${fraction}`
  })

function xy(number: fc.Arbitrary<number>): fc.Arbitrary<Xy> {
  return fc.record({ x: number, y: number }, { noNullPrototype: true })
}
function size(number: fc.Arbitrary<number>): fc.Arbitrary<{ width: number; height: number }> {
  return fc.record({ width: number, height: number }, { noNullPrototype: true })
}
const xyz: fc.Arbitrary<Xyz> = fc.record({ x: double, y: double, z: double }, { noNullPrototype: true })
const interval: fc.Arbitrary<Interval> = fc.record({ a: double, b: double }, { noNullPrototype: true })

const VALUES: { [T in ItemType]: fc.Arbitrary<ItemValues[T]> } = {
  bool: fc.boolean(),
  byte: fc.nat(255),
  int32,
  int64,
  single,
  double,
  decimal,
  date: int64,
  guid: fc.uuid(),
  string: text,
  bytearray: bytes,
  doublearray: fc.float64Array({ maxLength: 6 }),
  drawing_point: xy(int32),
  drawing_pointf: xy(single),
  drawing_size: size(int32),
  drawing_sizef: size(single),
  drawing_rectangle: fc.tuple(xy(int32), size(int32)).map(([corner, lengths]) => ({ ...corner, ...lengths })),
  drawing_rectanglef: fc
    .tuple(xy(single), size(single))
    .map(([corner, lengths]) => ({ ...corner, ...lengths })),
  drawing_color: fc.nat(2 ** 32 - 1),
  drawing_bitmap: bytes,
  point2d: xy(double),
  point3d: xyz,
  point4d: fc.tuple(xyz, double).map(([point, w]) => ({ ...point, w })),
  interval1d: interval,
  interval2d: fc.record({ u: interval, v: interval }, { noNullPrototype: true }),
  line: fc.record({ from: xyz, to: xyz }, { noNullPrototype: true }),
  boundingbox: fc.record({ min: xyz, max: xyz }, { noNullPrototype: true }),
  plane: fc.record({ origin: xyz, xAxis: xyz, yAxis: xyz }, { noNullPrototype: true }),
  version: fc.record({ major: int32, minor: int32, revision: int32 }, { noNullPrototype: true }),
}

/** Each item type with an arbitrary of its values. */
export const ARBITRARY_ITEMS: { type: ItemType; item: fc.Arbitrary<Item> }[] = Object.entries(VALUES).map(
  ([type, value]) => ({
    type: type as ItemType,
    item: fc
      .tuple(text, index, value)
      .map(([name, at, it]) => ({ name, index: at, type, value: it }) as Item),
  }),
)

const items = fc.array(fc.oneof(...ARBITRARY_ITEMS.map(({ item }) => item)), { maxLength: 6 })

function chunk(name: fc.Arbitrary<string>, depth: number): fc.Arbitrary<Chunk> {
  const chunks = depth === 0 ? fc.constant<Chunk[]>([]) : fc.array(chunk(text, depth - 1), { maxLength: 3 })
  return fc.record({ name, index, items, chunks }, { noNullPrototype: true })
}

/** Whole archives with any names, order, types and values, which both forms can hold. */
export const ARBITRARY_ARCHIVE: fc.Arbitrary<Archive> = fc.record(
  { root: chunk(fc.constantFrom('Root', 'UserObject', 'Cluster', 'Document'), 3) },
  { noNullPrototype: true },
)
