import type { DataTree, DataValue, GraphContent, Node, Port, PortReference } from '@meadow/contract'
import { uuidv4 } from 'lib0/random'
import type * as Y from 'yjs'
import { sameTree } from '../../compare/same-tree.ts'
import {
  findCanvasObject,
  findComponent,
  findParameterType,
} from '../../component-library/component-library.ts'
import { createDataTree } from '../../graph/data-tree.ts'
import { createRecord } from '../../graph/record.ts'
import { findGroup } from '../projection/find-group.ts'
import { findNode } from '../projection/find-node.ts'
import { listOrderedWires, type OrderedWire } from '../projection/wires.ts'
import { getRoots } from '../schema/layout.ts'
import { findPin, formatPinKey, PINNED } from '../schema/pin-key.ts'
import { createNode } from './create-node.ts'
import { LiveEditError } from './edit-error.ts'
import { createMentions, getNode } from './find-parts.ts'
import { makeEdit, type Plan } from './make-edit.ts'
import { matchPorts } from './match-ports.ts'
import { insertNodes, removeReferences } from './nodes.ts'
import { nextName } from './ports.ts'
import { setWireOrder } from './wires.ts'

/** What a replacement does not keep. */
export interface Lost {
  /** The number of wires, at both sides, that find no port. */
  lostWires: number
  /** The names of the old ports whose wires, values or pins find no place, each once. */
  lostPorts: readonly string[]
}

export interface Replaced extends Lost {
  nodeInstanceId: string
}

const SIDES = ['inputs', 'outputs'] as const

/** The new port of each old one, by their ids, at each side. */
type Matches = Record<(typeof SIDES)[number], ReadonlyMap<string, string>>

/** Wires from the old node into an input, this one's own inputs included. */
interface Receiver {
  to: PortReference
  wires: readonly OrderedWire[]
}

/**
 * Replaces a node by a new one of another class, under a new id, in one edit. The new node has the groups and the status
 * of the old one, the name that somebody gave it, and its position unless another is given. Ports are matched as
 * `matchPorts` says; the new node gets as many repeated ports as that takes. Matched ports keep their wires, pins, flags
 * and expressions, and the values that were typed in if the new type has such values.
 */
export function replaceNode(
  doc: Y.Doc,
  id: string,
  { templateId, position }: { templateId: string; position?: Node['position'] },
  origin?: unknown,
): Replaced {
  const { node: old } = getNode(doc, id)
  if (old.templateId.toLowerCase() === templateId.toLowerCase())
    throw new LiveEditError('not_valid', `The node ${id} is of this kind already.`)
  const receivers = listReceivers(doc, id)
  const pins = [...getRoots(doc).pins.keys()].flatMap((key) => findPin(key) ?? [])
  const bare = createNode(templateId, { position: position ?? old.position })
  const { node, matches, lost } = planReplacement(old, bare, {
    receivers,
    pinned: pins.map(({ port }) => port),
  })
  makeEdit(doc, origin, (plan) => {
    insertNodes(doc, [node], plan)
    rewire(doc, receivers, { oldId: id, newId: node.instanceId }, matches, plan)
    for (const [groupId, properties] of getRoots(doc).groups) {
      if (findGroup(groupId, properties)?.nodeInstanceIds.includes(id))
        plan.setGroup(properties, 'node', [node.instanceId], true)
    }
    for (const { side, port } of pins) {
      const portInstanceId = port.nodeInstanceId === id ? findMatch(matches, port.portInstanceId) : undefined
      if (portInstanceId === undefined) continue
      const key = formatPinKey(side, { nodeInstanceId: node.instanceId, portInstanceId })
      plan.write(() => getRoots(doc).pins.set(key, PINNED))
    }
    plan.write(() => getRoots(doc).nodes.delete(id))
    removeReferences(doc, new Set([id]), plan)
  })
  return { nodeInstanceId: node.instanceId, ...lost }
}

/** What `replaceNode` would not keep for each of several classes. */
export function listLosses(
  { nodes, configuration }: GraphContent,
  id: string,
  templateIds: readonly string[],
): ReadonlyMap<string, Lost> {
  const old = nodes[id]
  if (!old) return new Map()
  const receivers = Object.values(nodes).flatMap(({ instanceId, sources }) =>
    Object.entries(sources).flatMap(([portInstanceId, senders]) => {
      const wires = senders.flatMap((sender, order) =>
        sender.nodeInstanceId === id ? [{ sender, order }] : [],
      )
      return wires.length > 0 ? [{ to: { nodeInstanceId: instanceId, portInstanceId }, wires }] : []
    }),
  )
  const pinned = [...configuration.inputs, ...configuration.outputs]
  return new Map(
    templateIds.map((templateId) => {
      const bare = createNode(templateId, { position: old.position })
      return [templateId, planReplacement(old, bare, { receivers, pinned }).lost]
    }),
  )
}

/** What refers to the old node. */
interface References {
  receivers: readonly Receiver[]
  /** The pinned ports of the document. */
  pinned: readonly PortReference[]
}

function planReplacement(old: Node, bare: Node, { receivers, pinned }: References) {
  const used = listUsedPorts(old, receivers, pinned)
  const { node: created, matches } = addRepeatedPorts(bare, old, used)
  const node = takeOver(old, created, matches)
  return { node, matches, lost: listLost(old, node, receivers, used, matches) }
}

function listReceivers(doc: Y.Doc, id: string): Receiver[] {
  const mentions = createMentions([id])
  return [...getRoots(doc).nodes].flatMap(([nodeInstanceId, properties]) => {
    if (!mentions(properties)) return []
    return Object.keys(findNode(nodeInstanceId, properties)?.sources ?? {}).flatMap((portInstanceId) => {
      const wires = listOrderedWires(nodeInstanceId, properties, portInstanceId).filter(
        ({ sender }) => sender.nodeInstanceId === id,
      )
      return wires.length > 0 ? [{ to: { nodeInstanceId, portInstanceId }, wires }] : []
    })
  })
}

/** The ports that something depends on: wires, values, pins, or how they treat their data. */
function listUsedPorts(
  node: Node,
  receivers: readonly Receiver[],
  pinned: readonly PortReference[],
): ReadonlySet<string> {
  const sending = receivers.flatMap(({ wires }) => wires.map(({ sender }) => sender.portInstanceId))
  const switched = Object.entries(node.ports).flatMap(([id, { flags, expression }]) =>
    flags.length > 0 || expression !== undefined ? [id] : [],
  )
  return new Set([
    ...Object.keys(node.sources),
    ...Object.keys(listTypedValues(node)),
    ...sending,
    ...pinned.flatMap(({ nodeInstanceId, portInstanceId }) =>
      nodeInstanceId === node.instanceId ? [portInstanceId] : [],
    ),
    ...switched,
  ])
}

/** The values that are not the defaults of the class. */
function listTypedValues({ templateId, ports, values }: Node): Readonly<Record<string, DataTree>> {
  const inputs = findComponent(templateId.toLowerCase())?.inputs ?? []
  return Object.fromEntries(
    Object.entries(values).filter(([id, tree]) => {
      const defaults = inputs.find(({ name }) => name === ports[id]?.name)?.defaults ?? []
      return !sameTree(tree, createDataTree([{ path: [0], values: defaults }]))
    }),
  )
}

const inOrder = (order: Readonly<Record<string, number>>): string[] =>
  Object.keys(order).sort((a, b) => order[a]! - order[b]!)

function matchSides(old: Node, created: Node, used: ReadonlySet<string>): Matches {
  const match = (side: keyof Matches): ReadonlyMap<string, string> => {
    const [olds, news] = [inOrder(old[side]), inOrder(created[side])]
    const found = matchPorts(
      olds.map((id) => (used.has(id) ? old.ports[id] : undefined)),
      news.map((id) => created.ports[id]!),
    )
    return new Map(olds.flatMap((id, at) => (found[at] === undefined ? [] : [[id, news[found[at]]!]])))
  }
  return { inputs: match('inputs'), outputs: match('outputs') }
}

/** The new node with as many repeated ports as find an old port. */
function addRepeatedPorts(bare: Node, old: Node, used: ReadonlySet<string>) {
  const kind = findComponent(bare.templateId)
  const sides = SIDES.filter((side) => kind?.[side].at(-1)?.isRepeated)
  const wanted = Math.max(
    0,
    ...sides.map((side) => Object.keys(old[side]).length - Object.keys(bare[side]).length),
  )
  for (let count = wanted; ; count--) {
    let node = bare
    for (let added = 0; added < count; added++) for (const side of sides) node = repeatPort(node, side)
    const matches = matchSides(old, node, used)
    const isNeeded = sides.some((side) => [...matches[side].values()].includes(inOrder(node[side]).at(-1)!))
    if (count === 0 || isNeeded) return { node, matches }
  }
}

function repeatPort(node: Node, side: keyof Matches): Node {
  const last = node.ports[inOrder(node[side]).at(-1)!]!
  const id = uuidv4()
  const port: Port = { ...last, name: nextName(last.name), nickName: nextName(last.nickName) }
  return {
    ...node,
    [side]: createRecord([...Object.entries(node[side]), [id, Object.keys(node[side]).length]]),
    ports: createRecord([...Object.entries(node.ports), [id, port]]),
  }
}

function takeOver(old: Node, created: Node, matches: Matches): Node {
  const id = created.instanceId
  const ports = new Map(Object.entries(created.ports))
  const values = new Map(Object.entries(created.values))
  const typed = listTypedValues(old)
  for (const [from, to] of [...matches.inputs, ...matches.outputs]) {
    const [before, port] = [old.ports[from]!, ports.get(to)!]
    const { expression, wireDisplay } = before
    ports.set(to, {
      ...port,
      flags: before.flags,
      ...(expression === undefined || before.typeName !== port.typeName ? {} : { expression }),
      ...(wireDisplay === undefined ? {} : { wireDisplay }),
    })
    const tree = typed[from]
    if (tree && takesValues(created, to) && isOfType(tree, before.typeName, port.typeName))
      values.set(to, tree)
  }
  const nickName = findGivenName(old) ?? created.nickName
  const own = ports.get(id)
  if (own) ports.set(id, { ...own, nickName })
  return {
    ...created,
    nickName,
    status: old.status,
    sources: createRecord(
      [...matches.inputs].flatMap(([from, to]) => {
        const wires = (old.sources[from] ?? []).flatMap((sender) =>
          sender.nodeInstanceId === old.instanceId ? toNewOutput(sender, id, matches) : [sender],
        )
        return wires.length > 0 ? [[to, wires] as const] : []
      }),
    ),
    values: createRecord(values),
    ports: createRecord(ports),
  }
}

function toNewOutput({ portInstanceId }: PortReference, nodeInstanceId: string, matches: Matches) {
  const output = matches.outputs.get(portInstanceId)
  return output === undefined ? [] : [{ nodeInstanceId, portInstanceId: output }]
}

/** The name that somebody gave the node; undefined for the one that its class gives. */
function findGivenName({ templateId, name, nickName }: Node): string | undefined {
  const guid = templateId.toLowerCase()
  const kind = findComponent(guid) ?? findParameterType(guid) ?? findCanvasObject(guid)
  return ['', name, kind?.name, kind?.nickName].includes(nickName) ? undefined : nickName
}

/** Whether values are typed into the port. Those of sliders, panels and the like follow from their state. */
const takesValues = ({ instanceId, templateId, inputs }: Node, port: string): boolean =>
  port === instanceId ? findParameterType(templateId) !== undefined : Object.hasOwn(inputs, port)

/** The types of values that a port of a type has. */
const VALUES: Readonly<Record<string, readonly DataValue['type'][]>> = {
  Number: ['number', 'integer'],
  Integer: ['integer'],
  Text: ['string'],
  Boolean: ['boolean'],
  Point: ['point'],
  Vector: ['vector'],
  Plane: ['plane'],
  Domain: ['domain'],
  Colour: ['colour'],
}

function isOfType({ branches }: DataTree, old: string, next: string): boolean {
  if (old === next || next === 'Data') return true
  const types = VALUES[next] ?? []
  return branches.every(({ values }) => values.every((value) => value === null || types.includes(value.type)))
}

function rewire(
  doc: Y.Doc,
  receivers: readonly Receiver[],
  { oldId, newId }: { oldId: string; newId: string },
  matches: Matches,
  plan: Plan,
): void {
  for (const { to, wires } of receivers) {
    const properties = getRoots(doc).nodes.get(to.nodeInstanceId)
    // Its wires to itself are among the sources of the new node.
    if (!properties || to.nodeInstanceId === oldId) continue
    for (const { sender, order } of wires) {
      for (const from of toNewOutput(sender, newId, matches)) setWireOrder(to, properties, from, order, plan)
    }
  }
}

const findMatch = ({ inputs, outputs }: Matches, port: string) => inputs.get(port) ?? outputs.get(port)

function listLost(
  old: Node,
  node: Node,
  receivers: readonly Receiver[],
  used: ReadonlySet<string>,
  matches: Matches,
): Lost {
  const names = new Set<string>()
  const typed = listTypedValues(old)
  let lostWires = 0
  for (const [id, { name }] of Object.entries(old.ports)) {
    const match = findMatch(matches, id)
    const isLost = match === undefined || (typed[id] !== undefined && node.values[match] !== typed[id])
    if (used.has(id) && isLost) names.add(name)
    const wires = old.sources[id]?.length ?? 0
    if (wires > 0 && !matches.inputs.has(id)) {
      lostWires += wires
      names.add(name)
    }
  }
  for (const { to, wires } of receivers) {
    for (const { sender } of wires) {
      // A wire from the node to itself is counted at its input already.
      if (to.nodeInstanceId === old.instanceId && !matches.inputs.has(to.portInstanceId)) continue
      if (matches.outputs.has(sender.portInstanceId)) continue
      lostWires++
      names.add(old.ports[sender.portInstanceId]?.name ?? '?')
    }
  }
  return { lostWires, lostPorts: [...names] }
}
