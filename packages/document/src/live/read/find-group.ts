import type { Group } from '@meadow/contract'
import type { Edit } from '../facts/fact.ts'
import { parseFact } from '../facts/fact-key.ts'
import { GROUP_FACTS, type GroupFact } from '../facts/group-facts.ts'
import { listEdits } from '../facts/list-edits.ts'
import { BIRTH, isFacts } from '../layout.ts'
import { isGroup } from '../shapes/group-shape.ts'

/** A group as it was born with what was edited since; its members may be gone. Undefined where nothing valid was born. */
export function findGroup(id: string, facts: unknown): Group | undefined {
  if (!isFacts(facts)) return undefined
  const born = parseFact(facts.get(BIRTH))
  if (!isGroup(born) || (born as Group).id !== id) return undefined
  const group = born as Group
  const edits = listEdits(GROUP_FACTS, facts)
  const find = (name: GroupFact) => edits.find((edit) => edit.name === name)?.value as string | undefined
  return {
    id,
    label: find('label') ?? group.label,
    colour: find('colour') ?? group.colour,
    nodeInstanceIds: applyMembers(group.nodeInstanceIds, edits, 'node'),
    groupIds: applyMembers(group.groupIds, edits, 'group'),
  }
}

/** Those that were there in their places, then the others in the order of their ids. */
function applyMembers(born: string[], edits: readonly Edit<GroupFact>[], name: 'node' | 'group'): string[] {
  const members = new Set(born)
  for (const { ids, value } of edits.filter((edit) => edit.name === name)) {
    if (value) members.add(ids[0]!)
    else members.delete(ids[0]!)
  }
  return [...members]
}
