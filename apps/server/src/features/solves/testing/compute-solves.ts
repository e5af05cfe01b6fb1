import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { gunzipSync } from 'node:zlib'
import type {
  DataTree,
  DataValue,
  DocumentId,
  GraphContent,
  Node,
  Solution,
  SolutionId,
} from '@meadow/contract'
import { readDefinition, writeDefinition } from '@meadow/grasshopper'
import type { SolveLimits } from '@meadow/solver'
import { openBlobs } from '../../../platform/blobs/open-blobs.ts'
import { atEnd, createSuiteScope, type TestScope } from '../../../testing/at-end.ts'
import { createCapturedLog } from '../../../testing/captured-log.ts'
import { createGraph } from '../../../testing/graph/create-graph.ts'
import { openTestBlobs } from '../../../testing/open-test-blobs.ts'
import { createComputeClient } from '../compute/compute-client.ts'
import { openSolver, type SolveHelp, type SolveRequest } from '../solver.ts'
import { startComputeServer } from './compute-server.ts'
import type { TestScript, TestScripts } from './compute-solver.ts'

export const CSHARP = 'b6ba1144-02d6-4a2d-b53c-ec62e290eeb7'
export const PLUGIN = 'aaaaaaaa-2222-4333-8444-555555555555'

/**
 * Returns a function that opens a solver that asks a Rhino.Compute server of our own. Each test has its server; those with
 * the usual limits share the process that solves. To be called in the body of the suite.
 */
export function shareComputeSolver() {
  const scope = createSuiteScope()
  let shared: ReturnType<typeof openProcess> | undefined
  return async (t: TestContext, scripts: TestScripts, key?: string, limits?: Pick<SolveLimits, 'timeMs'>) => {
    if (limits) return openOn(t, await openProcess(t, { ...LIMITS, ...limits }), scripts, key)
    shared ??= openProcess(scope, LIMITS)
    return openOn(t, await shared, scripts, key)
  }
}

const LIMITS: SolveLimits = { timeMs: 20_000, memoryMb: 256 }

async function openProcess(scope: TestScope, limits: SolveLimits) {
  const { blobsLocation } = await openTestBlobs(scope)
  const solver = openSolver({
    ...{ blobs: blobsLocation, limits, processes: 1 },
    onCrash: (error) => process.emitWarning(String(error)),
  })
  atEnd(scope, async () => solver[Symbol.asyncDispose]())
  return { blobsLocation, solver }
}

async function openOn(
  t: TestContext,
  { blobsLocation, solver }: Awaited<ReturnType<typeof openProcess>>,
  scripts: TestScripts,
  key: string | undefined,
) {
  const server = await startComputeServer(t, { scripts, ...(key !== undefined && { key }) })
  const blobs = await openBlobs(blobsLocation)
  const { log, lines } = createCapturedLog()
  const client = createComputeClient({ url: server.url, key, units: 'Meters' })

  const solve = (
    content: GraphContent,
    more: Partial<SolveRequest> = {},
    signal = new AbortController().signal,
    findModels?: SolveHelp['findModels'],
  ) =>
    solver.solve(
      {
        documentId: 'doc_1' as DocumentId,
        solutionId: 'sol_1' as SolutionId,
        content: { seq: 1, bytes: Buffer.from(JSON.stringify(content)) },
        ...more,
      },
      signal,
      { compute: { client, blobs, log }, findModels },
    )

  async function solveAndRead(
    content: GraphContent,
    more: Partial<SolveRequest> = {},
    findModels?: SolveHelp['findModels'],
  ): Promise<Solution> {
    const outcome = await solve(content, more, undefined, findModels)
    assert.equal(outcome?.state, 'solved', JSON.stringify(outcome))
    return JSON.parse(gunzipSync((await blobs.read(outcome.files.valuesGzip))!).toString())
  }
  /** The document as if it had been imported from its file. */
  async function importAgain(drawn: GraphContent) {
    const { bytes } = writeDefinition({ name: 'Imported', ...drawn })
    return { content: readDefinition(bytes).content, original: (await blobs.put(bytes)).digest }
  }

  return { server, client, blobs, lines, solve, solveAndRead, importAgain }
}

export const find = ({ nodes }: GraphContent, name: string): Node =>
  Object.values(nodes).find(({ nickName }) => nickName === name)!

/** The tree of a node's output with this name; of its first one by default. */
export function read({ data }: Solution, node: Node, name?: string): DataTree {
  const ids = Object.keys(node.outputs)
  const id = name === undefined ? ids[0]! : ids.find((port) => node.ports[port]!.name === name)!
  return data[node.instanceId]![id]!
}

const branch = (path: string, ...values: (DataValue | null)[]): DataTree => ({
  branches: [{ path, values }],
})
export const list = (...values: (DataValue | null)[]): DataTree => branch('{0}', ...values)
export const numbers = (...values: number[]): DataTree => branch('{0;0}', ...values.map(number))
export const number = (value: number): DataValue => ({ type: 'number', value })

/** Doubles the numbers in `x`. */
export const double: TestScript = ({ x }) => ({
  outputs: {
    out: list(),
    a: {
      branches: x!.branches.map(({ path, values }) => ({
        path,
        values: values.map((value) =>
          value?.type === 'number' || value?.type === 'integer' ? number(2 * Number(value.value)) : null,
        ),
      })),
    },
  },
})

export const scripted = (): GraphContent =>
  createGraph('Scripted', ({ group, slider, add, script, panel }) => {
    group('All', 'inputs')
    const series = add('Series', { Count: slider('Count', 3, { from: 0, to: 100 }) }, 'Numbers')
    const doubled = script('Doubled', {
      source: 'a = x * 2;',
      inputs: { x: series },
      lists: [],
      outputs: ['a'],
    }).out('a')
    panel('Last', add('Maths/Addition', [doubled, 1], 'Sum'))
  })

/** Makes a script a component of a plug-in. */
export function toPlugin(node: Node): void {
  node.templateId = PLUGIN
  node.name = node.nickName
  node.state = { kind: 'plugin', libraryId: '11111111-2222-4333-8444-555555555555', library: 'Weaver' }
}
