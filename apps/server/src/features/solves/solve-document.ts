import type { GraphContent } from '@meadow/contract'
import { SolveError } from '@meadow/geometry/budget/solve-error'
import { GrasshopperError } from '@meadow/grasshopper'
import {
  decodeLiterals,
  listReferencedIds,
  type ModelLibrary,
  openModelLibrary,
  type ReferencedObject,
  type ResolvedGraph,
  resolveReferences,
  toUnitSystem,
  type WholeGraph,
} from '@meadow/model'
import type { JobProgress } from '@meadow/processes/child'
import {
  decodeText,
  describeFailure,
  type FilesBeside,
  listCauses,
  loadKernels,
  nameNode,
  readsFiles,
  type SolveLimits,
  solve,
} from '@meadow/solver'
import { readClusterContents } from '../../content/cluster-contents.ts'
import { readGraph } from '../../content/read-graph.ts'
import type { BlobStore } from '../../platform/blobs/blobs.ts'
import type { Job, JobParts } from '../../platform/processes/job-child.ts'
import { applyAnswer } from './compute/apply-answer.ts'
import { askCompute, type ComputeQuestion } from './compute/ask-compute.ts'
import { removeLabel } from './compute/ask-server.ts'
import { ComputeFailure } from './compute/compute-failure.ts'
import { type ComputeAnswer, readAnswer } from './compute/read-answer.ts'
import { describeStorageFailure } from './describe-failure.ts'
import type { TextBeside } from './referenced-models.store.ts'
import { writeSolutionFiles } from './solution-files.ts'
import type { SolveAnswer, SolveRequest, SolverSetup } from './solver.ts'
import type { SolveResult } from './solves.store.ts'

/** The values' share of the memory limit: the rest is for the document, temporary copies and the solver itself. */
const VALUES_SHARE = 0.75
/** The solver's share of the time limit: it ends before the parent process ends it, and can name the node. */
const TIME_SHARE = 0.95
/** The number of causes that are kept of a solution that is not complete. */
const MAX_CAUSES = 20

export interface SolverParts {
  blobs: BlobStore
  library: ModelLibrary
  /** Enforced by the solver itself, so that a failure can name the node. */
  limits?: SolveLimits
  /** Receives the progress of the solve. */
  progress?: JobProgress
}

/** A solve that goes on when a Rhino.Compute server has answered. */
export interface UnfinishedSolve {
  state: 'unfinished'
  question: ComputeQuestion
}

/** A solve that goes on when the models are known that have these objects. */
export interface MissingReferences {
  state: 'references'
  /** The ids of objects in Rhino models, in lower case. */
  ids: string[]
}

/** Creates the job of a `Solver`. */
export function createJob({ setup, blobs }: JobParts): Job<SolveRequest, SolveAnswer> {
  const { limits }: SolverSetup = setup
  const library = openModelLibrary()
  return async (request, progress) => {
    const start = process.cpuUsage()
    const result = await solveDocument(request, { blobs: blobs!, library, limits, progress })
    const { user, system } = process.cpuUsage(start)
    return { result, cpuMs: Math.ceil((user + system) / 1000) }
  }
}

/**
 * Solves a document, and stores the solution in the blob store. With a question allowed, a solution that is not complete
 * is not stored: its question is returned. With the answer, the document is solved once more, because the values that
 * Meadow computed are not kept in between.
 */
export function solveDocument(
  request: SolveRequest & { compute?: undefined; references?: readonly ReferencedObject[] | undefined },
  parts: SolverParts,
): Promise<SolveResult>
export function solveDocument(
  request: SolveRequest,
  parts: SolverParts,
): Promise<SolveResult | UnfinishedSolve | MissingReferences>
export async function solveDocument(
  request: SolveRequest,
  { blobs, library, limits, progress }: SolverParts,
): Promise<SolveResult | UnfinishedSolve | MissingReferences> {
  const content = await readGraph(blobs, request.content)
  const cpuStart = readCpuMs()
  const start = performance.now()
  const { compute } = request
  const elapsedMs = () => Math.round(performance.now() - start + (compute?.elapsedMs ?? 0))
  try {
    const answered = compute?.answer && {
      ...compute.answer,
      answer: await readServerAnswer(compute.answer.digest, blobs),
    }
    progress?.note('reading what is inside its clusters')
    const stored = await readClusterContents(content, () => readOriginal(request, blobs))
    const { references } = request
    const ids = references === 'ask' ? listReferencedIds(content, stored) : []
    if (ids.length > 0) return { state: 'references', ids }
    if (Array.isArray(references)) progress?.note('reading the objects of Rhino models')
    const models = Array.isArray(references) ? references : undefined
    const graph: Partial<ResolvedGraph> & WholeGraph = models
      ? await resolveReferences({ content, clusters: stored }, models, {
          blobs,
          library,
          notFound: 'no model of this team has it',
        })
      : { content, clusters: stored }
    const files = readsFiles(content, stored) ? await readTexts(request.texts ?? [], blobs) : undefined
    const { content: whole, clusters, reportReference, unit = request.units ?? 'none' } = graph
    progress?.note('reading the geometry that was typed in')
    const own = solve(whole, {
      decodeGeometry: await decodeLiterals(whole, clusters, library, graph.geometries),
      ...(reportReference && { reportReference }),
      clusterContents: clusters,
      ...(files && { files }),
      kernels: await loadKernels(content, clusters),
      ...(limits && {
        deadlineMs: limits.timeMs * TIME_SHARE - (readCpuMs() - cpuStart),
        now: readCpuMs,
        maxBytes: limits.memoryMb * 2 ** 20 * VALUES_SHARE,
      }),
      onNode: (node) => progress?.note(`at ${nameNode(node.instanceId, node)}`),
    })
    if (compute && !answered && !own.completeness.isComplete) {
      progress?.note('asking Rhino.Compute')
      const original = await readOriginal(request, blobs)
      const units = unit === 'none' ? compute.units : toUnitSystem(unit)
      const question = findQuestion({ content: whole, clusters, original, units }, own)
      if (question) return { state: 'unfinished', question }
    }
    const solution = answered ? await applyAnswer(content, own, answered, library) : own
    const durationMs = elapsedMs()
    const endedAt = Date.now()
    progress?.note('writing its results')
    const written = await writeSolutionFiles(
      { ...request, units: unit },
      content,
      solution,
      { endedAt, durationMs },
      blobs,
      library,
    )
    const causes = listCauses(content, solution).slice(0, MAX_CAUSES)
    const completeness = { ...solution.completeness, causes }
    return { state: 'solved', seq: request.content.seq, endedAt, durationMs, completeness, files: written }
  } catch (error) {
    const reason = findReason(error, content, limits)
    if (reason === undefined) throw error
    return { state: 'failed', durationMs: elapsedMs(), reason }
  }
}

/** The maximum size of the texts that a solve reads together, in bytes. */
const MAX_TEXT_BYTES = 64 * 2 ** 20

/** Reads the texts beside a document, in order of their names. */
async function readTexts(texts: readonly TextBeside[], blobs: BlobStore): Promise<FilesBeside> {
  const files = new Map<string, { text: string } | { fault: string }>()
  let left = MAX_TEXT_BYTES
  for (const { name, digest, size } of texts) {
    const key = name.toLowerCase()
    left -= size
    if (files.has(key)) files.set(key, { fault: 'is in the folder of the document twice.' })
    else if (left < 0)
      files.set(key, { fault: 'was not read: the texts of its folder have more than 64 MB.' })
    else {
      const bytes = await blobs.read(digest)
      files.set(key, bytes ? { text: decodeText(bytes) } : { fault: 'is no longer there.' })
    }
  }
  return files
}

/** Processor time of this process, in milliseconds. Limits apply to it, so that a busy machine fails no solve. */
function readCpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** Returns the reason of a failure; undefined for errors that are bugs. */
function findReason(error: unknown, content: GraphContent, limits?: SolveLimits): string | undefined {
  if (error instanceof ComputeFailure) return error.message
  return error instanceof SolveError ? describeFailure(error, content, limits) : describeStorageFailure(error)
}

/** Returns undefined for a document that cannot be written as a definition, and for an original that cannot be read. */
function findQuestion(...parameters: Parameters<typeof askCompute>): ComputeQuestion | undefined {
  try {
    return askCompute(...parameters)
  } catch (error) {
    if (error instanceof GrasshopperError) return undefined
    throw error
  }
}

async function readServerAnswer(digest: string, blobs: BlobStore): Promise<ComputeAnswer> {
  const bytes = await blobs.read(digest)
  if (!bytes) throw new Error(`The blob ${digest} of an answer of Rhino.Compute is missing.`)
  return readAnswer(removeLabel(bytes))
}

async function readOriginal({ original }: SolveRequest, blobs: BlobStore): Promise<Uint8Array | undefined> {
  return original === undefined ? undefined : await blobs.read(original)
}
