import { type Group, groupBy, type PortReference } from '@meadow/document'
import { alignLists } from './align.ts'
import type { GroupName, NodeName, PortName } from './change.ts'
import { type Comparison, keyOfPort, nameEnd, nameNode } from './comparison.ts'
import type { Report } from './diff-node.ts'

/** Reports the groups that differ. */
export function diffGroups(
  comparison: Comparison,
  before: readonly Group[],
  after: readonly Group[],
  report: Report,
): void {
  const matching = matchGroups(comparison, before, after)
  const { afterOf, beforeOf } = matching
  const nameBefore = (group: Group): GroupName => nameOf(afterOf.get(group) ?? group, group)
  const nameAfter = (group: Group): GroupName => nameOf(group, beforeOf.get(group))
  for (const group of before) {
    if (!afterOf.has(group)) report.change({ kind: 'group_removed', group: nameBefore(group), before: group })
  }
  for (const group of after) {
    const older = beforeOf.get(group)
    const name = nameAfter(group)
    if (!older) {
      report.change({ kind: 'group_added', group: name, after: group })
      continue
    }
    if (older.label !== group.label) {
      report.change({ kind: 'group_renamed', group: name, before: older.label, after: group.label })
    }
    if (older.colour !== group.colour) {
      report.layout({ kind: 'group_colour', group: name, before: older.colour, after: group.colour })
    }
    const members = diffMembers(comparison, matching, older, group, { before, after })
    if (members.added.length + members.removed.length > 0) {
      report.change({ kind: 'group_members', group: name, ...members })
    }
  }
  const { reordered } = alignLists(
    before,
    after,
    (group) => afterOf.get(group)?.id,
    (group) => (beforeOf.has(group) ? group.id : undefined),
  )
  if (reordered) {
    const orders = { before: reordered.before.map(nameBefore), after: reordered.after.map(nameAfter) }
    report.layout({ kind: 'groups_reordered', ...orders })
  }
}

const nameOf = ({ id, label }: Group, older: Group | undefined): GroupName => ({
  id,
  ...(older && older.id !== id ? { previousId: older.id } : {}),
  label,
})

interface GroupMatching {
  afterOf: Map<Group, Group>
  beforeOf: Map<Group, Group>
}

/**
 * Finds the groups that are the same: by id, then by members, label and colour, by members alone, by label alone.
 * Groups that are equal in all are matched in their order.
 */
function matchGroups(
  comparison: Comparison,
  before: readonly Group[],
  after: readonly Group[],
): GroupMatching {
  const afterOf = new Map<Group, Group>()
  const beforeOf = new Map<Group, Group>()
  const match = (older: Group, newer: Group) => {
    afterOf.set(older, newer)
    beforeOf.set(newer, older)
  }
  const known = new Map(after.map((group) => [group.id, group]))
  for (const group of before) {
    const found = known.get(group.id)
    if (found) match(group, found)
  }
  if (afterOf.size === before.length || afterOf.size === after.length) return { afterOf, beforeOf }
  const ofBefore = writeMembers(before, (id) => comparison.afterIds.get(id))
  const ofAfter = writeMembers(after, (id) => (comparison.beforeIds.has(id) ? id : undefined))
  type Rule = (group: Group, members: string) => string
  const rules: Rule[] = [
    ({ label, colour }, members) => JSON.stringify([label, colour, members]),
    (_, members) => members,
    ({ label }) => label,
  ]
  for (const [i, rule] of rules.entries()) {
    const left = before.filter((group) => !afterOf.has(group))
    const right = after.filter((group) => !beforeOf.has(group))
    const older = groupBy(left, (group) => rule(group, ofBefore.get(group)!))
    const newer = groupBy(right, (group) => rule(group, ofAfter.get(group)!))
    for (const [key, groups] of older) {
      const others = newer.get(key) ?? []
      const isSure =
        i === 0 ? groups.length === others.length : key !== '' && groups.length + others.length === 2
      if (isSure && groups.length === others.length)
        groups.forEach((group, at) => void match(group, others[at]!))
    }
  }
  return { afterOf, beforeOf }
}

/** The nodes in each group and in the groups in it, by their ids in the newer document. */
function writeMembers(
  groups: readonly Group[],
  findId: (id: string) => string | undefined,
): ReadonlyMap<Group, string> {
  const byId = new Map(groups.map((group) => [group.id, group]))
  const listAll = (group: Group, seen: Set<Group>): string[] => {
    if (seen.has(group)) return []
    seen.add(group)
    const inside = group.groupIds.flatMap((id) => {
      const found = byId.get(id)
      return found ? listAll(found, seen) : []
    })
    return [...group.nodeInstanceIds.map((id) => findId(id) ?? ''), ...inside]
  }
  return new Map(groups.map((group) => [group, listAll(group, new Set()).sort().join()]))
}

/** Nodes and groups that are in both documents, and in the group in only one. */
function diffMembers(
  comparison: Comparison,
  { afterOf, beforeOf }: GroupMatching,
  older: Group,
  newer: Group,
  groups: { before: readonly Group[]; after: readonly Group[] },
) {
  const { afterIds, beforeIds } = comparison
  const added: (NodeName | GroupName)[] = []
  const removed: (NodeName | GroupName)[] = []
  const [was, is] = [
    new Set(older.nodeInstanceIds.map((id) => afterIds.get(id))),
    new Set(newer.nodeInstanceIds),
  ]
  for (const id of older.nodeInstanceIds) {
    const afterId = afterIds.get(id)
    if (afterId !== undefined && !is.has(afterId)) removed.push(nameNode(comparison, 'before', id))
  }
  for (const id of newer.nodeInstanceIds) {
    if (beforeIds.has(id) && !was.has(id)) added.push(nameNode(comparison, 'after', id))
  }
  if (older.groupIds.length === 0 && newer.groupIds.length === 0) return { added, removed }
  const inside = (all: readonly Group[], ids: readonly string[]) => all.filter(({ id }) => ids.includes(id))
  const [insideBefore, insideAfter] = [
    inside(groups.before, older.groupIds),
    inside(groups.after, newer.groupIds),
  ]
  for (const group of insideBefore) {
    const found = afterOf.get(group)
    if (found && !insideAfter.includes(found)) removed.push(nameOf(found, group))
  }
  for (const group of insideAfter) {
    const found = beforeOf.get(group)
    if (found && !insideBefore.includes(found)) added.push(nameOf(group, found))
  }
  return { added, removed }
}

/** Reports the pinned ports of one side that differ. */
export function diffPins(
  comparison: Comparison,
  side: PortName['side'],
  before: readonly PortReference[],
  after: readonly PortReference[],
  report: Report,
): void {
  const { added, removed, replaced, reordered } = alignLists(
    before,
    after,
    (pin) => keyOfPort(comparison, 'before', pin),
    (pin) => keyOfPort(comparison, 'after', pin),
  )
  const nameBefore = (pin: PortReference) => nameEnd(comparison, 'before', pin)
  const nameAfter = (pin: PortReference) => nameEnd(comparison, 'after', pin)
  for (const pin of [...removed.map(({ item }) => item), ...replaced.map((one) => one.before)]) {
    report.change({ kind: 'pin_removed', side, pin: nameBefore(pin) })
  }
  for (const pin of [...added.map(({ item }) => item), ...replaced.map((one) => one.after)]) {
    report.change({ kind: 'pin_added', side, pin: nameAfter(pin) })
  }
  if (reordered) {
    const orders = { before: reordered.before.map(nameBefore), after: reordered.after.map(nameAfter) }
    report.change({ kind: 'pins_reordered', side, ...orders })
  }
}
