import { findCanvasObject, findParameterType, type LibraryPort } from '@meadow/document'
import type { Chunk } from '../../archive/archive.ts'
import { findChunk, findItem, listChunks } from '../../archive/find.ts'
import { GrasshopperError } from '../../grasshopper-error.ts'
import type { DefinitionObject } from '../objects/definition-object.ts'
import { findDeclaredPorts } from './library-ports.ts'
import { listUnitPorts } from './list-unit-ports.ts'
import type { ObjectPorts, PortChunk } from './port-chunk.ts'

/** The ports of an object. Fails: `malformed` for a port without InstanceGuid. */
export function listPorts(object: DefinitionObject): ObjectPorts {
  const { container } = object
  if (isParameter(object)) return listParameterPorts(object)
  const variable = findChunk(container, 'ParameterData')
  const { inputs, outputs } = variable ? listVariablePorts(object, variable) : listFixedPorts(object)
  return {
    inputs: [...inputs, ...listUnitPorts(container, 'input').map((chunk) => createPort(object, chunk))],
    outputs: [...outputs, ...listUnitPorts(container, 'output').map((chunk) => createPort(object, chunk))],
  }
}

const PORT_CHUNKS: readonly string[] = ['param_input', 'param_output', 'ParameterData']

/** What has ports of its own is a component, whatever else it keeps; what can have wires itself is a parameter. */
function isParameter({ classId, container }: DefinitionObject): boolean {
  if (container.chunks.some(({ name }) => PORT_CHUNKS.includes(name))) return false
  if (container.items.some(({ name }) => name === 'SourceCount' || name === 'Source')) return true
  return findParameterType(classId) !== undefined || findCanvasObject(classId)?.parameter !== undefined
}

/** A parameter object is one port. Which sides it has depends on its kind; who has wires has an input. */
function listParameterPorts({ classId, instanceId, container }: DefinitionObject): ObjectPorts {
  const { hasInput, hasOutput } = findCanvasObject(classId)?.parameter ?? { hasInput: true, hasOutput: true }
  const hasWires = container.items.some(({ name }) => name === 'Source')
  const port = { id: instanceId, chunk: container, ...findTypeName(classId) }
  return { inputs: hasInput || hasWires ? [port] : [], outputs: hasOutput ? [port] : [] }
}

/** The user can add and remove these, so the file tells their types. */
function listVariablePorts(object: DefinitionObject, data: Chunk): ObjectPorts {
  const listSide = (name: string, typeItem: string) => {
    const typeIds = listGuids(data, typeItem)
    return listChunks(data, name).map((chunk) =>
      createPort(object, chunk, findTypeName(typeIds.get(chunk.index))),
    )
  }
  return { inputs: listSide('InputParam', 'InputId'), outputs: listSide('OutputParam', 'OutputId') }
}

/** Types come from the library, or in 2011 files from a chunk beside the ports. */
function listFixedPorts(object: DefinitionObject): ObjectPorts {
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

function createPort({ where }: DefinitionObject, chunk: Chunk, type: { typeName?: string } = {}): PortChunk {
  const id = findItem(chunk, 'InstanceGuid', 'guid')
  if (id) return { id, chunk, ...type }
  throw new GrasshopperError(
    'malformed',
    'A port lacks its InstanceGuid',
    `${where}/${chunk.name} #${chunk.index}`,
  )
}
