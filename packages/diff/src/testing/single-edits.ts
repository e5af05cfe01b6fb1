import {
  createDataTree,
  createRecord,
  type GraphContent,
  listPanelLines,
  type Node,
  type NodeState,
  type PortReference,
  repairGraph,
} from '@meadow/document'
import fc, { type GeneratorValue } from 'fast-check'
import { buildComponent, buildNode } from '../../../grasshopper/src/testing/build-node.ts'
import type { ChangeKind, LayoutChangeKind } from '../changes/change.ts'

/** One edit of a person, done: the new document and what a diff has to say, once. */
export interface SingleEdit {
  name: string
  content: GraphContent
  change?: ChangeKind
  layout?: LayoutChangeKind
}

/** Chooses one of a list; undefined of an empty one. */
type Choose = <T>(from: readonly T[]) => T | undefined

type Reported = Omit<SingleEdit, 'name' | 'content'>

/** Edits the content in place, or returns undefined where it has nothing for this edit. */
type Edit = (content: GraphContent, pick: Choose, g: GeneratorValue) => Reported | undefined

const ADDITION = 'a0d62394-a118-422d-abb3-6af115c75b25'
const DIVISION = '9c85271f-89fa-4e9f-9f4a-d75802120ccc'
const MERGE = '3cadddef-1e2b-4c09-9390-0e8f78f7609f'
const SLIDER = '57da07bd-ecab-415d-9d86-af36d7073abc'
const PANEL = '59e0b89a-e487-49f8-bab8-b5bab16be14c'
const SCRIPT = '719467e6-7cf5-4848-99b0-c5dd57e5442c'

let number = 40_000_000
/** Numbers from which new ids are built: other ones for every node. */
const nextNumber = () => (number += 100)

const EDITS: Record<string, Edit> = {
  drag(content, pick, g) {
    const node = pick(listNodes(content))
    if (!node) return
    node.position = { x: node.position.x + g(fc.integer, { min: 1, max: 900 }), y: node.position.y - 7 }
    return { layout: 'node_moved' }
  },
  resize(content, pick) {
    const node = pick(listNodes(content).filter(({ state }) => state && 'size' in state))
    if (!node) return
    node.state = { ...node.state, size: { width: 12_345, height: 321 } }
    return { layout: 'node_look' }
  },
  drawWiresFaintly(content, pick) {
    const found = pick(listPorts(content, 'inputs'))
    if (!found) return
    const { node, portId } = found
    const port = node.ports[portId]!
    const { wireDisplay, ...rest } = port
    node.ports[portId] = wireDisplay === 'faint' ? rest : { ...rest, wireDisplay: 'faint' }
    return { layout: 'wires_look' }
  },
  colourGroup(content, pick) {
    const group = pick(content.groups)
    if (!group) return
    group.colour = group.colour === '#01020304' ? '#04030201' : '#01020304'
    return { layout: 'group_colour' }
  },
  orderGroups({ groups }, pick) {
    if (groups.length < 2) return
    const group = pick(groups.slice(1))!
    groups.splice(groups.indexOf(group), 1)
    groups.unshift(group)
    return { layout: 'groups_reordered' }
  },
  rename(content, pick) {
    const node = pick(listNodes(content))
    if (!node) return
    node.nickName = `${node.nickName} (renamed)`
    const own = node.ports[node.instanceId]
    if (own) own.nickName = node.nickName
    return { change: 'node_renamed' }
  },
  disable(content, pick) {
    const node = pick(listNodes(content))
    if (!node) return
    node.status = { ...node.status, isEnabled: !node.status.isEnabled }
    return { change: 'node_enabled' }
  },
  preview(content, pick) {
    const node = pick(listNodes(content))
    if (!node) return
    node.status = { ...node.status, isPreviewed: !node.status.isPreviewed }
    return { change: 'node_previewed' }
  },
  add(content, _pick, g) {
    const node = buildNode(ADDITION, nextNumber(), {
      position: { x: g(fc.nat, { max: 999 }) + 0.125, y: -4321.5 },
    })
    content.nodes[node.instanceId] = node
    return { change: 'node_added' }
  },
  paste(content, pick) {
    const node = pick(listNodes(content))
    if (!node) return
    const copy = copyNode(node, nextNumber())
    copy.position = { x: node.position.x + 11, y: node.position.y + 13 }
    content.nodes[copy.instanceId] = copy
    return { change: 'node_added' }
  },
  remove(content, pick) {
    const node = pick(listNodes(content))
    if (!node) return
    delete content.nodes[node.instanceId]
    return { change: 'node_removed' }
  },
  replace(content, pick) {
    const node = pick(listNodes(content).filter(({ templateId }) => templateId === ADDITION))
    if (!node) return
    const other = buildNode(DIVISION, nextNumber(), { position: node.position })
    replaceNode(content, node, other)
    return { change: 'node_replaced' }
  },
  wire(content, pick) {
    const to = pick(listPorts(content, 'inputs'))
    if (!to) return
    const wires = to.node.sources[to.portId] ?? []
    const upstream = pick(listSenders(content, to.node, wires))
    if (!upstream) return
    to.node.sources[to.portId] = [...wires, upstream]
    return { change: 'wire_added' }
  },
  unwire(content, pick) {
    const to = pick(listWired(content))
    if (!to) return
    const cut = pick(to.node.sources[to.portId]!)
    const rest = to.node.sources[to.portId]!.filter((wire) => wire !== cut)
    if (rest.length === 0) delete to.node.sources[to.portId]
    else to.node.sources[to.portId] = rest
    return { change: 'wire_removed' }
  },
  rewire(content, pick) {
    const to = pick(listWired(content))
    if (!to) return
    const wires = to.node.sources[to.portId]!
    const upstream = pick(listSenders(content, to.node, wires))
    if (!upstream) return
    const old = pick(wires)
    to.node.sources[to.portId] = wires.map((wire) => (wire === old ? upstream : wire))
    return { change: 'wire_replaced' }
  },
  orderWires(content, pick) {
    const to = pick(listWired(content).filter(({ node, portId }) => node.sources[portId]!.length > 1))
    if (!to) return
    const [first, ...rest] = to.node.sources[to.portId]!
    to.node.sources[to.portId] = [...rest, first!]
    return { change: 'wires_reordered' }
  },
  setValues(content, pick, g) {
    const inputs = listPorts(content, 'inputs').filter(
      ({ node, portId }) => !node.state || portId !== node.instanceId,
    )
    const to = pick(inputs)
    if (!to) return
    const value = g(fc.integer, { min: 1_000_000, max: 2_000_000 }) + 0.5
    to.node.values[to.portId] = createDataTree([{ path: [0], values: [{ type: 'number', value }, null] }])
    return { change: 'values_changed' }
  },
  slide(content, pick, g) {
    const node = pick(listNodes(content).filter(({ state }) => state?.kind === 'slider'))
    if (!node) return
    const value = g(fc.integer, { min: 1_000_000, max: 2_000_000 }) / 8
    node.values[node.instanceId] = createDataTree([{ path: [0], values: [{ type: 'number', value }] }])
    return { change: 'values_changed' }
  },
  slideRange(content, pick) {
    const node = pick(listNodes(content).filter(({ state }) => state?.kind === 'slider'))
    if (!node) return
    const { minimum, maximum } = node.state as { minimum: number; maximum: number }
    node.state = { ...node.state, minimum: minimum - 1, maximum: maximum + 1 }
    return { change: 'settings_changed' }
  },
  write(content, pick) {
    const node = pick(listNodes(content).filter(({ state }) => state?.kind === 'panel'))
    if (!node) return
    const state = node.state as NodeState & { kind: 'panel' }
    const text = `${state.text}\nand another line`
    node.state = { ...state, text }
    const values = listPanelLines(text, state.isMultiline).map((value) => ({
      type: 'string' as const,
      value,
    }))
    node.values[node.instanceId] = createDataTree([{ path: [0], values }])
    return { change: 'settings_changed' }
  },
  program(content, pick) {
    const node = pick(listNodes(content).filter(({ state }) => state?.kind === 'script'))
    if (!node) return
    node.state = { ...node.state, source: `# first\n${String(node.state!.source)}\nlast = 1` }
    return { change: 'script_changed' }
  },
  flag(content, pick) {
    const to = pick([...listPorts(content, 'inputs'), ...listPorts(content, 'outputs')])
    if (!to) return
    const port = to.node.ports[to.portId]!
    const flags = port.flags.includes('reverse')
      ? port.flags.filter((flag) => flag !== 'reverse')
      : [...port.flags, 'reverse' as const]
    to.node.ports[to.portId] = { ...port, flags }
    return { change: 'port_flags' }
  },
  renamePort(content, pick) {
    const ports = [...listPorts(content, 'inputs'), ...listPorts(content, 'outputs')]
    const to = pick(ports.filter(({ node, portId }) => node.instanceId !== portId))
    if (!to) return
    const port = to.node.ports[to.portId]!
    to.node.ports[to.portId] = { ...port, nickName: `${port.nickName}'` }
    return { change: 'port_renamed' }
  },
  express(content, pick) {
    const to = pick(listPorts(content, 'inputs'))
    if (!to) return
    const port = to.node.ports[to.portId]!
    to.node.ports[to.portId] = { ...port, expression: `${port.expression ?? 'x'} + 1` }
    return { change: 'port_changed' }
  },
  addPort(content, pick) {
    const node = pick(listNodes(content).filter(({ templateId }) => templateId === MERGE))
    if (!node) return
    const id = `port-${nextNumber()}`
    const port = { name: 'Data', nickName: 'D', typeName: 'Data', access: 'tree' as const, flags: [] }
    node.inputs = createRecord([...Object.entries(node.inputs), [id, Object.keys(node.inputs).length]])
    node.ports = createRecord([...Object.entries(node.ports), [id, port]])
    return { change: 'port_added' }
  },
  removePort(content, pick) {
    const node = pick(
      listNodes(content).filter(
        ({ templateId, inputs }) => templateId === MERGE && Object.keys(inputs).length > 0,
      ),
    )
    if (!node) return
    delete node.inputs[pick(Object.keys(node.inputs))!]
    return { change: 'port_removed' }
  },
  group(content, pick) {
    const member = pick(listNodes(content))
    if (!member) return
    const nodeInstanceIds = [member.instanceId]
    content.groups.push({
      id: `group-${nextNumber()}`,
      label: 'New',
      colour: '#aa87ff96',
      nodeInstanceIds,
      groupIds: [],
    })
    return { change: 'group_added' }
  },
  ungroup(content, pick) {
    const group = pick(content.groups)
    if (!group) return
    content.groups = content.groups.filter((one) => one !== group)
    return { change: 'group_removed' }
  },
  label(content, pick) {
    const group = pick(content.groups)
    if (!group) return
    group.label = `${group.label} (relabelled)`
    return { change: 'group_renamed' }
  },
  joinGroup(content, pick) {
    const group = pick(content.groups)
    const member =
      group && pick(Object.keys(content.nodes).filter((id) => !group.nodeInstanceIds.includes(id)))
    if (!group || member === undefined) return
    group.nodeInstanceIds = [...group.nodeInstanceIds, member]
    return { change: 'group_members' }
  },
  pin(content, pick) {
    const pinned = new Set(content.configuration.inputs.map(({ portInstanceId }) => portInstanceId))
    const to = pick(listPorts(content, 'inputs').filter(({ portId }) => !pinned.has(portId)))
    if (!to) return
    content.configuration.inputs.push({ nodeInstanceId: to.node.instanceId, portInstanceId: to.portId })
    return { change: 'pin_added' }
  },
  unpin(content) {
    if (content.configuration.inputs.length === 0) return
    content.configuration.inputs.shift()
    return { change: 'pin_removed' }
  },
}

export const EDIT_KINDS: readonly string[] = Object.keys(EDITS)

/** Makes the edit of a kind, by default of any, or of another one that the document allows. The document stays as it is. */
export function makeSingleEdit(before: GraphContent, g: GeneratorValue, kind?: string): SingleEdit {
  const pick: Choose = (from) => (from.length === 0 ? undefined : from[g(fc.nat, { max: from.length - 1 })])
  const names = EDIT_KINDS
  const first = kind === undefined ? g(fc.nat, { max: names.length - 1 }) : names.indexOf(kind)
  for (let i = 0; i < names.length; i++) {
    const name = names[(first + i) % names.length]!
    const content = structuredClone(before)
    const reported = EDITS[name]!(content, pick, g)
    if (reported) return { name, content: repairGraph(content).content, ...reported }
  }
  throw new Error('The document allows no edit.')
}

/** A document that allows every kind of edit. */
export function createEditable(): GraphContent {
  const at = (x: number) => ({ position: { x, y: 10 } })
  const size = { width: 160, height: 20 }
  const slider = { kind: 'slider', minimum: 0, maximum: 5, decimals: 2, interval: 'real', size } as const
  const look = {
    colour: '#ffffffff',
    alignment: 'left',
    wraps: true,
    drawsIndices: false,
    drawsPaths: false,
  } as const
  const panel = { kind: 'panel', text: 'a', isMultiline: true, ...look, size } as const
  const script = { kind: 'script', language: 'python3', source: 'a = 1' } as const
  const sliders = [0, 1, 2, 3].map((i) =>
    buildNode(SLIDER, 100 * (i + 1), { ...at(i), state: slider, values: [{ type: 'number', value: i }] }),
  )
  const addition = buildNode(ADDITION, 1000, at(300))
  const others = [
    buildNode(PANEL, 1100, { ...at(400), state: panel, values: [{ type: 'string', value: 'a' }] }),
    buildNode(MERGE, 1200, at(500)),
    buildComponent(SCRIPT, 1300, [], [], { ...at(600), state: script }),
  ]
  const [input] = Object.keys(addition.inputs)
  addition.sources[input!] = sliders
    .slice(0, 2)
    .map(({ instanceId }) => ({ nodeInstanceId: instanceId, portInstanceId: instanceId }))
  const nodes = [...sliders, addition, ...others]
  const groups = [0, 1].map((i) => ({
    ...{ id: `group-${i}`, label: `Part ${i}`, colour: '#aa87ff96', groupIds: [] },
    nodeInstanceIds: [nodes[i]!.instanceId],
  }))
  const pinned = { nodeInstanceId: addition.instanceId, portInstanceId: input! }
  return {
    nodes: createRecord(nodes.map((node) => [node.instanceId, node])),
    groups,
    configuration: { inputs: [pinned], outputs: [] },
  }
}

const listNodes = ({ nodes }: GraphContent): Node[] => Object.values(nodes)

interface PortOfNode {
  node: Node
  portId: string
}

const listPorts = (content: GraphContent, side: 'inputs' | 'outputs'): PortOfNode[] =>
  listNodes(content).flatMap((node) => Object.keys(node[side]).map((portId) => ({ node, portId })))

const listWired = (content: GraphContent): PortOfNode[] =>
  listPorts(content, 'inputs').filter(({ node, portId }) => (node.sources[portId] ?? []).length > 0)

/** The outputs of other nodes from which there is none of these wires. */
const listSenders = (
  content: GraphContent,
  receiver: Node,
  wires: readonly PortReference[],
): PortReference[] =>
  listPorts(content, 'outputs')
    .filter(
      ({ node, portId }) =>
        node !== receiver && !wires.some(({ portInstanceId }) => portInstanceId === portId),
    )
    .map(({ node, portId }) => ({ nodeInstanceId: node.instanceId, portInstanceId: portId }))

/** A copy with other ids, as a paste makes it: with the wires into it. */
function copyNode(node: Node, from: number): Node {
  const ids = new Map([node.instanceId, ...Object.keys(node.ports)].map((id, i) => [id, buildId(from + i)]))
  return renameIds(
    structuredClone(node),
    (id) => ids.get(id) ?? id,
    (reference) => reference,
  )
}

const buildId = (from: number) => `00000000-0000-0000-0001-${String(from).padStart(12, '0')}`

/** A node with other ids for itself and its ports, and for what feeds it. */
function renameIds(
  node: Node,
  rename: (id: string) => string,
  ofSource: (source: PortReference) => PortReference,
): Node {
  const renameKeys = <T>(record: Readonly<Record<string, T>>) =>
    createRecord(Object.entries(record).map(([id, value]) => [rename(id), value] as const))
  return {
    ...node,
    instanceId: rename(node.instanceId),
    inputs: renameKeys(node.inputs),
    outputs: renameKeys(node.outputs),
    sources: createRecord(
      Object.entries(node.sources).map(([id, wires]) => [rename(id), wires.map(ofSource)] as const),
    ),
    values: renameKeys(node.values),
    ports: renameKeys(node.ports),
  }
}

/** The same document with other ids everywhere, as when all of it was copied into an empty one. */
export function recreate(content: GraphContent, shift = { x: 0, y: 0 }): GraphContent {
  const ids = new Map<string, string>()
  const rename = (id: string) => {
    const known = ids.get(id)
    if (known !== undefined) return known
    ids.set(id, buildId(nextNumber()))
    return ids.get(id)!
  }
  const reference = ({ nodeInstanceId, portInstanceId }: PortReference) => ({
    nodeInstanceId: rename(nodeInstanceId),
    portInstanceId: rename(portInstanceId),
  })
  const nodes = listNodes(structuredClone(content)).map((node) => {
    const { x, y } = node.position
    const timer =
      node.state?.kind === 'timer' ? { targetIds: (node.state.targetIds as string[]).map(rename) } : {}
    return {
      ...renameIds(node, rename, reference),
      position: { x: x + shift.x, y: y + shift.y },
      ...(node.state ? { state: { ...node.state, ...timer } } : {}),
    }
  })
  return {
    nodes: createRecord(nodes.map((node) => [node.instanceId, node])),
    groups: content.groups.map((group) => ({
      ...group,
      id: rename(group.id),
      nodeInstanceIds: group.nodeInstanceIds.map(rename),
      groupIds: group.groupIds.map(rename),
    })),
    configuration: {
      inputs: content.configuration.inputs.map(reference),
      outputs: content.configuration.outputs.map(reference),
    },
  }
}

/** Puts a component in the place of another one, with the same wires as far as it has ports. */
function replaceNode(content: GraphContent, node: Node, other: Node): void {
  const [inputs, outputs] = [Object.keys(node.inputs), Object.keys(node.outputs)]
  const [newInputs, newOutputs] = [Object.keys(other.inputs), Object.keys(other.outputs)]
  inputs.forEach((id, i) => {
    if (node.sources[id]) other.sources[newInputs[i]!] = node.sources[id]
  })
  for (const receiver of listNodes(content)) {
    for (const [input, wires] of Object.entries(receiver.sources)) {
      receiver.sources[input] = wires.map((wire) => {
        const at = wire.nodeInstanceId === node.instanceId ? outputs.indexOf(wire.portInstanceId) : -1
        return at < 0 ? wire : { nodeInstanceId: other.instanceId, portInstanceId: newOutputs[at]! }
      })
    }
  }
  for (const group of content.groups) {
    group.nodeInstanceIds = group.nodeInstanceIds.map((id) =>
      id === node.instanceId ? other.instanceId : id,
    )
  }
  const repin = (pin: PortReference, side: 'inputs' | 'outputs'): PortReference => {
    const at =
      pin.nodeInstanceId === node.instanceId ? Object.keys(node[side]).indexOf(pin.portInstanceId) : -1
    return at < 0 ? pin : { nodeInstanceId: other.instanceId, portInstanceId: Object.keys(other[side])[at]! }
  }
  content.configuration.inputs = content.configuration.inputs.map((pin) => repin(pin, 'inputs'))
  content.configuration.outputs = content.configuration.outputs.map((pin) => repin(pin, 'outputs'))
  delete content.nodes[node.instanceId]
  content.nodes[other.instanceId] = other
}
