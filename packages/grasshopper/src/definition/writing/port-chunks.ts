import {
  createDataTree,
  findComponent,
  findScript,
  type LibraryPort,
  listParameterTypes,
  type Node,
  type Port,
} from '@meadow/document'
import type { Chunk, Item, Rectangle } from '../../archive/tree/archive.ts'
import { createChunk, createItem, setChunks, setItem, setItems, sortItems } from '../../archive/tree/edit.ts'
import { findItem, listChunks } from '../../archive/tree/find.ts'
import { CLASS } from '../model/class-ids.ts'
import { toText } from '../model/coerce.ts'
import { findLibraryPorts } from '../model/library-ports.ts'
import { updatePort } from '../model/port-items.ts'
import { stableGuid } from '../model/stable-guid.ts'
import { isParameterNode } from '../reading/pins.ts'
import { listHiddenDefault } from '../reading/values/hidden-defaults.ts'
import { boundsOf, rowsOf, type Side, sizeOfComponent } from './layout.ts'
import { updateValues } from './values/update-values.ts'

/** The items and chunks of the ports of a new object. `bounds`: those of the object. */
export function listPortParts(node: Node, bounds: Rectangle): (Item | Chunk)[] {
  if (isParameterNode(node))
    return [createItem('bool', 'Optional', false), createItem('int32', 'SourceCount', 0)]
  const { templateId } = node
  const isVariable =
    findComponent(templateId)?.portStorage === 'variable' ||
    findScript(templateId) ||
    templateId === CLASS.dataDam
  return isVariable ? [createVariablePorts(node)] : createFixedPorts(node, bounds)
}

/** The ports of a component with variable ports, with their types. */
function createVariablePorts(node: Node): Chunk {
  const data = createChunk('ParameterData')
  rearrangePorts(data, node, node)
  return data
}

/**
 * The ports of a component with fixed ports. Grasshopper reports a component as damaged if one is missing, so a port
 * that the node lacks is created with its default, under an id that is derived from the node's.
 */
function createFixedPorts(node: Node, bounds: Rectangle): Chunk[] {
  const rows = rowsOf(node, bounds)
  return (['input', 'output'] as const).flatMap((side) =>
    matchPorts(node, side).map((match, index) => {
      const chunk =
        typeof match === 'string'
          ? createPort(match, node.ports[match] as Port, side, rows.get(match) ?? bounds)
          : createMissingPort(stableGuid('port', node.instanceId, side, String(index)), match, side, bounds)
      const { typeName } = typeof match === 'string' ? (node.ports[match] as Port) : match
      if (side === 'input') chunk.chunks.push(...listHiddenDefault(typeName))
      return Object.assign(chunk, { name: `param_${side}`, index })
    }),
  )
}

/** The node's port for each port of the library: by order, or by name if the node has more or fewer. */
function matchPorts(node: Node, side: Side): (string | LibraryPort)[] {
  const ids = Object.keys(node[`${side}s`])
  const library = findLibraryPorts(node.templateId)?.[side]
  if (!library || library.length === ids.length) return ids
  const free = new Set(ids)
  return library.map((port) => {
    const id = [...free].find((candidate) => node.ports[candidate]?.name === port.name)
    if (id !== undefined) free.delete(id)
    return id ?? port
  })
}

function createMissingPort(id: string, port: LibraryPort, side: Side, bounds: Rectangle): Chunk {
  const { defaults, isOptional, name, nickName, typeName, access } = port
  const options: Port['options'] = isOptional ? ['optional'] : []
  const chunk = createPort(id, { name, nickName, typeName, access, flags: [], options }, side, bounds)
  const tree = createDataTree(defaults.length > 0 ? [{ path: [0], values: defaults }] : [])
  updateValues({ chunk, typeName }, undefined, tree, {
    findOpaqueItem: () => undefined,
    report: () => {},
  })
  return chunk
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

/** The chunk of a new port, without its name and index. `bounds`: its row on the canvas. */
function createPort(id: string, port: Port, side: Side, bounds: Rectangle): Chunk {
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
