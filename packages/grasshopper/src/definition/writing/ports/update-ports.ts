import type { Node } from '@meadow/document'
import { setItem } from '../../../archive/edit.ts'
import { findChunk } from '../../../archive/find.ts'
import { sameJson } from '../../compare/same-json.ts'
import { CLASS } from '../../objects/class-ids.ts'
import type { DefinitionObject } from '../../objects/definition-object.ts'
import { listPorts } from '../../ports/list-ports.ts'
import type { ObjectPorts, PortChunk } from '../../ports/port-chunk.ts'
import { rearrangePorts } from './rearrange-ports.ts'

export interface UpdatedPorts {
  /** Where the ports are that the object has now. */
  ports: ObjectPorts
  /** The id before, by the id now, of ports that were given another. */
  renamed: ReadonlyMap<string, string>
}

/**
 * Gives an object the ports of its node, as far as it can have them.
 * Ports that users can add are added, removed, moved and given another type; the others stand in the order of their
 * library, and can only be given other ids.
 */
export function updatePorts(object: DefinitionObject, before: Node, after: Node): UpdatedPorts {
  const ports = listPorts(object)
  const variable = findChunk(object.container, 'ParameterData')
  if (variable && !CLUSTERS.includes(object.classId)) {
    if (sameSides(before, after) && sameTypes(before, after)) return { ports, renamed: new Map() }
    rearrangePorts(variable, before, after)
    return { ports: listPorts(object), renamed: new Map() }
  }
  const renamed = (['inputs', 'outputs'] as const).flatMap((side) =>
    canRename(ports[side], Object.keys(after[side]), object) ? renamePorts(ports[side], after[side]) : [],
  )
  return { ports, renamed: new Map(renamed) }
}

const CLUSTERS: readonly string[] = [CLASS.cluster, CLASS.oldCluster]

function sameSides(a: Node, b: Node): boolean {
  return (
    sameJson(Object.keys(a.inputs), Object.keys(b.inputs)) &&
    sameJson(Object.keys(a.outputs), Object.keys(b.outputs))
  )
}

function sameTypes(a: Node, b: Node): boolean {
  return Object.entries(b.ports).every(([id, { typeName }]) => a.ports[id]?.typeName === typeName)
}

/** As many, and none that only stands elsewhere. A parameter's own id is its object's. */
function canRename(
  ports: readonly PortChunk[],
  ids: readonly string[],
  { container }: DefinitionObject,
): boolean {
  const known = ports.map(({ id }) => id)
  return (
    ports.length === ids.length &&
    ports.every(({ chunk }) => chunk !== container) &&
    ids.every((id, i) => known[i] === id || !known.includes(id))
  )
}

function renamePorts(ports: readonly PortChunk[], orders: Node['inputs']): [string, string][] {
  return Object.keys(orders).flatMap((id, i): [string, string][] => {
    const port = ports[i]
    if (!port || port.id === id) return []
    const earlier = port.id
    setItem(port.chunk, 'guid', 'InstanceGuid', id)
    port.id = id
    return [[id, earlier]]
  })
}
