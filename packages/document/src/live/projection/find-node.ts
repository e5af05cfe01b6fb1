import type { DataTree, Node, Port } from '@meadow/contract'
import { createRecord } from '../../graph/record.ts'
import { isPropertyMap } from '../schema/layout.ts'
import { NODE_PROPERTIES, type NodePropertyName, type OrderedPort } from '../schema/node-properties.ts'
import { type Edit, listEdits } from '../schema/property.ts'
import { applyWireEdits, findCreationRecord, inPortOrder } from './wires.ts'

/**
 * A node: its creation record with the edits since. It is valid by itself, but its wires may have no sender, and
 * another node may own its port ids. Undefined without a valid creation record.
 */
export function findNode(id: string, properties: unknown): Node | undefined {
  if (!isPropertyMap(properties)) return undefined
  const created = findCreationRecord(id, properties)
  if (!created || properties._map.size === 1) return created
  const edits = listEdits(NODE_PROPERTIES, properties)
  const find = (name: keyof typeof NODE_PROPERTIES) => edits.find((edit) => edit.name === name)?.value
  const nickName = find('nickName') as string | undefined
  const { inputs, outputs, ports } = applyPortEdits(created, edits)
  const order = [...Object.keys(inputs), ...Object.keys(outputs)]
  const state = applyStateEdits(created.state, edits)
  return {
    instanceId: id,
    templateId: created.templateId,
    name: created.name,
    nickName: nickName ?? created.nickName,
    position: (find('position') as Node['position'] | undefined) ?? created.position,
    status: {
      isEnabled: (find('isEnabled') as boolean | undefined) ?? created.status.isEnabled,
      isPreviewed: (find('isPreviewed') as boolean | undefined) ?? created.status.isPreviewed,
    },
    inputs,
    outputs,
    sources: applyWireEdits(created.sources, edits, order),
    values: applyValueEdits(created.values, edits, order),
    ports: nickName === undefined ? ports : nameOwnPort(id, ports, nickName),
    ...(created.display ? { display: created.display } : {}),
    ...(state ? { state } : {}),
  }
}

/** A parameter object is one port, and has one nickname (decision 0007). */
function nameOwnPort(id: string, ports: Node['ports'], nickName: string): Node['ports'] {
  const own = ports[id]
  if (!own || own.nickName === nickName) return ports
  return createRecord(Object.entries({ ...ports, [id]: { ...own, nickName } }))
}

type Ports = Pick<Node, 'inputs' | 'outputs' | 'ports'>

/** The ports with their edits. Orders can have gaps and fractions. Edits of missing ports are ignored. */
function applyPortEdits(created: Ports, edits: readonly Edit<NodePropertyName>[]): Ports {
  const whole = edits.filter(({ name }) => name === 'port')
  const parts = edits.filter(({ name }) => name.startsWith('port.'))
  if (whole.length + parts.length === 0) return created
  const inputs = createRecord(Object.entries(created.inputs))
  const outputs = createRecord(Object.entries(created.outputs))
  const ports = createRecord(Object.entries(created.ports))
  for (const { ids, value } of whole) {
    const id = ids[0]!
    for (const record of [inputs, outputs, ports]) delete record[id]
    if (value === null) continue
    const { side, order, ...port } = value as OrderedPort
    ports[id] = port
    if (side === 'input') inputs[id] = order
    else outputs[id] = order
  }
  for (const { name, ids, value } of parts) {
    const port = ports[ids[0]!]
    if (port) ports[ids[0]!] = editPort(port, name, ids, value)
  }
  return { inputs, outputs, ports }
}

function editPort(port: Port, property: NodePropertyName, ids: readonly string[], value: unknown): Port {
  switch (property) {
    case 'port.flag':
      return { ...port, flags: toggle(port.flags, ids[1] as Port['flags'][number], value as boolean) }
    case 'port.option': {
      const { options = [], ...rest } = port
      const toggled = toggle(options, ids[1] as (typeof options)[number], value as boolean)
      return toggled.length > 0 ? { ...rest, options: toggled } : rest
    }
    case 'port.expression': {
      const { expression: _, ...rest } = port
      return value === null ? rest : { ...rest, expression: value as string }
    }
    case 'port.wireDisplay': {
      const { wireDisplay: _, ...rest } = port
      return value === null ? rest : { ...rest, wireDisplay: value as NonNullable<Port['wireDisplay']> }
    }
    default:
      return { ...port, [property.slice('port.'.length)]: value }
  }
}

function toggle<T>(switches: readonly T[], which: T, isOn: boolean): T[] {
  const others = switches.filter((one) => one !== which)
  return isOn ? [...others, which] : others
}

/** The state with its edits: original members keep their order, added ones follow by name. */
function applyStateEdits(created: Node['state'], edits: readonly Edit<NodePropertyName>[]): Node['state'] {
  const edited = edits.filter(({ name }) => name === 'state')
  if (!created || edited.length === 0) return created
  const state = { ...created }
  for (const { ids, value } of edited) {
    if (value === null) delete state[ids[0]!]
    else state[ids[0]!] = value
  }
  return state
}

/** The values with their edits: original ones keep their order, added ones follow in the order of the ports. */
function applyValueEdits(
  created: Readonly<Record<string, DataTree>>,
  edits: readonly Edit<NodePropertyName>[],
  order: readonly string[],
): Record<string, DataTree> {
  const edited = edits.filter(({ name }) => name === 'value')
  if (edited.length === 0) return created
  const values = new Map(Object.entries(created))
  for (const { ids, value } of inPortOrder(edited, order)) {
    if (value === null) values.delete(ids[0]!)
    else values.set(ids[0]!, value as DataTree)
  }
  return createRecord(values)
}
