import type { EncodedGeometry } from '@meadow/contract'
import { toLocationKey } from '@meadow/model'
import { JsonCursor } from './json-cursor.ts'
import { type WantsPort, walkValues } from './walk-values.ts'

/** Geometry by `toPlaceKey`. */
export type GeometryByPlace = ReadonlyMap<string, EncodedGeometry>

/**
 * The body of a solution with `geometry` put into its values (decision 23) and `includesGeometry` true, in pieces.
 * All else stays as it is, byte for byte.
 */
export function* addGeometry(body: Buffer, geometry: GeometryByPlace): Generator<Uint8Array | string> {
  let written = 0
  for (const { start, end, text } of findEdits(new JsonCursor(body), geometry)) {
    yield body.subarray(written, start)
    yield text
    written = end
  }
  yield body.subarray(written)
}

/** Text that takes the place of some bytes, or of none. */
interface Edit {
  start: number
  end: number
  text: string
}

function* findEdits(cursor: JsonCursor, geometry: GeometryByPlace): Generator<Edit> {
  const hasGeometry = createPortSet(geometry)
  for (const key of cursor.keys()) {
    if (key === 'data') {
      for (const { start: _, end, ...place } of walkValues(cursor, hasGeometry)) {
        const encoded = geometry.get(toLocationKey(place))
        const brace = end - 1
        if (encoded) yield { start: brace, end: brace, text: `,"geometry":${JSON.stringify(encoded)}` }
      }
      continue
    }
    const start = cursor.at
    cursor.skip()
    if (key === 'includesGeometry') yield { start, end: cursor.at, text: 'true' }
  }
}

/** Tells of which ports there is any: most have none, and need not be looked into. */
function createPortSet(geometry: GeometryByPlace): WantsPort {
  const name = (nodeInstanceId: string, portInstanceId: string) =>
    JSON.stringify([nodeInstanceId, portInstanceId])
  const ports = new Set<string>()
  for (const key of geometry.keys()) {
    const [nodeInstanceId, portInstanceId] = JSON.parse(key) as [string, string]
    ports.add(name(nodeInstanceId, portInstanceId))
  }
  return (nodeInstanceId, portInstanceId) => ports.has(name(nodeInstanceId, portInstanceId))
}
