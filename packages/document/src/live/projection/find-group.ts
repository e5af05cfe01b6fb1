import type { Group } from '@meadow/contract'
import { isGroup } from '../schema/graph-shapes.ts'
import { GROUP_PROPERTIES, type GroupPropertyName } from '../schema/group-properties.ts'
import { CREATION_RECORD, isPropertyMap } from '../schema/layout.ts'
import { type Edit, listEdits } from '../schema/property.ts'
import { parseJson } from '../schema/property-key.ts'

/** A group: its creation record with the edits since. Members may be missing. Undefined without a valid creation record. */
export function findGroup(id: string, properties: unknown): Group | undefined {
  if (!isPropertyMap(properties)) return undefined
  const created = parseJson(properties.get(CREATION_RECORD))
  if (!isGroup(created) || (created as Group).id !== id) return undefined
  const group = created as Group
  const edits = listEdits(GROUP_PROPERTIES, properties)
  const find = (name: GroupPropertyName) =>
    edits.find((edit) => edit.name === name)?.value as string | undefined
  return {
    id,
    label: find('label') ?? group.label,
    colour: find('colour') ?? group.colour,
    nodeInstanceIds: applyMembers(group.nodeInstanceIds, edits, 'node'),
    groupIds: applyMembers(group.groupIds, edits, 'group'),
  }
}

/** Original members in their order, then added ones in the order of their ids. */
function applyMembers(
  created: string[],
  edits: readonly Edit<GroupPropertyName>[],
  name: 'node' | 'group',
): string[] {
  const members = new Set(created)
  for (const { ids, value } of edits.filter((edit) => edit.name === name)) {
    if (value) members.add(ids[0]!)
    else members.delete(ids[0]!)
  }
  return [...members]
}
