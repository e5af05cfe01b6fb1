import type { DataValue, DocumentId, GraphContent, SolutionId, Unit } from '@meadow/contract'
import { fingerprintOf, fingerprintWithFile, formatPath } from '@meadow/document'
import { isGeometry } from '@meadow/geometry/values/is-geometry'
import type { Geometry, Opaque, Value } from '@meadow/geometry/values/value'
import { drawValuesThumbnail, ModelFault, type ModelLibrary, type ModelValue } from '@meadow/model'
import { type Branch, SOLVER, type Solution, summarizeSolution, toWireTree } from '@meadow/solver'
import type { StoredThumbnail } from '../../content/save-thumbnail.ts'
import type { BlobStore } from '../../platform/blobs/blobs.ts'
import { putCompressed } from '../../platform/blobs/compressed-bodies.ts'
import type { SharedSolution } from './compute/apply-answer.ts'
import type { SolveRequest } from './solver.ts'
import type { ModelFile, SolveFiles } from './solves.store.ts'

/** Rhino 7 and rhino3dm 7 do not open newer archives. */
const ARCHIVE_VERSION = 7

/** A solution, with the solvers of nodes that Meadow did not solve. */
type SolvedDocument = Solution & Partial<Pick<SharedSolution, 'solvers'>>

/**
 * Writes a solution into the blob store: the response body with its values, a model file and a picture when there is
 * geometry, and a summary for the editor. When no model file can be written, the result says why, and the rest is complete.
 */
export async function writeSolutionFiles(
  request: SolveRequest,
  content: GraphContent,
  solution: SolvedDocument,
  { endedAt, durationMs }: { endedAt: number; durationMs: number },
  blobs: BlobStore,
  library: ModelLibrary,
): Promise<SolveFiles> {
  const { solutionId, units = 'none' } = request
  const geometry = listModelValues(content, solution)
  const options = { ...request, units, content, endedAt }
  const { model, fault } = await writeModel(geometry, options, blobs, library)
  const summary = { solutionId, fingerprint: fingerprintOf(content), ...summarize(solution) }
  const body = writeValuesBody(solution, { solutionId, solvedAt: endedAt, durationMs })
  const puts = [
    writeThumbnail(geometry, content, blobs, library),
    putCompressed(blobs, body),
    blobs.put(Buffer.from(JSON.stringify(summary))),
  ] as const
  // When one fails, nothing is written any more once that is known.
  await Promise.allSettled(puts)
  const [thumbnail, values, { digest }] = await Promise.all(puts)
  return {
    valuesGzip: values.gzip.digest,
    valuesZstd: values.zstd.digest,
    valuesBytes: values.bytes,
    fingerprint: fingerprintWithFile(content, request.original ?? null),
    summary: digest,
    model,
    units,
    modelFault: fault,
    thumbnail,
  }
}

// The model file.

interface ModelOptions {
  documentId: DocumentId
  solutionId: SolutionId
  units: Unit
  content: GraphContent
  endedAt: number
}

async function writeModel(
  values: readonly ModelValue[],
  { documentId, solutionId, units, content, endedAt }: ModelOptions,
  blobs: BlobStore,
  library: ModelLibrary,
): Promise<{ model: ModelFile | undefined; fault?: string }> {
  if (values.length === 0) return { model: undefined }
  try {
    const { bytes, objectCount } = await library.write(values, {
      documentId,
      solutionId,
      archiveVersion: ARCHIVE_VERSION,
      units,
      groups: content.groups,
      hiddenNodeIds: listHidden(content),
      savedAt: new Date(endedAt),
    })
    if (objectCount === 0) return { model: undefined }
    const { digest, size } = await blobs.put(bytes)
    return { model: { digest, bytes: size, objects: objectCount } }
  } catch (error) {
    if (!(error instanceof ModelFault)) throw error
    return { model: undefined, fault: error.message }
  }
}

/** The nodes whose preview is off. */
function listHidden({ nodes }: GraphContent): Set<string> {
  const hidden = Object.values(nodes).filter(({ status }) => !status.isPreviewed)
  return new Set(hidden.map(({ instanceId }) => instanceId))
}

/** All geometry of a solution, each with the port and index it was computed for and its preview material. */
export function listModelValues({ nodes }: GraphContent, { ports, materials }: Solution): ModelValue[] {
  const listed: ModelValue[] = []
  for (const [nodeInstanceId, trees] of ports) {
    const node = nodes[nodeInstanceId]!
    for (const [portInstanceId, { branches }] of trees) {
      const portName = node.ports[portInstanceId]?.name ?? ''
      for (const { path, values } of branches) {
        const location = { nodeInstanceId, portInstanceId, path: formatPath(path) }
        for (const [index, value] of values.entries()) {
          if (value === null || !belongsInModel(value)) continue
          const material = materials.get(value)
          const names = { nodeName: node.nickName || node.name, portName }
          listed.push({ ...location, index, value, ...names, ...(material && { material }) })
        }
      }
    }
  }
  return listed
}

/** Includes literal geometry that the solver cannot decode, such as a hatch, a SubD or a text. */
function belongsInModel(value: Value): value is Geometry | Opaque {
  return (
    isGeometry(value) ||
    (typeof value === 'object' && value.type === 'opaque' && value.wire.geometry !== undefined)
  )
}

// The picture.

/** The time for listing what is drawn; with drawing and writing it, a picture takes up to 100 ms of processor time. */
const THUMBNAIL_BUDGET_MS = 60

/**
 * Resolves with undefined when no geometry is visible, and when the picture would take longer: it is made when somebody
 * looks at the document. A fault of the drawing gives undefined too.
 */
async function writeThumbnail(
  values: readonly ModelValue[],
  content: GraphContent,
  blobs: BlobStore,
  library: ModelLibrary,
): Promise<StoredThumbnail | undefined> {
  const options = { content, library, budgetMs: THUMBNAIL_BUDGET_MS }
  const drawn = await drawValuesThumbnail(values, options).catch(() => undefined)
  if (!drawn) return undefined
  const { png, kind, isPartial } = drawn
  return { digest: (await blobs.put(png)).digest, kind, isPartial }
}

// The values.

/** How many values are serialized at a time. */
const BATCH = 1000
/** Large enough to compress well, small enough to keep in memory. */
const CHUNK_LENGTH = 64 * 1024

interface BodyProperties {
  solutionId: SolutionId
  /** Milliseconds since 1970. */
  solvedAt: number
  durationMs: number
}

/**
 * The body of a solution without geometry (decision 24), in chunks of UTF-8: the whole may exceed the memory and
 * JavaScript's longest string.
 */
export function* writeValuesBody(
  solution: SolvedDocument,
  properties: BodyProperties,
): Generator<Uint8Array> {
  let text = ''
  for (const piece of writePieces(solution, properties)) {
    text += piece
    if (text.length < CHUNK_LENGTH) continue
    yield Buffer.from(text)
    text = ''
  }
  yield Buffer.from(text)
}

function* writePieces(
  { ports, completeness, messages, solvers }: SolvedDocument,
  properties: BodyProperties,
): Generator<string> {
  const { solutionId, solvedAt, durationMs } = properties
  yield `{"data":{"solutionId":${JSON.stringify(solutionId)}`
  for (const [nodeId, trees] of ports) {
    yield `,${JSON.stringify(nodeId)}:{`
    yield* separated(trees, function* ([portId, tree]) {
      yield `${JSON.stringify(portId)}:{"branches":[`
      yield* separated(tree.branches, writeBranch)
      yield ']}'
    })
    yield '}'
  }
  const rest = {
    includesGeometry: false,
    solvedAt: new Date(solvedAt).toISOString(),
    durationMs,
    completeness,
    solver: SOLVER,
    ...(solvers && solvers.size > 0 && { solvers: Object.fromEntries(solvers) }),
    messages,
  }
  yield `},${JSON.stringify(rest).slice(1)}`
}

function* writeBranch({ path, values }: Branch<Value | null>): Generator<string> {
  yield `{"path":${JSON.stringify(formatPath(path))},"values":[`
  for (let start = 0; start < values.length; start += BATCH) {
    const batch = { path, values: values.slice(start, start + BATCH) }
    const wire = toWireTree({ branches: [batch] }).branches[0]!.values.map(withoutGeometry)
    yield (start === 0 ? '' : ',') + JSON.stringify(wire).slice(1, -1)
  }
  yield ']}'
}

/** A literal that the solver cannot decode keeps its wire form, which includes its encoded geometry. */
function withoutGeometry(value: DataValue | null): DataValue | null {
  if (!value?.geometry) return value
  const { geometry: _, ...rest } = value
  return rest
}

/** What `write` yields for each item, separated by commas. */
function* separated<T>(items: Iterable<T>, write: (item: T) => Generator<string>): Generator<string> {
  let isFirst = true
  for (const item of items) {
    if (!isFirst) yield ','
    isFirst = false
    yield* write(item)
  }
}

/** The summary of a solution, with the solver of each node that Meadow did not solve. */
function summarize(solution: SolvedDocument) {
  const { messages, nodes } = summarizeSolution(solution)
  for (const [nodeId, solver] of solution.solvers ?? []) {
    const node = nodes[nodeId]
    if (node) node.solver = solver
  }
  return { messages, nodes }
}
