import { findCanvasObject, findParameterType, type LibraryPort } from '@meadow/document'
import type { Archive, Chunk } from '../../archive/tree/archive.ts'
import { findChunk, findItem, listChunks } from '../../archive/tree/find.ts'
import { GrasshopperError } from '../../archive/tree/grasshopper-error.ts'
import { CLASS } from './class-ids.ts'
import { findDeclaredPorts } from './library-ports.ts'
import { findText } from './text.ts'

/** An object of a definition: a node or a group. */
export interface DefinitionObject {
  /** The path for messages: `Root/Definition/DefinitionObjects/Object #3`. */
  where: string
  chunk: Chunk
  /** The object's own state. */
  container: Chunk
  /** The GUID of its class. */
  classId: string
  instanceId: string
  name: string
  nickName: string
  /** The GUID of the plug-in that it comes from; undefined for objects of Grasshopper itself. */
  libraryId?: string
  /** The ports of the object; a group has none. */
  ports: ObjectPorts
}

/** The ports of an object, each side in order. The only port of a parameter object may be on both sides. */
export interface ObjectPorts {
  inputs: PortChunk[]
  outputs: PortChunk[]
}

/** A port in the file. */
export interface PortChunk {
  /** The id that wires refer to: the port's InstanceGuid; for a parameter object, the id of the object. */
  id: string
  /** The chunk with its items: a `param_input`, an `InputParam`, the Container of a parameter object. */
  chunk: Chunk
  /** The name of its parameter type, if the class of the object or the file determines it. */
  typeName?: string
  /** Set if the file leaves the port out: its declaration in the component library. The chunk is not in the archive. */
  leftOut?: LibraryPort
}

const KINDS = new Map([
  ['UserObject', 'a user object'],
  ['Cluster', 'a cluster'],
  ['Document', "a cluster's inside"],
])

/** The kind of an archive in words, by its root. */
export function describeArchive(root: Chunk): string {
  if (root.name === 'Root' && findChunk(root, 'Definition')) return 'a definition'
  return KINDS.get(root.name) ?? 'an archive without a definition'
}

/** The Definition chunk of an archive. Fails: `not_a_definition` for other archives. */
export function getDefinition({ root }: Archive): Chunk {
  const definition = findChunk(root, 'Definition')
  if (root.name === 'Root' && definition) return definition
  throw new GrasshopperError('not_a_definition', `This is ${describeArchive(root)}, not a definition`, 'Root')
}

/** The objects of a definition in document order. Fails: `malformed` for an object or port without id. */
export function listObjects(definition: Chunk): DefinitionObject[] {
  const list = findChunk(definition, 'DefinitionObjects')
  const path = definition.name === 'Definition' ? undefined : definition.name
  return list ? listChunks(list, 'Object').map((chunk) => readObject(chunk, path)) : []
}

/**
 * Reads an object. `path` is that of the definition, for messages. Fails: `malformed` for an object or port without id.
 */
export function readObject(chunk: Chunk, path = 'Root/Definition'): DefinitionObject {
  const where = `${path}/DefinitionObjects/Object #${chunk.index}`
  const container = findChunk(chunk, 'Container')
  const classId = findItem(chunk, 'GUID', 'guid')
  const instanceId = container && findItem(container, 'InstanceGuid', 'guid')
  if (!container || !classId || !instanceId) {
    throw new GrasshopperError('malformed', 'An object lacks its GUID, Container or InstanceGuid', where)
  }
  const name = findText(container, 'Name') ?? findText(chunk, 'Name') ?? ''
  const libraryId = findItem(chunk, 'Lib', 'guid')
  const object = {
    where,
    chunk,
    container,
    classId,
    instanceId,
    name,
    nickName: findText(container, 'NickName') ?? '',
    ...(libraryId === undefined ? {} : { libraryId }),
  }
  return { ...object, ports: listPorts(object) }
}

/** How many objects come from each plug-in, by its id; objects of Grasshopper itself and groups do not count. */
export function countLibraryUses(objects: readonly DefinitionObject[]): Map<string, number> {
  const uses = new Map<string, number>()
  for (const { libraryId } of objects) {
    if (libraryId !== undefined) uses.set(libraryId, (uses.get(libraryId) ?? 0) + 1)
  }
  return uses
}

type ObjectWithoutPorts = Pick<DefinitionObject, 'classId' | 'instanceId' | 'container' | 'where'>

/** The ports that an object has in the file. Fails: `malformed` for a port without InstanceGuid. */
export function listPorts(object: ObjectWithoutPorts): ObjectPorts {
  const { container, classId } = object
  if (classId === CLASS.group) return { inputs: [], outputs: [] }
  if (isParameter(object)) return listParameterPorts(object)
  const variable = findChunk(container, 'ParameterData')
  const { inputs, outputs } = variable ? listVariablePorts(object, variable) : listFixedPorts(object)
  return {
    inputs: [...inputs, ...listUnitPorts(container, 'input').map((chunk) => createPort(object, chunk))],
    outputs: [...outputs, ...listUnitPorts(container, 'output').map((chunk) => createPort(object, chunk))],
  }
}

const PORT_CHUNKS: readonly string[] = ['param_input', 'param_output', 'ParameterData']

/** An object with port chunks is a component. One that can have wires itself is a parameter. */
function isParameter({ classId, container }: ObjectWithoutPorts): boolean {
  if (container.chunks.some(({ name }) => PORT_CHUNKS.includes(name))) return false
  if (container.items.some(({ name }) => name === 'SourceCount' || name === 'Source')) return true
  return findParameterType(classId) !== undefined || findCanvasObject(classId)?.parameter !== undefined
}

/** A parameter object is one port. Its sides depend on its class; one that has wires always has an input. */
function listParameterPorts({ classId, instanceId, container }: ObjectWithoutPorts): ObjectPorts {
  const { hasInput, hasOutput } = findCanvasObject(classId)?.parameter ?? { hasInput: true, hasOutput: true }
  const hasWires = container.items.some(({ name }) => name === 'Source')
  const port = { id: instanceId, chunk: container, ...findTypeName(classId) }
  return { inputs: hasInput || hasWires ? [port] : [], outputs: hasOutput ? [port] : [] }
}

/** Lists ports that the user can add and remove; the file has their types. */
function listVariablePorts(object: ObjectWithoutPorts, data: Chunk): ObjectPorts {
  const listSide = (name: string, typeItem: string) => {
    const typeIds = listGuids(data, typeItem)
    return listChunks(data, name).map((chunk) =>
      createPort(object, chunk, findTypeName(typeIds.get(chunk.index))),
    )
  }
  return { inputs: listSide('InputParam', 'InputId'), outputs: listSide('OutputParam', 'OutputId') }
}

/** Lists fixed ports, whose types are in the component library, or in files of 2011 in a chunk beside the ports. */
function listFixedPorts(object: ObjectWithoutPorts): ObjectPorts {
  const { container, classId } = object
  const listSide = (name: string, oldTypes: string, known: readonly LibraryPort[] = []) => {
    const old = findChunk(container, oldTypes)
    const typeIds = old && listGuids(old, 'ID')
    return listChunks(container, name).map((chunk) => {
      const typeName = known[chunk.index]?.typeName
      const type = typeIds
        ? findTypeName(typeIds.get(chunk.index))
        : typeName === undefined
          ? {}
          : { typeName }
      return createPort(object, chunk, type)
    })
  }
  const library = findDeclaredPorts(classId)
  return {
    inputs: listSide('param_input', 'VariableInput', library?.input),
    outputs: listSide('param_output', 'VariableOutput', library?.output),
  }
}

/**
 * The port chunks of the active unit, in components that switch between several units (such as Karamba's Loads and
 * Cross Section). On the canvas they follow the component's own ports. Ports of the other units take no wires.
 */
function listUnitPorts(container: Chunk, side: 'input' | 'output'): Chunk[] {
  const active = findChunk(container, 'ActiveUnit')
  const units = findChunk(container, 'EvalUnits')
  const name = active && findText(active, 'unitname')
  if (!units || name === undefined) return []
  const unit = listChunks(units, 'unit').find((candidate) => findText(candidate, 'name') === name)
  const params = unit && findChunk(unit, 'params')
  const ports = params && findChunk(params, side)
  return ports ? listChunks(ports, 'p') : []
}

function createPort(
  { where }: ObjectWithoutPorts,
  chunk: Chunk,
  type: { typeName?: string } = {},
): PortChunk {
  const id = findItem(chunk, 'InstanceGuid', 'guid')
  if (id) return { id, chunk, ...type }
  throw new GrasshopperError(
    'malformed',
    'A port lacks its InstanceGuid',
    `${where}/${chunk.name} #${chunk.index}`,
  )
}

function findTypeName(classId: string | undefined): { typeName?: string } {
  if (classId === undefined) return {}
  const typeName = findParameterType(classId)?.name ?? findCanvasObject(classId)?.parameter?.typeName
  return typeName === undefined ? {} : { typeName }
}

/** The ids `name #0`, `name #1`, … by index. */
export function listGuids(chunk: Chunk, name: string): Map<number, string> {
  return new Map(
    chunk.items.flatMap((item) =>
      item.name === name && item.type === 'guid' ? [[item.index, item.value]] : [],
    ),
  )
}
