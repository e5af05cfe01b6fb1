import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Completeness, GraphContent, Node } from '../packages/contract/src/index.ts'
import { type ClusterContents, findParameterType, findScript } from '../packages/document/src/index.ts'
import { GrasshopperError, readClusters, readDefinition } from '../packages/grasshopper/src/index.ts'
import { decodeLiterals, type ModelLibrary, openModelLibrary } from '../packages/model/src/index.ts'
import {
  CLUSTER,
  findKind,
  findPlugin,
  findUnsupportedReason,
  listUnsolvable,
  loadKernels,
  type SolutionMessage,
  solve,
  type Unsolvable,
} from '../packages/solver/src/index.ts'

/*
 * How much of real definitions the solver solves: how many are solved whole, the states of their nodes, how many
 * instances of the kinds that come with Grasshopper have a kind here, and why the rest is not solved.
 *
 *   npm run coverage:samples                 the samples beside the project
 *   npm run coverage:samples -- FOLDER       the definitions in a folder
 */

const DEADLINE_MS = 60_000
const LISTED_CAUSES = 10
const LISTED_KINDS = 15
const STATES = ['solved', 'failed', 'unsupported', 'unknown'] as const

interface Share {
  supported: number
  total: number
}

interface Coverage {
  /** Undefined if the solve failed. */
  completeness: Completeness | undefined
  durationMs: number
  /** The number of nodes that are not solved, by the cause. */
  causes: Map<string, number>
  kinds: KindCounts
  /** Whether the document has no enabled scripts and no components of plug-ins. */
  isStandard: boolean
}

/** The instances of kinds that come with Grasshopper, in a document and in its clusters. */
interface KindCounts {
  /** All nodes with ports that are neither scripts nor from a plug-in, including those of unknown kinds. */
  standard: Share
  /** The nodes of `standard` that compute, without parameters, sliders, panels and other inputs. */
  computing: Share
  /** The numbers of nodes by the name of their kind, for kinds that the solver does not have. */
  missing: Map<string, number>
}

const folder = resolve(process.argv[2] ?? join(import.meta.dirname, '../../shared/samples'))
if (!existsSync(folder)) {
  process.stderr.write(`There is no folder ${folder}.\n`)
  process.exitCode = 1
} else {
  await using library = openModelLibrary()
  const all: Coverage[] = []
  for (const path of globSync('**/*.{gh,ghx}', { cwd: folder }).sort()) {
    try {
      const coverage = await measure(readFileSync(join(folder, path)), library)
      all.push(coverage)
      reportDocument(coverage, path)
    } catch (error) {
      if (!(error instanceof GrasshopperError)) throw error
      process.stderr.write(`${path} is left out: ${error.message}\n`)
    }
  }
  summarize(all)
}

async function measure(bytes: Uint8Array, library: ModelLibrary): Promise<Coverage> {
  const { content } = readDefinition(bytes)
  const clusters = readClusters(bytes)
  const unsolvable = [...listUnsolvable(content, clusters)]
  const facts = {
    kinds: countKinds(content, clusters),
    isStandard: !unsolvable.some(({ kind }) => kind === 'script' || kind === 'plugin'),
  }
  const start = performance.now()
  const elapsedMs = () => Math.round(performance.now() - start)
  try {
    const decodeGeometry = await decodeLiterals(content, clusters, library)
    const kernels = await loadKernels(content, clusters)
    const options = { decodeGeometry, clusterContents: clusters, kernels, deadlineMs: DEADLINE_MS }
    const { completeness, messages } = solve(content, options)
    return {
      completeness,
      durationMs: elapsedMs(),
      causes: countCauses(content, unsolvable, messages),
      ...facts,
    }
  } catch (error) {
    const causes = new Map([[`The solve failed: ${error instanceof Error ? error.message : error}`, 1]])
    return { completeness: undefined, durationMs: elapsedMs(), causes, ...facts }
  }
}

/** Counts the causes. Each plug-in is one cause in all its versions, and all scripts are one cause. */
function countCauses(
  { nodes }: GraphContent,
  unsolvable: readonly Unsolvable[],
  messages: readonly SolutionMessage[],
): Map<string, number> {
  const limits = messages
    .filter(({ code }) => code === 'limit')
    .map(({ nodeInstanceId, message }) =>
      /referenced objects? (?:is|are) in a Rhino model/.test(message)
        ? 'An object of a Rhino model that is not here'
        : `${nodes[nodeInstanceId]?.name}: ${message}`,
    )
  return count([...unsolvable.map(toCause), ...limits])
}

function toCause({ kind, reason, library }: Unsolvable): string {
  if (kind === 'script') return 'Scripts are not run'
  if (kind === 'plugin') return library ? `Plug-in ${library.name}` : 'Plug-ins that the file does not name'
  return reason
}

function countKinds(content: GraphContent, clusters: ClusterContents): KindCounts {
  const standard = listNodes(content, clusters).filter(isStandard)
  const isMissing = (node: Node) => node.templateId === CLUSTER || findUnsupportedReason(node) !== undefined
  const shareOf = (nodes: readonly Node[]): Share => ({
    supported: nodes.filter((node) => !isMissing(node)).length,
    total: nodes.length,
  })
  return {
    standard: shareOf(standard),
    computing: shareOf(standard.filter(({ templateId }) => !isInput(templateId))),
    missing: count(standard.filter(isMissing).map(({ name }) => name)),
  }
}

/** Lists the nodes of a document. A cluster is replaced by the nodes in it, unless its content is not known. */
function listNodes({ nodes }: GraphContent, clusters: ClusterContents): Node[] {
  return Object.values(nodes).flatMap((node) => {
    const cluster = node.templateId === CLUSTER ? clusters.get(node.instanceId) : undefined
    return cluster && 'content' in cluster ? listNodes(cluster.content, cluster.clusters) : [node]
  })
}

function isStandard(node: Node): boolean {
  const { templateId, inputs, outputs, state } = node
  const isScript = findScript(templateId) !== undefined || state?.kind === 'script'
  const hasPorts = Object.keys(inputs).length + Object.keys(outputs).length > 0
  return hasPorts && !isScript && !findPlugin(node)
}

/** Whether a node is an input: a parameter, slider, panel or another node that has one type and passes it on. */
function isInput(templateId: string): boolean {
  const kind = findKind(templateId)
  return kind ? 'type' in kind : findParameterType(templateId) !== undefined
}

function count(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}

function reportDocument({ completeness, durationMs }: Coverage, name: string): void {
  const state = !completeness ? 'failed' : completeness.isComplete ? 'complete' : 'partial'
  const counts = completeness ? formatCounts(completeness) : ''
  print(`${state.padEnd(8)}  ${counts.padEnd(68)}  ${`${durationMs} ms`.padStart(8)}  ${name}`)
}

function formatCounts(counts: Completeness): string {
  const parts = STATES.map((state) => `${String(counts[state]).padStart(4)} ${state}`)
  return `${String(counts.nodes).padStart(5)} nodes: ${parts.join(', ')}`
}

function summarize(all: readonly Coverage[]): void {
  print('')
  summarizeDefinitions('Definitions', all)
  summarizeDefinitions(
    'Those without scripts and plug-ins',
    all.filter((coverage) => coverage.isStandard),
  )
  const solved = all.flatMap(({ completeness }) => completeness ?? [])
  const nodes = sum(solved, (counts) => counts.nodes)
  const states = STATES.map((state) =>
    formatShare(
      sum(solved, (counts) => counts[state]),
      nodes,
      state,
    ),
  )
  print(`Nodes: ${nodes}, of them ${states.join(', ')}.`)
  summarizeKinds(all.map(({ kinds }) => kinds))
  print(`\nThe ${LISTED_CAUSES} most frequent causes, by definitions:`)
  for (const { name, total, definitions } of rank(all.map(({ causes }) => causes)).slice(0, LISTED_CAUSES))
    print(`${String(definitions).padStart(5)} definitions, ${String(total).padStart(4)} nodes  ${name}`)
}

function summarizeDefinitions(what: string, all: readonly Coverage[]): void {
  const solved = all.flatMap(({ completeness }) => completeness ?? [])
  const complete = solved.filter(({ isComplete }) => isComplete).length
  const [partial, failed] = [solved.length - complete, all.length - solved.length]
  const whole = solved.filter(({ isComplete, valuesComplete }) => !isComplete && valuesComplete).length
  print(
    `${what}: ${all.length}, of them ${complete} complete, ${partial} partial (${whole} with all values), ${failed} failed.`,
  )
}

function summarizeKinds(all: readonly KindCounts[]): void {
  const describe = (what: string, shares: readonly Share[]) => {
    const total = sum(shares, (share) => share.total)
    const supported = sum(shares, (share) => share.supported)
    print(`${what}: ${total} nodes, of them ${formatShare(supported, total, 'supported')}.`)
  }
  const standard = all.map((counts) => counts.standard)
  const computing = all.map((counts) => counts.computing)
  describe('Kinds that come with Grasshopper, also in clusters', standard)
  describe('Those that compute, without parameters and inputs', computing)
  const missing = rank(all.map((counts) => counts.missing)).map(({ name, total }) => `${name} (${total})`)
  if (missing.length === 0) return
  const names = missing.slice(0, LISTED_KINDS).join(', ')
  print(`Of ${missing.length} kinds that are not supported, in the most definitions: ${names}.`)
}

/** Sorts names by the number of definitions that they are in, the most frequent first. */
function rank(counts: readonly ReadonlyMap<string, number>[]) {
  const names = [...new Set(counts.flatMap((counts) => [...counts.keys()]))]
  return names
    .map((name) => ({
      name,
      total: sum(counts, (counts) => counts.get(name) ?? 0),
      definitions: counts.filter((counts) => counts.has(name)).length,
    }))
    .sort((a, b) => b.definitions - a.definitions || b.total - a.total)
}

function sum<T>(items: readonly T[], numberOf: (item: T) => number): number {
  return items.reduce((sum, item) => sum + numberOf(item), 0)
}

function formatShare(part: number, whole: number, what: string): string {
  return `${part} ${what} (${((100 * part) / Math.max(whole, 1)).toFixed(1)} %)`
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
