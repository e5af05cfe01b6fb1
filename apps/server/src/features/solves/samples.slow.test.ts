import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { DocumentId, GraphContent, SolutionId, SolutionMessage } from '@meadow/contract'
import { readClusters, readDefinition } from '@meadow/grasshopper'
import { decodeLiterals, openModelLibrary } from '@meadow/model'
import { CLUSTER, solve, toWireTree } from '@meadow/solver'
import { atEnd } from '../../testing/at-end.ts'
import { openTestBlobs } from '../../testing/open-test-blobs.ts'
import { openSolver } from './solver.ts'

const SAMPLES = fileURLToPath(new URL('../../../../../../shared/samples', import.meta.url))

/** Each third definition: to solve all of them takes minutes. `npm run coverage:samples` does. */
const SOME = globSync('**/*.{gh,ghx}', { cwd: SAMPLES })
  .sort()
  .filter((_, index) => index % 3 === 0)

/** Many times the time of the slowest sample; so little memory that a leak of a megabyte or two for each sample fails. */
const LIMITS = { timeMs: 60_000, memoryMb: 160 }

test('[JOB-13] given real definitions, when one solver solves all of them, then none crashes it, hangs, or leaks memory', {
  skip: !existsSync(SAMPLES) && 'the samples are not beside the project',
}, async (t) => {
  const crashes: unknown[] = []
  const { blobs, blobsLocation } = await openTestBlobs(t)
  const onCrash = (error: unknown) => crashes.push(error)
  const solver = openSolver({ blobs: blobsLocation, limits: LIMITS, processes: 1, onCrash })
  atEnd(t, async () => solver[Symbol.asyncDispose]())
  const faults: string[] = []
  for (const path of SOME) {
    const bytes = readFileSync(join(SAMPLES, path))
    const { content } = readDefinition(bytes)
    const request = {
      documentId: 'doc_1' as DocumentId,
      solutionId: 'sol_1' as SolutionId,
      content: { seq: 1, bytes: Buffer.from(JSON.stringify(content)) },
      original: (await blobs.put(bytes)).digest,
    }
    const outcome = (await solver.solve(request, new AbortController().signal))!
    const reason = outcome.state === 'failed' ? outcome.reason : outcome.files.modelFault
    if (reason !== undefined && !/in a circle/.test(reason)) faults.push(`${path}: ${reason}`)
  }
  assert.deepEqual([faults, crashes], [[], []])
})

test('[JOB-34] given real definitions, when they are solved, then breps have the boxes of the document, nothing that depends on something unknown has a value, and nothing is empty without a message', {
  skip: !existsSync(SAMPLES) && 'the samples are not beside the project',
}, async () => {
  await using library = openModelLibrary()
  const faults: string[] = []
  let breps = 0
  for (const path of SOME) {
    const bytes = readFileSync(join(SAMPLES, path))
    const [{ content }, clusterContents] = [readDefinition(bytes), readClusters(bytes)]
    const decodeGeometry = await decodeLiterals(content, clusterContents, library)
    const boxes = await compareBoxes(content, decodeGeometry, library)
    breps += boxes.breps
    const solved = solve(content, { clusterContents, decodeGeometry })
    for (const fault of [...boxes.faults, ...listWrongNodes(content, solved)])
      faults.push(`${path}: ${fault}`)
    const { isComplete, nodes, unsupported, unknown, ...rest } = solved.completeness
    assert.equal(rest.solved + rest.failed + unsupported + unknown, nodes, path)
    assert.equal(isComplete, listUnsolved(content, solved.messages).size === 0, path)
  }
  assert.ok(breps > 10, `${breps} breps`)
  assert.deepEqual(faults, [])
})

/** Compares the boxes of the first breps of a document with those that they have in a solution. */
async function compareBoxes(
  { nodes }: GraphContent,
  decodeGeometry: Awaited<ReturnType<typeof decodeLiterals>>,
  library: ReturnType<typeof openModelLibrary>,
): Promise<{ breps: number; faults: string[] }> {
  const literals = Object.values(nodes)
    .flatMap(({ values }) => Object.values(values).flatMap(({ branches }) => branches))
    .flatMap(({ values }) => values.flatMap((value) => value?.geometry ?? []))
    .slice(0, 20)
  const boxes = await library.measure(literals)
  const faults: string[] = []
  let breps = 0
  for (const [i, literal] of literals.entries()) {
    const value = decodeGeometry(literal)
    const box = boxes[i]
    if (value?.type !== 'brep' || !box) continue
    breps++
    const wire = toWireTree({ branches: [{ path: [0], values: [value] }] }).branches[0]?.values[0]
    const solved = (wire!.value as { boundingBox: typeof box }).boundingBox.flat()
    const size = Math.max(...box.flat().map(Math.abs))
    if (solved.some((bound, k) => Math.abs(bound - (box.flat()[k] as number)) > 1e-9 * size))
      faults.push(`${JSON.stringify(box)} is ${JSON.stringify(solved)}`)
  }
  return { breps, faults }
}

/** Lists the nodes that have a value though they depend on something unknown, or that are empty without a message. */
function listWrongNodes(content: GraphContent, { ports, messages }: ReturnType<typeof solve>): string[] {
  const reached = findReached(content, listUnsolved(content, messages))
  const explained = new Set(messages.map(({ nodeInstanceId }) => nodeInstanceId))
  const wrong: string[] = []
  for (const [id, outputs] of ports) {
    const node = content.nodes[id]!
    if (!node.status.isEnabled || outputs.size === 0) continue
    const values = [...outputs.values()].flatMap(({ branches }) =>
      branches.flatMap((branch) => branch.values),
    )
    // A cluster's outputs may depend on its inputs or not.
    if (reached.has(id) && node.templateId !== CLUSTER && values.length > 0) wrong.push(node.name)
    if (values.every((value) => value === null) && !explained.has(id)) wrong.push(node.name)
  }
  return wrong
}

/** The enabled nodes that the solver could not solve. */
const listUnsolved = ({ nodes }: GraphContent, messages: readonly SolutionMessage[]) =>
  new Set(
    messages.flatMap(({ nodeInstanceId: id, code }) =>
      (code === 'unsupported' || code === 'limit') && nodes[id]?.status.isEnabled ? [id] : [],
    ),
  )

/** All enabled nodes that depend on these, apart from what a disabled node or a cluster lies between. */
function findReached({ nodes }: GraphContent, sources: ReadonlySet<string>): ReadonlySet<string> {
  const reached = new Set([...sources].filter((id) => nodes[id]!.templateId !== CLUSTER))
  for (let before = -1; before < reached.size; ) {
    before = reached.size
    for (const { instanceId, templateId, status, sources } of Object.values(nodes)) {
      if (!status.isEnabled || templateId === CLUSTER) continue
      const wires = Object.values(sources).flat()
      if (wires.some(({ nodeInstanceId }) => reached.has(nodeInstanceId))) reached.add(instanceId)
    }
  }
  return reached
}
