import { CLOSED_BODY, SCENE_TYPES, type Scene, type SceneBatch, type SceneType } from '@meadow/contract/web'

/** A value of the solution: one object of the view. */
export interface SceneValue {
  nodeInstanceId: string
  portInstanceId: string
  path: string
  index: number
}

/** The values of one port, which have the numbers from `first` on. */
export interface ScenePort {
  nodeInstanceId: string
  portInstanceId: string
  first: number
  count: number
  branches: SceneBatch['branches']
}

/** A batch with its numbers. The arrays are views of the scene's bytes. */
export interface ScenePart {
  kind: SceneBatch['kind']
  role: SceneBatch['role']
  port: ScenePort
  positions: Float32Array
  normals: Float32Array | undefined
  /** The indices of vertices; undefined for points. */
  indices: Uint32Array | undefined
  /** Where each value of the port starts, in indices or points, and where the last one ends. */
  starts: Uint32Array
}

/** The values of a scene. Each has a number, from 0 on, whatever it consists of: a brep has faces, edges and isocurves. */
export interface SceneValues {
  readonly ports: readonly ScenePort[]
  readonly parts: readonly ScenePart[]
  readonly count: number
  /** Six numbers for each value, relative to the scene's origin: the smallest x, y, z, and the largest. */
  readonly boxes: Float32Array
  /** `0xrrggbbaa` for each value, 0 where it has no colour of its own. */
  readonly colours: Uint32Array
  describe(value: number): SceneValue
  /** The number of a value; undefined when this scene does not have it. */
  find(value: SceneValue): number | undefined
  typeOf(value: number): SceneType
  isClosed(value: number): boolean
  /** The exact length or area; undefined when it is not known. */
  measureOf(value: number): number | undefined
}

export function readValues(scene: Scene): SceneValues {
  const ports = new Map<string, ScenePort & { batches: SceneBatch[] }>()
  const parts: ScenePart[] = []
  let count = 0
  for (const batch of scene.batches) {
    const { nodeInstanceId, portInstanceId, branches } = batch
    const key = `${nodeInstanceId} ${portInstanceId}`
    let port = ports.get(key)
    if (!port) {
      const values = batch.starts.length - 1
      port = { nodeInstanceId, portInstanceId, branches, first: count, count: values, batches: [] }
      ports.set(key, port)
      count += values
    }
    port.batches.push(batch)
    parts.push({
      kind: batch.kind,
      role: batch.role,
      port,
      positions: scene.floats(batch.positions),
      normals: batch.normals && scene.floats(batch.normals),
      indices: batch.indices && scene.integers(batch.indices),
      starts: scene.integers(batch.starts),
    })
  }
  const list = [...ports.values()]
  const [colours, types] = [new Uint32Array(count), new Uint32Array(count)]
  const measures = new Float32Array(count).fill(Number.NaN)
  for (const { first, batches } of list) {
    for (const batch of batches) {
      if (batch.colours) colours.set(scene.integers(batch.colours), first)
      if (batch.types) types.set(scene.integers(batch.types), first)
      if (batch.measures) measures.set(scene.floats(batch.measures), first)
    }
  }
  return {
    ports: list,
    parts,
    count,
    boxes: measureBoxes(parts, count),
    colours,
    describe: (value) => describe(list, value),
    find({ nodeInstanceId, portInstanceId, path, index }) {
      const port = ports.get(`${nodeInstanceId} ${portInstanceId}`)
      return port && findInPort(port, path, index)
    },
    typeOf: (value) => SCENE_TYPES[types[value]! & (CLOSED_BODY - 1)] ?? 'geometry',
    isClosed: (value) => (types[value]! & CLOSED_BODY) !== 0,
    measureOf: (value) => (Number.isNaN(measures[value]) ? undefined : measures[value]),
  }
}

/** The port whose values include this one. */
function findPort(ports: readonly ScenePort[], value: number): ScenePort {
  let low = 0
  let high = ports.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (ports[middle]!.first <= value) low = middle
    else high = middle - 1
  }
  return ports[low]!
}

function describe(ports: readonly ScenePort[], value: number): SceneValue {
  const { nodeInstanceId, portInstanceId, first, branches } = findPort(ports, value)
  let index = value - first
  for (const { path, values } of branches) {
    if (index < values) return { nodeInstanceId, portInstanceId, path, index }
    index -= values
  }
  return { nodeInstanceId, portInstanceId, path: '{}', index }
}

function findInPort({ first, branches }: ScenePort, path: string, index: number): number | undefined {
  let before = first
  for (const branch of branches) {
    if (branch.path === path) return index < branch.values ? before + index : undefined
    before += branch.values
  }
  return undefined
}

/** The vertex of an element: an index of triangles and lines, or a point. */
export const vertexAt = ({ indices }: ScenePart, element: number): number =>
  indices ? indices[element]! : element

function measureBoxes(parts: readonly ScenePart[], count: number): Float32Array {
  const boxes = new Float32Array(6 * count)
  for (let value = 0; value < count; value++) {
    boxes.fill(Number.POSITIVE_INFINITY, 6 * value, 6 * value + 3)
    boxes.fill(Number.NEGATIVE_INFINITY, 6 * value + 3, 6 * value + 6)
  }
  for (const part of parts) {
    for (let number = 0; number < part.port.count; number++)
      extendBox(boxes, 6 * (part.port.first + number), part, part.starts[number]!, part.starts[number + 1]!)
  }
  return boxes
}

/** Extends the box at a position of `boxes` by elements of a part. */
export function extendBox(
  boxes: Float32Array,
  at: number,
  { positions, indices }: ScenePart,
  from: number,
  to: number,
): void {
  let [minX, minY, minZ] = [boxes[at]!, boxes[at + 1]!, boxes[at + 2]!]
  let [maxX, maxY, maxZ] = [boxes[at + 3]!, boxes[at + 4]!, boxes[at + 5]!]
  for (let element = from; element < to; element++) {
    const vertex = 3 * (indices ? indices[element]! : element)
    const x = positions[vertex]!
    const y = positions[vertex + 1]!
    const z = positions[vertex + 2]!
    if (x < minX) minX = x
    if (y < minY) minY = y
    if (z < minZ) minZ = z
    if (x > maxX) maxX = x
    if (y > maxY) maxY = y
    if (z > maxZ) maxZ = z
  }
  boxes[at] = minX
  boxes[at + 1] = minY
  boxes[at + 2] = minZ
  boxes[at + 3] = maxX
  boxes[at + 4] = maxY
  boxes[at + 5] = maxZ
}

/** The colours of a scene's values, `0xrrggbbaa` each, none of them 0. Called for each scene that is shown. */
export type Paint = (values: SceneValues) => Uint32Array
