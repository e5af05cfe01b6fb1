import type { Colour } from '@meadow/solver'
import type { DrawnValue } from '../model/draw-model.ts'
import type { Frame } from '../model/frame.ts'
import { COMPONENT, type GltfAccessor, type GltfPrimitive, MODE, VIEWS, type ViewName } from './gltf.ts'
import { createGrowingBytes, type GrowingBytes } from './growing-bytes.ts'
import { createMaterials, type Materials, toLinear } from './materials.ts'

/** Writes the numbers of primitives, and says where they are. */
export interface PrimitiveWriter {
  /**
   * The primitives of one value, or of several together: the vertices of several have a number that says which of
   * `values` they belong to (EXT_mesh_features).
   */
  write(values: readonly DrawnValue[]): GltfPrimitive[]
  readonly accessors: GltfAccessor[]
  readonly materials: Materials
  readonly views: Views
}

export type Views = Readonly<Record<ViewName, GrowingBytes>>

export function createPrimitiveWriter(frame: Frame): PrimitiveWriter {
  const views = Object.fromEntries(VIEWS.map(({ name }) => [name, createGrowingBytes()])) as Views
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

/** A value, and its number among those that are written together; undefined for one that is written alone. */
interface Member {
  value: DrawnValue
  feature: number | undefined
}

type Form = 'triangles' | 'lines' | 'points'

/** What of the values becomes one primitive: the same form in the same material. */
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
  const counts = members.map(({ value }) => value.shape.positions.length / 3)
  const vertices = sum(counts)
  const position = writePositions(output, vertices, (put) => {
    for (const { value } of members) {
      const { positions } = value.shape
      for (let i = 0; i < positions.length; i += 3) put(positions[i]!, positions[i + 1]!, positions[i + 2]!)
    }
  })
  const attributes: Record<string, number> = {
    POSITION: position,
    NORMAL: writeNormals(output, members, vertices),
  }
  const isColoured = members.every(({ value }) => value.shape.colours && !value.material)
  if (isColoured) attributes.COLOR_0 = writeColours(output, members, vertices)
  const indices = sum(members.map(({ value }) => value.shape.triangles.length))
  const written = writeIndices(output, indices, vertices, (put) => {
    let first = 0
    for (const [i, { value }] of members.entries()) {
      for (const index of value.shape.triangles) put(first + index)
      first += counts[i]!
    }
  })
  return { attributes: { ...attributes, ...writeFeatures(output, members, counts) }, indices: written }
}

/** One line is a strip, several are pairs of ends. */
function writeLines(output: Output, members: readonly Member[]): ReturnType<WritePrimitive> {
  const lines = members.flatMap(({ value }) => value.shape.lines)
  const counts = members.map(({ value }) => sum(value.shape.lines.map(({ length }) => length)))
  const vertices = sum(counts)
  const position = writePositions(output, vertices, (put) => {
    for (const line of lines) for (const { x, y, z } of line) put(x, y, z)
  })
  const attributes = { POSITION: position, ...writeFeatures(output, members, counts) }
  if (lines.length === 1) return { attributes, mode: MODE.lineStrip }
  const indices = writeIndices(output, 2 * (vertices - lines.length), vertices, (put) => {
    let first = 0
    for (const { length } of lines) {
      for (let i = 1; i < length; i++) {
        put(first + i - 1)
        put(first + i)
      }
      first += length
    }
  })
  return { attributes, indices, mode: MODE.lines }
}

function writePoints(output: Output, members: readonly Member[]): ReturnType<WritePrimitive> {
  const counts = members.map(({ value }) => value.shape.points.length)
  const position = writePositions(output, sum(counts), (put) => {
    for (const { value } of members) for (const { x, y, z } of value.shape.points) put(x, y, z)
  })
  return { attributes: { POSITION: position, ...writeFeatures(output, members, counts) }, mode: MODE.points }
}

/** Metres instead of the document's unit, and y up instead of z. */
function writePositions(
  { views, accessors, frame }: Output,
  count: number,
  fill: (put: (x: number, y: number, z: number) => void) => void,
): number {
  const numbers = views.vectors.floats(3 * count)
  const { metersPerUnit: scale, origin } = frame
  const [originX, originY, originZ] = origin
  let at = 0
  fill((x, y, z) => {
    numbers[at] = x * scale - originX
    numbers[at + 1] = z * scale - originY
    numbers[at + 2] = -y * scale - originZ
    at += 3
  })
  const bounds = findBounds(numbers)
  return addAccessor(accessors, 'vectors', numbers, {
    componentType: COMPONENT.float32,
    count,
    type: 'VEC3',
    ...bounds,
  })
}

/** Of the numbers as they are written. */
function findBounds(numbers: Float32Array): { min: number[]; max: number[] } {
  const min = [Infinity, Infinity, Infinity]
  const max = [-Infinity, -Infinity, -Infinity]
  for (let axis = 0; axis < 3; axis++) {
    let [least, most] = [Infinity, -Infinity]
    for (let i = axis; i < numbers.length; i += 3) {
      const number = numbers[i]!
      if (number < least) least = number
      if (number > most) most = number
    }
    min[axis] = least
    max[axis] = most
  }
  return { min, max }
}

function writeNormals({ views, accessors }: Output, members: readonly Member[], count: number): number {
  const numbers = views.vectors.floats(3 * count)
  let at = 0
  for (const { value } of members) {
    const { normals } = value.shape
    for (let i = 0; i < normals.length; i += 3) {
      const [x, y, z] = [normals[i]!, normals[i + 2]!, -normals[i + 1]!]
      const length = Math.sqrt(x * x + y * y + z * z)
      // A mesh of a file may have normals of any length.
      const isUsable = length > 0 && Number.isFinite(length)
      numbers[at] = isUsable ? x / length : 0
      numbers[at + 1] = isUsable ? y / length : 1
      numbers[at + 2] = isUsable ? z / length : 0
      at += 3
    }
  }
  return addAccessor(accessors, 'vectors', numbers, { componentType: COMPONENT.float32, count, type: 'VEC3' })
}

/** In 16 bits: linear numbers in eight would be coarse where colours are dark. */
function writeColours({ views, accessors }: Output, members: readonly Member[], count: number): number {
  const numbers = views.colours.shorts(4 * count)
  const parts = members.flatMap(({ value }) => (value.shape.colours ?? []).flatMap(toParts))
  numbers.set(parts)
  const format = { componentType: COMPONENT.uint16, count, type: 'VEC4', normalized: true } as const
  return addAccessor(accessors, 'colours', numbers, format)
}

const toParts = ({ red, green, blue, alpha }: Colour): number[] => [
  ...[red, green, blue].map((part) => Math.round(65_535 * toLinear(part / 255))),
  Math.round(257 * alpha),
]

/** The number of its member for each vertex. */
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

/** The largest number of 16 bits is reserved. */
const MAX_SHORT = 65_534

function writeIndices(
  { views, accessors }: Output,
  count: number,
  vertices: number,
  fill: (put: (index: number) => void) => void,
): number {
  const isShort = vertices - 1 <= MAX_SHORT
  const numbers = isShort ? views.indices.shorts(count) : views.indices.integers(count)
  let at = 0
  fill((index) => {
    numbers[at++] = index
  })
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
