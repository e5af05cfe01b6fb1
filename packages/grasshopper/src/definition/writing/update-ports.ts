import { listParameterTypes, type Node, type Port, sameJson } from '@meadow/document'
import type { Chunk, Item, Rectangle } from '../../archive/tree/archive.ts'
import {
  createChunk,
  createItem,
  removeItem,
  setChunks,
  setItem,
  setItems,
  setSwitch,
  sortItems,
} from '../../archive/tree/edit.ts'
import { findChunk, findItem, listChunks } from '../../archive/tree/find.ts'
import { SHOWN_OPTIONS, sameMembers } from '../compare/differences.ts'
import { CLASS } from '../model/class-ids.ts'
import { toText } from '../model/coerce.ts'
import { type DefinitionObject, listPorts, type PortChunk } from '../model/definition-object.ts'
import { boundsOf, rowsOf, sizeOfComponent } from './layout.ts'

/**
 * Gives an object the ports of its node, as far as its class allows. Variable ports are added, removed, moved and given
 * another type; fixed ports stay in the order of their library, and can only be given other ids.
 * Returns the earlier ids of ports that were given another id, by their present ids.
 */
export function updatePorts(
  object: DefinitionObject,
  before: Node,
  after: Node,
): ReadonlyMap<string, string> {
  const { ports, container, classId } = object
  const variable = findChunk(container, 'ParameterData')
  if (variable && !CLUSTERS.includes(classId)) {
    if (!sameSides(before, after) || !sameTypes(before, after)) {
      rearrangePorts(variable, before, after)
      object.ports = listPorts(object)
    }
    return new Map()
  }
  const renamed = (['inputs', 'outputs'] as const).flatMap((side) =>
    canRename(ports[side], Object.keys(after[side]), object) ? renamePorts(ports[side], after[side]) : [],
  )
  return new Map(renamed)
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

/** Whether the ports match by index: as many, and none that was only moved. A parameter has the id of its object. */
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

/** The names of the ports of each side in a ParameterData chunk. */
const NAMES = {
  input: { port: 'InputParam', type: 'InputId', count: 'InputCount' },
  output: { port: 'OutputParam', type: 'OutputId', count: 'OutputCount' },
} as const

/** Gives a ParameterData chunk the ports of the node, in its order. Existing ports keep everything in their chunk. */
export function rearrangePorts(data: Chunk, before: Node, after: Node): void {
  const rows = rowsOf(after, boundsOf(after, sizeOfComponent(after), true))
  for (const side of ['input', 'output'] as const) {
    const names = NAMES[side]
    const known = mapKnown(data, side)
    const arranged = Object.keys(side === 'input' ? after.inputs : after.outputs).map((id) => {
      const [port, earlier] = [after.ports[id] as Port, before.ports[id]]
      const found = known.get(id)
      const bounds = rows.get(id) ?? { x: 0, y: 0, width: 0, height: 0 }
      return {
        chunk: found?.chunk ?? createVariablePort(after.templateId, createPort(id, port, side, bounds), side),
        typeId:
          (earlier?.typeName === port.typeName ? found?.typeId : undefined) ?? findTypeId(port.typeName),
      }
    })
    setChunks(
      data,
      names.port,
      arranged.map(({ chunk }) => chunk),
    )
    setItems(
      data,
      'guid',
      names.type,
      arranged.map(({ typeId }) => typeId ?? DATA_TYPE_ID),
    )
    setItem(data, 'int32', names.count, arranged.length)
  }
}

function createVariablePort(classId: string, port: Chunk, side: Side): Chunk {
  if (hasFixedNames(classId, side)) setItem(port, 'bool', 'Mutable', false)
  return port
}

function mapKnown(data: Chunk, side: Side): Map<string, { chunk: Chunk; typeId: string | undefined }> {
  const { port, type } = NAMES[side]
  return new Map(
    listChunks(data, port).flatMap((chunk) => {
      const id = findItem(chunk, 'InstanceGuid', 'guid')
      const typeId = findItem(data, type, 'guid', chunk.index)
      return id === undefined ? [] : [[id, { chunk, typeId }] as const]
    }),
  )
}

export type Side = 'input' | 'output'

/** The chunk of a new port, without its name and index. `bounds`: its row on the canvas. */
export function createPort(id: string, port: Port, side: Side, bounds: Rectangle): Chunk {
  const { x, y, width, height } = bounds
  const chunk = createChunk('', [
    createItem('string', 'Description', ''),
    createItem('guid', 'InstanceGuid', id),
    createItem('string', 'Name', toText(port.name)),
    createItem('string', 'NickName', toText(port.nickName)),
    createItem('bool', 'Optional', false),
    createItem('int32', 'SourceCount', 0),
    ...listScriptItems(port.typeName, side),
    createChunk('Attributes', [
      createItem('drawing_rectanglef', 'Bounds', bounds),
      createItem('drawing_pointf', 'Pivot', { x: x + width / 2, y: y + height / 2 }),
    ]),
    ...(port.typeName === 'Script Parameter' ? [createConverter()] : []),
  ])
  const { wireDisplay: _, ...plain } = port
  updatePort(chunk, { ...plain, access: 'item', flags: [], options: [], expression: '' }, port)
  return sortItems(chunk)
}

const NO_HINT = '6a184b65-baa3-42d1-a548-3915b401de53'

/** Additional items of script variables; 'Script Parameter' is the type of Rhino 8. */
function listScriptItems(typeName: string, side: Side): Item[] {
  const isNew = typeName === 'Script Parameter'
  if (!isNew && typeName !== 'Script Variable') return []
  return [
    createItem('bool', 'AllowTreeAccess', side === 'input'),
    createItem('int32', 'ScriptParamAccess', 0),
    createItem('bool', 'ShowTypeHints', true),
    createItem('guid', 'TypeHintID', NO_HINT),
    ...(isNew ? [createItem('int32', 'ScriptParameterVersion', 2), createItem('string', 'ToolTip', '')] : []),
  ]
}

/** Rhino 8 names the .NET type that values are converted to. */
function createConverter(): Chunk {
  return createChunk('ConverterData', [
    createItem('string', 'AssemblyName', 'System.Private.CoreLib'),
    createItem('string', 'TypeName', 'System.Object'),
  ])
}

type Option = NonNullable<Port['options']>[number]

/** Writes the names, access, flags, expression and options of a port that differ into its chunk. */
export function updatePort(chunk: Chunk, before: Port, after: Port): void {
  if (after.name !== before.name) setItem(chunk, 'string', 'Name', toText(after.name))
  if (after.nickName !== before.nickName) setItem(chunk, 'string', 'NickName', toText(after.nickName))
  if (after.access !== before.access) setAccess(chunk, after.access)
  if (!sameMembers(after.flags, before.flags)) setFlags(chunk, after.flags)
  if ((after.expression ?? '') !== (before.expression ?? '')) setExpression(chunk, after.expression)
  setOptions(chunk, before.options ?? [], after.options ?? [])
  if (after.wireDisplay !== before.wireDisplay) setWireDisplay(chunk, after.wireDisplay)
}

const ACCESS = ['item', 'list', 'tree']

/** Scripts have the access in a second item. */
function setAccess(chunk: Chunk, access: Port['access']): void {
  const code = Math.max(0, ACCESS.indexOf(access))
  if (code === 0) removeItem(chunk, 'Access')
  else setItem(chunk, 'int32', 'Access', code)
  const ofScript = findItem(chunk, 'ScriptParamAccess', 'int32')
  if (ofScript !== undefined) setItem(chunk, 'int32', 'ScriptParamAccess', code)
}

/** A port either flattens or grafts. */
function setFlags(chunk: Chunk, flags: Port['flags']): void {
  const mapping = flags.includes('graft') ? 2 : flags.includes('flatten') ? 1 : 0
  if (mapping === 0) removeItem(chunk, 'Mapping')
  else setItem(chunk, 'int32', 'Mapping', mapping)
  setSwitch(chunk, 'SimplifyData', flags.includes('simplify'))
  setSwitch(chunk, 'ReverseData', flags.includes('reverse'))
}

const WIRE_DISPLAYS = [undefined, 'faint', 'hidden']

function setWireDisplay(chunk: Chunk, display: Port['wireDisplay']): void {
  const code = Math.max(0, WIRE_DISPLAYS.indexOf(display))
  if (code === 0) removeItem(chunk, 'WireDisplay')
  else setItem(chunk, 'int32', 'WireDisplay', code)
}

function setExpression(chunk: Chunk, expression: string | undefined): void {
  if (expression) setItem(chunk, 'string', 'InternalExpression', toText(expression))
  else removeItem(chunk, 'InternalExpression')
}

/** The item of each option; `principal` is an item of the component instead. */
const SWITCHES: readonly [Option, string][] = [
  ['reparameterize', 'Reparameterize'],
  ['degrees', 'UseDegrees'],
  ['invert', 'InvertBooleans'],
  ['hidden', 'Hidden'],
  ['locked', 'Locked'],
]

function setOptions(chunk: Chunk, before: readonly Option[], after: readonly Option[]): void {
  const differs = (option: Option) => before.includes(option) !== after.includes(option)
  const isParameter = chunk.name === 'Container'
  for (const [option, name] of SWITCHES) {
    if (isParameter && SHOWN_OPTIONS.includes(option)) continue
    if (differs(option)) setSwitch(chunk, name, after.includes(option))
  }
  if (differs('optional')) setItem(chunk, 'bool', 'Optional', after.includes('optional'))
}

const BOTH: readonly Side[] = ['input', 'output']

/** Components that name their ports themselves when ports are added and removed. Source: files. */
const MANAGED = new Map<string, readonly Side[]>([
  [CLASS.merge, ['input']],
  [CLASS.entwine, ['input']],
  [CLASS.weave, ['input']],
  [CLASS.combineData, ['input']],
  [CLASS.streamFilter, BOTH],
  [CLASS.shortestList, ['output']],
  [CLASS.listItem, ['output']],
  [CLASS.explodeTree, ['output']],
  [CLASS.dataDam, ['output']],
])

/** Whether the user cannot rename the ports of this side. Each port then has an item for it. */
function hasFixedNames(classId: string, side: Side): boolean {
  return MANAGED.get(classId)?.includes(side) ?? false
}

const TYPE_IDS = new Map(listParameterTypes().map(({ name, guid }) => [name, guid]))

/** The GUID of a parameter type, which files hold for variable ports; undefined for an unknown name. */
export function findTypeId(typeName: string): string | undefined {
  return TYPE_IDS.get(typeName)
}

/** The type that holds any value. */
const DATA_TYPE_ID = '8ec86459-bf01-4409-baee-174d0d2b13d0'
