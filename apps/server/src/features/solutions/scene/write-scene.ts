import { createHash } from 'node:crypto'
import type { EncodedGeometry } from '@meadow/contract'
import type { SceneBatch, SceneSpan } from '@meadow/contract/web'
import { decodeGeometry, type ValueLocation, toLocationKey, USER_STRING, walkModel } from '@meadow/model'
import { type Drawing, drawGeometry } from '@meadow/solver'
import { LRUCache } from 'lru-cache'
import type { BodyRequest } from '../bodies/body-request.ts'
import type { PutNumbers } from './batch-builder.ts'
import { createBounds } from './bounds.ts'
import { PortBuilder } from './port-builder.ts'
import { writeHeader } from './write-header.ts'

/** Of all that is drawn together: what a browser still shows, and this thread still holds. */
const MAX_VERTICES = 4_000_000
const MAX_REMEMBERED_VERTICES = 1_000_000

/** The bytes of a scene (`scene.ts` of the contract), piece by piece, from a model file. */
export function* writeScene(
  model: Uint8Array,
  { solutionId, units }: Pick<BodyRequest, 'solutionId' | 'units'>,
): Generator<Uint8Array> {
  const ports = new Map<string, PortBuilder>()
  const bounds = createBounds()
  const draw = createDraw()
  let vertices = 0
  let skipped = 0
  let truncated = false
  for (const object of walkModel(model)) {
    const place = findPlace(object.userStrings)
    if (!place) continue
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
    const key = toLocationKey({ ...place, path: '', index: 0 })
    const port = ports.get(key) ?? new PortBuilder(place, bounds.origin)
    ports.set(key, port)
    if (!port.add(place, drawing, toNumber(object.colour))) skipped++
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

function findPlace(strings: ReadonlyMap<string, string>): ValueLocation | undefined {
  const nodeInstanceId = strings.get(USER_STRING.node)
  const portInstanceId = strings.get(USER_STRING.port)
  const path = strings.get(USER_STRING.path)
  const index = Number(strings.get(USER_STRING.index))
  if (!nodeInstanceId || !portInstanceId || !path || !Number.isSafeInteger(index)) return undefined
  return { nodeInstanceId, portInstanceId, path, index }
}

function countVertices({ positions, edges, curves, points }: Drawing): number {
  const lines = [...edges, ...curves].reduce((sum, { length }) => sum + length, 0)
  return Math.max(positions.length / 3 + lines + points.length, 1)
}

/** `0xrrggbbaa`; 0 for none. */
function toNumber(colour: { red: number; green: number; blue: number; alpha: number } | undefined): number {
  if (!colour) return 0
  const { red, green, blue, alpha } = colour
  return ((red << 24) | (green << 16) | (blue << 8) | alpha) >>> 0
}

/** Each list behind the one before; the same one once, since many ports hold what another one does. */
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

/** Draws an object, and remembers for a while how: ports that pass it on have the very same. */
function createDraw(): (encoded: EncodedGeometry) => Drawing | undefined {
  const drawn = new LRUCache<string, Drawing>({
    maxSize: MAX_REMEMBERED_VERTICES,
    sizeCalculation: countVertices,
  })
  return (encoded) => {
    const key = createHash('sha1').update(encoded.data).digest('base64')
    const known = drawn.get(key)
    if (known) return known
    const geometry = decodeGeometry(encoded)
    const drawing = geometry && drawGeometry(geometry)
    if (drawing) drawn.set(key, drawing)
    return drawing
  }
}
