import {
  findCanvasObject,
  findComponent,
  findComponentName,
  findParameterType,
  findScript,
  type Node,
} from '@meadow/document'
import type { Chunk, Item, Rectangle } from '../../../archive/archive.ts'
import { createChunk, createItem } from '../../../archive/create.ts'
import { sortItems } from '../../../archive/edit.ts'
import { CLASS } from '../../objects/class-ids.ts'
import { toText } from '../coerce.ts'
import { isParameter } from '../prepare/settle-names.ts'
import { createAttributes, findBounds } from './create-attributes.ts'
import { createFixedPorts, createVariablePorts } from './create-ports.ts'
import { listScriptParts } from './script-contents.ts'
import { listSpecialParts } from './special-contents.ts'

/**
 * An object for a node whose kind is known, with the node's ports, without index, wires, values and state: those are
 * written as differences from what this holds.
 */
export function createObject(node: Node, libraryId: string | undefined): Chunk {
  const { templateId, instanceId } = node
  const bounds = findBounds(node)
  const container = createChunk('Container', [
    createItem('string', 'Description', ''),
    createItem('guid', 'InstanceGuid', instanceId),
    createItem('string', 'Name', toText(node.name)),
    createItem('string', 'NickName', toText(node.nickName)),
    ...listSpecialParts(node),
    ...listScriptParts(node),
    createAttributes(node, bounds),
    ...listPortParts(node, bounds),
  ])
  return sortItems(
    createChunk('Object', [
      createItem('guid', 'GUID', templateId),
      ...(libraryId === undefined ? [] : [createItem('guid', 'Lib', libraryId)]),
      createItem('string', 'Name', findLibraryName(templateId) ?? toText(node.name)),
      container,
    ]),
  )
}

function findLibraryName(classId: string): string | undefined {
  return (
    findComponentName(classId) ??
    findParameterType(classId)?.name ??
    findCanvasObject(classId)?.name ??
    findScript(classId)?.name
  )
}

const VARIABLE: readonly string[] = [CLASS.concatenate, CLASS.format, CLASS.dataDam]

function listPortParts(node: Node, bounds: Rectangle): (Item | Chunk)[] {
  if (isParameter(node)) return [createItem('bool', 'Optional', false), createItem('int32', 'SourceCount', 0)]
  const { templateId } = node
  const isVariable =
    findComponent(templateId)?.hasVariablePorts || findScript(templateId) || VARIABLE.includes(templateId)
  return isVariable ? [createVariablePorts(node)] : createFixedPorts(node, bounds)
}
