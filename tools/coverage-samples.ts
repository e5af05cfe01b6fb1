import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { decodeLiterals } from '../apps/server/src/features/solves/solve-document.ts'
import type { GraphContent, Node } from '../packages/contract/src/index.ts'
import {
  type ClusterContents,
  findCanvasObject,
  findComponentName,
  findParameterType,
} from '../packages/document/src/index.ts'
import { readClusters, readDefinition } from '../packages/grasshopper/src/index.ts'
import { type ModelLibrary, openModelLibrary } from '../packages/model/src/index.ts'
import { CLUSTER, findKind, loadKernels, solve } from '../packages/solver/src/index.ts'

/*
 * How much of real definitions the solver solves: for each of them, the percentage of node instances of a kind that the
 * solver solves. Nodes without ports, which only decorate the canvas, are not counted. A cluster counts as one node, and
 * is known when everything in it is; the nodes in clusters are also counted separately.
 *
 *   npm run coverage:samples                 the samples beside the project
 *   npm run coverage:samples -- FOLDER       the definitions in a folder
 */

const DEADLINE_MS = 60_000
/** The number of missing kinds that are listed. */
const NAMED_KINDS = 15

interface Coverage {
  known: number
  total: number
  /** The same for the kinds that come with Grasshopper, without plugins and scripts. */
  knownStandard: number
  totalStandard: number
  /** By name: how often a kind that is not supported occurs. */
  missing: Map<string, number>
  /** The nodes in its clusters, and in clusters in those. */
  inClusters: { known: number; total: number }
  /** The outcome of the solve. */
  outcome: string
}

const folder = resolve(process.argv[2] ?? join(import.meta.dirname, '../../shared/samples'))
if (!existsSync(folder)) {
  process.stderr.write(`There is no folder ${folder}.\n`)
  process.exitCode = 1
} else {
  await using library = openModelLibrary()
  const all: Coverage[] = []
  for (const path of globSync('**/*.{gh,ghx}', { cwd: folder }).sort()) {
    const coverage = await measure(readFileSync(join(folder, path)), library)
    all.push(coverage)
    report(coverage, path)
  }
  sum(all)
}

async function measure(bytes: Uint8Array, library: ModelLibrary): Promise<Coverage> {
  const { content } = readDefinition(bytes)
  const clusters = readClusters(bytes)
  const isKnown = (node: Node) => isSolved(node, clusters)
  const nodes = Object.values(content.nodes).filter(hasPorts)
  const missing = new Map<string, number>()
  for (const node of nodes) {
    if (!isKnown(node)) missing.set(node.name, (missing.get(node.name) ?? 0) + 1)
  }
  const known = nodes.length - [...missing.values()].reduce((sum, count) => sum + count, 0)
  const standard = nodes.filter(isStandard)
  return {
    known,
    total: nodes.length,
    knownStandard: standard.filter(isKnown).length,
    totalStandard: standard.length,
    missing,
    inClusters: countInClusters(clusters),
    outcome: await trySolve(content, clusters, library),
  }
}

/** A cluster is solved if all its nodes are. */
function isSolved({ instanceId, templateId }: Node, clusters: ClusterContents): boolean {
  if (templateId !== CLUSTER) return findKind(templateId) !== undefined
  const cluster = clusters.get(instanceId)
  if (!cluster || 'unknown' in cluster) return false
  return Object.values(cluster.content.nodes)
    .filter(hasPorts)
    .every((node) => isSolved(node, cluster.clusters))
}

function countInClusters(clusters: ClusterContents): Coverage['inClusters'] {
  const sum = { known: 0, total: 0 }
  for (const cluster of clusters.values()) {
    if ('unknown' in cluster) continue
    const nodes = Object.values(cluster.content.nodes).filter(hasPorts)
    const within = countInClusters(cluster.clusters)
    sum.known += nodes.filter((node) => isSolved(node, cluster.clusters)).length + within.known
    sum.total += nodes.length + within.total
  }
  return sum
}

function hasPorts({ inputs, outputs }: Node): boolean {
  return Object.keys(inputs).length + Object.keys(outputs).length > 0
}

function isStandard({ templateId }: Node): boolean {
  return [findComponentName, findCanvasObject, findParameterType].some((find) => find(templateId))
}

async function trySolve(
  content: GraphContent,
  clusters: ClusterContents,
  library: ModelLibrary,
): Promise<string> {
  const start = performance.now()
  try {
    const decodeGeometry = await decodeLiterals(content, clusters, library)
    const { messages } = solve(content, {
      decodeGeometry,
      clusterContents: clusters,
      kernels: await loadKernels(content, clusters),
      deadlineMs: DEADLINE_MS,
    })
    const errors = messages.filter(({ level }) => level === 'error').length
    return `${Math.round(performance.now() - start)} ms, ${errors} errors`
  } catch (error) {
    return `failed: ${error instanceof Error ? error.message : error}`
  }
}

function report(
  { known, total, outcome }: Pick<Coverage, 'known' | 'total' | 'outcome'>,
  name: string,
): void {
  process.stdout.write(
    `${formatPercentage(known, total)}  ${`${known}/${total}`.padStart(11)}  ${name}  (${outcome})\n`,
  )
}

function formatPercentage(known: number, total: number): string {
  return `${((100 * known) / Math.max(total, 1)).toFixed(1)} %`.padStart(8)
}

function sum(all: readonly Coverage[]): void {
  const add = (numberOf: (coverage: Coverage) => number) =>
    all.reduce((sum, coverage) => sum + numberOf(coverage), 0)
  const failed = all.filter(({ outcome }) => outcome.startsWith('failed')).length
  const known = add((coverage) => coverage.known)
  const total = add((coverage) => coverage.total)
  report({ known, total, outcome: `${failed} failed` }, `all ${all.length} definitions`)
  const standard = { known: add((it) => it.knownStandard), total: add((it) => it.totalStandard) }
  report({ ...standard, outcome: 'without plugins and scripts' }, 'of them, kinds that come with Grasshopper')

  const cluster = { known: add((it) => it.inClusters.known), total: add((it) => it.inClusters.total) }
  report({ ...cluster, outcome: 'plugins and scripts too' }, 'nodes in clusters')

  const missing = new Map<string, number>()
  for (const [name, count] of all.flatMap((coverage) => [...coverage.missing])) {
    missing.set(name, (missing.get(name) ?? 0) + count)
  }
  const often = [...missing].sort(([, a], [, b]) => b - a).slice(0, NAMED_KINDS)
  const names = often.map(([name, count]) => `${name} (${count})`).join(', ')
  if (often.length > 0) process.stdout.write(`Most often not supported: ${names}.\n`)
}
