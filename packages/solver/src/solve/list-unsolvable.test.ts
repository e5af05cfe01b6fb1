import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ClusterContents } from '@meadow/document'
import { type NodeSketch, sketchGraph } from '../testing/graph.ts'
import { listUnsolvable } from './list-unsolvable.ts'
import { solve } from './solve.ts'

const CLUSTER = 'f31d8d7a-7536-4ac8-9c96-fde6ecda4d0a'
const ADDITION = 'a0d62394-a118-422d-abb3-6af115c75b25'
const PANEL = '59e0b89a-e487-49f8-bab8-b5bab16be14c'
const IMPORT_3DM = '317f1cb2-820d-4a8f-b5c8-5de3594ddfba'
const CSHARP = 'b6ba1144-02d6-4a2d-b53c-ec62e290eeb7'
const PLUGIN = '11111111-2222-4333-8444-555555555555'

const LIBRARY = { libraryId: PLUGIN, library: 'Robots', version: '1.6.9' }
const ROBOT: NodeSketch = { guid: PLUGIN, inputs: ['sum.o0'], state: { kind: 'plugin', ...LIBRARY } }
const list = (sketches: Record<string, NodeSketch>, clusters: ClusterContents = new Map()) => [
  ...listUnsolvable(sketchGraph(sketches), clusters),
]

test('[U-7] given nodes of all kinds, when the unsolvable ones are listed, then each has its reason, and its plug-in', () => {
  const found = list({
    sum: { guid: ADDITION, inputs: [[], []] },
    script: { guid: CSHARP, inputs: [[]], state: { kind: 'script', source: '' } },
    robot: ROBOT,
    picker: { guid: PLUGIN, state: { kind: 'valueList', plugin: LIBRARY } },
    model: { guid: IMPORT_3DM, inputs: [[]] },
    strange: { guid: PLUGIN, inputs: [[]] },
    hidden: { guid: PLUGIN, inputs: [[]], state: { kind: 'plugin', libraryId: PLUGIN, library: 7 } },
    off: { ...ROBOT, isEnabled: false },
    drawing: { guid: PLUGIN, outputs: 0 },
    panel: { guid: PANEL, isParameter: true, inputs: ['robot.o0'] },
  })
  const library = { name: 'Robots', version: '1.6.9' }
  const reason = 'is not supported'
  const plugin = `${reason}: it belongs to the plug-in Robots`
  const model = `Import 3DM ${reason}: it reads a file that is not in the document`
  assert.deepEqual(found, [
    { nodeInstanceId: 'script', name: 'script', kind: 'script', reason: 'Scripts are not run' },
    { nodeInstanceId: 'robot', name: 'robot', kind: 'plugin', reason: `robot ${plugin}`, library },
    { nodeInstanceId: 'picker', name: 'picker', kind: 'plugin', reason: `picker ${plugin}`, library },
    { nodeInstanceId: 'model', name: 'model', kind: 'component', reason: model },
    { nodeInstanceId: 'strange', name: 'strange', kind: 'component', reason: `strange ${reason}` },
    { nodeInstanceId: 'hidden', name: 'hidden', kind: 'plugin', reason: `hidden ${reason}` },
  ])
})

test('[U-7] given clusters in clusters, when their unsolvable nodes are listed, then they have the id of the outermost one, and the way from there', () => {
  const inner = sketchGraph({ robot: ROBOT, locked: { guid: CLUSTER } })
  const clusters = new Map([['locked', { unknown: 'it is behind a password' }]])
  const middle = sketchGraph({ inside: { guid: CLUSTER } })
  const contents: ClusterContents = new Map([
    [
      'outer',
      {
        content: middle,
        hooks: new Map(),
        clusters: new Map([['inside', { content: inner, hooks: new Map(), clusters }]]),
      },
    ],
  ])
  const found = list({ outer: { guid: CLUSTER }, lost: { guid: CLUSTER } }, contents)
  assert.deepEqual(
    found.map(({ nodeInstanceId, name, kind, cluster, inside }) => [
      nodeInstanceId,
      name,
      kind,
      cluster,
      inside,
    ]),
    [
      ['outer', 'robot', 'plugin', 'outer', ['inside', 'robot']],
      ['outer', 'locked', 'cluster', 'outer', ['inside', 'locked']],
      ['lost', 'lost', 'cluster', undefined, undefined],
    ],
  )
  assert.match(found[1]?.reason ?? '', /^What is inside this cluster is not known: it is behind a password$/)
})

test('[U-7] given names of a million characters, when they are listed, then they are cut', () => {
  const long = 'a'.repeat(1e6)
  const [found] = list({
    [long]: { ...ROBOT, state: { kind: 'plugin', libraryId: PLUGIN, library: long, version: long } },
  })
  const { nodeInstanceId: _, ...rest } = found!
  assert.ok(JSON.stringify(rest).length < 2000)
})

test('[U-7] given a document, when it is solved, then what is listed is unsupported, and nothing else', () => {
  const graph = sketchGraph({
    robot: { ...ROBOT, inputs: [[]] },
    sum: { guid: ADDITION, inputs: ['robot.o0', []] },
  })
  const { states } = solve(graph)
  const unsupported = [...states].filter(([, state]) => state === 'unsupported').map(([id]) => id)
  assert.deepEqual(
    [...listUnsolvable(graph, new Map())].map(({ nodeInstanceId }) => nodeInstanceId),
    unsupported,
  )
})
