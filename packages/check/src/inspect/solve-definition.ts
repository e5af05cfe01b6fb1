import { readFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import type { ClusterContents, GraphContent } from '@meadow/document'
import {
  decodeLiterals,
  listReferencedIds,
  ModelFault,
  type ModelLibrary,
  type ReferencedObject,
  readModelSummary,
  resolveReferences,
} from '@meadow/model'
import type { JobProgress } from '@meadow/processes/child'
import { loadKernels, nameNode, type Solution, solve } from '@meadow/solver'
import type { Limits } from '../config/settings.ts'
import type { InspectRequest } from './inspection.ts'

/** The values' share of the memory limit: the rest is for the definition, temporary copies and the solver itself. */
const VALUES_SHARE = 0.75
/** The solver's share of the time limit: it ends before its process is ended, and can name the node. */
const TIME_SHARE = 0.95
/** The size of a model in bytes above which it is not read. */
const MAX_MODEL_BYTES = 512 * 2 ** 20

export interface SolvedDefinition {
  solution: Solution
  /** The processor time of solving in milliseconds. */
  solveMs: number
}

/** Solves a definition with the objects of the Rhino models beside it. Throws a `SolveError` at a limit. */
export async function solveDefinition(
  content: GraphContent,
  clusters: ClusterContents,
  { limits, models }: Pick<InspectRequest, 'limits' | 'models'>,
  { library, progress, cpuStart }: { library: ModelLibrary; progress: JobProgress; cpuStart: number },
): Promise<SolvedDefinition> {
  progress.note('reading the objects of Rhino models')
  const graph = await resolve(content, clusters, models, library)
  progress.note('reading the geometry that was typed in')
  const decodeGeometry = await decodeLiterals(graph.content, graph.clusters, library, graph.geometries)
  const kernels = await loadKernels(content, clusters)
  const start = readCpuMs()
  const solution = solve(graph.content, {
    decodeGeometry,
    ...(graph.reportReference && { reportReference: graph.reportReference }),
    clusterContents: graph.clusters,
    kernels,
    ...toBudget(limits, cpuStart),
    onNode: (node) => progress.note(`at ${nameNode(node.instanceId, node)}`),
  })
  return { solution, solveMs: Math.round(readCpuMs() - start) }
}

const toBudget = ({ timeMs, memoryMb }: Limits, cpuStart: number) => ({
  deadlineMs: timeMs * TIME_SHARE - (readCpuMs() - cpuStart),
  now: readCpuMs,
  maxBytes: memoryMb * 2 ** 20 * VALUES_SHARE,
})

/** Returns the processor time of this process in milliseconds, which does not depend on how busy the machine is. */
export function readCpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

async function resolve(
  content: GraphContent,
  clusters: ClusterContents,
  models: InspectRequest['models'],
  library: ModelLibrary,
): Promise<
  Partial<Awaited<ReturnType<typeof resolveReferences>>> & {
    content: GraphContent
    clusters: ClusterContents
  }
> {
  const ids = listReferencedIds(content, clusters)
  if (ids.length === 0) return { content, clusters }
  const blobs = { read: (path: string) => readFile(path).catch(() => undefined) }
  return resolveReferences({ content, clusters }, await findObjects(ids, models), {
    blobs,
    library,
    notFound: 'no model in its folder, or above it, has it',
  })
}

/** Finds each object in the models of the nearest folder that has it. */
async function findObjects(
  ids: readonly string[],
  models: InspectRequest['models'],
): Promise<ReferencedObject[]> {
  const found: ReferencedObject[] = []
  let missing = new Set(ids)
  for (const paths of models) {
    if (missing.size === 0) break
    const having = new Map<string, ReferencedObject>()
    for (const path of paths) {
      const { size } = await stat(path)
      const summary = size <= MAX_MODEL_BYTES ? readSummary(await readFile(path)) : undefined
      for (const id of summary?.objectIds ?? []) {
        if (!missing.has(id)) continue
        const object = having.get(id) ?? { id, models: [] }
        object.models.push({ digest: path, name: basename(path), size, units: summary?.units ?? null })
        having.set(id, object)
      }
    }
    found.push(...having.values())
    missing = new Set([...missing].filter((id) => !having.has(id)))
  }
  return found
}

/** Reads the objects and units of a model; undefined for a damaged one, whose objects are then missing. */
function readSummary(bytes: Uint8Array): { objectIds: readonly string[]; units: string | null } | undefined {
  try {
    const { facts, objectIds } = readModelSummary(bytes)
    return { objectIds, units: facts.units?.name ?? null }
  } catch (error) {
    if (error instanceof ModelFault) return undefined
    throw error
  }
}
