import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Cluster, GraphContent, Node } from '@meadow/document'
import { findForm, readArchive } from '../archive/read-archive.ts'
import { listSamples, NO_SAMPLES } from '../archive/testing/samples.ts'
import type { Chunk, Item } from '../archive/tree/archive.ts'
import {
  buildChunk,
  buildDefinition,
  buildId,
  buildItem,
  buildObject,
  buildPersistentData,
  buildPort,
  buildSources,
  buildTexts,
} from '../testing/build-archive.ts'
import { buildCluster, buildContent } from '../testing/build-cluster.ts'
import { readNode, toJson } from '../testing/read-objects.ts'
import { assertComesBack, importDefinition, writeAndRead } from '../testing/write-and-read.ts'
import { describeClusters, describeDefinition } from './describe-file.ts'
import { CLASS } from './model/class-ids.ts'
import { getDefinition, listObjects } from './model/definition-object.ts'
import { readClusters } from './read-clusters.ts'
import { readDefinition } from './read-definition.ts'
import { readGraph } from './reading/read-graph.ts'
import { createDefinitionContext } from './reading/values/value-context.ts'
import { writeDefinition } from './write-definition.ts'

const PLUGIN = 'dddddddd-0000-4000-8000-000000000001'
const DATA = '8ec86459-bf01-4409-baee-174d0d2b13d0'
const IRON_PYTHON = '97aa26ef-88ae-4ba6-98a6-ed6ddeca11d1'
const RHINO_CODE = '066d0a87-236f-4eae-a0f4-9e42f5327962'

const script8 = (text: string) =>
  buildChunk('Script', [
    ...buildTexts({ Text: Buffer.from(text).toString('base64') }),
    buildChunk('LanguageSpec', buildTexts({ Taxon: '*.*.python', Version: '2.*' })),
  ])

/** A component with a hidden, a locked and a faint port, a slider with snaps, and a script of Rhino 8. */
const SHOWN = [
  buildObject({
    guid: PLUGIN,
    id: 1,
    container: [
      buildItem('int32', 'IconDisplay', 2),
      buildPort('param_input', 0, 2, {
        senders: [5],
        parts: [buildItem('int32', 'WireDisplay', 1), buildItem('bool', 'Locked', true)],
      }),
      buildPort('param_input', 1, 3, { parts: [buildItem('int32', 'WireDisplay', 2)] }),
      buildPort('param_output', 0, 4, { parts: [buildItem('bool', 'Hidden', true)] }),
    ],
  }),
  buildObject({
    guid: CLASS.numberSlider,
    id: 5,
    container: [
      ...buildSources(),
      buildChunk('Slider', [
        buildItem('double', 'Max', 9),
        buildItem('double', 'Value', 2),
        buildItem('int32', 'SnapCount', 2),
        buildItem('string', 'Snap', '2', 0),
        buildItem('string', 'Snap', '4.5', 1),
      ]),
    ],
  }),
  buildObject({
    guid: IRON_PYTHON,
    id: 6,
    libraryId: RHINO_CODE,
    name: 'IronPython 2 Script',
    container: [script8('print 1\n')],
  }),
  buildObject({
    guid: DATA,
    id: 7,
    container: [
      ...buildSources(),
      buildItem('bool', 'Hidden', true),
      buildPersistentData({ '{0}': [revit('RhinoInside.Revit.GH.Types.Wall', '0000105c')] }),
    ],
  }),
]

function revit(className: string | undefined, digits: string): Item[] {
  return [
    buildItem('guid', 'DocumentGUID', buildId(8)),
    ...buildTexts({ UniqueID: `e7965944-b489-451c-a6fa-77451802bad9-${digits}` }),
    ...(className ? buildTexts({ TypeName: className }) : []),
  ]
}

/** The content as versions before migration 15 read it. */
function readFirst(bytes: Uint8Array): GraphContent {
  const definition = getDefinition(readArchive(bytes))
  return toJson(readGraph(definition, listObjects(definition), createDefinitionContext([], 1)))
}

const readValue = (...parts: (Item | Chunk)[]) =>
  readNode(1, [
    buildObject({
      guid: DATA,
      id: 1,
      container: [...buildSources(), buildPersistentData({ '{0}': [parts] })],
    }),
  ]).values[buildId(1)]?.branches[0]?.values[0]

test('[GHD-57] given ports that are hidden, locked or drawn differently, and snaps, when read, then the node has them', () => {
  const { nodes } = importDefinition(buildDefinition(SHOWN))
  const { ports, display } = nodes[buildId(1)]!
  assert.deepEqual([ports[buildId(2)]!.options, ports[buildId(2)]!.wireDisplay], [['locked'], 'faint'])
  assert.equal(ports[buildId(3)]!.wireDisplay, 'hidden')
  assert.deepEqual(ports[buildId(4)]!.options, ['hidden'])
  assert.equal(display, 'icon')
  assert.deepEqual(nodes[buildId(5)]!.state?.snaps, ['2', '4.5'])
  // A parameter object is its port: its node is not previewed.
  assert.equal(nodes[buildId(7)]!.status.isPreviewed, false)
  assert.equal(nodes[buildId(7)]!.ports[buildId(7)]!.options, undefined)
})

test('[GHD-57] given such a definition, when it is edited and written, then everything comes back, and changes of these too', () => {
  const original = buildDefinition(SHOWN)
  const content = importDefinition(original)
  for (const node of Object.values(content.nodes)) node.position.x += 100
  assertComesBack(content, { original })
  const { [buildId(1)]: node, [buildId(5)]: slider } = content.nodes
  const { wireDisplay: _, ...plain } = node!.ports[buildId(2)]!
  node!.ports[buildId(2)] = { ...plain, options: ['hidden'] }
  node!.ports[buildId(3)]!.wireDisplay = 'faint'
  node!.display = 'name'
  slider!.state = { ...slider!.state, snaps: ['1'] }
  assertComesBack(content, { original })
})

test('[GHD-58] given a document of the first reading, when it is written over its file, then unchanged it is the file, and edited it loses nothing', () => {
  const original = buildDefinition(SHOWN)
  const content = readFirst(original)
  assert.notDeepEqual(content, importDefinition(original))
  const unchanged = writeDefinition({ name: 'Tower', ...content }, { original, reading: 1 })
  assert.deepEqual([Buffer.compare(unchanged.bytes, original), unchanged.warnings], [0, []])
  content.nodes[buildId(1)]!.nickName = 'Renamed'
  const written = writeAndRead(content, { original, reading: 1 })
  assert.deepEqual(written.warnings, [])
  const expected = importDefinition(original)
  expected.nodes[buildId(1)]!.nickName = 'Renamed'
  assert.deepEqual(written.content, expected)
})

test('[GHD-59] given values that describe themselves, when read, then they have their kind, class and properties', () => {
  const wall = readValue(...revit('RhinoInside.Revit.GH.Types.Wall', '0000105c'))
  assert.deepEqual(wall?.value, {
    description: 'Revit Wall 4188',
    kind: 'revit',
    className: 'RhinoInside.Revit.GH.Types.Wall',
    properties: {
      documentId: buildId(8),
      uniqueId: 'e7965944-b489-451c-a6fa-77451802bad9-0000105c',
      elementId: 4188,
    },
  })
  const described = (digits: string) => {
    const value = readValue(...revit(undefined, digits))
    return value?.type === 'unknown' && value.value.description
  }
  assert.equal(described('fff08bbb'), 'Revit element -1012805')
  assert.equal(described('fffffffffff08bbb'), 'Revit element -1012805')
  assert.equal(described('x'), 'Revit element e7965944-b489-451c-a6fa-77451802bad9-x')
  const material = readValue(
    buildItem('drawing_color', 'diffuse', 0xffdda0dd),
    buildItem('drawing_color', 'specular', 0xffffffff),
    buildItem('double', 'transparency', 0.5),
    buildItem('double', 'shine', 0.25),
  )
  assert.deepEqual(material?.value, {
    description: 'Material #dda0ddff',
    kind: 'material',
    properties: { diffuse: '#dda0ddff', specular: '#ffffffff', transparency: 0.5, shine: 0.25 },
  })
})

test('[GHD-59] given references to parts of objects in a Rhino model, when read, then they say which part', () => {
  const id = buildItem('guid', 'RefID', buildId(9))
  const edge = readValue(buildItem('int32', 'EdgeIndex', 3), id)
  assert.deepEqual([edge?.referenceId, edge?.referencePart], [buildId(9), { type: 'edge', index: 3 }])
  const point = (type: string) =>
    readValue(
      buildChunk('ReferenceData', [
        id,
        buildItem('int32', 'RefIndex', 2),
        buildItem('double', 'RefParam', 0.5, 0),
        ...buildTexts({ RefType: type }),
      ]),
    )
  assert.deepEqual(point('curve_param')?.referencePart, { type: 'curve_param', index: 2, parameters: [0.5] })
  assert.equal(point('point_object')?.referencePart, undefined)
  const original = buildDefinition([
    buildObject({
      guid: DATA,
      id: 1,
      container: [
        ...buildSources(),
        buildPersistentData({ '{0}': [[buildItem('int32', 'EdgeIndex', 3), id]] }),
      ],
    }),
  ])
  assertComesBack(importDefinition(original), { original })
})

test('[GHD-60] given the IronPython 2 script of Rhino 8, a script of a plug-in, and one whose source comes through an input, when read, then they are scripts', () => {
  const stateOf = (guid: string, ...container: (Item | Chunk)[]) =>
    readNode(1, [buildObject({ guid, id: 1, container })]).state
  const iron = { kind: 'script', language: 'python2', languageSpec: '*.*.python 2.*', source: 'print 1\n' }
  assert.deepEqual(stateOf(IRON_PYTHON, script8('print 1\r\n')), iron)
  assert.deepEqual(stateOf(PLUGIN, script8('print 1\r\n')), iron)
  const code = buildPort('param_input', 0, 2)
  code.items = code.items.map((item) => (item.name === 'Name' ? buildItem('string', 'Name', 'Code') : item))
  const taken = stateOf(CLASS.ghPython, code)
  assert.deepEqual(taken, { kind: 'script', language: 'python2', source: '', takesSource: true })
  assert.equal(stateOf(CLASS.ghPython, code, ...buildTexts({ CodeInput: '' }))?.takesSource, undefined)
})

test('[GHD-61] given an item named as a reference to a blob, when read, then it is not in the document', () => {
  const reference = [...buildTexts({ $blob: 'a'.repeat(64) }), buildItem('int32', 'bytes', 12)]
  const bytes = buildDefinition([
    buildObject({ guid: PLUGIN, id: 1, container: reference }),
    buildObject({
      guid: DATA,
      id: 2,
      container: [...buildSources(), buildPersistentData({ '{0}': [reference] })],
    }),
  ])
  assert.ok(!JSON.stringify(readDefinition(bytes).content).includes('"$blob":'))
})

test('[GHD-62] given a definition with clusters and plug-ins, when described, then it has its facts, and each plug-in the number of its nodes', () => {
  const inside = buildContent([buildObject({ guid: PLUGIN, id: 40, libraryId: PLUGIN })])
  const library = buildChunk(
    'Library',
    [...buildTexts({ Name: 'Robots', Author: 'V', Version: '1.2' }), buildItem('guid', 'Id', PLUGIN)],
    0,
  )
  const bytes = buildDefinition(
    [
      buildObject({ guid: PLUGIN, id: 1, libraryId: PLUGIN }),
      buildCluster({ id: 30, content: inside, more: buildTexts({ Description: 'Moves' }) }),
      buildCluster({ id: 31, more: [buildItem('bytearray', 'EncryptedDocument', new Uint8Array(9))] }),
    ],
    [
      buildChunk('DefinitionProperties', buildTexts({ Description: 'x'.repeat(30_000), Name: 'a.gh' })),
      buildChunk('Author', buildTexts({ Name: 'Ada', EMail: 'ada@example.org' })),
      buildChunk('GHALibraries', [library]),
    ],
  )
  const definition = readDefinition(bytes)
  const clusters = readClusters(definition.original)
  const { plugins, author, description, savedName } = describeDefinition(definition, clusters)
  assert.deepEqual(plugins, [{ id: PLUGIN, name: 'Robots', version: '1.2', author: 'V', nodeCount: 2 }])
  assert.deepEqual([author?.email, description?.length, savedName], ['ada@example.org', 20_000, 'a.gh'])
  const described = describeClusters(clusters)
  assert.deepEqual(Object.keys(nodesOf(described[buildId(30)])), [buildId(40)])
  assert.equal(described[buildId(30)]!.description, 'Moves')
  assert.deepEqual(described[buildId(31)], {
    reason: 'protected',
    message: 'Its content is not known: it is behind a password.',
  })
  const [tooLarge] = Object.values(describeClusters(clusters, 10))
  assert.ok(tooLarge && 'reason' in tooLarge && tooLarge.reason === 'too_large')
})

const nodesOf = (cluster: Cluster | undefined): Record<string, Node> =>
  cluster && 'nodes' in cluster ? cluster.nodes : {}

test('[GHD-57] [GHD-59] [GHD-60] [GHD-62] given real definitions, when read, then no id of Revit and no material is hidden, every script has its source and language, every cluster its content, and plug-ins their names', {
  skip: NO_SAMPLES,
}, () => {
  const counts = { scripts: 0, revit: 0, materials: 0, clusters: 0, plugins: 0, hidden: 0 }
  const check = (nodes: Record<string, Node>, name: string): void => {
    for (const { state, values } of Object.values(nodes)) {
      if (state?.kind === 'script') {
        counts.scripts += 1
        const isKnown = state.takesSource === true || (state.source !== '' && state.language !== 'unknown')
        assert.ok(isKnown, `${name}: ${JSON.stringify(state).slice(0, 200)}`)
      }
      for (const value of Object.values(values).flatMap(({ branches }) =>
        branches.flatMap((each) => each.values),
      )) {
        if (value?.type !== 'unknown') continue
        if (value.value.kind === 'revit') counts.revit += 1
        if (value.value.kind === 'material') counts.materials += 1
        const hides = /another kind .*(UniqueID|diffuse|DocumentGUID)/.test(value.value.description)
        if (hides) counts.hidden += 1
      }
    }
  }
  const checkClusters = (clusters: Record<string, Cluster>, name: string): void => {
    for (const cluster of Object.values(clusters)) {
      counts.clusters += 1
      assert.ok('nodes' in cluster || cluster.message !== '', name)
      check(nodesOf(cluster), name)
      if ('nodes' in cluster) checkClusters(cluster.clusters ?? {}, name)
    }
  }
  for (const { name, bytes } of listSamples('gh', 'ghx')) {
    const definition = readDefinition(bytes)
    const clusters = readClusters(definition.original)
    check(definition.content.nodes, name)
    checkClusters(describeClusters(clusters), name)
    const { plugins } = describeDefinition(definition, clusters)
    counts.plugins += plugins.length
    assert.deepEqual(
      plugins.filter((plugin) => plugin.name === ''),
      [],
      name,
    )
  }
  const { hidden, ...found } = counts
  assert.equal(hidden, 0)
  assert.ok(
    Object.values(found).every((count) => count > 20),
    JSON.stringify(counts),
  )
})

test('[GHD-58] given real definitions of the first reading, when written unchanged, then they are the files', {
  skip: NO_SAMPLES,
}, () => {
  for (const { name, bytes: original } of listSamples('gh', 'ghx')) {
    if (original.length > 60_000) continue
    const document = { name, ...readFirst(original) }
    const written = writeDefinition(document, { original, form: findForm(original), reading: 1 })
    assert.deepEqual([Buffer.compare(written.bytes, original), written.warnings], [0, []], name)
  }
})
