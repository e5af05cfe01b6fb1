import type { BinItem } from '@meadow/contract/web'
import { sql } from 'kysely'
import type { TeamAccess } from '../../access/resource-access.store.ts'
import { readAfter, writeAfter } from '../../http/app-api/read-input.ts'
import type { Database } from '../../platform/database/database.ts'
import type { BinKey, TeamKey } from '../../platform/database/tables.ts'
import { toTimestamp } from '../../platform/database/times.ts'

/** The queries of the web app about the bin. */
export interface BinStore {
  /** Lists the items of the bin, newest first; `after` is what the caller sent. */
  list(access: TeamAccess, after: string | undefined): Promise<{ items: BinItem[]; next: string | null }>
  listKeys(team: TeamKey): Promise<BinKey[]>
}

const PAGE = 100

export function createBinStore({ read }: Pick<Database, 'read'>): BinStore {
  return {
    async list({ team, teamName }, after) {
      const rows = await read
        .selectFrom('bin_item')
        .leftJoin('folder', 'folder.id', 'bin_item.folder_id')
        .leftJoin('document', 'document.id', 'bin_item.document_id')
        .leftJoin('team_file as file', 'file.id', 'bin_item.file_id')
        .leftJoin('folder as home', (join) =>
          join
            .on(({ eb, ref }) =>
              eb(
                'home.id',
                '=',
                eb.fn.coalesce(ref('folder.parent_id'), ref('document.folder_id'), ref('file.folder_id')),
              ),
            )
            .on('home.bin_id', 'is', null)
            .on('bin_item.home_is_gone', '=', 0),
        )
        .leftJoin('user', 'user.id', 'bin_item.deleted_by')
        .where('bin_item.team_id', '=', team)
        .where('bin_item.id', '<', readAfter(after) as BinKey)
        .orderBy('bin_item.id', 'desc')
        .limit(PAGE + 1)
        .select([
          'bin_item.id as key',
          'bin_item.public_id as id',
          'folder.name as folderName',
          'document.name as documentName',
          'file.name as fileName',
          'home.public_id as homeId',
          'home.name as homeName',
          'home.parent_id as homeParent',
          'bin_item.deleted_at as deletedAt',
          'user.id as userId',
          'user.name as userName',
          sql<number>`(select cast(count(*) as integer) from document as inside
            where inside.bin_id = bin_item.id)`.as('documents'),
        ])
        .execute()
      const items = rows.slice(0, PAGE).map(
        (row): BinItem => ({
          id: row.id,
          kind: row.folderName !== null ? 'folder' : row.fileName === null ? 'document' : 'file',
          name: row.folderName ?? row.documentName ?? row.fileName ?? '',
          documents: row.documents,
          folder: row.homeId && {
            id: row.homeId,
            name: row.homeParent === null ? teamName : (row.homeName ?? ''),
          },
          deletedAt: toTimestamp(row.deletedAt),
          deletedBy: row.userId && { id: row.userId, name: row.userName ?? '' },
        }),
      )
      return { items, next: rows.length > PAGE ? writeAfter(rows[PAGE - 1]!.key) : null }
    },
    async listKeys(team) {
      const rows = await read.selectFrom('bin_item').where('team_id', '=', team).select('id').execute()
      return rows.map(({ id }) => id)
    },
  }
}
