/**
 * A Grasshopper archive: a tree of named chunks that hold named items.
 * Source: files; `../SPEC.md` documents the format.
 */
export interface Archive {
  /** `Root` in .gh and .ghx, `UserObject` in .ghuser, `Cluster` in .ghcluster, `Document` inside a cluster. */
  readonly root: Chunk
  /** The lists of an XML text that announce another number than they hold, at most `MAX_MISCOUNTS`; absent: none. */
  readonly miscounts?: readonly Miscount[]
}

/** A list that announces another number of elements than it holds. */
export interface Miscount {
  /** `Root/Definition, line 12` */
  where: string
  /** What is counted: `items`, `chunks`, or the name of the elements that an item counts. */
  elements: string
  /** The number that the file announces: a text in XML need not be a number. */
  announced: number | string
  found: number
}

/** A chunk's identity among its siblings is name and index. `index` is -1 for none. */
export interface Chunk {
  name: string
  index: number
  items: Item[]
  chunks: Chunk[]
}

export interface Xy {
  x: number
  y: number
}
export interface Xyz extends Xy {
  z: number
}
export interface Xyzw extends Xyz {
  w: number
}
export interface Size {
  width: number
  height: number
}
export interface Rectangle extends Xy, Size {}
export interface Interval {
  a: number
  b: number
}

/** The value of an item for each type; the key is the type's name in XML without `gh_`. */
export interface ItemValues {
  bool: boolean
  byte: number
  int32: number
  int64: bigint
  single: number
  double: number
  /** Text with its decimals, as .NET writes it: `50.00` is not `50`, `-0.0` keeps its sign. */
  decimal: string
  /** 100 ns ticks since 0001-01-01; no time zone is recorded. */
  date: bigint
  /** Lower case with dashes. */
  guid: string
  string: string
  bytearray: Uint8Array
  doublearray: Float64Array
  drawing_point: Xy
  drawing_pointf: Xy
  drawing_size: Size
  drawing_sizef: Size
  drawing_rectangle: Rectangle
  drawing_rectanglef: Rectangle
  /** 0xAARRGGBB, unsigned. */
  drawing_color: number
  /** The bytes of a PNG file. */
  drawing_bitmap: Uint8Array
  point2d: Xy
  point3d: Xyz
  point4d: Xyzw
  interval1d: Interval
  interval2d: { u: Interval; v: Interval }
  line: { from: Xyz; to: Xyz }
  boundingbox: { min: Xyz; max: Xyz }
  plane: { origin: Xyz; xAxis: Xyz; yAxis: Xyz }
  version: { major: number; minor: number; revision: number }
}

export type ItemType = keyof ItemValues

/** An item's identity among its siblings is name and index. `index` is -1 for none. */
export type Item = {
  [T in ItemType]: { name: string; index: number; type: T; value: ItemValues[T] }
}[ItemType]
