import { SolveError } from '@meadow/geometry/budget/solve-error'
import {
  type Definition,
  GrasshopperError,
  type ReadClusters,
  readClusters,
  readDefinition,
} from '@meadow/grasshopper'
import { type ModelLibrary, openModelLibrary } from '@meadow/model'
import type { Job, JobProgress } from '@meadow/processes/child'
import { countData, describeFailure, type Solution } from '@meadow/solver'
import type { FoundFault } from '../config/rules.ts'
import { compareSnapshot } from '../snapshot/compare-snapshot.ts'
import { evaluateAsserts } from './asserts.ts'
import type { Inspection, InspectRequest, Measures } from './inspection.ts'
import { findReported, findUnsolved, judgeTest } from './solution-rules.ts'
import { readCpuMs, type SolvedDefinition, solveDefinition } from './solve-definition.ts'
import { findStaticFaults } from './static-rules.ts'
import { takeSnapshot } from './take-snapshot.ts'
import { type WalkedNode, walkNodes } from './walk-nodes.ts'

/** Creates the job of a child process, which inspects one definition after the other. */
export function createJob(): Job<InspectRequest, Inspection> {
  const library = openModelLibrary()
  return (request, progress) => inspectDefinition(request, { library, progress })
}

/** Reads a definition, solves it, and applies the rules, its asserts and its snapshot to it. */
async function inspectDefinition(
  request: InspectRequest,
  { library, progress }: { library: ModelLibrary; progress: JobProgress },
): Promise<Inspection> {
  const { bytes, isTest, allowedPlugins, limits } = request
  const cpuStart = readCpuMs()
  const size = { bytes: bytes.length }
  progress.note('reading the file')
  let definition: Definition
  let clusters: ReadClusters
  try {
    definition = readDefinition(bytes)
    clusters = readClusters(definition.original)
  } catch (error) {
    if (!(error instanceof GrasshopperError)) throw error
    return { faults: [{ rule: 'unreadable-file', message: error.message }], asserts: [], measures: size }
  }
  const { content } = definition
  const nodes = [...walkNodes(content, clusters)]
  const graph = {
    ...size,
    nodes: nodes.length,
    nesting: nodes.reduce((deepest, { depth }) => Math.max(deepest, depth), 0),
  }
  const faults = isTest ? [] : [...findStaticFaults(definition, nodes, allowedPlugins)]
  let solved: SolvedDefinition
  try {
    solved = await solveDefinition(content, clusters, request, { library, progress, cpuStart })
  } catch (error) {
    if (!(error instanceof SolveError)) throw error
    const message = describeFailure(error, content, limits).replace(/\.$/, '')
    return { faults: [...faults, { rule: 'unfinished-solve', message }], asserts: [], measures: graph }
  }
  progress.note('looking at its results')
  const { solution, solveMs } = solved
  const asserts = isTest ? evaluateAsserts(nodes, solution) : []
  const reported = isTest
    ? judgeTest(content, solution, asserts)
    : findInSolution(definition, solution, faults)
  const { snapshot, faults: differences } = inspectSnapshot(request, nodes, solution)
  return {
    faults: [...faults, ...reported, ...differences],
    asserts,
    measures: { ...graph, ...measure(solution), solveMs },
    ...(snapshot && { snapshot }),
  }
}

function* findInSolution(
  { content }: Definition,
  solution: Solution,
  found: readonly FoundFault[],
): Generator<FoundFault> {
  const flagged = found.flatMap(({ rule, node }) => (rule === 'unconnected-input' && node ? [node.id] : []))
  yield* findReported(content, solution, new Set(flagged))
  for (const fault of findUnsolved(content, solution)) yield { rule: 'unknown-value', ...fault }
}

function measure({
  ports,
  completeness,
}: Solution): Pick<Measures, 'values' | 'solvedNodes' | 'nodesWithPorts'> {
  let values = 0
  for (const trees of ports.values()) for (const data of trees.values()) values += countData(data).values
  return { values, solvedNodes: completeness.solved, nodesWithPorts: completeness.nodes }
}

function inspectSnapshot(
  { snapshot: settings }: InspectRequest,
  nodes: readonly WalkedNode[],
  solution: Solution,
): { snapshot?: NonNullable<Inspection['snapshot']>; faults: FoundFault[] } {
  const { expected, update } = settings
  if (expected === undefined && !update) return { snapshot: { state: 'missing' }, faults: [] }
  const taken = takeSnapshot(nodes, solution, settings)
  const { faults, text } = compareSnapshot(taken, expected, settings)
  if (text === undefined) return { snapshot: { state: 'same' }, faults: [] }
  return update
    ? { snapshot: { state: 'changed', text }, faults: [] }
    : { snapshot: { state: 'different' }, faults }
}
