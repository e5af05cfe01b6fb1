import { createDataTree, createRecord, type GraphContent, listComponents, type Node } from '@meadow/document'
import { buildNode } from '../../../grasshopper/src/testing/build-node.ts'

const SLIDER = '57da07bd-ecab-415d-9d86-af36d7073abc'
const PANEL = '59e0b89a-e487-49f8-bab8-b5bab16be14c'

/** The same document for the same number of nodes: sliders, panels and components, wired from left to right. */
export function createLargeDocument(count: number): GraphContent {
  const kinds = listComponents().filter(({ inputs, outputs }) => inputs.length > 0 && outputs.length > 0)
  const random = createRandom(count)
  const nodes: Node[] = []
  const outputs: { nodeInstanceId: string; portInstanceId: string }[] = []
  for (let i = 0; i < count; i++) {
    const position = { x: Math.floor(i / 40) * 160, y: (i % 40) * 90 }
    const node =
      i % 5 === 0
        ? buildSlider(i, position)
        : i % 17 === 0
          ? buildPanel(i, position)
          : buildNode(kinds[random(kinds.length)]!.guid, i * 100, { position })
    for (const input of Object.keys(node.inputs)) {
      // Mostly from near by, as people wire.
      if (outputs.length === 0 || random(10) < 3) continue
      node.sources[input] = [outputs[Math.max(0, outputs.length - 1 - random(120))]!]
    }
    for (const portInstanceId of Object.keys(node.outputs))
      outputs.push({ nodeInstanceId: node.instanceId, portInstanceId })
    nodes.push(node)
  }
  const groups = Array.from({ length: Math.floor(count / 25) }, (_, i) => ({
    ...{ id: `group-${i}`, label: `Part ${i % 30}`, colour: '#aa87ff96', groupIds: [] },
    nodeInstanceIds: nodes.slice(i * 25, i * 25 + 12).map(({ instanceId }) => instanceId),
  }))
  return {
    nodes: createRecord(nodes.map((node) => [node.instanceId, node])),
    groups,
    configuration: { inputs: [], outputs: [] },
  }
}

function buildSlider(i: number, position: Node['position']): Node {
  const state = { kind: 'slider', minimum: 0, maximum: 10 + (i % 7), decimals: 2, interval: 'real' } as const
  const nickName = i % 10 === 0 ? `Length ${i}` : ''
  return buildNode(SLIDER, i * 100, {
    position,
    nickName,
    state,
    values: [{ type: 'number', value: i % 11 }],
  })
}

function buildPanel(i: number, position: Node['position']): Node {
  const text = `Note ${i}\nof the document`
  const look = {
    colour: '#ffffffff',
    alignment: 'left',
    wraps: true,
    drawsIndices: false,
    drawsPaths: false,
  } as const
  const state = { kind: 'panel', text, isMultiline: true, ...look } as const
  return buildNode(PANEL, i * 100, { position, state, values: [{ type: 'string', value: text }] })
}

/** A copy with this many edits, spread over the document: values, names, wires and removed nodes. */
export function editSome(content: GraphContent, edits: number): GraphContent {
  const edited = structuredClone(content)
  const ids = Object.keys(edited.nodes)
  const removed = new Set<string>()
  for (let i = 0; i < edits; i++) {
    const id = ids[Math.floor((i * ids.length) / edits)]!
    const node = edited.nodes[id]!
    const [input] = Object.keys(node.inputs)
    if (i % 4 === 0) node.nickName = `Renamed ${i}`
    else if (i % 4 === 1 && input !== undefined)
      node.values[input] = createDataTree([{ path: [0], values: [{ type: 'number', value: i }] }])
    else if (i % 4 === 2 && input !== undefined) delete node.sources[input]
    else {
      removed.add(id)
      delete edited.nodes[id]
    }
  }
  for (const node of Object.values(edited.nodes)) {
    for (const [input, wires] of Object.entries(node.sources)) {
      const left = wires.filter(({ nodeInstanceId }) => !removed.has(nodeInstanceId))
      if (left.length === 0) delete node.sources[input]
      else node.sources[input] = left
    }
  }
  for (const group of edited.groups)
    group.nodeInstanceIds = group.nodeInstanceIds.filter((id) => !removed.has(id))
  return edited
}

/** A small generator of numbers below a limit, the same from the same seed (mulberry32). */
function createRandom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}
