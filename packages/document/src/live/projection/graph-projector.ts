import type { GraphContent, Group, Node } from '@meadow/contract'
import type * as Y from 'yjs'
import { createRecord } from '../../graph/record.ts'
import { assignPorts, type NodePorts } from '../../repair/assign-ports.ts'
import { repairGroups } from '../../repair/repair-groups.ts'
import { repairNode } from '../../repair/repair-node.ts'
import { repairPins } from '../../repair/repair-pins.ts'
import { getRoots, listKeysByCreation, type PropertyMap, type Roots } from '../schema/layout.ts'
import { findPin } from '../schema/pin-key.ts'
import { listChanges } from './changes.ts'
import { findGroup } from './find-group.ts'
import { findNode } from './find-node.ts'

/** The valid graph, with the projection of each node: an object or JSON text. */
export interface ProjectedGraph<Projection> {
  /** The nodes in the document's order. */
  nodes: Readonly<Record<string, Projection>>
  groups: Group[]
  configuration: GraphContent['configuration']
}

/** The cached data of a node: its projection, and the parts that the repair of other nodes depends on. */
interface Cached<Projection> {
  inputs: Node['inputs']
  outputs: Node['outputs']
  /** The nodes that its wires come from, existing or not. */
  senders: ReadonlySet<string>
  projection: Projection | undefined
}

const ignore = () => {}

/** The number of nodes that are parsed or projected between two steps of an update: about ten milliseconds of work. */
const NODES_IN_A_STEP = 100

/**
 * Projects a live document repeatedly. Each read parses and repairs only the nodes that changed since the last one, and
 * those whose validity depends on them. `update` does the same work in steps, between which the document may change.
 */
export function openGraphProjector<Projection>(
  doc: Y.Doc,
  project: (node: Node, properties: PropertyMap) => Projection,
) {
  const roots = getRoots(doc)
  const changes = watchChanges(doc, roots)
  const cache = new Map<string, Cached<Projection>>()
  let ports: ReadonlyMap<string, NodePorts> = new Map()
  let graph: ProjectedGraph<Projection> | undefined
  /** The update that has begun; the next read finishes it. */
  let updating: Generator<void, void> | undefined
  /** What updates have changed since the last read. */
  let [isNew, hasNewPorts] = [false, false]

  /** Parses changed nodes into the cache, without repair. */
  function* parseNodes(ids: Iterable<string>): Generator<void, Map<string, Node>> {
    const parsed = new Map<string, Node>()
    let count = 0
    for (const id of ids) {
      if (++count % NODES_IN_A_STEP === 0) yield
      const node = findNode(id, roots.nodes.get(id))
      const before = cache.get(id)
      if (node) {
        parsed.set(id, node)
        cache.set(id, { ...describe(node), projection: undefined })
      } else cache.delete(id)
      hasNewPorts ||=
        !node || !before || !isSame(before.inputs, node.inputs) || !isSame(before.outputs, node.outputs)
    }
    return parsed
  }

  /** Assigns all ports again; returns the nodes whose ports, or whose senders' ports, are different now. */
  const reassignPorts = (): Set<string> => {
    const before = ports
    ports = assignPorts(createRecord(cache), ignore)
    const different = new Set<string>()
    for (const id of new Set([...before.keys(), ...ports.keys()])) {
      if (!hasSamePorts(before.get(id), ports.get(id))) different.add(id)
    }
    const touched = new Set([...different].filter((id) => cache.has(id)))
    for (const [id, { senders }] of cache) {
      if ([...senders].some((sender) => different.has(sender))) touched.add(id)
    }
    return touched
  }

  function* updateNodes(): Generator<void, void> {
    const parsed = yield* parseNodes(changes.takeNodes())
    const touched = hasNewPorts ? new Set([...reassignPorts(), ...parsed.keys()]) : parsed
    isNew ||= touched.size > 0 || hasNewPorts
    let count = 0
    for (const id of touched.keys()) {
      if (++count % NODES_IN_A_STEP === 0) yield
      const properties = roots.nodes.get(id)
      const node = parsed.get(id) ?? findNode(id, properties)
      // A node that was removed between two steps is among the changes of the next update.
      if (!properties || !node) continue
      cache.get(id)!.projection = project(repairNode(id, node, ports, ignore), properties)
    }
  }

  function* update(): Generator<void, void> {
    updating ??= updateNodes()
    const current = updating
    while (!current.next().done) yield
    if (updating === current) updating = undefined
  }

  const finish = () => {
    for (const _step of update());
  }

  const read = (): ProjectedGraph<Projection> => {
    if (updating) finish()
    finish()
    const [hasOrder, hasGroups, hasPins] = [changes.takeOrder(), changes.takeGroups(), changes.takePins()]
    if (graph && !isNew && !hasGroups && !hasPins) return graph
    const ids =
      !graph || hasOrder || hasNewPorts
        ? listKeysByCreation(roots.nodes).filter((id) => cache.has(id))
        : Object.keys(graph.nodes)
    const nodes =
      isNew || !graph ? createRecord(ids.map((id) => [id, cache.get(id)!.projection!])) : graph.nodes
    graph = {
      nodes,
      groups: graph && !hasGroups && !hasNewPorts ? graph.groups : readGroups(roots.groups, nodes),
      configuration:
        graph && !hasPins && !hasNewPorts ? graph.configuration : readConfiguration(roots.pins, ports),
    }
    isNew = hasNewPorts = false
    return graph
  }
  return { read, update, close: changes.close }
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
  const found = listKeysByCreation(groups).flatMap((id) => findGroup(id, groups.get(id)) ?? [])
  return repairGroups(found, nodes, ignore)
}

function readConfiguration(pins: Roots['pins'], ports: ReadonlyMap<string, NodePorts>) {
  const { inputs, outputs } = listPins(pins)
  return { inputs: repairPins(inputs, ports, ignore), outputs: repairPins(outputs, ports, ignore) }
}

/** All pins, those of the first content in its order. Their ports may be missing. */
function listPins(pins: Roots['pins']): GraphContent['configuration'] {
  const listed: GraphContent['configuration'] = { inputs: [], outputs: [] }
  for (const key of listKeysByCreation(pins)) {
    const pin = findPin(key)
    if (pin) listed[pin.side].push(pin.port)
  }
  return listed
}

/** The parts of a document that changed since they were last taken; at first, everything. */
interface Changes {
  /** The nodes that were added, changed or removed. */
  takeNodes(): ReadonlySet<string>
  /** Whether any nodes were added, replaced or removed. */
  takeOrder(): boolean
  takeGroups(): boolean
  takePins(): boolean
  close(): void
}

function watchChanges(doc: Y.Doc, roots: Roots): Changes {
  let nodes = new Set(roots.nodes.keys())
  let hasOrder = true
  let hasGroups = true
  let hasPins = true
  const record = (transaction: Y.Transaction) => {
    for (const { root, id, property } of listChanges(transaction)) {
      if (root === 'nodes') {
        nodes.add(id)
        hasOrder ||= property === undefined
      } else if (root === 'groups') hasGroups = true
      else hasPins = true
    }
  }
  doc.on('afterTransaction', record)
  return {
    takeNodes() {
      const taken = nodes
      nodes = new Set()
      return taken
    },
    takeOrder() {
      const taken = hasOrder
      hasOrder = false
      return taken
    },
    takeGroups() {
      const taken = hasGroups
      hasGroups = false
      return taken
    },
    takePins() {
      const taken = hasPins
      hasPins = false
      return taken
    },
    close: () => doc.off('afterTransaction', record),
  }
}
