import type { Group } from '@meadow/document'
import type { Chunk } from '../../archive/archive.ts'
import { createChunk, createItem } from '../../archive/create.ts'
import { setItem, setItems, sortItems } from '../../archive/edit.ts'
import { findColour } from '../colour.ts'
import { sameJson } from '../compare/same-json.ts'
import { CLASS } from '../objects/class-ids.ts'
import { toText } from './coerce.ts'

/** Writes label, colour and members into a group's Container where they differ. Ids of what is long deleted go with it. */
export function updateGroup(container: Chunk, before: Group | undefined, after: Group): void {
  if (after.label !== before?.label) setItem(container, 'string', 'NickName', toText(after.label))
  const colour = findColour(after.colour)
  if (after.colour !== before?.colour && colour !== undefined) {
    setItem(container, 'drawing_color', 'Colour', colour)
  }
  const members = [...after.nodeInstanceIds, ...after.groupIds]
  if (before && sameJson(members, [...before.nodeInstanceIds, ...before.groupIds])) return
  setItems(container, 'guid', 'ID', members)
  setItem(container, 'int32', 'ID_Count', members.length)
}

/** A group as Grasshopper makes one, without index. */
export function createGroup(group: Group): Chunk {
  const container = createChunk('Container', [
    createItem('int32', 'Border', 1),
    createItem('string', 'Description', ''),
    createItem('guid', 'InstanceGuid', group.id),
    createItem('string', 'Name', 'Group'),
    createChunk('Attributes'),
  ])
  updateGroup(container, undefined, group)
  return sortItems(
    createChunk('Object', [
      createItem('guid', 'GUID', CLASS.group),
      createItem('string', 'Name', 'Group'),
      container,
    ]),
  )
}
