import type { DocumentId, EncodedGeometry, SolutionId } from '@meadow/contract'
import { createPlatformId, toLocationKey, type ValueLocation } from '@meadow/model'
import { JsonCursor } from './json-cursor.ts'

/** Geometry by `toLocationKey`. */
export type GeometryByPosition = ReadonlyMap<string, EncodedGeometry>

/**
 * The body of a solution with `geometry` inserted into its values (decision 23) and `includesGeometry` set, in pieces.
 * All other bytes stay as they are.
 */
export function* addGeometry(body: Buffer, geometry: GeometryByPosition): Generator<Uint8Array | string> {
  let written = 0
  for (const { start, end, text } of findEdits(new JsonCursor(body), geometry)) {
    yield body.subarray(written, start)
    yield text
    written = end
  }
  yield body.subarray(written)
}

/** Text that replaces the bytes from `start` to `end`. */
interface Edit {
  start: number
  end: number
  text: string
}

function* findEdits(cursor: JsonCursor, geometry: GeometryByPosition): Generator<Edit> {
  const hasGeometry = createPortFilter(geometry)
  for (const key of cursor.keys()) {
    if (key === 'data') {
      for (const { start: _, end, ...position } of walkValues(cursor, hasGeometry)) {
        const encoded = geometry.get(toLocationKey(position))
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

/** The ports with geometry. Most have none and are skipped as a whole. */
function createPortFilter(geometry: GeometryByPosition): PortFilter {
  const name = (nodeInstanceId: string, portInstanceId: string) =>
    JSON.stringify([nodeInstanceId, portInstanceId])
  const ports = new Set<string>()
  for (const key of geometry.keys()) {
    const [nodeInstanceId, portInstanceId] = JSON.parse(key) as [string, string]
    ports.add(name(nodeInstanceId, portInstanceId))
  }
  return (nodeInstanceId, portInstanceId) => ports.has(name(nodeInstanceId, portInstanceId))
}

/** The members of a BIM object document beside its objects. */
interface BimHeader {
  documentId: DocumentId
  solutionId: SolutionId
  units: string
}

/** The name of a port in the model file; empty when it is no longer known. */
export type NamePort = (nodeInstanceId: string, portInstanceId: string) => string

/** The BIM object document (decision 26) of the solution in `body`, in pieces: one object per value. */
export function* writeBimDocument(
  body: Buffer,
  { documentId, solutionId, units }: BimHeader,
  geometry: GeometryByPosition,
  namePort: NamePort,
): Generator<Uint8Array | string> {
  const header = { format: 'bimz', version: 1, documentId, solutionId, units }
  yield `${JSON.stringify(header).slice(0, -1)},"objects":{`
  let separator = ''
  const cursor = new JsonCursor(body)
  const members: Buffer[] = []
  for (const key of cursor.keys()) {
    if (key !== 'data') {
      const start = cursor.at
      cursor.skip()
      if (COPIED.has(key)) members.push(Buffer.from(`,"${key}":`), body.subarray(start, cursor.at))
      continue
    }
    for (const { start, end, ...position } of walkValues(cursor)) {
      const id = createPlatformId(documentId, position)
      const name = nameOf(position, namePort(position.nodeInstanceId, position.portInstanceId))
      yield `${separator}"${id}":{"id":"${id}","name":${JSON.stringify(name)},`
      // Type and value are copied as they are.
      yield body.subarray(start + 1, end - 1)
      yield `,"geometry":${JSON.stringify(geometry.get(toLocationKey(position)) ?? null)},${JSON.stringify(position).slice(1)}`
      separator = ','
    }
  }
  yield '}'
  yield* members
  yield '}'
}

/** The members of a solution that its BIM object document has too. */
const COPIED: ReadonlySet<string> = new Set(['completeness', 'solver', 'solvers'])

/** The name of an object, as in the model file. */
const nameOf = ({ path, index }: ValueLocation, port: string) => `${port} ${path}[${index}]`.trimStart()

/** A value in the `data` of a solution. */
interface FoundValue extends ValueLocation {
  /** The offset of its opening brace. */
  start: number
  /** The offset behind its closing brace. */
  end: number
}

/** Whether to read the values of a port. */
type PortFilter = (nodeInstanceId: string, portInstanceId: string) => boolean

const OPEN_OBJECT = 0x7b

/** The values of a solution (decision 24) except nulls, with the cursor at its `data`. */
function* walkValues(cursor: JsonCursor, wants: PortFilter = () => true): Generator<FoundValue> {
  for (const nodeInstanceId of cursor.keys()) {
    if (nodeInstanceId === 'solutionId') {
      cursor.skip()
      continue
    }
    for (const portInstanceId of cursor.keys()) {
      if (wants(nodeInstanceId, portInstanceId)) yield* walkTree(cursor, nodeInstanceId, portInstanceId)
      else cursor.skip()
    }
  }
}

function* walkTree(
  cursor: JsonCursor,
  nodeInstanceId: string,
  portInstanceId: string,
): Generator<FoundValue> {
  for (const key of cursor.keys()) {
    if (key !== 'branches') {
      cursor.skip()
      continue
    }
    for (const _ of cursor.items()) {
      let path = ''
      for (const member of cursor.keys()) {
        if (member === 'path') path = cursor.readString()
        else if (member !== 'values') cursor.skip()
        else yield* walkList(cursor, { nodeInstanceId, portInstanceId, path })
      }
    }
  }
}

function* walkList(cursor: JsonCursor, branch: Omit<ValueLocation, 'index'>): Generator<FoundValue> {
  for (const index of cursor.items()) {
    const start = cursor.at
    cursor.skip()
    if (cursor.bytes[start] === OPEN_OBJECT) yield { ...branch, index, start, end: cursor.at }
  }
}
