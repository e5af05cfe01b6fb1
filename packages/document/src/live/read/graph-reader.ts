import type { GraphContent, Group, Node } from '@meadow/contract'
import type * as Y from 'yjs'
import { createRecord } from '../../record.ts'
import { claimPorts, type NodePorts } from '../../repair/claim-ports.ts'
import { repairGroups } from '../../repair/repair-groups.ts'
import { repairNode } from '../../repair/repair-node.ts'
import { repairPins } from '../../repair/repair-pins.ts'
import { type Facts, getRoots, listKeysByBirth, type Roots } from '../layout.ts'
import { findGroup } from './find-group.ts'
import { findNode } from './find-node.ts'
import { listPins } from './list-pins.ts'
import { watchChanges } from './watch-changes.ts'

/** The whole, valid graph, each node as what is kept of it. */
export interface KeptGraph<Kept> {
  /** In the document's order. */
  nodes: Readonly<Record<string, Kept>>
  groups: Group[]
  configuration: GraphContent['configuration']
}

/** What of a node has to be known to repair others. */
interface Known<Kept> {
  inputs: Node['inputs']
  outputs: Node['outputs']
  /** The nodes that its wires come from, or came from once. */
  senders: ReadonlySet<string>
  kept: Kept | undefined
}

const ignore = () => {}

/**
 * Reads a live document again and again: what changed since the last time, and what that made valid or invalid
 * elsewhere, is read and repaired anew, the rest is as it was kept.
 */
export function openGraphReader<Kept>(doc: Y.Doc, keep: (node: Node, facts: Facts) => Kept) {
  const roots = getRoots(doc)
  const changes = watchChanges(doc, roots)
  const known = new Map<string, Known<Kept>>()
  let ports: ReadonlyMap<string, NodePorts> = new Map()
  let graph: KeptGraph<Kept> | undefined

  /** Notes what nodes are like by themselves; gives those that are to be repaired, as far as they are read. */
  const noteNodes = (ids: Iterable<string>) => {
    const noted = new Map<string, Node>()
    let hasNewPorts = false
    for (const id of ids) {
      const node = findNode(id, roots.nodes.get(id))
      const before = known.get(id)
      if (node) {
        noted.set(id, node)
        known.set(id, { ...describe(node), kept: undefined })
      } else known.delete(id)
      hasNewPorts ||=
        !node || !before || !isSame(before.inputs, node.inputs) || !isSame(before.outputs, node.outputs)
    }
    return { noted, hasNewPorts }
  }

  /** Claims all ports anew; gives the nodes for which something is different now, or at the end of whose wires. */
  const claimAnew = (): Set<string> => {
    const before = ports
    ports = claimPorts(createRecord(known), ignore)
    const different = new Set<string>()
    for (const id of new Set([...before.keys(), ...ports.keys()])) {
      if (!hasSamePorts(before.get(id), ports.get(id))) different.add(id)
    }
    const touched = new Set([...different].filter((id) => known.has(id)))
    for (const [id, { senders }] of known) if (!different.isDisjointFrom(senders)) touched.add(id)
    return touched
  }

  const readNodes = () => {
    const { noted, hasNewPorts } = noteNodes(changes.takeNodes())
    const touched = hasNewPorts ? claimAnew().union(noted) : noted
    for (const id of touched.keys()) {
      const facts = roots.nodes.get(id)!
      const node = noted.get(id) ?? findNode(id, facts)!
      known.get(id)!.kept = keep(repairNode(id, node, ports, ignore), facts)
    }
    return { isNew: touched.size > 0 || hasNewPorts, hasNewPorts }
  }

  const read = (): KeptGraph<Kept> => {
    const { isNew, hasNewPorts } = readNodes()
    const [hasOrder, hasGroups, hasPins] = [changes.takeOrder(), changes.takeGroups(), changes.takePins()]
    if (graph && !isNew && !hasGroups && !hasPins) return graph
    const ids =
      !graph || hasOrder || hasNewPorts
        ? listKeysByBirth(roots.nodes).filter((id) => known.has(id))
        : Object.keys(graph.nodes)
    const nodes = isNew || !graph ? createRecord(ids.map((id) => [id, known.get(id)!.kept!])) : graph.nodes
    graph = {
      nodes,
      groups: graph && !hasGroups && !hasNewPorts ? graph.groups : readGroups(roots.groups, nodes),
      configuration:
        graph && !hasPins && !hasNewPorts ? graph.configuration : readConfiguration(roots.pins, ports),
    }
    return graph
  }
  return { read, close: changes.close }
}

function describe({ inputs, outputs, sources }: Node) {
  const senders = new Set(Object.values(sources).flatMap((wires) => wires.map((wire) => wire.nodeInstanceId)))
  return { inputs, outputs, senders }
}

function isSame(a: Node['inputs'], b: Node['inputs']): boolean {
  const [first, second] = [Object.entries(a), Object.entries(b)]
  return (
    first.length === second.length &&
    first.every(([id, order], at) => second[at]![0] === id && order === b[id])
  )
}

function hasSamePorts(a: NodePorts | undefined, b: NodePorts | undefined): boolean {
  return !!a && !!b && isSameList(a.inputs, b.inputs) && isSameList(a.outputs, b.outputs)
}

function isSameList(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const other = [...b]
  return a.size === b.size && [...a].every((id, at) => id === other[at])
}

function readGroups(groups: Roots['groups'], nodes: Readonly<Record<string, unknown>>): Group[] {
  const found = listKeysByBirth(groups).flatMap((id) => findGroup(id, groups.get(id)) ?? [])
  return repairGroups(found, nodes, ignore)
}

function readConfiguration(pins: Roots['pins'], ports: ReadonlyMap<string, NodePorts>) {
  const { inputs, outputs } = listPins(pins)
  return { inputs: repairPins(inputs, ports, ignore), outputs: repairPins(outputs, ports, ignore) }
}
