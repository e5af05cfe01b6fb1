import type { SolutionId } from '../ids.ts'

/**
 * The geometry of a solution as a graphics card takes it. The bytes, all numbers little-endian:
 *
 *     0   "MDW3"
 *     4   uint32: the layout's version, 1
 *     8   uint32: the length of the header in bytes
 *     12  the header: JSON in UTF-8, padded with spaces so that what follows starts at a multiple of 4
 *     …   the numbers: float32 and uint32, which the header's spans point into
 */
export interface SceneHeader {
  /** The solution that the scene shows; left out where there is no geometry. */
  solutionId?: SolutionId
  /** The unit of lengths; `none` if the document does not have one. */
  units: string
  /** The point that all positions are relative to, for precision far from the origin. */
  origin: [number, number, number]
  /** The bounding box of all geometry, relative to `origin`; null when there is none. */
  boundingBox: [min: [number, number, number], max: [number, number, number]] | null
  batches: SceneBatch[]
  /** The number of values that are geometry which could not be drawn. */
  skipped: number
  /** Whether something was left out because the whole would have been too large. */
  truncated: boolean
}

/** All geometry of one port that is drawn in one way. A brep has triangles, and lines for its edges. */
export interface SceneBatch {
  nodeInstanceId: string
  portInstanceId: string
  /**
   * - `triangles`: three indices each, with normals.
   * - `lines`: two indices for each piece. `role` distinguishes curves from the edges of breps, the isocurves of their
   *   faces, and the edges of mesh faces.
   * - `points`: no indices.
   */
  kind: 'triangles' | 'lines' | 'points'
  role: SceneRole
  /** float32 x, y, z for each vertex. */
  positions: SceneSpan
  /** float32 x, y, z for each vertex, of length 1. Triangles only. */
  normals?: SceneSpan
  /** uint32. Not with points. */
  indices?: SceneSpan
  /**
   * uint32, one more than there are values: where each value's part of `indices` starts (of points: of vertices), and
   * at the end where the last one ends. A value that drew nothing has an empty part.
   */
  starts: SceneSpan
  /**
   * uint32 for each value: `0xrrggbbaa` where it has its own colour (Custom Preview), otherwise 0. Such
   * a value is to be seen even where its node's preview is off. Left out when no value here has one.
   */
  colours?: SceneSpan
  /** uint32 for each value: the index of its type in `SCENE_TYPES`, plus `CLOSED_BODY` where it encloses a volume. */
  types?: SceneSpan
  /**
   * float32 for each value, in the scene's units: the length of a curve, the area of a body. NaN where it is not
   * known exactly.
   */
  measures?: SceneSpan
  /** Which values these are: the branches in order, each with how many of its values are counted in `starts`. */
  branches: { path: string; values: number }[]
}

export type SceneRole = 'body' | 'curve' | 'edge' | 'isocurve' | 'meshEdge' | 'point'

/** The type of a value. */
export const SCENE_TYPES = [
  'geometry',
  'point',
  'line',
  'polyline',
  'rectangle',
  'circle',
  'arc',
  'nurbsCurve',
  'polyCurve',
  'nurbsSurface',
  'brep',
  'mesh',
  'subD',
  'hatch',
  'text',
  'pointCloud',
] as const
export type SceneType = (typeof SCENE_TYPES)[number]

/** The flag that is added to the type of a value which encloses a volume. */
export const CLOSED_BODY = 0x100

/** Numbers of 4 bytes, behind the header. Batches may share them. */
export interface SceneSpan {
  /** The position of the first number, counted in numbers from the end of the header. */
  offset: number
  /** The count of the numbers. */
  length: number
}

export interface Scene extends SceneHeader {
  floats(span: SceneSpan): Float32Array<ArrayBuffer>
  integers(span: SceneSpan): Uint32Array<ArrayBuffer>
}

export const SCENE_MAGIC = 'MDW3'
export const SCENE_VERSION = 1
/** The offset of the header, in bytes. */
export const SCENE_HEADER_AT = 12

/** Reads a scene without copying it. Throws a `RangeError` for invalid bytes. */
export function readScene(bytes: ArrayBuffer): Scene {
  const view = new DataView(bytes)
  const magic = String.fromCharCode(...new Uint8Array(bytes, 0, 4))
  if (magic !== SCENE_MAGIC || view.getUint32(4, true) !== SCENE_VERSION) throw new RangeError('Not a scene.')
  const headerLength = view.getUint32(8, true)
  const header: SceneHeader = JSON.parse(
    new TextDecoder().decode(new Uint8Array(bytes, SCENE_HEADER_AT, headerLength)),
  )
  const start = SCENE_HEADER_AT + headerLength
  return {
    ...header,
    floats: ({ offset, length }) => new Float32Array(bytes, start + 4 * offset, length),
    integers: ({ offset, length }) => new Uint32Array(bytes, start + 4 * offset, length),
  }
}

/**
 * Returns the number of the value that an index in `indices` (for points: a vertex) belongs to, counted through all
 * branches. For indices beyond the last value, it returns the number of values.
 */
export function findValueNumber(starts: Uint32Array, at: number): number {
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if (starts[middle + 1]! <= at) low = middle + 1
    else high = middle
  }
  return low
}

/** Returns the branch of the value that `findValueNumber` finds, and the index of the value in it. */
export function findSceneValue(
  { branches }: SceneBatch,
  starts: Uint32Array,
  at: number,
): { path: string; index: number } | undefined {
  let left = findValueNumber(starts, at)
  for (const { path, values } of branches) {
    if (left < values) return { path, index: left }
    left -= values
  }
  return undefined
}
