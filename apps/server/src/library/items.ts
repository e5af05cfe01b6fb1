import type { BinItemId, DocumentId, FolderId, TeamFileId } from '@meadow/contract'
import type { ItemReference } from '@meadow/contract/web'
import { type SqlBool, sql } from 'kysely'
import { type NamedRow, TABLES } from '../audit/named-rows.ts'
import type { BinKey, DocumentKey } from '../platform/database/tables.ts'
import { isPublicId } from '../platform/public-ids.ts'
import type { TeamWrite } from '../team/team-transaction.ts'

/** A folder, document or other file of a team that is not in the bin. */
export type NamedItem = NamedRow & {
  id: string
  name: string
  /** The team's root folder. */
  isRoot: boolean
}

/** The kinds of items in the order in which they are found, with the prefixes of their ids. */
const PREFIXES = [
  ['document', 'doc'],
  ['file', 'fil'],
  ['folder', 'fld'],
] as const

/**
 * Finds documents, then other files, then folders: when a folder is put into the bin, what was named beside it is an
 * item of its own. Items that the team does not have, or has in the bin, are left out.
 */
export async function findItems(
  { write, team }: TeamWrite,
  items: readonly ItemReference[],
): Promise<NamedItem[]> {
  const found: NamedItem[] = []
  for (const [kind, prefix] of PREFIXES) {
    const ids = items.flatMap((item) => (item.kind === kind && isPublicId(prefix, item.id) ? item.id : []))
    if (ids.length === 0) continue
    const rows = await write
      .selectFrom<'document' | 'folder' | 'team_file'>(TABLES[kind])
      .where('team_id', '=', team)
      .where('bin_id', 'is', null)
      .where('public_id', 'in', ids as (DocumentId & TeamFileId & FolderId)[])
      .select(['id as key', 'public_id as id', 'name'])
      .select((kind === 'folder' ? sql<SqlBool>`parent_id is null` : sql<SqlBool>`false`).as('isRoot'))
      .orderBy('key')
      .execute()
    found.push(...rows.map((row) => ({ kind, ...row, isRoot: Boolean(row.isRoot) }) as NamedItem))
  }
  return found
}

/** Finds items of the bin, the last deleted first: a folder is restored before what was deleted before it. */
export async function findBinItems(
  { write, team }: TeamWrite,
  ids: readonly string[],
): Promise<{ key: BinKey; id: BinItemId; document: DocumentKey | null }[]> {
  const items = ids.filter((id) => isPublicId('bin', id))
  if (items.length === 0) return []
  return write
    .selectFrom('bin_item')
    .where('team_id', '=', team)
    .where('public_id', 'in', items)
    .orderBy('bin_item.id', 'desc')
    .select(['id as key', 'public_id as id', 'document_id as document'])
    .execute()
}
