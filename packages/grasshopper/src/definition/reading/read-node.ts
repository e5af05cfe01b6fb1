import {
  createDataTree,
  createRecord,
  type DataTree,
  type LibraryPort,
  type Node,
  type PortReference,
} from '@meadow/document'
import { findItem, listItems } from '../../archive/tree/find.ts'
import type { Library } from '../model/definition.ts'
import type { DefinitionObject, PortChunk } from '../model/definition-object.ts'
import { readDisplay, readPosition, readStatus } from '../model/layout.ts'
import { readPort } from '../model/port-items.ts'
import { findChosenValues, findState } from '../states/index.ts'
import { holdsHiddenDefault } from './values/hidden-defaults.ts'
import { findPersistentData, findTypeNameOfValues } from './values/read-persistent-data.ts'
import { createValueContext, type DefinitionContext } from './values/value-context.ts'

/** The parts of the definition that an object depends on. */
export interface NodeContext extends DefinitionContext {
  libraries: ReadonlyMap<string, Library>
  /** The node of each output, by port id. */
  senders: ReadonlyMap<string, string>
  /** Ports whose value is hidden if it is the default of its type (rule GHD-33). */
  hiddenPorts: ReadonlySet<string>
}

/** Reads an object of a definition as a node. Wires without a sender are dropped, with a note. */
export function readNode(object: DefinitionObject, context: NodeContext): Node {
  const { inputs, outputs } = object.ports
  const all = new Map([...inputs, ...outputs].map((port) => [port.id, port]))
  const values = createRecord(
    [...all.values()].flatMap((port) => {
      const tree = findValues(object, port, context)
      return tree ? [[port.id, tree] as const] : []
    }),
  )
  const principal = inputs[findItem(object.container, 'PrincipalIndex', 'int32') ?? -1]
  const state = findState(object, context)
  const hasAppearance = context.reading !== 1
  const display = hasAppearance ? readDisplay(object) : undefined
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
        const foundType = typeName ?? findTypeNameOfValues(values[id]) ?? 'Unknown'
        const place = {
          isPrincipal: id === principal?.id,
          isObject: chunk === object.container,
          hasAppearance,
        }
        return [id, readPort(chunk, foundType, place)]
      }),
    ),
    ...(display ? { display } : {}),
    ...(state ? { state } : {}),
  }
}

/** The values chosen on the object itself, otherwise the literal values of the port. */
function findValues(object: DefinitionObject, port: PortChunk, context: NodeContext): DataTree | undefined {
  const chosen = port.chunk === object.container ? findChosenValues(object) : undefined
  if (chosen) return chosen.length > 0 ? createDataTree([{ path: [0], values: chosen }]) : undefined
  if (context.hiddenPorts.has(port.id) && holdsHiddenDefault(port.chunk, port.typeName)) return undefined
  const at = { nodeInstanceId: object.instanceId, portInstanceId: port.id }
  if (port.leftOut) return findDefaults(port.leftOut, at, context)
  return findPersistentData(port.chunk, port.typeName, createValueContext(context, at, object.where))
}

/** The default of a port that the file leaves out. */
function findDefaults(
  { defaults }: LibraryPort,
  at: PortReference,
  { notes }: NodeContext,
): DataTree | undefined {
  notes.push({ kind: 'port_left_out', ...at })
  return defaults.length > 0 ? createDataTree([{ path: [0], values: defaults }]) : undefined
}

function readSources(
  { instanceId }: DefinitionObject,
  inputs: readonly PortChunk[],
  { senders, notes }: NodeContext,
): Node['sources'] {
  const sources = createRecord<PortReference[]>()
  for (const { id, chunk } of inputs) {
    const wires: PortReference[] = []
    // Only the receiving end of a wire records it.
    for (const senderId of listItems(chunk, 'Source', 'guid')) {
      const nodeInstanceId = senders.get(senderId)
      if (nodeInstanceId !== undefined) wires.push({ nodeInstanceId, portInstanceId: senderId })
      else notes.push({ kind: 'dropped_wire', nodeInstanceId: instanceId, portInstanceId: id, senderId })
    }
    if (wires.length > 0) sources[id] = wires
  }
  return sources
}
