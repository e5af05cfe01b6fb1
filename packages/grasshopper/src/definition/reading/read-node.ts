import {
  createDataTree,
  createRecord,
  type DataTree,
  type LibraryPort,
  type Node,
  type Port,
  type PortReference,
} from '@meadow/document'
import type { Chunk } from '../../archive/tree/archive.ts'
import { findItem, listItems } from '../../archive/tree/find.ts'
import type { Library } from '../model/definition.ts'
import type { DefinitionObject, PortChunk } from '../model/definition-object.ts'
import { readPosition, readStatus } from '../model/layout.ts'
import { findText } from '../model/text.ts'
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
  const display = context.reading === 1 ? undefined : findDisplay(object)
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
        const port = readPort(chunk, foundType, id === principal?.id)
        return [id, context.reading === 1 ? port : addAppearance(port, chunk, object)]
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

const ACCESS = ['item', 'list', 'tree'] as const

function readPort(chunk: Chunk, typeName: string, isPrincipal: boolean): Port {
  const expression = findText(chunk, 'InternalExpression')
  const options = listOptions(chunk, isPrincipal)
  return {
    name: findText(chunk, 'Name') ?? '',
    nickName: findText(chunk, 'NickName') ?? '',
    typeName,
    access: ACCESS[findItem(chunk, 'Access', 'int32') ?? 0] ?? 'item',
    flags: listFlags(chunk),
    ...(expression ? { expression } : {}),
    ...(options.length > 0 ? { options } : {}),
  }
}

const WIRE_DISPLAYS = [undefined, 'faint', 'hidden'] as const

/** Hidden and Locked of a parameter object are the status of its node. */
function addAppearance(port: Port, chunk: Chunk, { container }: DefinitionObject): Port {
  const isOn = (name: string) => chunk !== container && findItem(chunk, name, 'bool') === true
  const added = [
    ...(isOn('Hidden') ? ['hidden' as const] : []),
    ...(isOn('Locked') ? ['locked' as const] : []),
  ]
  const wireDisplay = WIRE_DISPLAYS[findItem(chunk, 'WireDisplay', 'int32') ?? 0]
  return {
    ...port,
    ...(added.length > 0 ? { options: [...(port.options ?? []), ...added] } : {}),
    ...(wireDisplay ? { wireDisplay } : {}),
  }
}

const DISPLAYS = [undefined, 'name', 'icon'] as const

function findDisplay({ container }: DefinitionObject): Node['display'] {
  return DISPLAYS[findItem(container, 'IconDisplay', 'int32') ?? 0]
}

function listFlags(chunk: Chunk): Port['flags'] {
  const mapping = findItem(chunk, 'Mapping', 'int32')
  const flags: Port['flags'] = []
  if (mapping === 2) flags.push('graft')
  if (mapping === 1) flags.push('flatten')
  if (findItem(chunk, 'SimplifyData', 'bool')) flags.push('simplify')
  if (findItem(chunk, 'ReverseData', 'bool')) flags.push('reverse')
  return flags
}

function listOptions(chunk: Chunk, isPrincipal: boolean): NonNullable<Port['options']> {
  const options: NonNullable<Port['options']> = []
  if (findItem(chunk, 'Optional', 'bool')) options.push('optional')
  if (isPrincipal) options.push('principal')
  if (findItem(chunk, 'Reparameterize', 'bool')) options.push('reparameterize')
  if (findItem(chunk, 'UseDegrees', 'bool')) options.push('degrees')
  if (findItem(chunk, 'InvertBooleans', 'bool')) options.push('invert')
  return options
}
