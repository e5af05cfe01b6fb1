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
import { boxOf } from '../../../../../web/src/document/graph/layout/node-box.ts'
import {
  boundsOf,
  grow,
  rectangleOf,
  touches,
} from '../../../../../web/src/document/graph/layout/rectangle.ts'
import { readDemoDefinition } from '../demo-definitions.ts'
import { createDemoTree, listDemoDocuments } from '../demo-tree.ts'

const DOCUMENTS = listDemoDocuments(createDemoTree(0))

const listNodes = ({ nodes }: GraphContent) => Object.values(nodes)
const describeNode = ({ name, nickName }: Node) => `${name} "${nickName}"`

for (const { name, file, failsOnPurpose } of DOCUMENTS) {
  describe(name, () => {
    const content = readDemoDefinition(file)

    test('[DEMO-4] given a component with outputs, then it is hidden', () => {
      const shown = listNodes(content).filter(({ status }) => status.isPreviewed)
      assert.deepEqual(shown.filter(isComponentWithOutputs).map(describeNode), [])
    })

    test('[DEMO-5] given its nodes as the app draws them, then no two overlap, and neither do the frames of groups', () => {
      const nodes = listNodes(content)
      assertApart(nodes.map((node) => ({ label: describeNode(node), ...rectangleOf(node) })))
      assertApart(content.groups.map((group) => frameOf(group, content)))
    })

    test('[DEMO-5] given a wire as the app draws it, then it runs from left to right, unless it closes the cycle', () => {
      const backwards = listNodes(content).filter((node) =>
        listSenders(node, content).some((sender) => rectangleOf(sender).right >= boxOf(node).x),
      )
      assert.equal(backwards.length, failsOnPurpose ? 1 : 0, backwards.map(describeNode).join(', '))
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
  const ids = DOCUMENTS.flatMap(({ file }) => Object.keys(readDemoDefinition(file).nodes))
  assert.equal(new Set(ids).size, ids.length)
})

test('[DEMO-9] given the cable net, then all that it shows comes from a script, and its divisor from an empty panel', () => {
  const document = DOCUMENTS.find(({ name }) => name.startsWith('Cable net'))
  assert.ok(document)
  const content = readDemoDefinition(document.file)
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

const isComponentWithOutputs = ({ instanceId, outputs }: Node) =>
  Object.keys(outputs).some((id) => id !== instanceId)

type Labelled = ReturnType<typeof rectangleOf> & { label: string }

/** The frame that the canvas draws around a group, with room for its label. */
function frameOf(
  { label, nodeInstanceIds }: GraphContent['groups'][number],
  { nodes }: GraphContent,
): Labelled {
  const frame = grow(boundsOf(nodeInstanceIds, nodes)!, 25)
  return { label, ...frame, top: frame.top - 20 }
}

function assertApart(rectangles: Labelled[]): void {
  for (const [index, a] of rectangles.entries()) {
    for (const b of rectangles.slice(index + 1)) assert.ok(!touches(a, b), `${a.label} and ${b.label}`)
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

const listSenders = ({ sources }: Node, { nodes }: GraphContent): Node[] =>
  Object.values(sources)
    .flat()
    .flatMap(({ nodeInstanceId }) => nodes[nodeInstanceId] ?? [])

function listUpstream(node: Node, content: GraphContent): Node[] {
  const senders = listSenders(node, content)
  return [...senders, ...senders.flatMap((sender) => listUpstream(sender, content))]
}
