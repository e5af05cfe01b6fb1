import type { Group } from '@meadow/contract'
import { uuidv4 } from 'lib0/random'
import type * as Y from 'yjs'
import { USUAL_GROUP_COLOUR } from '../../repair/repair-groups.ts'
import { createFacts, formatGroup } from '../create-live-document.ts'
import { type Facts, getRoots } from '../layout.ts'
import { findGroup } from '../read/find-group.ts'
import { checkFree } from './check-free.ts'
import { checkRoom } from './check-room.ts'
import { LiveEditError } from './edit-error.ts'
import { getGroup, getNode } from './get-parts.ts'
import { makeEdit, type Plan } from './make-edit.ts'

/** Nodes and groups that are in a group. */
interface Members {
  nodeInstanceIds?: readonly string[]
  groupIds?: readonly string[]
}

export interface GroupEdit {
  label?: string
  /** `#rrggbbaa` */
  colour?: string
  /** What is to be in the group as well. */
  add?: Members
  /** What is to be in it no more. */
  remove?: Members
}

export interface NewGroup extends Members {
  /** A random one unless given. */
  id?: string
  label?: string
  /** `#rrggbbaa` */
  colour?: string
}

/** Puts a box around nodes and groups; gives its id. */
export function addGroup(doc: Y.Doc, group: NewGroup, origin?: unknown): string {
  const {
    id = uuidv4(),
    label = '',
    colour = USUAL_GROUP_COLOUR,
    nodeInstanceIds = [],
    groupIds = [],
  } = group
  checkFree(doc, [id])
  checkMembers(doc, { nodeInstanceIds, groupIds })
  const text = formatGroup({
    id,
    label,
    colour,
    nodeInstanceIds: [...new Set(nodeInstanceIds)],
    groupIds: [...new Set(groupIds)],
  })
  checkRoom(doc, [text])
  makeEdit(doc, origin, ({ write }) => write(() => getRoots(doc).groups.set(id, createFacts(text))))
  return id
}

/** Changes a group. Who adds another member at the same time loses nothing. */
export function editGroup(doc: Y.Doc, id: string, edit: GroupEdit, origin?: unknown): void {
  const { group, facts } = getGroup(doc, id)
  const { label = group.label, colour = group.colour, add = {}, remove = {} } = edit
  checkMembers(doc, add)
  if (add.groupIds?.includes(id)) throw new LiveEditError('not_valid', 'A group cannot be inside itself.')
  makeEdit(doc, origin, (plan) => {
    plan.setGroup(facts, 'label', [], label, group.label)
    plan.setGroup(facts, 'colour', [], colour, group.colour)
    setMembers(facts, group, add, true, plan)
    setMembers(facts, group, remove, false, plan)
  })
}

/** Takes groups away; what was in them stays, and so do the groups around them. */
export function removeGroups(doc: Y.Doc, ids: readonly string[], origin?: unknown): void {
  for (const id of ids) getGroup(doc, id)
  const { groups } = getRoots(doc)
  makeEdit(doc, origin, (plan) => {
    for (const [id, facts] of groups) {
      if (ids.includes(id)) plan.write(() => groups.delete(id))
      else setMembers(facts, findGroup(id, facts), { groupIds: ids }, false, plan)
    }
  })
}

function setMembers(
  facts: Facts,
  group: Group | undefined,
  { nodeInstanceIds = [], groupIds = [] }: Members,
  isIn: boolean,
  { setGroup }: Plan,
): void {
  if (!group) return
  const members = new Set([...group.nodeInstanceIds, ...group.groupIds])
  for (const id of nodeInstanceIds) setGroup(facts, 'node', [id], isIn, members.has(id))
  for (const id of groupIds) setGroup(facts, 'group', [id], isIn, members.has(id))
}

function checkMembers(doc: Y.Doc, { nodeInstanceIds = [], groupIds = [] }: Members): void {
  for (const id of nodeInstanceIds) getNode(doc, id)
  for (const id of groupIds) getGroup(doc, id)
}
