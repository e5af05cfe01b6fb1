import type { GraphContent } from '@meadow/contract'
import { ModelFault, type ModelLibrary } from '@meadow/model'
import { type Solution, SolveError, solve } from '@meadow/solver'
import type { BlobStore } from '../../platform/blobs/blobs.ts'
import { putCompressed } from '../../platform/blobs/put-compressed.ts'
import type { JobPlace } from '../../platform/processes/job-child.ts'
import { findSystemReason } from '../../platform/system-errors.ts'
import { decodeTypedIn } from './decode-typed-in.ts'
import { describeFailure, nameNode } from './describe-failure.ts'
import { listModelValues } from './model-values.ts'
import { readInsides } from './read-insides.ts'
import { summarise } from './solution-summary.ts'
import type { ModelFile } from './solve-record.ts'
import type { SolveAnswer, SolveRequest } from './solve-request.ts'
import type { SolveLimits } from './solver.ts'
import { writeValuesBody } from './values-body.ts'

/** Of the memory that a solve may take: the rest is for the document, copies on the way, and the solver itself. */
const VALUES_SHARE = 0.75
/** Of the time that it may take: the solver ends before its host does, and names the node. */
const TIME_SHARE = 0.95

/** Definitions do not say in which unit they are drawn. */
const UNITS = 'none'
/** What Rhino 7 opens, and rhino3dm 7 reads, both of which leave newer archives alone. */
const ARCHIVE_VERSION = 7

export interface SolverParts {
  blobs: BlobStore
  library: ModelLibrary
  /** Within which the solver ends a solve itself, and names the node where it was; without them the host has to. */
  limits?: SolveLimits
  /** Told where the solve is, as it goes. */
  place?: JobPlace
}

/**
 * Solves a document and puts what that leaves into the blob store: the body of its values, and a model file when
 * there is geometry. A model file that cannot be written is missing from the answer, and the values stay good.
 */
export async function solveDocument(
  request: SolveRequest,
  { blobs, library, limits, place }: SolverParts,
): Promise<SolveAnswer> {
  const content: GraphContent = JSON.parse(new TextDecoder().decode(await readBytes(request, blobs)))
  const cpuStart = readCpuMs()
  const start = performance.now()
  const elapsedMs = () => Math.round(performance.now() - start)
  try {
    place?.note('reading what is inside its clusters')
    const insides = await readInsides(content, request.original, blobs)
    place?.note('reading the geometry that was typed in')
    const solution = solve(content, {
      decodeGeometry: await decodeTypedIn(content, insides, library),
      clusterContents: insides,
      ...(limits && {
        deadlineMs: limits.timeMs * TIME_SHARE - (readCpuMs() - cpuStart),
        now: readCpuMs,
        maxBytes: limits.memoryMb * 2 ** 20 * VALUES_SHARE,
      }),
      onNode: (node) => place?.note(`at ${nameNode(node.instanceId, node)}`),
    })
    const durationMs = elapsedMs()
    const endedAt = Date.now()
    const { solutionId } = request
    place?.note('writing its results')
    const written = await writeModel(request, content, solution, endedAt, blobs, library)
    const values = await putCompressed(
      blobs,
      writeValuesBody(solution, { solutionId, solvedAt: endedAt, durationMs }),
    )
    const summary = await blobs.put(Buffer.from(JSON.stringify({ solutionId, ...summarise(solution) })))
    const files = {
      valuesGzip: values.gzip.digest,
      valuesZstd: values.zstd.digest,
      valuesBytes: values.bytes,
      summary: summary.digest,
      model: written.model,
      modelFault: written.fault,
    }
    return { outcome: { state: 'solved', seq: request.content.seq, endedAt, durationMs, files } }
  } catch (error) {
    const reason = findReason(error, content, limits)
    if (reason === undefined) throw error
    return { outcome: { state: 'failed', durationMs: elapsedMs(), reason } }
  }
}

/** Processor time of this process, in milliseconds: what a solve is limited by, so that a busy machine fails none. */
function readCpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** What a solve fails of; undefined for what should never happen. */
function findReason(error: unknown, content: GraphContent, limits?: SolveLimits): string | undefined {
  if (error instanceof SolveError) return describeFailure(error, content, limits)
  const why = findSystemReason(error)
  return why && `The server could not store what the solve made: ${why}.`
}

async function readBytes({ content }: SolveRequest, blobs: BlobStore): Promise<Uint8Array> {
  if ('bytes' in content) return content.bytes
  const bytes = await blobs.read(content.digest)
  if (!bytes) throw new Error(`The blob ${content.digest} of a document's content is missing.`)
  return bytes
}

async function writeModel(
  { documentId, solutionId }: SolveRequest,
  content: GraphContent,
  solution: Solution,
  endedAt: number,
  blobs: BlobStore,
  library: ModelLibrary,
): Promise<{ model: ModelFile | undefined; fault?: string }> {
  const values = listModelValues(content, solution)
  if (values.length === 0) return { model: undefined }
  try {
    const { bytes, objectCount } = await library.write(values, {
      documentId,
      solutionId,
      archiveVersion: ARCHIVE_VERSION,
      units: UNITS,
      savedAt: new Date(endedAt),
    })
    if (objectCount === 0) return { model: undefined }
    const { digest, size } = await blobs.put(bytes)
    return { model: { digest, bytes: size, objects: objectCount, units: UNITS } }
  } catch (error) {
    if (!(error instanceof ModelFault)) throw error
    return { model: undefined, fault: error.message }
  }
}
