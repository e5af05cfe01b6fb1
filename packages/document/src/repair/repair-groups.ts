import type { Group } from '@meadow/contract'
import { listClosingEdges } from '../graph/cycles.ts'
import type { Report } from './repair.ts'

const COLOUR = /^#[0-9a-f]{8}$/
/** The colour of a new group in Grasshopper. */
export const USUAL_GROUP_COLOUR = '#aa87ff96'

/** Groups with unique ids and existing members, none of which contains itself. `nodes` is by id. */
export function repairGroups(
  groups: Group[],
  nodes: Readonly<Record<string, unknown>>,
  report: Report,
): Group[] {
  const unique = new Map<string, Group>()
  for (const group of groups) {
    const isTaken = unique.has(group.id) || Object.hasOwn(nodes, group.id)
    if (isTaken) report({ kind: 'group_dropped', groupId: group.id })
    else unique.set(group.id, group)
  }
  const loops = findLoops(unique)
  return [...unique.values()].map((group) => {
    const { id, colour } = group
    if (!COLOUR.test(colour)) report({ kind: 'group_colour_set', groupId: id })
    const selectMembers = (members: string[], exists: (member: string) => boolean) => {
      const seen = new Set<string>()
      return members.filter((member) => {
        const isValid = exists(member) && !seen.has(member)
        if (isValid) seen.add(member)
        else report({ kind: 'group_member_dropped', groupId: id, droppedId: member })
        return isValid
      })
    }
    return {
      ...group,
      colour: COLOUR.test(colour) ? colour : USUAL_GROUP_COLOUR,
      nodeInstanceIds: selectMembers(group.nodeInstanceIds, (member) => Object.hasOwn(nodes, member)),
      groupIds: selectMembers(group.groupIds, (member) => unique.has(member) && !loops.get(id)?.has(member)),
    }
  })
}

/**
 * Finds the groups in each group that contain it again. Ids decide which: an undo may bring groups back in another
 * order.
 */
function findLoops(groups: ReadonlyMap<string, Group>): Map<string, Set<string>> {
  const loops = new Map<string, Set<string>>()
  const ids = [...groups.keys()].sort()
  const nested = new Map(ids.map((id) => [id, groups.get(id)!.groupIds.toSorted()]))
  for (const { from, to } of listClosingEdges(nested)) {
    loops.set(from, (loops.get(from) ?? new Set()).add(to))
  }
  return loops
}
