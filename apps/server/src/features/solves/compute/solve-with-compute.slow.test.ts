import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import type { DataTree, DataValue, GraphContent, Node, Plane, Solution } from '@meadow/contract'
import type { EditorSolution } from '@meadow/contract/web'
import { readDefinition } from '@meadow/grasshopper'
import { CLUSTERED, createClusteredFile } from '../../../testing/clustered-file.ts'
import { createGraph } from '../../../testing/graph/create-graph.ts'
import type { TestScript } from '../testing/compute-solver.ts'
import {
  CSHARP,
  double,
  find,
  list,
  number,
  numbers,
  PLUGIN,
  read,
  scripted,
  shareComputeSolver,
  toPlugin,
} from '../testing/compute-solves.ts'
import { points } from '../testing/graphs.ts'
import { createModelFile, refer } from '../testing/models.ts'

const openComputeSolver = shareComputeSolver()

/** A graph in which a script makes values from `x`, and a panel shows them. */
const generated = (): GraphContent =>
  createGraph('Generated', ({ group, slider, script, parameter }) => {
    group('All', 'inputs')
    const x = slider('Count', 3, { from: 0, to: 100 })
    const made = script('Made', { source: '', inputs: { x }, lists: [], outputs: ['a'] }).out('a')
    parameter('Data', 'Kept', made)
  })

const always =
  (tree: DataTree): TestScript =>
  () => ({ outputs: { out: list(), a: tree } })

const messagesOf = ({ messages }: Solution, { instanceId }: Node) =>
  messages.filter(({ nodeInstanceId }) => nodeInstanceId === instanceId)
const codesOf = (solution: Solution, node: Node) => messagesOf(solution, node).map(({ code }) => code)

test("[CMP-2, CMP-11] given a script among components, when it is solved, then the script and what depends on it have values, Meadow's stay, and the solution says who solved what", async (t) => {
  const { server, client, solve, blobs, lines } = await openComputeSolver(
    t,
    { [CSHARP]: double },
    'open-sesame',
  )
  const content = scripted()
  const outcome = await solve(content)
  assert.equal(outcome?.state, 'solved', JSON.stringify(outcome))
  const { valuesGzip, summary } = outcome.files
  const solution: Solution = JSON.parse(gunzipSync((await blobs.read(valuesGzip))!).toString())
  const [series, doubled, sum, last] = ['Numbers', 'Doubled', 'Sum', 'Last'].map((name) =>
    find(content, name),
  )
  assert.deepEqual(read(solution, doubled!, 'a'), numbers(0, 2, 4))
  assert.deepEqual(read(solution, sum!), numbers(1, 3, 5))
  assert.deepEqual(read(solution, series!), numbers(0, 1, 2))
  const { completeness, solvers } = solution
  assert.deepEqual(completeness, {
    isComplete: true,
    valuesComplete: true,
    nodes: 5,
    solved: 5,
    failed: 0,
    unsupported: 0,
    unknown: 0,
    unsupportedWithoutOutputs: 0,
  })
  assert.deepEqual(
    solvers,
    Object.fromEntries([doubled, sum, last].map((node) => [node!.instanceId, 'rhino.compute'])),
  )
  assert.deepEqual(solution.messages, [])
  const { nodes }: Pick<EditorSolution, 'nodes'> = JSON.parse((await blobs.read(summary!))!.toString())
  assert.deepEqual(
    [series, doubled].map((node) => nodes[node!.instanceId]?.solver),
    [undefined, 'rhino.compute'],
  )
  const { body, key } = server.requests[0]!
  assert.equal(key, 'open-sesame')
  assert.deepEqual(body, {
    absolutetolerance: 0.001,
    angletolerance: 1,
    modelunits: 'Meters',
    dataversion: 7,
    values: [],
    cachesolve: false,
  })
  assert.equal(client.figures.requests.get('answered'), 2)
  assert.ok(client.figures.sentBytes > 1000 && client.figures.receivedBytes > 1000)
  assert.doesNotMatch(JSON.stringify(lines), /sesame/)
})

test('[CMP-17] given solutions with a unit and without, when the server is asked, then with that unit, or with the configured one', async (t) => {
  const { server, solveAndRead } = await openComputeSolver(t, { [CSHARP]: double })
  for (const units of ['printer points', 'none', undefined] as const) {
    await solveAndRead(scripted(), { units })
  }
  assert.deepEqual(
    server.requests.map(({ body }) => body.modelunits),
    ['PrinterPoints', 'Meters', 'Meters'],
  )
})

test('[CMP-1] given a document without scripts, when it is solved, then it is sent nowhere', async (t) => {
  const { server, solveAndRead } = await openComputeSolver(t, {})
  const { completeness, solvers } = await solveAndRead(points())
  assert.equal(completeness?.isComplete, true)
  assert.equal(solvers, undefined)
  assert.equal(server.requests.length, 0)
})

test('[CMP-16] given a document that was solved, when its answer was read, then no blob but those of the solution is left', async (t) => {
  const { blobs, lines, solveAndRead } = await openComputeSolver(t, { [CSHARP]: double })
  const put: string[] = []
  const original = blobs.put
  blobs.put = async (bytes) => {
    const stored = await original(bytes)
    put.push(stored.digest)
    return stored
  }
  await solveAndRead(scripted())
  assert.equal(put.length, 1)
  assert.equal(await blobs.has(put[0]!), false)
  assert.ok(
    lines.some(({ msg, receivedBytes }) => msg === 'Rhino.Compute answered' && Number(receivedBytes) > 0),
  )
})

test('[CMP-5] given a script with nulls, several branches and empty ones, when it is solved, then every value is where it was', async (t) => {
  const tree: DataTree = {
    branches: [
      { path: '{0}', values: [null, number(1), null, null, number(2), null] },
      { path: '{0;0}', values: [] },
      { path: '{0;1}', values: [null, null] },
      {
        path: '{3}',
        values: [
          { type: 'string', value: '"quoted" \n Ü' },
          { type: 'boolean', value: false },
        ],
      },
    ],
  }
  const { solveAndRead } = await openComputeSolver(t, { [CSHARP]: always(tree) })
  const content = generated()
  const solution = await solveAndRead(content)
  assert.deepEqual(read(solution, find(content, 'Made'), 'a'), tree)
  assert.deepEqual(read(solution, find(content, 'Kept')), tree)
})

test('[CMP-6] given outputs of types that the server drops, when they are asked for, then domains and colours are exact, and others are described', async (t) => {
  const domain: DataValue = { type: 'domain', value: { start: 0.1, end: 1 / 3 } }
  const colour: DataValue = { type: 'colour', value: '#0a141eff' }
  for (const [type, value, description] of [
    ['Domain', domain, '0.1 To 0.333333'],
    ['Colour', colour, undefined],
  ] as const) {
    const { solveAndRead } = await openComputeSolver(t, { [CSHARP]: always(list(value, null)) })
    const content = createGraph('Typed', ({ group, slider, script, parameter }) => {
      group('All', 'inputs')
      const x = slider('Count', 3, { from: 0, to: 100 })
      const made = script('Made', { source: '', inputs: { x }, lists: [], outputs: ['a'] }).out('a')
      parameter(type, 'Typed', made)
    })
    const solution = await solveAndRead(content)
    assert.deepEqual(read(solution, find(content, 'Typed')).branches[0]!.values, [value, null])
    const [described, nothing] = read(solution, find(content, 'Made'), 'a').branches[0]!.values
    assert.deepEqual([described?.type, nothing], ['unknown', null])
    if (description) assert.deepEqual(described!.value, { description })
  }
})

test('[CMP-7] given geometry of every kind, when it came from the server, then it is the same as before, in the values and in the model file', async (t) => {
  const plane = { origin: [1, 2, 3], xAxis: [0, 1, 0], yAxis: [-1, 0, 0] } as const satisfies object
  const at = plane as unknown as Plane
  const side = { start: 1, end: 2.5 }
  const values = [
    { type: 'point', value: [1, 2, 3.25] },
    { type: 'vector', value: [0, 0, -1] },
    { type: 'plane', value: at },
    { type: 'line', value: { from: [0, 0, 0], to: [1, 2, 3] } },
    { type: 'circle', value: { plane: at, radius: 4 } },
    { type: 'arc', value: { plane: at, radius: 4, startAngle: 0.5, endAngle: 2 } },
    { type: 'rectangle', value: { plane: at, x: side, y: side } },
    { type: 'box', value: { plane: at, x: side, y: side, z: side } },
    {
      type: 'polyline',
      value: [
        [0, 0, 0],
        [1, 0, 0],
        [1, 1, 0],
      ],
    },
  ] as DataValue[]
  const { solve, blobs } = await openComputeSolver(t, { [CSHARP]: always(list(...values)) })
  const content = generated()
  const outcome = await solve(content)
  assert.equal(outcome?.state, 'solved')
  const solution: Solution = JSON.parse(gunzipSync((await blobs.read(outcome.files.valuesGzip))!).toString())
  assert.deepEqual(read(solution, find(content, 'Made'), 'a'), list(...values))
  // Vectors and planes are not in model files; two nodes hold the others.
  assert.equal(outcome.files.model?.objects, 2 * (values.length - 2))
})

test('[CMP-9] given a server without a component, when the document is solved, then that component and what depends on it stay unknown and say why, and the rest is solved', async (t) => {
  const { server, solveAndRead, importAgain } = await openComputeSolver(t, { [CSHARP]: double })
  const drawn = createGraph('Two scripts', ({ group, slider, add, script }) => {
    group('All', 'inputs')
    const x = slider('Count', 3, { from: 0, to: 100 })
    const here = script('Here', { source: '', inputs: { x }, lists: [], outputs: ['a'] }).out('a')
    const gone = script('Gone', { source: '', inputs: { x: here }, lists: [], outputs: ['a'] }).out('a')
    add('Maths/Addition', [here, 1], 'Of here')
    add('Maths/Addition', [here, gone], 'Of both')
  })
  toPlugin(find(drawn, 'Gone'))
  const { content, original } = await importAgain(drawn)
  const gone = find(content, 'Gone')
  const solution = await solveAndRead(content, { original })
  assert.deepEqual(server.asked.toSorted(), [PLUGIN, CSHARP].toSorted())
  assert.deepEqual(read(solution, find(content, 'Of here')), list(number(7)))
  assert.deepEqual(read(solution, gone, 'a'), { branches: [] })
  assert.deepEqual(
    messagesOf(solution, gone).map(({ code, message }) => [code, message]),
    [
      ['unsupported', 'Gone is not supported: it belongs to the plug-in Weaver'],
      ['note', 'The Rhino.Compute server does not have this component'],
    ],
  )
  assert.deepEqual(
    messagesOf(solution, find(content, 'Of both')).map(({ code, causeNodeInstanceId }) => [
      code,
      causeNodeInstanceId,
    ]),
    [['unknown', gone.instanceId]],
  )
  const { isComplete, unsupported, unknown } = solution.completeness!
  assert.deepEqual([isComplete, unsupported, unknown], [false, 1, 1])
})

test('[CMP-9] given a plug-in that the server has, when the document is solved twice, then its values are those of the server, which is asked for it once', async (t) => {
  const { server, solveAndRead, importAgain } = await openComputeSolver(t, { [PLUGIN]: double })
  const drawn = scripted()
  toPlugin(find(drawn, 'Doubled'))
  const { content, original } = await importAgain(drawn)
  for (const _ of [1, 2]) {
    const solution = await solveAndRead(content, { original })
    assert.deepEqual(read(solution, find(content, 'Sum')), numbers(1, 3, 5))
    assert.equal(solution.completeness?.isComplete, true)
  }
  assert.deepEqual([server.asked, server.requests.length], [[PLUGIN], 2])
})

test('[CMP-3] given a plug-in that the file of the document does not hold, when the document is solved, then nothing is asked that depends on it', async (t) => {
  const { server, solveAndRead } = await openComputeSolver(t, { [PLUGIN]: double })
  const content = scripted()
  toPlugin(find(content, 'Doubled'))
  const solution = await solveAndRead(content)
  assert.equal(server.requests.length, 0)
  assert.equal(solution.completeness?.isComplete, false)
})

test('[CMP-10] given a script that fails without a value, when the document is solved, then it stays unsolved with the error, and so does what depends on it', async (t) => {
  const broken: TestScript = () => ({ errors: ['No module named numpy (line 1)'] })
  const { solveAndRead } = await openComputeSolver(t, { [CSHARP]: broken })
  const content = scripted()
  const solution = await solveAndRead(content)
  const [doubled, sum] = ['Doubled', 'Sum'].map((name) => find(content, name))
  assert.deepEqual(
    messagesOf(solution, doubled!).map(({ code, message }) => [code, message]),
    [
      ['unsupported', 'Scripts are not run'],
      ['note', 'Rhino.Compute: No module named numpy (line 1)'],
    ],
  )
  assert.deepEqual(codesOf(solution, sum!), ['unknown'])
  assert.deepEqual(read(solution, sum!), { branches: [] })
  assert.equal(solution.solvers, undefined)
})

test('[CMP-8, CMP-10] given errors beside values, when the document is solved, then the values count, and the errors are messages', async (t) => {
  const partly: TestScript = (inputs) => ({ ...double(inputs), errors: ['Once it failed'] })
  const { solveAndRead } = await openComputeSolver(t, { [CSHARP]: partly })
  const content = createGraph('Half a script', ({ group, slider, parameter, script }) => {
    group('All', 'inputs')
    const x = slider('Count', -3, { from: -100, to: 100 })
    const doubled = script('Doubled', { source: '', inputs: { x }, lists: [], outputs: ['a'] }).out('a')
    parameter('Number', 'Kept', doubled)
  })
  const solution = await solveAndRead(content)
  const doubled = find(content, 'Doubled')
  assert.deepEqual(read(solution, doubled, 'a'), list(number(-6)))
  assert.deepEqual(
    solution.messages.filter(({ nodeInstanceId }) => nodeInstanceId === doubled.instanceId),
    [{ nodeInstanceId: doubled.instanceId, level: 'error', code: 'failed', message: 'Once it failed' }],
  )
  assert.equal(solution.completeness?.failed, 1)
  assert.equal(solution.completeness?.isComplete, true)
})

test('[CMP-3] given geometry of a Rhino model, when the document is solved, then what depends on it stays unknown, and a script beside it is solved', async (t) => {
  const { server, solveAndRead } = await openComputeSolver(t, { [CSHARP]: double })
  const content = createGraph('Referenced', ({ group, slider, add, script, parameter }) => {
    group('All', 'inputs')
    const x = slider('Count', 3, { from: 0, to: 100 })
    script('Beside', { source: '', inputs: { x }, lists: [], outputs: ['a'] })
    const curve = parameter('Curve', 'Referenced', [])
    add('Length', [curve], 'Of the model')
  })
  const curve = find(content, 'Referenced')
  const wire: DataValue = {
    type: 'curve',
    value: { description: 'Curve in a Rhino model', boundingBox: null },
    referenceId: '11111111-2222-4333-8444-555555555555',
  }
  curve.values[curve.instanceId] = list(wire)
  const solution = await solveAndRead(content)
  assert.deepEqual(read(solution, find(content, 'Beside'), 'a'), list(number(6)))
  assert.deepEqual(codesOf(solution, find(content, 'Of the model')), ['unknown'])
  assert.deepEqual(Object.keys(solution.solvers ?? {}), [find(content, 'Beside').instanceId])
  const { content: sent } = readDefinition(server.requests[0]!.definition)
  const probed = Object.values(sent.nodes).filter(({ sources }) =>
    Object.values(sources)
      .flat()
      .some(({ nodeInstanceId }) => nodeInstanceId === find(content, 'Of the model').instanceId),
  )
  assert.equal(probed.length, 0)
})

test('[CMP-3] given geometry of a Rhino model that is at hand, when the document is solved, then the server gets the geometry itself', async (t) => {
  const { server, blobs, solveAndRead } = await openComputeSolver(t, { [CSHARP]: double })
  const line = { type: 'line', from: { x: 0, y: 0, z: 0 }, to: { x: 3, y: 4, z: 0 } } as const
  const { bytes, ids } = await createModelFile([line])
  const { digest, size } = await blobs.put(bytes)
  const content = createGraph('Referenced', ({ group, script, parameter }) => {
    group('All', 'inputs')
    const curve = parameter('Curve', 'Referenced', [])
    script('Of the model', { source: '', inputs: { x: curve }, lists: [], outputs: ['a'] })
  })
  const curve = find(content, 'Referenced')
  curve.values[curve.instanceId] = list(refer(ids[0]!, 'curve'))
  await solveAndRead(content, {}, async (wanted) =>
    wanted.map((id) => ({ id, models: [{ digest, size, name: 'a.3dm', units: null }] })),
  )
  const { content: sent } = readDefinition(server.requests[0]!.definition)
  const value = find(sent, 'Referenced').values[curve.instanceId]!.branches[0]!.values[0]!
  assert.deepEqual([value.type, value.referenceId, value.geometry !== undefined], ['curve', undefined, true])
})

test('[CMP-4] given groups that callers use, when the document is sent, then the server returns only what was asked', async (t) => {
  const { server, solveAndRead } = await openComputeSolver(t, { [CSHARP]: double })
  const content = scripted()
  const sum = find(content, 'Sum')
  content.groups.push({
    id: '11111111-2222-4333-8444-555555555555',
    label: 'RH_OUT:Sum',
    colour: '#00000000',
    nodeInstanceIds: [sum.instanceId],
    groupIds: [],
  })
  await solveAndRead(content)
  const { content: sent } = readDefinition(server.requests[0]!.definition)
  const labels = sent.groups.map(({ label }) => label)
  assert.ok(labels.includes('RH-OUT:Sum'))
  assert.ok(labels.every((label) => !label.startsWith('RH_') || label.startsWith('RH_OUT:meadow.')))
  assert.equal(new Set(labels).size, labels.length)
})

test('[CMP-9] given a cluster with a plug-in inside that the server lacks, when the document is solved, then the cluster stays as it is and says why', async (t) => {
  const { server, blobs, solveAndRead } = await openComputeSolver(t, {})
  const bytes = createClusteredFile(2, { pointClass: PLUGIN })
  const { content } = readDefinition(bytes)
  const solution = await solveAndRead(content, { original: (await blobs.put(bytes)).digest })
  assert.deepEqual(server.asked, [PLUGIN])
  assert.equal(server.requests.length, 1)
  const cluster = content.nodes[CLUSTERED.cluster]!
  assert.deepEqual(read(solution, cluster), { branches: [] })
  const told = messagesOf(solution, cluster)
  assert.deepEqual(
    told.at(-1)?.message,
    'The Rhino.Compute server does not have all components of this cluster',
  )
  assert.equal(solution.solvers?.[cluster.instanceId], undefined)
})

test('[CMP-3] given a cluster whose content is not known, when the document is solved, then it is not asked for', async (t) => {
  const { server, solveAndRead } = await openComputeSolver(t, {})
  const { content } = readDefinition(createClusteredFile(2))
  const solution = await solveAndRead(content)
  assert.equal(solution.completeness?.isComplete, false)
  assert.equal(server.requests.length, 0)
})

test('[CMP-2] given a plug-in without outputs, when the server has it, then it counts as solved there', async (t) => {
  const { solveAndRead, importAgain } = await openComputeSolver(t, { [PLUGIN]: () => ({}) })
  const drawn = createGraph('Baked', ({ group, slider, add }) => {
    group('All', 'inputs')
    add('Custom Preview', { Geometry: add('Construct Point', [slider('X', 1, { from: 0, to: 9 })]) }, 'Baked')
  })
  toPlugin(find(drawn, 'Baked'))
  const { content, original } = await importAgain(drawn)
  const solution = await solveAndRead(content, { original })
  assert.equal(solution.completeness?.isComplete, true)
  assert.equal(solution.solvers?.[find(content, 'Baked').instanceId], 'rhino.compute')
})
