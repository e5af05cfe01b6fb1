import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { GraphContent, Node } from '@meadow/contract'
import type { ClusterContents } from '@meadow/document'
import { readClusters, readDefinition } from '@meadow/grasshopper'
import fc from 'fast-check'
import { CLUSTERED, createClusteredFile } from '../../../testing/clustered-file.ts'
import {
  addition,
  graphOf,
  KANGAROO,
  kangaroo,
  panel,
  reference,
  SLIDER,
  script,
  slider,
  wire,
} from '../testing/library-nodes.ts'
import { listDocumentUses } from './document-uses.ts'
import { hashGraph } from './graph-hash.ts'
import { listScriptLibraries } from './scripts.ts'
import { listUsingNodes } from './using-nodes.ts'

const NO_CLUSTERS: ClusterContents = new Map()
const usesOf = (content: GraphContent, clusters = NO_CLUSTERS) =>
  listDocumentUses(content, clusters).uses.map(({ kind, key, version, name, nodes, nested }) => ({
    is: `${kind} ${kind === 'script' || kind === 'unsolvable' ? '' : key}${version && `@${version}`}`,
    name,
    nodes,
    nested,
  }))

test('[USE-1] given components, a plug-in in two versions, a script and a referenced object, then each is counted by nodes', () => {
  const source = 'import rhinoscriptsyntax as rs, math\nfrom System.Drawing import Color\n'
  const object = 'CCCCCCCC-0000-4000-8000-000000000001'
  const content = graphOf(
    slider(),
    slider(),
    kangaroo('2.42'),
    kangaroo('2.5'),
    script(source),
    reference(object),
  )
  assert.deepEqual(
    usesOf(content).filter(({ is }) => !is.startsWith('unsolvable')),
    [
      { is: `component ${SLIDER}`, name: 'Number Slider', nodes: 2, nested: 0 },
      { is: `component ${KANGAROO.guid}`, name: 'Bouncy Solver', nodes: 2, nested: 0 },
      { is: `plugin ${KANGAROO.libraryId}`, name: 'Kangaroo2', nodes: 2, nested: 0 },
      { is: `plugin ${KANGAROO.libraryId}@2.42`, name: 'Kangaroo2', nodes: 1, nested: 0 },
      { is: `plugin ${KANGAROO.libraryId}@2.5`, name: 'Kangaroo2', nodes: 1, nested: 0 },
      { is: 'component 410755b1-224a-4c1e-a407-bf32fb45ea7e', name: 'GhPython Script', nodes: 1, nested: 0 },
      { is: 'script ', name: 'IronPython 2', nodes: 1, nested: 0 },
      { is: 'language python2', name: 'IronPython 2 scripts', nodes: 1, nested: 0 },
      { is: 'library rhinoscriptsyntax', name: 'rhinoscriptsyntax', nodes: 1, nested: 0 },
      { is: 'library math', name: 'math', nodes: 1, nested: 0 },
      { is: 'library system.drawing', name: 'System.Drawing', nodes: 1, nested: 0 },
      { is: 'component deaf8653-5528-4286-807c-3de8b8dad781', name: 'Surface', nodes: 1, nested: 0 },
      { is: `object ${object.toLowerCase()}`, name: object.toLowerCase(), nodes: 1, nested: 0 },
    ],
  )
  const unsolvable = listDocumentUses(content, NO_CLUSTERS).uses.filter(({ kind }) => kind === 'unsolvable')
  assert.deepEqual(
    unsolvable.map(({ name, nodes, detail }) => [name, nodes, JSON.parse(detail).kind]),
    [
      ['Bouncy Solver', 1, 'plugin'],
      ['Bouncy Solver', 1, 'plugin'],
      ['GhPython Script', 1, 'script'],
    ],
  )
})

test('[USE-1] given an element of a Revit document and a script that takes its source through an input, then both are found', () => {
  const id = '60F91DAF-3DD7-4283-A86D-24137B73F3DA-0001FD0B'
  const revit = panel()
  const facts = {
    description: 'Revit Wall 130315',
    kind: 'revit',
    properties: { uniqueId: id, elementId: 130315 },
  } as const
  const value = { type: 'unknown', value: facts } as const
  const typed = script('')
  const [port] = Object.keys(typed.inputs)
  const nodes = [
    { ...revit, values: { [revit.instanceId]: { branches: [{ path: '{0}', values: [value, value] }] } } },
    {
      ...typed,
      state: { ...typed.state, takesSource: true },
      values: {
        [port!]: {
          branches: [{ path: '{0}', values: [{ type: 'string', value: 'import shapely' } as const] }],
        },
      },
    },
  ]
  const uses = usesOf(graphOf(...nodes))
  assert.deepEqual(
    uses.filter(({ is }) => /^(revit|library)/.test(is)),
    [
      { is: `revit ${id.toLowerCase()}`, name: 'Revit Wall 130315', nodes: 1, nested: 0 },
      { is: 'library shapely', name: 'shapely', nodes: 1, nested: 0 },
    ],
  )
})

test('[USE-2] given a cluster in a cluster, then what is inside counts as nested, and belongs to the outermost cluster', () => {
  const file = createClusteredFile(3)
  const { content } = readDefinition(file)
  const clusters = readClusters(file)
  const number = usesOf(content, clusters).find(({ is }) => is.includes('3e8ca6be'))!
  assert.deepEqual([number.nodes, number.nested], [0, 1])
  const found = listUsingNodes(content, clusters, {
    kind: 'component',
    key: '3e8ca6be-fda8-4aaf-b5c0-3c54c8bb7312',
  })
  assert.deepEqual(
    found.map(({ nodeInstanceId, clusters }) => [nodeInstanceId, clusters.length]),
    [[CLUSTERED.cluster, 2]],
  )
  assert.equal(listDocumentUses(content, clusters).gap, null)
})

test('[USE-3] given a cluster whose content is not known, then the document has a gap that says so, and no hash', () => {
  const { content } = readDefinition(createClusteredFile(3))
  const { gap, graphHash } = listDocumentUses(content, NO_CLUSTERS)
  assert.match(gap ?? '', /cluster|file/i)
  assert.equal(graphHash, null)
})

test('[USE-4] given scripts in each language, then the libraries that they import are found, in long ones too', () => {
  const list = (language: string, text: string) => listScriptLibraries({ language, text, isCut: false })
  assert.deepEqual(
    list(
      'python3',
      '# r: numpy==2.1, shapely\nimport numpy as np; x = 1\n  import a.b, c # d\nfrom ghpythonlib.treehelpers import *\nclr.AddReference("Karamba")',
    ),
    ['numpy', 'a.b', 'c', 'ghpythonlib.treehelpers', 'shapely', 'Karamba'],
  )
  assert.deepEqual(
    list(
      'csharp',
      '#r "nuget: MathNet.Numerics, 5.0"\nusing System;\nusing static System.Math;\nusing RG = Rhino.Geometry;\nusing (var x = f()) { }',
    ),
    ['System', 'System.Math', 'Rhino.Geometry', 'MathNet.Numerics'],
  )
  assert.deepEqual(list('vb', 'Imports System.IO\nimports Rhino'), ['System.IO', 'Rhino'])
  for (const language of ['python3', 'csharp', 'vb']) {
    for (const text of [
      ' '.repeat(900_000),
      `import ${'a.'.repeat(450_000)}`,
      'using '.repeat(150_000),
      `from ${'a'.repeat(900_000)}`,
    ])
      list(language, text)
  }
})

test('[USE-5] given a text, when nodes are listed, then scripts are found in any case, with the line', () => {
  const content = graphOf(script('import math\n\n  pts = RS.AddPoint(0)\n'), script('x = 1'), panel())
  const [found, ...others] = listUsingNodes(content, NO_CLUSTERS, { kind: 'script', key: 'rs.addpoint' })
  assert.deepEqual([found?.line, others], [{ number: 3, text: 'pts = RS.AddPoint(0)' }, []])
})

/** Sliders, panels and additions, each wired to nodes before it. */
const graphs = fc
  .array(fc.record({ kind: fc.nat(3), sources: fc.array(fc.nat(10), { maxLength: 2 }) }), {
    minLength: 1,
    maxLength: 10,
  })
  .map((rows) => {
    const nodes: Node[] = []
    for (const { kind, sources } of rows) {
      let node = [slider, panel, addition, kangaroo][kind]!()
      const [input] = Object.keys(node.inputs)
      for (const index of sources) {
        const before = nodes[index]
        if (before && input !== undefined && Object.keys(before.outputs).length > 0) node = wire(before, node)
      }
      nodes.push(node)
    }
    return nodes
  })

/** The same graph with other ids, positions, names and order. */
function disguise(nodes: readonly Node[]): GraphContent {
  const ids = new Map<string, string>()
  const rename = (id: string) => ids.get(id) ?? ids.set(id, randomUUID()).get(id)!
  const renamed = JSON.parse(JSON.stringify(nodes), (key, value) => {
    const names = ['inputs', 'outputs', 'sources', 'values', 'ports']
    if (names.includes(key) && !Array.isArray(value))
      return Object.fromEntries(Object.entries(value).map(([id, member]) => [rename(id), member]))
    return /InstanceId$|^instanceId$/.test(key) ? rename(value) : value
  })
  return graphOf(
    ...renamed
      .reverse()
      .map((node: Node) => ({ ...node, nickName: 'other', position: { x: Math.random(), y: 5 } })),
  )
}

test('[USE-6] given any graph, when its ids, positions, names and order change, then its hash is the same; when a node, a wire or a setting changes, then not', () => {
  fc.assert(
    fc.property(graphs, (nodes) => {
      const hash = hashGraph(graphOf(...nodes), NO_CLUSTERS)
      assert.notEqual(hash, null)
      assert.equal(hashGraph(disguise(nodes), NO_CLUSTERS), hash)
      assert.notEqual(hashGraph(graphOf(...nodes, slider()), NO_CLUSTERS), hash)
      const [first, ...rest] = nodes
      const disabled = { ...first!, status: { isEnabled: false, isPreviewed: true } }
      assert.notEqual(hashGraph(graphOf(disabled, ...rest), NO_CLUSTERS), hash)
      const wired = nodes.find(({ sources }) => Object.keys(sources).length > 0)
      if (wired) {
        const cut = nodes.map((node) => (node === wired ? { ...node, sources: {} } : node))
        assert.notEqual(hashGraph(graphOf(...cut), NO_CLUSTERS), hash)
      }
    }),
    { numRuns: 60 },
  )
})
