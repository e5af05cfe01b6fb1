import { createHash } from 'node:crypto'
import type { EncodedGeometry, SolutionId } from '@meadow/contract'
import type { SceneBatch, SceneHeader, SceneSpan } from '@meadow/contract/web'
import { decodeGeometry, toLocationKey, USER_STRING, type ValueLocation, walkModel } from '@meadow/model'
import { type Drawing, drawGeometry } from '@meadow/solver'
import { LRUCache } from 'lru-cache'
import { PortBuilder, type PutNumbers } from './port-builder.ts'
import { writeHeader } from './write-header.ts'

type Xyz = Drawing['points'][number]

/** Of a scene: what a browser can still show, and this process can hold. */
const MAX_VERTICES = 4_000_000
const MAX_CACHED_VERTICES = 1_000_000

/** The bytes of a scene (`scene.ts` of the contract), in pieces, from a model file. */
export function* writeScene(
  model: Uint8Array,
  { solutionId, units }: { solutionId: SolutionId; units: string },
): Generator<Uint8Array> {
  const ports = new Map<string, PortBuilder>()
  const bounds = createBounds()
  const draw = createCachedDraw()
  let vertices = 0
  let skipped = 0
  let truncated = false
  for (const object of walkModel(model)) {
    const position = findPosition(object.userStrings)
    if (!position) continue
    const drawing = draw(object.encode())
    if (!drawing) {
      skipped++
      continue
    }
    vertices += countVertices(drawing)
    if (vertices > MAX_VERTICES) {
      truncated = true
      break
    }
    bounds.add(drawing)
    const key = toLocationKey({ ...position, path: '', index: 0 })
    const port = ports.get(key) ?? new PortBuilder(position, bounds.origin)
    ports.set(key, port)
    if (!port.add(position, drawing, toNumber(object.colour))) skipped++
  }
  const numbers: Uint8Array[] = []
  const put = createPut(numbers)
  const batches: SceneBatch[] = [...ports.values()].flatMap((port) => port.finish(put))
  const { origin, box } = bounds
  yield writeHeader({
    solutionId,
    units,
    origin: [origin.x, origin.y, origin.z],
    boundingBox: box,
    batches,
    skipped,
    truncated,
  })
  yield* numbers
}

function findPosition(strings: ReadonlyMap<string, string>): ValueLocation | undefined {
  const nodeInstanceId = strings.get(USER_STRING.node)
  const portInstanceId = strings.get(USER_STRING.port)
  const path = strings.get(USER_STRING.path)
  const index = Number(strings.get(USER_STRING.index))
  if (!nodeInstanceId || !portInstanceId || !path || !Number.isSafeInteger(index)) return undefined
  return { nodeInstanceId, portInstanceId, path, index }
}

/** Draws an object. Recent drawings are cached, because ports that pass a value on have the same object. */
function createCachedDraw(): (encoded: EncodedGeometry) => Drawing | undefined {
  const cache = new LRUCache<string, Drawing>({
    maxSize: MAX_CACHED_VERTICES,
    sizeCalculation: countVertices,
  })
  return (encoded) => {
    const key = createHash('sha1').update(encoded.data).digest('base64')
    const known = cache.get(key)
    if (known) return known
    const geometry = decodeGeometry(encoded)
    const drawing = geometry && drawGeometry(geometry)
    if (drawing) cache.set(key, drawing)
    return drawing
  }
}

function countVertices({ positions, edges, curves, points }: Drawing): number {
  const lines = [...edges, ...curves].reduce((sum, { length }) => sum + length, 0)
  return Math.max(positions.length / 3 + lines + points.length, 1)
}

/** `0xrrggbbaa`; 0 without a colour. */
function toNumber(colour: { red: number; green: number; blue: number; alpha: number } | undefined): number {
  if (!colour) return 0
  const { red, green, blue, alpha } = colour
  return ((red << 24) | (green << 16) | (blue << 8) | alpha) >>> 0
}

/** The bounding box of all drawings. */
interface Bounds {
  add(drawing: Drawing): void
  /** The middle of the first drawing, in whole numbers. All positions are relative to it. */
  readonly origin: Xyz
  /** Relative to the origin. */
  readonly box: SceneHeader['boundingBox']
}

function createBounds(): Bounds {
  const min = [Infinity, Infinity, Infinity]
  const max = [-Infinity, -Infinity, -Infinity]
  let origin: Xyz | undefined

  const extend = (axis: number, value: number) => {
    if (value < min[axis]!) min[axis] = value
    if (value > max[axis]!) max[axis] = value
  }
  const addPoint = ({ x, y, z }: Xyz) => {
    extend(0, x)
    extend(1, y)
    extend(2, z)
  }
  const middle = (axis: number) => Math.round((min[axis]! + max[axis]!) / 2)

  return {
    add({ positions, edges, curves, points }) {
      for (let i = 0; i < positions.length; i++) extend(i % 3, positions[i]!)
      for (const line of [...edges, ...curves, points]) line.forEach(addPoint)
      origin ??= { x: middle(0), y: middle(1), z: middle(2) }
    },
    get origin() {
      return origin ?? { x: 0, y: 0, z: 0 }
    },
    get box(): SceneHeader['boundingBox'] {
      if (!origin) return null
      const { x, y, z } = origin
      const relative = ([a, b, c]: number[]): [number, number, number] => [a! - x, b! - y, c! - z]
      return [relative(min), relative(max)]
    },
  }
}

/** Appends lists of numbers, equal ones once: many ports hold the same values as another one. */
function createPut(into: Uint8Array[]): PutNumbers {
  const known = new Map<string, SceneSpan>()
  let offset = 0
  return ({ bytes, length }) => {
    const digest = createHash('sha1').update(bytes).digest('base64')
    const before = known.get(digest)
    if (before) return before
    const span = { offset, length }
    known.set(digest, span)
    into.push(bytes)
    offset += length
    return span
  }
}
