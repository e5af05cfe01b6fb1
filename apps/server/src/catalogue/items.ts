import type { BinItemId } from '@meadow/contract'
import type { ItemReference } from '@meadow/contract/web'
import type { Select } from '../platform/database/database.ts'
import type { BinKey, TeamKey } from '../platform/database/tables.ts'
import { isPublicId } from '../platform/public-ids.ts'
import type { NamedRow } from './audit-things.ts'

/** A folder, document or other file of a team that is not in the bin. */
export type NamedItem = NamedRow & {
  id: string
  name: string
  /** The team's root folder. */
  isRoot: boolean
}

/** Finds what requests about several items name: up to some hundred. */
export interface FindItems {
  /**
   * Documents first, then other files, then folders: when a folder is put into the bin, what was named beside it is an
   * item of its own. Without those that the team does not have, or has in the bin.
   */
  findItems(items: readonly ItemReference[]): Promise<NamedItem[]>
  /** The last that were deleted first: a folder is restored before what was deleted before it. */
  findBinItems(ids: readonly string[]): Promise<{ key: BinKey; id: BinItemId }[]>
}

export const createFindItems = (read: Select, team: TeamKey): FindItems => ({
  async findItems(items) {
    const idsOf = (kind: ItemReference['kind']) =>
      items.flatMap((item) => (item.kind === kind ? item.id : []))
    const documents = idsOf('document').filter((id) => isPublicId('doc', id))
    const files = idsOf('file').filter((id) => isPublicId('fil', id))
    const folders = idsOf('folder').filter((id) => isPublicId('fld', id))
    const found: NamedItem[] = []
    if (documents.length > 0) {
      const rows = await read
        .selectFrom('document')
        .where('team_id', '=', team)
        .where('bin_id', 'is', null)
        .where('public_id', 'in', documents)
        .orderBy('document.id')
        .select(['id as key', 'public_id as id', 'name'])
        .execute()
      found.push(...rows.map((row) => ({ kind: 'document' as const, isRoot: false, ...row })))
    }
    if (files.length > 0) {
      const rows = await read
        .selectFrom('team_file')
        .where('team_id', '=', team)
        .where('bin_id', 'is', null)
        .where('public_id', 'in', files)
        .orderBy('team_file.id')
        .select(['id as key', 'public_id as id', 'name'])
        .execute()
      found.push(...rows.map((row) => ({ kind: 'file' as const, isRoot: false, ...row })))
    }
    if (folders.length > 0) {
      const rows = await read
        .selectFrom('folder')
        .where('team_id', '=', team)
        .where('bin_id', 'is', null)
        .where('public_id', 'in', folders)
        .orderBy('folder.id')
        .select(['id as key', 'public_id as id', 'name', 'parent_id as parent'])
        .execute()
      found.push(
        ...rows.map(({ parent, ...row }) => ({ kind: 'folder' as const, isRoot: parent === null, ...row })),
      )
    }
    return found
  },
  async findBinItems(ids) {
    const items = ids.filter((id) => isPublicId('bin', id))
    if (items.length === 0) return []
    return read
      .selectFrom('bin_item')
      .where('team_id', '=', team)
      .where('public_id', 'in', items)
      .orderBy('bin_item.id', 'desc')
      .select(['id as key', 'public_id as id'])
      .execute()
  },
})
