import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { readDemoDefinition } from '../apps/server/src/features/demo/demo-definitions.ts'
import { createDemoTree, listDemoDocuments } from '../apps/server/src/features/demo/demo-tree.ts'
import { listModelValues } from '../apps/server/src/features/solves/solution-files.ts'
import { ownCpuMs, percentile } from '../bench/src/harness/statistics.ts'
import type { GraphContent } from '../packages/contract/src/index.ts'
import { SolveError } from '../packages/geometry/src/budget/solve-error.ts'
import type { Mesh } from '../packages/geometry/src/values/mesh.ts'
import { readClusters, readDefinition } from '../packages/grasshopper/src/index.ts'
import {
  decodeLiterals,
  drawValuesThumbnail,
  type ModelValue,
  openModelLibrary,
} from '../packages/model/src/index.ts'
import { loadKernels, solve } from '../packages/solver/src/index.ts'

/*
 * The processor time and size of pictures: of the demo's documents, of the samples beside the project where they are, and
 * of a mesh of a million triangles. One process makes all of them, as a solver does: the first ones take longer.
 *
 *   npm run measure:thumbnails
 *   npm run measure:thumbnails -- --out pictures
 */

const SAMPLES = fileURLToPath(new URL('../../shared/samples', import.meta.url))

/** The time for a picture in milliseconds, which is the same as in the solver. */
const BUDGET_MS = 60
/** The result where a solver leaves no picture: it takes longer, or shows no geometry. */
const LATER = 'nothing yet'

const { values: options } = parseArgs({ options: { out: { type: 'string' } } })
const library = openModelLibrary()

interface Measured {
  name: string
  shows: string
  ms: number
  kB: number
}

async function measureDocument(name: string, content: GraphContent, clusters: Clusters): Promise<Measured> {
  return measure(name, content, await listValues(content, clusters))
}

type Clusters = ReturnType<typeof readClusters>

/** Lists the values of a document; there are none if it cannot be solved. */
async function listValues(content: GraphContent, clusters: Clusters): Promise<ModelValue[]> {
  try {
    const solution = solve(content, {
      clusterContents: clusters,
      decodeGeometry: await decodeLiterals(content, clusters, library),
      kernels: await loadKernels(content, clusters),
    })
    return listModelValues(content, solution)
  } catch (error) {
    if (error instanceof SolveError) return []
    throw error
  }
}

async function measure(name: string, content: GraphContent, values: ModelValue[]): Promise<Measured> {
  const cpuBefore = ownCpuMs()
  const drawn = await drawValuesThumbnail(values, { content, library, budgetMs: BUDGET_MS })
  const ms = Math.round(ownCpuMs() - cpuBefore)
  if (!drawn) return { name, shows: LATER, ms, kB: 0 }
  const { png, kind } = drawn
  if (options.out !== undefined) {
    mkdirSync(options.out, { recursive: true })
    writeFileSync(join(options.out, `${name.replaceAll(/[^\w.-]+/g, '-')}.png`), png)
  }
  return { name, shows: `the ${kind}`, ms, kB: Math.round(png.length / 100) / 10 }
}

async function measureDemo(): Promise<Measured[]> {
  const measured: Measured[] = []
  for (const { name, file } of listDemoDocuments(createDemoTree(0)))
    measured.push(await measureDocument(name, readDemoDefinition(file), new Map()))
  return measured
}

async function measureSamples(): Promise<Measured[]> {
  const measured: Measured[] = []
  for (const path of existsSync(SAMPLES) ? globSync('**/*.{gh,ghx}', { cwd: SAMPLES }) : []) {
    const bytes = readFileSync(join(SAMPLES, path))
    measured.push(await measureDocument(basename(path), readDefinition(bytes).content, readClusters(bytes)))
  }
  return measured
}

/** Creates a hilly square of 708 by 708 cells. */
function createLargeMesh(): Mesh {
  const side = 708
  const at = (i: number) => ({ x: i % (side + 1), y: Math.floor(i / (side + 1)) })
  const vertices = Array.from({ length: (side + 1) ** 2 }, (_, i) => {
    const { x, y } = at(i)
    return { x, y, z: 40 * Math.sin(x / 60) * Math.cos(y / 80) }
  })
  const faces = Array.from({ length: side * side }, (_, i) => {
    const a = Math.floor(i / side) * (side + 1) + (i % side)
    return { type: 'meshFace', a, b: a + 1, c: a + side + 2, d: a + side + 1 } as const
  })
  return { type: 'mesh', vertices, faces }
}

async function measureLargeMesh(): Promise<Measured> {
  const empty: GraphContent = { nodes: {}, groups: [], configuration: { inputs: [], outputs: [] } }
  const location = { nodeInstanceId: 'mesh', portInstanceId: 'mesh', path: '{0}', index: 0 }
  const value = { ...location, value: createLargeMesh(), nodeName: 'Mesh', portName: 'Mesh' }
  return measure('A million triangles', empty, [value])
}

function report(what: string, measured: readonly Measured[]): void {
  if (measured.length === 0) return
  const numbers = (key: 'ms' | 'kB') => {
    const values = measured.map((one) => one[key])
    const [middle, high, most] = [0.5, 0.9, 1].map((share) => percentile(values, share))
    return `median ${middle}, p90 ${high}, max ${most} ${key}`
  }
  const later = measured.filter(({ shows }) => shows === LATER).length
  console.log(`\n${what}: ${measured.length} pictures, ${later} of them left to when somebody looks`)
  console.log(`  processor time ${numbers('ms')}; size ${numbers('kB')}`)
  console.table(measured.toSorted((a, b) => b.ms - a.ms).slice(0, 8))
}

report('Demo', await measureDemo())
report('Samples', await measureSamples())
report('A mesh', [await measureLargeMesh()])
await library[Symbol.asyncDispose]()
