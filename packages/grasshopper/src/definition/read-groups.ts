import type { Group } from '@meadow/document'
import { findItem, listItems } from '../archive/find.ts'
import { formatColour } from './colour.ts'
import type { DefinitionObject } from './objects/definition-object.ts'

/** The colour of a new group, 0xAARRGGBB. */
const GROUP_COLOUR = 0x96aa87ff

/**
 * The groups with the members that exist: a fourth of the ids in real files name what was deleted long ago, which
 * Grasshopper ignores too.
 */
export function readGroups(groups: DefinitionObject[], nodeIds: ReadonlySet<string>): Group[] {
  const groupIds = new Set(groups.map(({ instanceId }) => instanceId))
  return groups.map(({ instanceId, nickName, container }) => {
    const members = [...new Set(listItems(container, 'ID', 'guid'))]
    return {
      id: instanceId,
      label: nickName,
      colour: formatColour(findItem(container, 'Colour', 'drawing_color') ?? GROUP_COLOUR),
      nodeInstanceIds: members.filter((id) => nodeIds.has(id)),
      groupIds: members.filter((id) => groupIds.has(id)),
    }
  })
}
