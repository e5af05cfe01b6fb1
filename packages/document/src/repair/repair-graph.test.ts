import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { GraphContent, Node } from '@meadow/contract'
import fc from 'fast-check'
import { arbitraryGraph } from '../testing/arbitrary-graph.ts'
import { assertValid } from '../testing/assert-valid.ts'
import { repairGraph } from './repair-graph.ts'

const port = { name: 'A', nickName: 'A', typeName: 'Number', access: 'item', flags: [] } as const

/** A node with ports in this order. */
function createNode(instanceId: string, inputs: string[], outputs: string[], more: Partial<Node> = {}): Node {
  const orders = (ids: string[]) => Object.fromEntries(ids.map((id, order) => [id, order]))
  return {
    instanceId,
    templateId: '00000000-0000-4000-8000-000000000000',
    name: '',
    nickName: '',
    position: { x: 0, y: 0 },
    status: { isEnabled: true, isPreviewed: true },
    inputs: orders(inputs),
    outputs: orders(outputs),
    sources: {},
    values: {},
    ports: Object.fromEntries([...inputs, ...outputs].map((id) => [id, { ...port, flags: [] }])),
    ...more,
  }
}

function createGraph(nodes: Node[], more: Partial<GraphContent> = {}): GraphContent {
  return {
    nodes: Object.fromEntries(nodes.map((node) => [node.instanceId, node])),
    groups: [],
    configuration: { inputs: [], outputs: [] },
    ...more,
  }
}

const kinds = (content: GraphContent) => repairGraph(content).repairs.map(({ kind }) => kind)
const toJson = (value: unknown) => JSON.parse(JSON.stringify(value))

test('[DOC-10 to DOC-18] given any graph, when repaired, then it is valid, and repairing again changes nothing', () => {
  fc.assert(
    fc.property(arbitraryGraph, (graph) => {
      const before = structuredClone(graph)
      const { content } = repairGraph(graph)
      assert.deepEqual(graph, before, 'the input stays')
      assertValid(content)
      const again = repairGraph(content)
      assert.deepEqual(again, { content, repairs: [] })
    }),
    { numRuns: 2000 },
  )
})

test('[DOC-11] given records in another order, when repaired, then the same ports and wires stay', () => {
  const reverse = <T>(record: Record<string, T>) => Object.fromEntries(Object.entries(record).reverse())
  fc.assert(
    fc.property(arbitraryGraph, (graph) => {
      const nodes = Object.entries(graph.nodes).map(([id, node]) => {
        const inputs = reverse(node.inputs)
        const outputs = reverse(node.outputs)
        const sources = reverse(node.sources)
        return [
          id,
          { ...node, inputs, outputs, sources, values: reverse(node.values), ports: reverse(node.ports) },
        ]
      })
      const turned = { ...graph, nodes: Object.fromEntries(nodes.reverse()) } as GraphContent
      const [first, second] = [repairGraph(graph).content, repairGraph(turned).content]
      assert.deepEqual(second, first)
    }),
  )
})

test('[DOC-10] given a node under another key, when repaired, then the key is its id', () => {
  const graph = createGraph([])
  graph.nodes.b = createNode('a', [], [], { position: { x: Number.NaN, y: 3 } })
  const { content, repairs } = repairGraph(graph)
  assert.equal(content.nodes.b?.instanceId, 'b')
  assert.deepEqual(content.nodes.b?.position, { x: 0, y: 3 })
  assert.deepEqual(repairs, [
    { kind: 'node_id_set', nodeInstanceId: 'b' },
    { kind: 'position_set', nodeInstanceId: 'b' },
  ])
})

test('[DOC-11] given one port id twice, when repaired, then the first node keeps it', () => {
  const graph = createGraph([createNode('b', ['p', 'a'], []), createNode('a', ['p'], ['q'])])
  const { content, repairs } = repairGraph(graph)
  assert.deepEqual(Object.keys(content.nodes.a?.inputs ?? {}), ['p'])
  assert.deepEqual(Object.keys(content.nodes.b?.inputs ?? {}), [])
  assert.deepEqual(repairs.slice(0, 2), [
    { kind: 'port_dropped', nodeInstanceId: 'b', portInstanceId: 'p' },
    { kind: 'port_dropped', nodeInstanceId: 'b', portInstanceId: 'a' },
  ])
})

test('[DOC-11] given a parameter object, when repaired, then its one port stays on both sides', () => {
  assert.deepEqual(kinds(createGraph([createNode('a', ['a'], ['a'])])), [])
})

test('[DOC-12] given gaps, ties and fractions, when repaired, then orders count from 0 in the same sequence', () => {
  const inputs = { late: Number.NaN, second: 7, first: -1, third: 7.5, alsoSecond: 7 }
  const { content } = repairGraph(createGraph([createNode('a', [], [], { inputs })]))
  assert.deepEqual({ ...content.nodes.a?.inputs }, { first: 0, alsoSecond: 1, second: 2, third: 3, late: 4 })
})

test('[DOC-13] given wires without ends or twice, when repaired, then the others stay in their order', () => {
  const wire = (nodeInstanceId: string, portInstanceId: string) => ({ nodeInstanceId, portInstanceId })
  const sources = {
    in: [
      wire('a', 'out2'),
      wire('a', 'gone'),
      wire('gone', 'out1'),
      wire('a', 'out1'),
      wire('a', 'out2'),
      wire('b', 'in'),
    ],
    gone: [wire('a', 'out1')],
    other: [],
  }
  const graph = createGraph([
    createNode('a', [], ['out1', 'out2']),
    createNode('b', ['in', 'other'], [], { sources }),
  ])
  const { content, repairs } = repairGraph(graph)
  assert.deepEqual(toJson(content.nodes.b?.sources), { in: [wire('a', 'out2'), wire('a', 'out1')] })
  assert.deepEqual(
    repairs.map(({ kind, droppedId }) => [kind, droppedId]),
    [
      ['wire_without_sender_dropped', 'gone'],
      ['wire_without_sender_dropped', 'out1'],
      ['repeated_wire_dropped', 'out2'],
      ['wire_without_sender_dropped', 'in'],
      ['wire_without_receiver_dropped', 'out1'],
      ['empty_sources_dropped', undefined],
    ],
  )
})

test('[DOC-14] given values of missing ports or out of order, when repaired, then they are dropped or ordered', () => {
  const value = { type: 'integer', value: 1 } as const
  const values = {
    in: {
      branches: [
        { path: '{10}', values: [value] },
        { path: '{2}', values: [null] },
        { path: 'x', values: [] },
      ],
    },
    gone: { branches: [] },
  }
  const { content, repairs } = repairGraph(createGraph([createNode('a', ['in'], [], { values })]))
  assert.deepEqual(toJson(content.nodes.a?.values), {
    in: {
      branches: [
        { path: '{2}', values: [null] },
        { path: '{10}', values: [value] },
      ],
    },
  })
  assert.deepEqual(
    repairs.map(({ kind }) => kind),
    ['values_ordered', 'values_dropped'],
  )
})

test('[DOC-15] given properties of a missing port and a port without any, when repaired, then each port has properties', () => {
  const graph = createGraph([createNode('a', ['in'], [], { ports: { gone: { ...port, flags: [] } } })])
  const { content, repairs } = repairGraph(graph)
  assert.deepEqual(Object.keys(content.nodes.a?.ports ?? {}), ['in'])
  assert.deepEqual(
    repairs.map(({ kind }) => kind),
    ['port_facts_dropped', 'port_facts_added'],
  )
})

test('[DOC-16] given groups around each other, when repaired, then one of the two is inside the other', () => {
  const group = { label: '', colour: '#00000000', nodeInstanceIds: ['a', 'gone', 'a'] }
  const groups = [
    { ...group, id: 'g', groupIds: ['h', 'g'] },
    { ...group, id: 'h', groupIds: ['g'] },
    { ...group, id: 'g', groupIds: [] },
    { ...group, id: 'a', groupIds: [] },
  ]
  const { content } = repairGraph(createGraph([createNode('a', [], [])], { groups }))
  assert.deepEqual(content.groups, [
    { ...group, id: 'g', nodeInstanceIds: ['a'], groupIds: ['h'] },
    { ...group, id: 'h', nodeInstanceIds: ['a'], groupIds: [] },
  ])
})

test('[DOC-16] given groups around each other, when they are repaired in any order, then the same ones are inside the same', () => {
  const group = (id: string, ...groupIds: string[]) => ({
    ...{ id, groupIds, label: '', colour: '#00000000', nodeInstanceIds: [] },
  })
  const groups = [group('g', 'i', 'h'), group('h', 'g'), group('i', 'h', 'g')]
  const nest = (list: typeof groups) => {
    const { content } = repairGraph(createGraph([], { groups: list }))
    return Object.fromEntries(content.groups.map(({ id, groupIds }) => [id, groupIds.toSorted()]))
  }
  for (const order of [
    [1, 0, 2],
    [2, 1, 0],
    [1, 2, 0],
  ])
    assert.deepEqual(nest(order.map((at) => groups[at]!)), nest(groups))
})

test('[DOC-17] given pins of missing ports and repeated pins, when repaired, then each existing port is pinned once', () => {
  const pin = { nodeInstanceId: 'a', portInstanceId: 'a' }
  const configuration = { inputs: [pin, pin, { nodeInstanceId: 'a', portInstanceId: 'x' }], outputs: [pin] }
  const { content, repairs } = repairGraph(createGraph([createNode('a', [], ['a'])], { configuration }))
  assert.deepEqual(content.configuration, { inputs: [pin], outputs: [pin] })
  assert.deepEqual(
    repairs.map(({ kind }) => kind),
    ['pin_dropped', 'pin_dropped'],
  )
})

test('[DOC-18] given ids that objects inherit, when repaired, then they are kept and nothing is polluted', () => {
  const wire = { nodeInstanceId: '__proto__', portInstanceId: 'constructor' }
  const nodes = JSON.parse(
    JSON.stringify(createGraph([createNode('placeholder', ['toString'], ['constructor'])]).nodes).replaceAll(
      'placeholder',
      '__proto__',
    ),
  )
  nodes.b = createNode('b', ['valueOf'], [], { sources: { valueOf: [wire] } })
  const { content, repairs } = repairGraph(createGraph([], { nodes }))
  assert.deepEqual(repairs, [])
  assert.deepEqual(Object.keys(content.nodes), ['__proto__', 'b'])
  assert.equal((Object.prototype as { instanceId?: string }).instanceId, undefined)
  assert.deepEqual(kinds(createGraph([createNode('b', ['p'], [], { sources: { p: [wire] } })])), [
    'wire_without_sender_dropped',
  ])
})

test('[DOC-13] given a port with very many wires, when repaired, then each is looked at a few times', () => {
  const ids = Array.from({ length: 5_000 }, (_, i) => `out${i}`)
  let looks = 0
  const sources = {
    in: ids.map((portInstanceId) => ({
      nodeInstanceId: 'a',
      get portInstanceId() {
        looks++
        return portInstanceId
      },
    })),
  }
  const graph = createGraph([createNode('a', [], ids), createNode('b', ['in'], [], { sources })])
  assert.deepEqual(repairGraph(graph).repairs, [])
  assert.ok(looks >= ids.length && looks <= 20 * ids.length, `${looks} looks at ${ids.length} wires`)
})
