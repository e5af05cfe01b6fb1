import type { LibraryPort } from '@meadow/document'
import type { Chunk } from '../../archive/tree/archive.ts'
import { createChunk, createItem } from '../../archive/tree/edit.ts'
import { findChunk } from '../../archive/tree/find.ts'
import type { DefinitionObject, PortChunk } from './definition-object.ts'
import { findLibraryPorts } from './library-ports.ts'
import { stableGuid } from './stable-guid.ts'

const SIDES = ['input', 'output'] as const

/**
 * Adds the fixed ports that the file leaves out to a component: Grasshopper creates all ports of a component before it reads
 * what the file says of them. Their chunks are not part of the archive. Their ids are derived from that of the component.
 */
export function addLeftOutPorts(object: DefinitionObject): void {
  const library = findLibraryPorts(object.classId)
  if (!library || findChunk(object.container, 'ParameterData')) return
  for (const side of SIDES) {
    const ports = object.ports[`${side}s`]
    const known = new Set(ports.map(({ chunk }) => chunk.index))
    const added = library[side].flatMap((port, index) =>
      known.has(index) ? [] : [createLeftOut(object, side, port, index)],
    )
    if (added.length === 0) continue
    object.ports[`${side}s`] = [...ports, ...added].sort((a, b) => a.chunk.index - b.chunk.index)
  }
}

function createLeftOut(
  { instanceId }: DefinitionObject,
  side: (typeof SIDES)[number],
  port: LibraryPort,
  index: number,
): PortChunk {
  const { name, nickName, typeName, access, isOptional } = port
  const id = stableGuid('port', instanceId, side, String(index))
  const items = [
    ...(access === 'item' ? [] : [createItem('int32', 'Access', access === 'list' ? 1 : 2)]),
    createItem('string', 'Description', ''),
    createItem('guid', 'InstanceGuid', id),
    createItem('string', 'Name', name),
    createItem('string', 'NickName', nickName),
    createItem('bool', 'Optional', isOptional),
    createItem('int32', 'SourceCount', 0),
  ]
  return { id, chunk: createChunk(`param_${side}`, items, index), typeName, leftOut: port }
}

/** Puts the chunks of left-out ports into the component, in the order of Grasshopper: it is about to be written. */
export function insertLeftOutPorts({ container, ports }: DefinitionObject): PortChunk[] {
  const added = [...ports.inputs, ...ports.outputs].filter(({ leftOut }) => leftOut)
  for (const { chunk } of added) {
    const next = container.chunks.findIndex((other) => isBehind(other, chunk))
    container.chunks.splice(next < 0 ? container.chunks.length : next, 0, chunk)
  }
  return added
}

const isBehind = (other: Chunk, chunk: Chunk): boolean =>
  other.name > chunk.name || (other.name === chunk.name && other.index > chunk.index)
