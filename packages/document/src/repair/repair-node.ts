import type { DataTree, Node, Port, PortReference } from '@meadow/contract'
import { createDataTree, isInPathOrder } from '../graph/data-tree.ts'
import { findPath } from '../graph/path.ts'
import { createRecord } from '../graph/record.ts'
import type { NodePorts } from './assign-ports.ts'
import type { Report } from './repair.ts'

const NAMELESS_PORT: Port = { name: '', nickName: '', typeName: 'Unknown', access: 'item', flags: [] }

/** The node with valid orders, wires, values and port properties, in records without prototypes. */
export function repairNode(
  id: string,
  node: Node,
  ports: ReadonlyMap<string, NodePorts>,
  report: Report,
): Node {
  const { inputs, outputs } = ports.get(id) as NodePorts
  const existing = new Set([...inputs, ...outputs])
  if (node.instanceId !== id) report({ kind: 'node_id_set', nodeInstanceId: id })
  return {
    ...node,
    instanceId: id,
    position: repairPosition(id, node.position, report),
    inputs: repairOrders(id, inputs, node.inputs, report),
    outputs: repairOrders(id, outputs, node.outputs, report),
    sources: repairSources(id, node.sources, inputs, ports, report),
    values: repairValues(id, node.values, existing, report),
    ports: repairPortProperties(id, node.ports, existing, report),
  }
}

function repairPosition(id: string, { x, y }: Node['position'], report: Report): Node['position'] {
  if (Number.isFinite(x) && Number.isFinite(y)) return { x, y }
  report({ kind: 'position_set', nodeInstanceId: id })
  return { x: Number.isFinite(x) ? x : 0, y: Number.isFinite(y) ? y : 0 }
}

function repairOrders(
  id: string,
  portIds: ReadonlySet<string>,
  orders: Record<string, number>,
  report: Report,
): Record<string, number> {
  const inOrder = [...portIds]
  if (inOrder.some((portId, order) => orders[portId] !== order)) {
    report({ kind: 'ports_ordered', nodeInstanceId: id })
  }
  return createRecord(inOrder.map((portId, order) => [portId, order]))
}

function repairSources(
  id: string,
  sources: Node['sources'],
  inputs: ReadonlySet<string>,
  ports: ReadonlyMap<string, NodePorts>,
  report: Report,
): Node['sources'] {
  const repaired = createRecord<PortReference[]>()
  for (const [portId, wires] of Object.entries(sources)) {
    const seen = new Set<string>()
    const at = { nodeInstanceId: id, portInstanceId: portId }
    if (wires.length === 0) report({ kind: 'empty_sources_dropped', ...at })
    const validWires = wires.filter((wire) => {
      const droppedId = wire.portInstanceId
      if (!inputs.has(portId)) report({ kind: 'wire_without_receiver_dropped', ...at, droppedId })
      else if (!isOutput(wire, ports)) report({ kind: 'wire_without_sender_dropped', ...at, droppedId })
      else if (seen.has(droppedId)) report({ kind: 'repeated_wire_dropped', ...at, droppedId })
      else {
        seen.add(droppedId)
        return true
      }
      return false
    })
    if (validWires.length > 0) repaired[portId] = validWires
  }
  return repaired
}

function repairValues(
  id: string,
  values: Node['values'],
  existing: ReadonlySet<string>,
  report: Report,
): Node['values'] {
  const repaired = createRecord<DataTree>()
  for (const [portId, tree] of Object.entries(values)) {
    const at = { nodeInstanceId: id, portInstanceId: portId }
    if (!existing.has(portId)) report({ kind: 'values_dropped', ...at })
    else if (isInPathOrder(tree)) repaired[portId] = tree
    else {
      report({ kind: 'values_ordered', ...at })
      repaired[portId] = createDataTree(
        tree.branches.flatMap(({ path, values }) => {
          const found = findPath(path)
          return found ? [{ path: found, values }] : []
        }),
      )
    }
  }
  return repaired
}

function repairPortProperties(
  id: string,
  properties: Node['ports'],
  existing: ReadonlySet<string>,
  report: Report,
): Node['ports'] {
  for (const portId of Object.keys(properties)) {
    if (!existing.has(portId))
      report({ kind: 'port_facts_dropped', nodeInstanceId: id, portInstanceId: portId })
  }
  return createRecord(
    [...existing].map((portId) => {
      if (Object.hasOwn(properties, portId)) return [portId, properties[portId] as Port]
      report({ kind: 'port_facts_added', nodeInstanceId: id, portInstanceId: portId })
      return [portId, NAMELESS_PORT]
    }),
  )
}

function isOutput(wire: PortReference, ports: ReadonlyMap<string, NodePorts>): boolean {
  return ports.get(wire.nodeInstanceId)?.outputs.has(wire.portInstanceId) ?? false
}
