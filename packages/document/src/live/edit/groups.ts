import type { Group } from '@meadow/contract'
import { uuidv4 } from 'lib0/random'
import type * as Y from 'yjs'
import { USUAL_GROUP_COLOUR } from '../../repair/repair-groups.ts'
import { findGroup } from '../projection/find-group.ts'
import { getRoots, type PropertyMap } from '../schema/layout.ts'
import { checkFree, checkRoom } from './checks.ts'
import { createPropertyMap, formatGroup } from './create-live-document.ts'
import { LiveEditError } from './edit-error.ts'
import { getGroup, getNode } from './find-parts.ts'
import { makeEdit, type Plan } from './make-edit.ts'

/** Members of a group. */
interface Members {
  nodeInstanceIds?: readonly string[]
  groupIds?: readonly string[]
}

export interface GroupEdit {
  label?: string
  /** `#rrggbbaa` */
  colour?: string
  /** Members to add. */
  add?: Members
  /** Members to remove. */
  remove?: Members
}

export interface NewGroup extends Members {
  /** The id of the new group; random unless given. */
  id?: string
  label?: string
  /** `#rrggbbaa` */
  colour?: string
}

/** Groups nodes and groups; returns the id of the new group. */
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
  makeEdit(doc, origin, ({ write }) => write(() => getRoots(doc).groups.set(id, createPropertyMap(text))))
  return id
}

/** Changes a group. Concurrent additions of other members are kept. */
export function editGroup(doc: Y.Doc, id: string, edit: GroupEdit, origin?: unknown): void {
  const { group, properties } = getGroup(doc, id)
  const { label = group.label, colour = group.colour, add = {}, remove = {} } = edit
  checkMembers(doc, add)
  if (add.groupIds?.includes(id)) throw new LiveEditError('not_valid', 'A group cannot be inside itself.')
  makeEdit(doc, origin, (plan) => {
    plan.setGroup(properties, 'label', [], label, group.label)
    plan.setGroup(properties, 'colour', [], colour, group.colour)
    setMembers(properties, group, add, true, plan)
    setMembers(properties, group, remove, false, plan)
  })
}

/** Removes groups. Their members stay, and so do the groups that contain them. */
export function removeGroups(doc: Y.Doc, ids: readonly string[], origin?: unknown): void {
  for (const id of ids) getGroup(doc, id)
  const { groups } = getRoots(doc)
  makeEdit(doc, origin, (plan) => {
    for (const [id, properties] of groups) {
      if (ids.includes(id)) plan.write(() => groups.delete(id))
      else setMembers(properties, findGroup(id, properties), { groupIds: ids }, false, plan)
    }
  })
}

function setMembers(
  properties: PropertyMap,
  group: Group | undefined,
  { nodeInstanceIds = [], groupIds = [] }: Members,
  isIn: boolean,
  { setGroup }: Plan,
): void {
  if (!group) return
  const members = new Set([...group.nodeInstanceIds, ...group.groupIds])
  for (const id of nodeInstanceIds) setGroup(properties, 'node', [id], isIn, members.has(id))
  for (const id of groupIds) setGroup(properties, 'group', [id], isIn, members.has(id))
}

function checkMembers(doc: Y.Doc, { nodeInstanceIds = [], groupIds = [] }: Members): void {
  for (const id of nodeInstanceIds) getNode(doc, id)
  for (const id of groupIds) getGroup(doc, id)
}
