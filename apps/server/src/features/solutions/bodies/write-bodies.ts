import type { DocumentId, EncodedGeometry, SolutionId } from '@meadow/contract'
import { createPlatformIds, toLocationKey, type ValueLocation } from '@meadow/model'
import type { JsonWindow } from '../../../platform/json/json-cursor.ts'
import {
  MORE,
  type More,
  type Piece,
  rewriteJson,
  walkArray,
  walkObject,
} from '../../../platform/json/rewrite-json.ts'

/** Geometry by `toLocationKey`. */
export type GeometryByPosition = ReadonlyMap<string, EncodedGeometry>

/**
 * The body of a solution with `geometry` inserted into its values (decision 23) and `includesGeometry` set. All other bytes
 * stay as they are.
 */
export const addGeometry = (
  body: AsyncIterable<Uint8Array>,
  geometry: GeometryByPosition,
): AsyncGenerator<Uint8Array> => rewriteJson(body, (window) => insertGeometry(window, geometry))

function* insertGeometry(window: JsonWindow, geometry: GeometryByPosition): Generator<Piece | More, void> {
  let from = window.at
  function copyTo(end: number): Uint8Array {
    const copied = window.bytes.subarray(from, end)
    from = end
    return copied
  }
  const wants = createPortFilter(geometry)
  for (const found of walkSolution(window, wants)) {
    if (found === MORE) {
      yield copyTo(window.at)
      yield MORE
      from = window.at
      continue
    }
    if (found.kind === 'member') {
      if (found.key !== 'includesGeometry') continue
      yield copyTo(found.start)
      yield 'true'
      from = found.end
      continue
    }
    const encoded = geometry.get(toLocationKey({ ...found.branch, index: found.index }))
    if (!encoded) continue
    yield copyTo(found.end - 1)
    yield `,"geometry":${JSON.stringify(encoded)}`
  }
  yield copyTo(window.at)
}

/** The ports with geometry. Most have none and are skipped as a whole. */
function createPortFilter(geometry: GeometryByPosition): PortFilter {
  const name = (nodeInstanceId: string, portInstanceId: string) =>
    JSON.stringify([nodeInstanceId, portInstanceId])
  const ports = new Set<string>()
  let ofLast: string | undefined
  for (const key of geometry.keys()) {
    if (ofLast !== undefined && key.startsWith(ofLast)) continue
    const [nodeInstanceId, portInstanceId] = JSON.parse(key) as [string, string]
    const port = name(nodeInstanceId, portInstanceId)
    ports.add(port)
    ofLast = `${port.slice(0, -1)},`
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

/** The BIM object document (decision 26) of the solution in `body`: one object per value. */
export const writeBimDocument = (
  body: AsyncIterable<Uint8Array>,
  header: BimHeader,
  geometry: GeometryByPosition,
  namePort: NamePort,
): AsyncGenerator<Uint8Array> =>
  rewriteJson(body, (window) => writeObjects(window, header, geometry, namePort))

function* writeObjects(
  window: JsonWindow,
  { documentId, solutionId, units }: BimHeader,
  geometry: GeometryByPosition,
  namePort: NamePort,
): Generator<Piece | More, void> {
  const header = { format: 'bimz', version: 1, documentId, solutionId, units }
  yield `${JSON.stringify(header).slice(0, -1)},"objects":{`
  let separator = ''
  let branch: Branch | undefined
  let writeBranch: BranchWriter | undefined
  let isGeometric = false
  const hasGeometry = createPortFilter(geometry)
  const members: string[] = []
  for (const found of walkSolution(window)) {
    if (found === MORE) yield MORE
    else if (found.kind === 'member') {
      if (COPIED.has(found.key))
        members.push(`,"${found.key}":${window.bytes.toString('utf8', found.start, found.end)}`)
    } else {
      if (found.branch !== branch) {
        branch = found.branch
        writeBranch = createBranchWriter(documentId, branch, namePort)
        isGeometric = hasGeometry(branch.nodeInstanceId, branch.portInstanceId)
      }
      const { before, after } = writeBranch!(found.index)
      const encoded = isGeometric && geometry.get(toLocationKey({ ...branch, index: found.index }))
      yield separator + before
      // Type and value are copied as they are.
      yield window.bytes.subarray(found.start + 1, found.end - 1)
      yield `,"geometry":${encoded ? JSON.stringify(encoded) : 'null'},${after}`
      separator = ','
    }
  }
  yield '}'
  yield* members
  yield '}'
}

/** The members of a solution that its BIM object document has too. */
const COPIED: ReadonlySet<string> = new Set(['completeness', 'solver', 'solvers'])

type BranchWriter = (index: number) => { before: string; after: string }

/** What precedes and follows the value of an object. What is the same in a branch is written once. */
function createBranchWriter(documentId: string, branch: Branch, namePort: NamePort): BranchWriter {
  const createId = createPlatformIds(documentId, branch)
  const port = namePort(branch.nodeInstanceId, branch.portInstanceId)
  // The model file has the same name.
  const name = JSON.stringify(`${port} ${branch.path}[`.trimStart()).slice(0, -1)
  const position = JSON.stringify(branch).slice(1, -1)
  return (index) => {
    const id = createId(index)
    return {
      before: `"${id}":{"id":"${id}","name":${name}${index}]",`,
      after: `${position},"index":${index}}`,
    }
  }
}

type Branch = Omit<ValueLocation, 'index'>

/** What is found in a solution (decision 24). Offsets are in the window. */
type Found =
  | {
      /** A value in `data` that is not null. */
      kind: 'value'
      /** The same object for all values of a branch. */
      branch: Branch
      index: number
      /** The offset of its opening brace. */
      start: number
      /** The offset behind its closing brace. */
      end: number
    }
  /** A member beside `data`, and where its value is. */
  | { kind: 'member'; key: string; start: number; end: number }

/** Whether to read the values of a port. */
type PortFilter = (nodeInstanceId: string, portInstanceId: string) => boolean

const OPEN_OBJECT = 0x7b

/** The values and the other members of a solution, in their order. */
function* walkSolution(window: JsonWindow, wants: PortFilter = () => true): Generator<Found | More, void> {
  for (const key of walkObject(window)) {
    if (key === MORE) yield MORE
    else if (key === 'data') yield* walkNodes(window, wants)
    else {
      while (!window.skipValue()) yield MORE
      // The whole value is in the window, up to the cursor.
      yield { kind: 'member', key, start: window.startOfValue, end: window.at }
    }
  }
}

function* walkNodes(window: JsonWindow, wants: PortFilter): Generator<Found | More, void> {
  for (const nodeInstanceId of walkObject(window)) {
    if (nodeInstanceId === MORE) yield MORE
    else if (nodeInstanceId === 'solutionId') while (!window.skipValue()) yield MORE
    else {
      for (const portInstanceId of walkObject(window)) {
        if (portInstanceId === MORE) yield MORE
        else if (wants(nodeInstanceId, portInstanceId))
          yield* walkTree(window, nodeInstanceId, portInstanceId)
        else while (!window.skipValue()) yield MORE
      }
    }
  }
}

function* walkTree(
  window: JsonWindow,
  nodeInstanceId: string,
  portInstanceId: string,
): Generator<Found | More, void> {
  for (const key of walkObject(window)) {
    if (key === MORE) yield MORE
    else if (key !== 'branches') while (!window.skipValue()) yield MORE
    else {
      for (const item of walkArray(window)) {
        if (item === MORE) yield MORE
        else yield* walkBranch(window, nodeInstanceId, portInstanceId)
      }
    }
  }
}

function* walkBranch(
  window: JsonWindow,
  nodeInstanceId: string,
  portInstanceId: string,
): Generator<Found | More, void> {
  let path = ''
  for (const key of walkObject(window)) {
    if (key === MORE) yield MORE
    else if (key === 'path') {
      let text = window.readText()
      for (; text === undefined; text = window.readText()) yield MORE
      path = text
    } else if (key === 'values') yield* walkValues(window, { nodeInstanceId, portInstanceId, path })
    else while (!window.skipValue()) yield MORE
  }
}

function* walkValues(window: JsonWindow, branch: Branch): Generator<Found | More, void> {
  for (const index of walkArray(window)) {
    if (index === MORE) {
      yield MORE
      continue
    }
    while (!window.skipValue()) yield MORE
    const start = window.startOfValue
    if (window.bytes[start] === OPEN_OBJECT) yield { kind: 'value', branch, index, start, end: window.at }
  }
}
