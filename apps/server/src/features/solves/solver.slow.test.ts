import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gunzipSync, zstdDecompressSync } from 'node:zlib'
import type { DocumentId, GraphContent, SolutionId } from '@meadow/contract'
import { readArchiveVersion, readModelGeometry, toLocationKey } from '@meadow/model'
import type { SolveLimits } from '@meadow/solver'
import { atEnd, createSuiteScope, type TestScope } from '../../testing/at-end.ts'
import { listChildren, noProc } from '../../testing/child-processes.ts'
import { openTestBlobs } from '../../testing/open-test-blobs.ts'
import { until } from '../../testing/until.ts'
import { openSolver, type SolveRequest } from './solver.ts'
import type { SolveFiles } from './solves.store.ts'
import { circle, doublingText, EMPTY_GRAPH, longList, meshUnion, points } from './testing/graphs.ts'

const NEVER = new AbortController().signal
const WIDE: SolveLimits = { timeMs: 60_000, memoryMb: 512 }

async function openTestSolver(t: TestScope, limits: Partial<SolveLimits> = {}) {
  const { blobs, blobsLocation } = await openTestBlobs(t)
  const crashes: unknown[] = []
  const onCrash = (error: unknown) => crashes.push(error)
  const solver = openSolver({ blobs: blobsLocation, limits: { ...WIDE, ...limits }, processes: 1, onCrash })
  atEnd(t, async () => solver[Symbol.asyncDispose]())
  const solve = async (content: GraphContent) => (await solver.solve(requestFor(content), NEVER))!
  return { blobs, crashes, solver, solve }
}

const scope = createSuiteScope()
let wide: ReturnType<typeof openTestSolver> | undefined

/** Returns the solver of the tests about wide limits: a process of it takes longer to start than most documents to solve. */
async function shareSolver() {
  wide ??= openTestSolver(scope)
  const shared = await wide
  shared.crashes.length = 0
  return shared
}

const requestFor = (content: GraphContent): SolveRequest => ({
  documentId: 'doc_1' as DocumentId,
  solutionId: 'sol_1' as SolutionId,
  content: { seq: 7, bytes: Buffer.from(JSON.stringify(content)) },
})

async function solveSuccessfully(solve: (content: GraphContent) => Promise<unknown>, content: GraphContent) {
  const outcome = (await solve(content)) as {
    state: string
    files: SolveFiles
    seq: number
    durationMs: number
  }
  assert.equal(outcome.state, 'solved', JSON.stringify(outcome))
  return outcome
}

test('[JOB-10] given a document with geometry, when it is solved, then its values are stored in both encodings', async () => {
  const { blobs, solve } = await shareSolver()
  const content = points()
  const { files, seq, durationMs } = await solveSuccessfully(solve, content)
  const body = gunzipSync((await blobs.read(files.valuesGzip))!)
  assert.deepEqual(zstdDecompressSync((await blobs.read(files.valuesZstd))!), body)
  assert.equal(body.length, files.valuesBytes)
  assert.equal(seq, 7)
  const { data, ...rest } = JSON.parse(body.toString())
  const node = Object.values(content.nodes).find(({ nickName }) => nickName === 'Points')!
  const [port] = Object.keys(node.outputs)
  assert.equal(data.solutionId, 'sol_1')
  assert.deepEqual(data[node.instanceId][port!], {
    branches: [{ path: '{0;0}', values: [0, 1, 2].map((x) => ({ type: 'point', value: [x, 0, 0] })) }],
  })
  assert.deepEqual(rest, {
    includesGeometry: false,
    solvedAt: rest.solvedAt,
    durationMs,
    completeness: {
      isComplete: true,
      valuesComplete: true,
      nodes: 4,
      solved: 4,
      failed: 0,
      unsupported: 0,
      unknown: 0,
      unsupportedWithoutOutputs: 0,
    },
    solver: { name: 'meadow', version: '0.1.0' },
    messages: [],
  })
  assert.equal(new Date(rest.solvedAt).toISOString(), rest.solvedAt)
})

test('[JOB-10] given a document with geometry, when it is solved, then each value is in the model file', async () => {
  const { blobs, solve } = await shareSolver()
  const content = points()
  const { model } = (await solveSuccessfully(solve, content)).files
  const bytes = (await blobs.read(model!.digest))!
  assert.equal(readArchiveVersion(bytes), 70)
  const { digest: sha256, bytes: length, objects: objectCount } = model!
  const read = await readModelGeometry(bytes, { sha256, length, objectCount })
  assert.ok('geometry' in read)
  const node = Object.values(content.nodes).find(({ nickName }) => nickName === 'Points')!
  const location = {
    nodeInstanceId: node.instanceId,
    portInstanceId: Object.keys(node.outputs)[0]!,
    path: '{0;0}',
  }
  assert.ok([0, 1, 2].every((index) => read.geometry.has(toLocationKey({ ...location, index }))))
})

test('[JOB-10] given a document without geometry, when it is solved, then there is no model file', async () => {
  const { solve } = await shareSolver()
  for (const content of [EMPTY_GRAPH, longList(3)])
    assert.equal((await solveSuccessfully(solve, content)).files.model, undefined)
})

test('[JOB-17] given a document that needs a kernel in WebAssembly, when it is solved in its child process, then the kernel is there', async () => {
  const { blobs, solve } = await shareSolver()
  const content = meshUnion()
  for (let time = 0; time < 2; time++) {
    const { files } = await solveSuccessfully(solve, content)
    const { data, messages } = JSON.parse(gunzipSync((await blobs.read(files.valuesGzip))!).toString())
    const node = Object.values(content.nodes).find(({ nickName }) => nickName === 'Union')!
    const [values] = Object.values<{ branches: { values: unknown[] }[] }>(data[node.instanceId])
    assert.match(JSON.stringify(values!.branches[0]!.values), /^\[\{"type":"mesh"/)
    const own = messages.filter(
      (message: { nodeInstanceId: string }) => message.nodeInstanceId === node.instanceId,
    )
    assert.deepEqual(
      own.map(({ code }: { code: string }) => code),
      ['approximate'],
    )
  }
})

test('[JOB-13] given a cycle of wires, when it is solved, then it fails and names the nodes, and the next document is solved', async () => {
  const { solve, crashes } = await shareSolver()
  const content = circle()
  const outcome = await solve(content)
  assert.ok(outcome.state === 'failed')
  for (const name of ['Width', 'Depth', 'Side']) {
    const { instanceId } = Object.values(content.nodes).find(({ nickName }) => nickName === name)!
    assert.ok(outcome.reason.includes(`"${name}" (${instanceId})`), outcome.reason)
  }
  assert.match(outcome.reason, /^The wires of the document run in a circle, .*\.$/)
  await solveSuccessfully(solve, points())
  assert.deepEqual(crashes, [])
})

test('[JOB-13] given a document that exceeds the time limit, when it is solved, then it fails with that reason, and the next document is solved', async (t) => {
  const { solve, crashes } = await openTestSolver(t, { timeMs: 1200 })
  const outcome = await solve(longList(500_000, 90))
  assert.ok(outcome.state === 'failed')
  assert.match(
    outcome.reason,
    /^The solve took longer than 1\.2 s\. It was at "(Numbers|Sum \d+)" \([^)]+\)\.$/,
  )
  assert.ok(outcome.durationMs > 0)
  await solveSuccessfully(solve, EMPTY_GRAPH)
  assert.deepEqual(crashes, [])
})

test('[JOB-13] given a document that exceeds the memory limit, when it is solved, then it fails with that reason, and the next document is solved', async (t) => {
  const { solve, crashes } = await openTestSolver(t, { memoryMb: 64 })
  const outcome = await solve(longList(3_000_000, 10))
  assert.ok(outcome.state === 'failed')
  assert.match(outcome.reason, /^The solve took more than 64 MB of memory\. It was at "[^"]+" \([^)]+\)\.$/)
  await solveSuccessfully(solve, points())
  assert.deepEqual(crashes, [])
})

test('[JOB-13] given a document that crashes the solver, when it is solved, then it fails with that reason, and the next document is solved', async () => {
  const { solve, crashes } = await shareSolver()
  const outcome = await solve({ nodes: null } as never)
  assert.ok(outcome.state === 'failed')
  assert.equal(outcome.reason, 'The solver stopped unexpectedly. It was reading what is inside its clusters.')
  assert.equal(crashes.length, 1)
  await solveSuccessfully(solve, points())
})

test('[JOB-14] given a running solve, when it is aborted, then it has no outcome, and the next document is solved', async () => {
  const { solver, solve } = await shareSolver()
  const stop = new AbortController()
  const solving = solver.solve(requestFor(longList(1_000_000, 40)), stop.signal)
  setImmediate(() => stop.abort())
  assert.equal(await solving, undefined)
  assert.equal(await solver.solve(requestFor(points()), AbortSignal.abort()), undefined)
  await solveSuccessfully(solve, points())
})

/** By the limits of the process, or by those of the solver itself. */
const MEMORY_EXCEEDED =
  /^(The solve took more than \d+ MB of memory|The solve would make more .*)\. It was (at "[^"]+" \([^)]+\)|writing its results)\.$/

/** The least that can be set, and what a process has by default. */
for (const [memoryMb, contents] of [
  [16, [longList(90_000_000), doublingText(24), doublingText(40)]],
  [512, [longList(90_000_000), doublingText(40)]],
] as const) {
  test(`[JOB-17] given ${memoryMb} MB and documents that need far more, when they are solved, then each fails with the node, and the next document is solved in another process`, async (t) => {
    // Processes of other tests may end meanwhile.
    const others = noProc ? [] : listChildren('solve-document').map(({ pid }) => pid)
    const { solve, crashes } = await openTestSolver(t, { memoryMb })
    await solveSuccessfully(solve, points())
    for (const content of contents) {
      const outcome = await solve(content)
      assert.ok(outcome.state === 'failed')
      assert.match(outcome.reason, MEMORY_EXCEEDED)
      await solveSuccessfully(solve, points())
    }
    if (!noProc)
      assert.equal(listChildren('solve-document').filter(({ pid }) => !others.includes(pid)).length, 1)
    assert.deepEqual(crashes, [])
  })
}

test('[JOB-35] given a solver process that is killed, then its solve is no failure of the document, and the next document is solved', {
  skip: noProc,
}, async () => {
  const { solve, crashes } = await shareSolver()
  await solveSuccessfully(solve, points())
  const before = new Map(listChildren('solve-document').map(({ pid, cpuMs }) => [pid, cpuMs]))
  const solving = solve(longList(500_000, 90))
  const { pid } = await until('it is solving', async () =>
    listChildren('solve-document').find(({ pid, cpuMs }) => cpuMs > (before.get(pid) ?? 0) + 300),
  )
  const killed = assert.rejects(solving, { kind: 'killed' })
  process.kill(pid, 'SIGKILL')
  await killed
  assert.equal(crashes.length, 0)
  await solveSuccessfully(solve, points())
})
