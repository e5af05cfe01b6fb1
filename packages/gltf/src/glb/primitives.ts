import type { Xyz } from '@meadow/geometry/values/points'
import type { Colour } from '@meadow/geometry/values/value'
import type { DrawnValue } from '../model/draw-model.ts'
import type { Frame } from '../model/frame.ts'
import type { Shape } from '../model/shapes.ts'
import { COMPONENT, type GltfAccessor, type GltfPrimitive, MODE, VIEWS, type ViewName } from './gltf.ts'
import { createGrowingBytes, type GrowingBytes } from './growing-bytes.ts'
import { createMaterials, type Materials, toLinear } from './materials.ts'

/** Writes the numbers of primitives, and the accessors that point to them. */
export interface PrimitiveWriter {
  /**
   * Writes the primitives of one value, or of several together. The vertices of several values have a number for the
   * index of their value in `values` (EXT_mesh_features).
   */
  write(values: readonly DrawnValue[]): GltfPrimitive[]
  readonly accessors: GltfAccessor[]
  readonly materials: Materials
  readonly views: Views
}

export type Views = Readonly<Record<ViewName, GrowingBytes>>

/** Creates a writer. `sizes` has the number of bytes that each view will have, if it is known. */
export function createPrimitiveWriter(
  frame: Frame,
  sizes: Partial<Record<ViewName, number>> = {},
): PrimitiveWriter {
  const views = Object.fromEntries(VIEWS.map(({ name }) => [name, createGrowingBytes(sizes[name])])) as Views
  const accessors: GltfAccessor[] = []
  const materials = createMaterials()
  const output: Output = { views, accessors, frame }
  return {
    views,
    accessors,
    materials,
    write: (values) =>
      [...batch(values, materials)].map(({ form, material, members }) => ({
        ...WRITERS[form](output, members),
        material,
        ...(values.length > 1 && { extensions: toFeatures(members) }),
      })),
  }
}

interface Output {
  views: Views
  accessors: GltfAccessor[]
  frame: Frame
}

/** A value, with its number among those that are written together. A value that is written alone has no number. */
interface Member {
  value: DrawnValue
  feature: number | undefined
}

type Form = 'triangles' | 'lines' | 'points'

/** The shapes that become one primitive: they have the same form and the same material. */
interface Batch {
  form: Form
  material: number
  members: Member[]
}

function batch(values: readonly DrawnValue[], materials: Materials): Iterable<Batch> {
  const batches = new Map<string, Batch>()
  for (const [i, value] of values.entries()) {
    const { shape, material: looks } = value
    const add = (form: Form, kind: Parameters<Materials['indexOf']>[0]) => {
      const material = materials.indexOf(kind, looks)
      const key = `${form} ${material}`
      const known = batches.get(key) ?? { form, material, members: [] }
      known.members.push({ value, feature: values.length > 1 ? i : undefined })
      batches.set(key, known)
    }
    if (shape.triangles.length > 0) add('triangles', shape.colours && !looks ? 'mesh' : 'surface')
    if (shape.lines.length > 0) add('lines', 'line')
    if (shape.points.length > 0) add('points', 'line')
  }
  return batches.values()
}

const toFeatures = ({ length }: readonly Member[]) => ({
  EXT_mesh_features: { featureIds: [{ featureCount: length, attribute: 0 }] },
})

type WritePrimitive = (output: Output, members: readonly Member[]) => Omit<GltfPrimitive, 'material'>

const WRITERS: Readonly<Record<Form, WritePrimitive>> = {
  triangles: writeTriangles,
  lines: writeLines,
  points: writePoints,
}

function writeTriangles(output: Output, members: readonly Member[]): ReturnType<WritePrimitive> {
  const shapes = members.map(({ value }) => value.shape)
  const counts = shapes.map(({ positions }) => positions.length / 3)
  const vertices = sum(counts)
  const isColoured = members.every(({ value }) => value.shape.colours && !value.material)
  const attributes = {
    POSITION: writePositions(output, vertices, (numbers) => {
      let at = 0
      for (const { positions } of shapes) at = putTriples(numbers, at, positions, output.frame)
    }),
    NORMAL: writeNormals(output, shapes, vertices),
    ...(isColoured && { COLOR_0: writeColours(output, shapes, vertices) }),
    ...writeFeatures(output, members, counts),
  }
  const corners = sum(shapes.map(({ triangles }) => triangles.length))
  const indices = writeIndices(output, corners, vertices, (numbers) => {
    let at = 0
    let first = 0
    for (const [i, { triangles }] of shapes.entries()) {
      for (let corner = 0; corner < triangles.length; corner++) numbers[at++] = first + triangles[corner]!
      first += counts[i]!
    }
  })
  return { attributes, indices }
}

/** Writes one line as a strip, and several as pairs of ends. */
function writeLines(output: Output, members: readonly Member[]): ReturnType<WritePrimitive> {
  const lines = members.flatMap(({ value }) => value.shape.lines)
  const counts = members.map(({ value }) => sum(value.shape.lines.map(({ length }) => length)))
  const vertices = sum(counts)
  const position = writePositions(output, vertices, (numbers) => {
    let at = 0
    for (const line of lines) at = putPoints(numbers, at, line, output.frame)
  })
  const attributes = { POSITION: position, ...writeFeatures(output, members, counts) }
  if (lines.length === 1) return { attributes, mode: MODE.lineStrip }
  const indices = writeIndices(output, 2 * (vertices - lines.length), vertices, (numbers) => {
    let at = 0
    let first = 0
    for (const { length } of lines) {
      for (let i = 1; i < length; i++) {
        numbers[at++] = first + i - 1
        numbers[at++] = first + i
      }
      first += length
    }
  })
  return { attributes, indices, mode: MODE.lines }
}

function writePoints(output: Output, members: readonly Member[]): ReturnType<WritePrimitive> {
  const counts = members.map(({ value }) => value.shape.points.length)
  const position = writePositions(output, sum(counts), (numbers) => {
    let at = 0
    for (const { value } of members) at = putPoints(numbers, at, value.shape.points, output.frame)
  })
  return { attributes: { POSITION: position, ...writeFeatures(output, members, counts) }, mode: MODE.points }
}

/**
 * Writes triples in metres instead of the document's unit, and with y up instead of z. Returns where the next numbers
 * go.
 */
function putTriples(
  numbers: Float32Array,
  at: number,
  positions: readonly number[],
  { metersPerUnit, origin }: Frame,
): number {
  const [x, y, z] = origin
  for (let i = 0; i < positions.length; i += 3) {
    numbers[at + i] = positions[i]! * metersPerUnit - x
    numbers[at + i + 1] = positions[i + 2]! * metersPerUnit - y
    numbers[at + i + 2] = -positions[i + 1]! * metersPerUnit - z
  }
  return at + positions.length
}

function putPoints(numbers: Float32Array, at: number, points: readonly Xyz[], frame: Frame): number {
  return putTriples(
    numbers,
    at,
    points.flatMap(({ x, y, z }) => [x, y, z]),
    frame,
  )
}

function writePositions(
  { views, accessors }: Output,
  count: number,
  fill: (numbers: Float32Array) => void,
): number {
  const numbers = views.vectors.floats(3 * count)
  fill(numbers)
  const format = { componentType: COMPONENT.float32, count, type: 'VEC3', ...findBounds(numbers) } as const
  return addAccessor(accessors, 'vectors', numbers, format)
}

/** Returns the bounds of the numbers as they are written. */
function findBounds(numbers: Float32Array): { min: number[]; max: number[] } {
  const min: number[] = []
  const max: number[] = []
  for (let axis = 0; axis < 3; axis++) {
    let least = Infinity
    let most = -Infinity
    for (let i = axis; i < numbers.length; i += 3) {
      const number = numbers[i]!
      if (number < least) least = number
      if (number > most) most = number
    }
    min.push(least)
    max.push(most)
  }
  return { min, max }
}

/** The maximum difference between 1 and the square of a length that counts as 1. */
const TOLERANCE = 1e-4

function writeNormals({ views, accessors }: Output, shapes: readonly Shape[], count: number): number {
  const numbers = views.vectors.floats(3 * count)
  let at = 0
  for (const { normals } of shapes) {
    for (let i = 0; i < normals.length; i += 3) {
      const x = normals[i]!
      const y = normals[i + 2]!
      const z = -normals[i + 1]!
      const square = x * x + y * y + z * z
      // The normals of a mesh from a file may have any length.
      const factor = Math.abs(square - 1) < TOLERANCE ? 1 : 1 / Math.sqrt(square)
      const isUsable = factor < Infinity
      numbers[at++] = isUsable ? x * factor : 0
      numbers[at++] = isUsable ? y * factor : 1
      numbers[at++] = isUsable ? z * factor : 0
    }
  }
  return addAccessor(accessors, 'vectors', numbers, { componentType: COMPONENT.float32, count, type: 'VEC3' })
}

/** Writes colours in 16 bits: with eight, linear numbers would be too coarse where colours are dark. */
function writeColours({ views, accessors }: Output, shapes: readonly Shape[], count: number): number {
  const numbers = views.colours.shorts(4 * count)
  numbers.set(shapes.flatMap(({ colours = [] }) => colours.flatMap(toParts)))
  const format = { componentType: COMPONENT.uint16, count, type: 'VEC4', normalized: true } as const
  return addAccessor(accessors, 'colours', numbers, format)
}

const toParts = ({ red, green, blue, alpha }: Colour): number[] => [
  ...[red, green, blue].map((part) => Math.round(65_535 * toLinear(part / 255))),
  Math.round(257 * alpha),
]

/** Writes the number of its member for each vertex. */
function writeFeatures(
  { views, accessors }: Output,
  members: readonly Member[],
  counts: readonly number[],
): Record<string, number> {
  if (members[0]?.feature === undefined) return {}
  const count = sum(counts)
  const numbers = views.features.floats(count)
  let at = 0
  for (const [i, { feature = 0 }] of members.entries()) {
    numbers.fill(feature, at, at + counts[i]!)
    at += counts[i]!
  }
  const format = { componentType: COMPONENT.float32, count, type: 'SCALAR' } as const
  return { _FEATURE_ID_0: addAccessor(accessors, 'features', numbers, format) }
}

/** The largest index of 16 bits: 65535 is reserved. */
const MAX_SHORT = 65_534

function writeIndices(
  { views, accessors }: Output,
  count: number,
  vertices: number,
  fill: (numbers: Uint16Array | Uint32Array) => void,
): number {
  const isShort = vertices - 1 <= MAX_SHORT
  const numbers = isShort ? views.indices.shorts(count) : views.indices.integers(count)
  fill(numbers)
  const componentType = isShort ? COMPONENT.uint16 : COMPONENT.uint32
  return addAccessor(accessors, 'indices', numbers, { componentType, count, type: 'SCALAR' })
}

function addAccessor(
  accessors: GltfAccessor[],
  view: ViewName,
  { byteOffset }: { byteOffset: number },
  format: Omit<GltfAccessor, 'bufferView' | 'byteOffset'>,
): number {
  const bufferView = VIEWS.findIndex(({ name }) => name === view)
  accessors.push({ bufferView, byteOffset, ...format })
  return accessors.length - 1
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)
