import { createDataTree, createRecord, type DataTree, type Node, type PortReference } from '@meadow/document'
import { findItem } from '../archive/find.ts'
import type { Library } from './definition.ts'
import type { DefinitionObject } from './objects/definition-object.ts'
import { readPosition, readStatus } from './objects/place.ts'
import { listSenders } from './ports/list-senders.ts'
import type { ObjectPorts, PortChunk } from './ports/port-chunk.ts'
import { readPort } from './ports/read-port.ts'
import { findState } from './states/find-state.ts'
import { findChosenValues } from './values/chosen-values.ts'
import { holdsHiddenDefault } from './values/hidden-defaults.ts'
import { findPersistentData } from './values/read-persistent-data.ts'
import { createValueContext, type DefinitionContext } from './values/value-context.ts'
import { findTypeNameOfValues } from './values/value-type-names.ts'

/** What reading one object needs to know of the whole definition. */
export interface NodeContext extends DefinitionContext {
  libraries: ReadonlyMap<string, Library>
  /** The node that has this output, by port id. */
  senders: ReadonlyMap<string, string>
  /** Ports whose value is not shown where it is the default of its type (rule GHD-33). */
  hiddenPorts: ReadonlySet<string>
}

/** An object of a definition as a node. Wires from nowhere are left out, with a note. */
export function readNode(object: DefinitionObject, ports: ObjectPorts, context: NodeContext): Node {
  const { inputs, outputs } = ports
  const all = new Map([...inputs, ...outputs].map((port) => [port.id, port]))
  const values = createRecord(
    [...all.values()].flatMap((port) => {
      const tree = findValues(object, port, context)
      return tree ? [[port.id, tree] as const] : []
    }),
  )
  const principal = inputs[findItem(object.container, 'PrincipalIndex', 'int32') ?? -1]
  const state = findState(object, context.libraries)
  return {
    instanceId: object.instanceId,
    templateId: object.classId,
    name: object.name,
    nickName: object.nickName,
    position: readPosition(object),
    status: readStatus(object),
    inputs: createRecord(inputs.map(({ id }, order) => [id, order])),
    outputs: createRecord(outputs.map(({ id }, order) => [id, order])),
    sources: readSources(object, inputs, context),
    values,
    ports: createRecord(
      [...all.values()].map(({ id, chunk, typeName }) => {
        const shownType = typeName ?? findTypeNameOfValues(values[id]) ?? 'Unknown'
        return [id, readPort(chunk, shownType, id === principal?.id)]
      }),
    ),
    ...(state ? { state } : {}),
  }
}

/** What was chosen on the object itself, else what the port keeps. */
function findValues(object: DefinitionObject, port: PortChunk, context: NodeContext): DataTree | undefined {
  const chosen = port.chunk === object.container ? findChosenValues(object) : undefined
  if (chosen) return chosen.length > 0 ? createDataTree([{ path: [0], values: chosen }]) : undefined
  if (context.hiddenPorts.has(port.id) && holdsHiddenDefault(port.chunk, port.typeName)) return undefined
  const at = { nodeInstanceId: object.instanceId, portInstanceId: port.id }
  return findPersistentData(port.chunk, port.typeName, createValueContext(context, at, object.where))
}

function readSources(
  { instanceId }: DefinitionObject,
  inputs: readonly PortChunk[],
  { senders, notes }: NodeContext,
): Node['sources'] {
  const sources = createRecord<PortReference[]>()
  for (const { id, chunk } of inputs) {
    const wires: PortReference[] = []
    for (const senderId of listSenders(chunk)) {
      const nodeInstanceId = senders.get(senderId)
      if (nodeInstanceId !== undefined) wires.push({ nodeInstanceId, portInstanceId: senderId })
      else notes.push({ kind: 'dropped_wire', nodeInstanceId: instanceId, portInstanceId: id, senderId })
    }
    if (wires.length > 0) sources[id] = wires
  }
  return sources
}
