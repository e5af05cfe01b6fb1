import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { GraphContent, Node } from '@meadow/contract'
import {
  type ComponentKind,
  findCanvasObject,
  findComponent,
  findCycle,
  findParameterType,
  findScript,
  type NodeState,
  repairGraph,
} from '@meadow/document'
import { createDemoTree, type DemoDocument, type DemoFolder } from '../demo-tree.ts'
import { boundsOf } from '../graph/arrange-graph.ts'

const listDocuments = ({ folders, documents }: DemoFolder): DemoDocument[] => [
  ...documents,
  ...folders.flatMap(listDocuments),
]
const DOCUMENTS = listDocuments(createDemoTree(0))

const listNodes = ({ nodes }: GraphContent) => Object.values(nodes)
const describeNode = ({ name, nickName }: Node) => `${name} "${nickName}"`

for (const { name, createContent, failsOnPurpose } of DOCUMENTS) {
  describe(name, () => {
    const content = createContent()

    test('[DEMO-1] given the definition twice, then it is the same byte for byte', () => {
      assert.equal(JSON.stringify(createContent()), JSON.stringify(content))
    })

    test('[DEMO-5] given its nodes, then no two overlap, and neither do the frames of groups', () => {
      assertApart(listNodes(content).map((node) => ({ label: describeNode(node), ...boundsOf(node) })))
      assertApart(content.groups.map((group) => frameOf(group, content)))
    })

    test('[DEMO-6, DEMO-12] given the graph, then it is plain data with nothing to repair, and a cycle only on purpose', () => {
      assert.doesNotThrow(() => structuredClone(content))
      assert.deepEqual(repairGraph(content).repairs, [])
      assert.equal(findCycle(content) !== undefined, failsOnPurpose)
    })

    test('[DEMO-6, DEMO-12] given its nodes, then they are 20 to 80, or few on purpose, each in one labelled group', () => {
      const ids = Object.keys(content.nodes)
      const [least, most] = failsOnPurpose ? [5, 15] : [20, 80]
      assert.ok(ids.length >= least && ids.length <= most, `${ids.length} nodes`)
      const grouped = content.groups.flatMap(({ nodeInstanceIds }) => nodeInstanceIds)
      assert.deepEqual(grouped.toSorted(), ids.toSorted())
      assert.ok(content.groups.every(({ label }) => label !== ''))
    })

    test('[DEMO-3] given a node, then its ports are those of the catalogue', () => {
      for (const node of listNodes(content)) {
        const component = findComponent(node.templateId)
        if (component) assertPorts(node, component)
        else
          assert.ok([findCanvasObject, findParameterType, findScript].some((find) => find(node.templateId)))
      }
    })

    test('[DEMO-7] given a node, then its required inputs have wires or values and it is connected', () => {
      const wires = listNodes(content).flatMap(({ sources }) => Object.values(sources).flat())
      const senders = new Set(wires.map(({ nodeInstanceId }) => nodeInstanceId))
      for (const node of listNodes(content)) {
        const hungry = Object.keys(node.inputs).filter((id) => !isFed(node, id))
        assert.deepEqual(hungry, [], describeNode(node))
        const isEnd = Object.keys(node.outputs).length === 0 || isPanel(node)
        assert.ok(isEnd || senders.has(node.instanceId), `${describeNode(node)} feeds nothing`)
      }
    })

    test('[DEMO-8] given a slider or a list, then its value is one that it offers', () => {
      for (const node of listNodes(content)) assertChoice(node)
    })
  })
}

test('[DEMO-1] given all definitions, then no two have an id in common', () => {
  const ids = DOCUMENTS.flatMap(({ createContent }) => Object.keys(createContent().nodes))
  assert.equal(new Set(ids).size, ids.length)
})

test('[DEMO-9] given the cable net, then all that it shows comes from a script, and its divisor from an empty panel', () => {
  const document = DOCUMENTS.find(({ name }) => name.startsWith('Cable net'))
  assert.ok(document)
  const content = document.createContent()
  const nodes = listNodes(content)
  const scripts = nodes.filter(({ templateId }) => findScript(templateId))
  assert.equal(scripts.length, 1)
  for (const preview of nodes.filter(({ name }) => name === 'Custom Preview')) {
    assert.ok(listUpstream(preview, content).includes(scripts[0] as Node))
  }
  const divisor = nodes.find(({ nickName }) => nickName === 'Safety factor')
  assert.ok(divisor && isPanel(divisor))
  assert.deepEqual([Object.keys(divisor.sources), Object.keys(divisor.values)], [[], []])
})

interface Rectangle {
  label: string
  x: number
  y: number
  width: number
  height: number
}

/** The frame that the canvas draws around a group, with room for its label above. */
function frameOf(
  { label, nodeInstanceIds }: GraphContent['groups'][number],
  { nodes }: GraphContent,
): Rectangle {
  const bounds = nodeInstanceIds.map((id) => boundsOf(nodes[id] as Node))
  const left = Math.min(...bounds.map(({ x }) => x)) - 25
  const top = Math.min(...bounds.map(({ y }) => y)) - 45
  const right = Math.max(...bounds.map(({ x, width }) => x + width)) + 25
  const bottom = Math.max(...bounds.map(({ y, height }) => y + height)) + 25
  return { label, x: left, y: top, width: right - left, height: bottom - top }
}

function assertApart(rectangles: Rectangle[]): void {
  for (const [index, a] of rectangles.entries()) {
    for (const b of rectangles.slice(index + 1)) {
      const apart =
        a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y
      assert.ok(apart, `${a.label} and ${b.label}`)
    }
  }
}

const isPanel = ({ templateId }: Node) => findCanvasObject(templateId)?.name === 'Panel'

function isFed(node: Node, portId: string): boolean {
  const { typeName, options } = node.ports[portId] ?? {}
  // A panel may be empty, and Loft knows its options without being set.
  const isFree = options?.includes('optional') || isPanel(node) || typeName === 'Loft Options'
  return isFree || portId in node.sources || portId in node.values
}

function assertPorts(node: Node, component: ComponentKind): void {
  assert.equal(node.name, component.name)
  for (const side of ['inputs', 'outputs'] as const) {
    const facts = Object.keys(node[side]).map((id) => node.ports[id])
    const isOpen = side === 'inputs' && ['Merge', 'Expression'].includes(component.name)
    if (!isOpen) assert.equal(facts.length, component[side].length, describeNode(node))
    for (const [order, port] of facts.entries()) {
      const known = component[side][isOpen ? 0 : order]
      assert.equal(port?.typeName, known?.typeName)
      assert.equal(port?.access, known?.access)
      if (!isOpen) assert.deepEqual([port?.name, port?.nickName], [known?.name, known?.nickName])
    }
  }
}

function assertChoice(node: Node): void {
  const state = node.state as NodeState | undefined
  const chosen = node.values[node.instanceId]?.branches[0]?.values[0]?.value
  if (state?.kind === 'slider') {
    const value = Number(chosen)
    assert.ok(value >= state.minimum && value <= state.maximum, node.nickName)
    assert.equal(Number(value.toFixed(state.decimals)), value, node.nickName)
    if (state.interval === 'even') assert.equal(value % 2, 0, node.nickName)
  }
  if (state?.kind === 'valueList') {
    const selected = state.items.filter(({ isSelected }) => isSelected)
    assert.deepEqual(
      selected.map(({ expression }) => expression),
      [String(chosen)],
    )
  }
}

function listUpstream(node: Node, content: GraphContent): Node[] {
  const senders = Object.values(node.sources)
    .flat()
    .flatMap(({ nodeInstanceId }) => content.nodes[nodeInstanceId] ?? [])
  return [...senders, ...senders.flatMap((sender) => listUpstream(sender, content))]
}
