import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import type { DataValue, DocumentId, GraphContent, Solution, SolutionId } from '@meadow/contract'
import type { Geometry, Opaque } from '@meadow/geometry/values/value'
import { listReferencedIds, openModelLibrary, type ReferencedModel, resolveReferences } from '@meadow/model'
import { atEnd } from '../../testing/at-end.ts'
import { createGraph } from '../../testing/graph/create-graph.ts'
import { openTestBlobs } from '../../testing/open-test-blobs.ts'
import { openSolver } from './solver.ts'
import { createModelFile, refer, referToPoint, TEXT_DOT } from './testing/models.ts'

const MISSING = '99999999-9999-4999-8999-999999999999'
const LINE: Geometry = {
  type: 'line',
  from: { x: 0, y: 0, z: 0 },
  to: { x: 3, y: 4, z: 0 },
} as Geometry
const POINT: Geometry = { type: 'point', x: 1, y: 2, z: 3 } as Geometry
const AXES = { xAxis: { x: 1, y: 0, z: 0 }, yAxis: { x: 0, y: 1, z: 0 }, zAxis: { x: 0, y: 0, z: 1 } }
const SIDE = { type: 'domain', start: 0, end: 2 } as const
const BOX = {
  type: 'box',
  plane: { type: 'plane', origin: { x: 0, y: 0, z: 0 }, ...AXES },
  x: SIDE,
  y: SIDE,
  z: SIDE,
} as Geometry

/** A document with one parameter that holds these values, and the length of each. */
function createReferring(values: DataValue[], parameterName = 'Curve'): GraphContent {
  const content = createGraph('Referring', ({ group, add, parameter }) => {
    group('All', 'inputs')
    add('Length', [parameter(parameterName, 'Referenced', [])], 'Lengths')
  })
  const node = findNode(content, 'Referenced')
  node.values[node.instanceId] = { branches: [{ path: '{0}', values }] }
  return content
}

const findNode = ({ nodes }: GraphContent, nickName: string) =>
  Object.values(nodes).find((node) => node.nickName === nickName)!

/** Models with these objects in a blob store, and what resolves references to them. */
async function openModels(t: TestContext, ...models: (Geometry | Opaque)[][]) {
  const { blobs, blobsLocation } = await openTestBlobs(t)
  const library = openModelLibrary()
  atEnd(t, async () => library[Symbol.asyncDispose]())
  const stored: (ReferencedModel & { ids: string[] })[] = []
  for (const [i, objects] of models.entries()) {
    const { bytes, ids } = await createModelFile(objects)
    const { digest, size } = await blobs.put(bytes)
    stored.push({ digest, size, name: `model ${i + 1}.3dm`, units: 'millimeters', ids })
  }
  const findModels = (ids: readonly string[]) =>
    ids.flatMap((id) => {
      const having = stored.filter((model) => model.ids.includes(id))
      return having.length === 0 ? [] : [{ id, models: having.map(({ ids: _, ...model }) => model) }]
    })
  async function resolve(content: GraphContent) {
    const graph = { content, clusters: new Map() }
    const all = findModels(stored.flatMap(({ ids }) => ids))
    const resolved = await resolveReferences(graph, all, { blobs, library, notFound: 'it is nowhere' })
    const node = findNode(resolved.content, 'Referenced')
    const values = node.values[node.instanceId]!.branches[0]!.values as DataValue[]
    return { values, told: values.map((value) => resolved.reportReference(value)), ...resolved }
  }
  return { blobsLocation, blobs, findModels, resolve, ids: stored.map(({ ids }) => ids) }
}

test('[REF-1] given a document that refers to objects of a model, when it is solved in its process, then the nodes compute with them and say where they come from', async (t) => {
  const { blobsLocation, blobs, findModels, ids } = await openModels(t, [LINE, POINT])
  const solver = openSolver({
    blobs: blobsLocation,
    limits: { timeMs: 20_000, memoryMb: 256 },
    processes: 1,
    onCrash: (error) => t.diagnostic(String(error)),
  })
  atEnd(t, async () => solver[Symbol.asyncDispose]())
  const asked: unknown[] = []
  let units: string | undefined
  async function solveAndRead(values: DataValue[]): Promise<Solution & { lengths: unknown }> {
    const content = createReferring(values)
    const outcome = await solver.solve(
      {
        documentId: 'doc_1' as DocumentId,
        solutionId: 'sol_1' as SolutionId,
        content: { seq: 1, bytes: Buffer.from(JSON.stringify(content)) },
      },
      new AbortController().signal,
      {
        findModels: async (wanted) => {
          asked.push(wanted)
          return findModels(wanted)
        },
      },
    )
    assert.equal(outcome?.state, 'solved', JSON.stringify(outcome))
    units = outcome.files.units
    const body = JSON.parse(gunzipSync((await blobs.read(outcome.files.valuesGzip))!).toString())
    const lengths = findNode(content, 'Lengths')
    return { ...body, lengths: body.data[lengths.instanceId][Object.keys(lengths.outputs)[0]!].branches }
  }
  const [line] = ids[0]! as [string]
  const solved = await solveAndRead([refer(line, 'curve'), refer(line.toUpperCase(), 'curve')])
  assert.deepEqual([asked, units], [[[line]], 'millimeters'])
  assert.deepEqual(solved.lengths, [
    {
      path: '{0}',
      values: [
        { type: 'number', value: 5 },
        { type: 'number', value: 5 },
      ],
    },
  ])
  assert.deepEqual(
    solved.messages.map(({ level, code, message }) => [level, code, message]),
    [['remark', 'note', 'Read from model 1.3dm, in millimeters']],
  )
  assert.equal(solved.completeness?.isComplete, true)

  const missing = await solveAndRead([refer(MISSING, 'curve')])
  assert.deepEqual(missing.lengths, [])
  assert.deepEqual(missing.messages[0]?.code, 'limit')
  assert.match(missing.messages[0]!.message, new RegExp(`${MISSING}.*no model of this team has it`))
})

test('[REF-3] given two equally near models with an object, when they have the same, then it is used; when not, then the node says which files they are and has no value', async (t) => {
  const { resolve, ids } = await openModels(t, [LINE, POINT], [LINE, BOX])
  const [[line, other]] = ids as [[string, string]]
  assert.deepEqual(ids[1], [line, other])
  const { values, told } = await resolve(createReferring([refer(line, 'curve'), refer(other, 'brep')]))
  assert.deepEqual(
    values.map(({ geometry }) => geometry !== undefined),
    [true, false],
  )
  assert.deepEqual(told[0]?.code, 'note')
  assert.deepEqual([told[1]?.level, told[1]?.code], ['warning', 'limit'])
  assert.match(told[1]!.message, /model 1\.3dm and model 2\.3dm are equally near/)
})

test('[REF-4] given references of each kind, when they are resolved, then parameters hold what they can hold, edges too, and the rest says what it is', async (t) => {
  const { resolve, ids } = await openModels(t, [LINE, POINT, BOX])
  const [line, point, box] = ids[0]! as [string, string, string]
  const edge = (index: number) => ({ referencePart: { type: 'edge', index } }) as Partial<DataValue>
  const onCurve = {
    ...referToPoint(line),
    referencePart: { type: 'curve_point', parameters: [0.5] },
  } as DataValue
  const { values, told, geometries } = await resolve(
    createReferring([
      referToPoint(point),
      refer(box, 'brep'),
      refer(box, 'curve', edge(0)),
      refer(box, 'curve', edge(12)),
      refer(box, 'curve'),
      refer(box, 'surface'),
      refer(line, 'mesh'),
      referToPoint(line),
      onCurve,
    ]),
  )
  assert.deepEqual([values[0]?.type, values[0]?.value], ['point', [1, 2, 3]])
  assert.equal(values[1]?.value && (values[1].value as { description: string }).description, 'Brep')
  const edgeCurve = geometries.get(values[2]!.geometry!)
  assert.ok(edgeCurve?.type === 'line' || edgeCurve?.type === 'nurbsCurve', edgeCurve?.type)
  assert.deepEqual(
    told.map((report) => report?.code),
    ['note', 'note', 'note', 'limit', 'limit', 'limit', 'limit', 'limit', 'limit'],
  )
  const faults = [/no edge 12/, /is a brep/, /6 faces/, /is a curve/, /is a curve/, /curve_point/]
  for (const [i, fault] of faults.entries()) assert.match(told[3 + i]!.message, fault)
})

test('[REF-8] given a reference to an object that the solver has no type for, when it is resolved, then the object as in the file, and the node says how it is shown', async (t) => {
  const { resolve, ids } = await openModels(t, [{ type: 'opaque', wire: TEXT_DOT }])
  const [dot] = ids[0]! as [string]
  const { values, told } = await resolve(
    createReferring([{ type: 'unknown', value: { description: 'Geometry' }, referenceId: dot }], 'Geometry'),
  )
  assert.equal(values[0]?.geometry?.data, TEXT_DOT.geometry.data)
  assert.deepEqual(told, [
    {
      level: 'remark',
      code: 'note',
      message: 'Read from model 1.3dm, in millimeters. The text dot is shown as a point',
    },
  ])
})

test('[REF-1] given references inside a cluster, and of disabled nodes and ports with wires, when they are resolved, then those that a solve uses are', async (t) => {
  const { blobs, findModels, ids } = await openModels(t, [LINE])
  await using library = openModelLibrary()
  const [line] = ids[0]! as [string]
  const inner = createReferring([refer(line, 'curve')])
  const disabled = createReferring([refer(line, 'curve')])
  const off = findNode(disabled, 'Referenced')
  off.status = { ...off.status, isEnabled: false }
  const cluster = findNode(disabled, 'Lengths')
  const clusters = new Map([[cluster.instanceId, { content: inner, hooks: new Map(), clusters: new Map() }]])
  assert.deepEqual(listReferencedIds(disabled, new Map()), [])
  assert.deepEqual(listReferencedIds(disabled, clusters), [line])
  const graph = { content: disabled, clusters }
  const resolved = await resolveReferences(graph, findModels([line]), {
    blobs,
    library,
    notFound: 'it is nowhere',
  })
  const contents = resolved.clusters.get(cluster.instanceId)!
  assert.ok('content' in contents)
  const node = findNode(contents.content, 'Referenced')
  assert.ok(node.values[node.instanceId]!.branches[0]!.values[0]?.geometry)
  const wired = findNode(inner, 'Referenced')
  wired.sources[wired.instanceId] = [{ nodeInstanceId: 'n', portInstanceId: 'p' }] as never
  assert.deepEqual(listReferencedIds(inner, new Map()), [])
})

test('[REF-5] given a model that is missing or damaged, when references to it are resolved, then each node says so', async (t) => {
  const { blobs, resolve, ids, findModels } = await openModels(t, [LINE])
  const [line] = ids[0]! as [string]
  const { digest } = findModels([line])[0]!.models[0]!
  await blobs.remove(digest)
  const { told } = await resolve(createReferring([refer(line, 'curve')]))
  assert.match(told[0]!.message, /model 1\.3dm cannot be read: the file is missing/)
})
