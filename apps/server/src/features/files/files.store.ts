import { type FolderId, SEARCH_LIMIT, type TeamFileId } from '@meadow/contract'
import {
  type AppFile,
  type AppResponse,
  type FileFacts,
  type FoundFile,
  LIBRARY_KINDS,
  type listLibraryItems,
  MAX_LIBRARY_ITEMS,
  MAX_PLACEABLE_ITEMS,
  MAX_USERS,
  type TextKind,
} from '@meadow/contract/web'
import { listFileOrigins } from '@meadow/document'
import { sql } from 'kysely'
import type { FileAccess } from '../../access/resource-access.store.ts'
import { readTarget } from '../../audit/named-rows.ts'
import { recordEvent } from '../../audit/record-event.ts'
import { readAncestors } from '../../library/folders.ts'
import {
  FILE_COLUMNS,
  FOLDER_OF_ITEM_COLUMNS,
  toFileSummary,
  toFolderOfFound,
} from '../../library/listing.ts'
import type { Database } from '../../platform/database/database.ts'
import { foldName } from '../../platform/database/names.ts'
import type { FolderKey, TeamFileKey, TeamFileKind, TeamKey } from '../../platform/database/tables.ts'
import { toTimestamp } from '../../platform/database/times.ts'
import { pathRange } from '../../team/folders.ts'

/** The queries of the web app about files that are not documents. */
export interface FileStore {
  /** Resolves with undefined when the file was deleted meanwhile. */
  read(access: FileAccess): Promise<AppFile | undefined>
  findBlobs(file: TeamFileKey): Promise<FileBlobs | undefined>
  /** Records that someone downloads the file. */
  recordDownload(access: FileAccess): Promise<void>
  /** The user objects and clusters by which nodes can be known. */
  listLibraryItems(team: TeamKey): Promise<AppResponse<typeof listLibraryItems>>
  /** The user objects and clusters that can be placed. `q` finds them by words of their file names. */
  listPlaceable(team: TeamKey, q: string): Promise<{ items: LibraryRow[]; truncated: boolean }>
  /**
   * Finds files by a part of their name, those whose name starts with it first, then the most recently changed. `folderId`
   * restricts the search to a folder and everything in it.
   */
  search(team: TeamKey, request: FileSearch): Promise<{ files: FoundFile[]; truncated: boolean }>
}

/** A user object or cluster. */
export interface LibraryRow {
  id: TeamFileId
  name: string
  thumbnail: string | null
  facts: Exclude<FileFacts, { kind: 'model' | TextKind }>
}

export interface FileSearch {
  q?: string | undefined
  /** A folder id, or `root`. */
  folderId?: string | undefined
}

export interface FileBlobs {
  kind: TeamFileKind
  name: string
  blob: string
  thumbnail: string | null
  folder: FolderKey
}

/** The words of a search that count. */
const MAX_WORDS = 10

const toPattern = (text: string): string => text.replace(/[\\%_]/g, '\\$&')

const contains = (text: string) =>
  sql<boolean>`team_file.name_folded like ${`%${toPattern(text)}%`} escape '\\'`

export function createFileStore({ read, transaction }: Pick<Database, 'read' | 'transaction'>): FileStore {
  const files = read.selectFrom('team_file').where('team_file.bin_id', 'is', null)

  async function readUsers(file: TeamFileKey): Promise<AppFile['usedBy']> {
    return (
      read
        .selectFrom('document')
        .where('document.bin_id', 'is', null)
        .where('document.id', 'in', ({ selectFrom }) =>
          selectFrom('model_object')
            .innerJoin('document_reference', 'document_reference.object_id', 'model_object.object_id')
            .where('model_object.file_id', '=', file)
            .select('document_reference.document_id'),
        )
        // Ids of objects are the same in copies of a model, also in those of other teams.
        .where('document.team_id', '=', ({ selectFrom }) =>
          selectFrom('team_file').where('id', '=', file).select('team_file.team_id'),
        )
        .orderBy('document.name_folded')
        .limit(MAX_USERS)
        .select(['document.public_id as id', 'document.name'])
        .execute()
    )
  }

  return {
    async read({ team, teamId, teamName, role, file }) {
      const row = await files
        .where('team_file.id', '=', file)
        .select([...FILE_COLUMNS, 'folder_id', 'facts', 'source_modified'])
        .executeTakeFirst()
      if (!row) return undefined
      const [path, usedBy] = await Promise.all([
        readAncestors(read, { team, teamName }, row.folder_id),
        row.kind === 'model' ? readUsers(file) : [],
      ])
      return {
        ...toFileSummary(row),
        team: { id: teamId, name: teamName },
        role: role!,
        path,
        modifiedAt: row.source_modified === null ? null : toTimestamp(row.source_modified),
        facts: JSON.parse(row.facts),
        usedBy,
      }
    },

    recordDownload: ({ team, file }) =>
      transaction(async (write) => {
        const target = await readTarget(write, { kind: 'file', key: file })
        recordEvent(write, { action: 'document.downloaded', team, target })
      }),

    findBlobs: (file) =>
      files
        .where('team_file.id', '=', file)
        .select(['kind', 'name', 'blob', 'thumbnail', 'folder_id as folder'])
        .executeTakeFirst(),

    async listLibraryItems(team) {
      const rows = await files
        .where('team_id', '=', team)
        .where('kind', 'in', LIBRARY_KINDS)
        .orderBy('name_folded')
        .orderBy('id')
        .limit(MAX_LIBRARY_ITEMS + 1)
        .select(['public_id as id', 'name', 'facts'])
        .execute()
      const items = rows
        .slice(0, MAX_LIBRARY_ITEMS)
        .map(({ id, name, facts }) => ({ id, name, origins: listFileOrigins(name, JSON.parse(facts)) }))
      return {
        items: items.filter(({ origins }) => origins.length > 0),
        truncated: rows.length > MAX_LIBRARY_ITEMS,
      }
    },

    async listPlaceable(team, q) {
      let query = files.where('team_id', '=', team).where('kind', 'in', LIBRARY_KINDS)
      // PostgreSQL rejects it, and no name contains it.
      for (const word of foldName(q).replaceAll('\0', ' ').split(/\s+/).filter(Boolean).slice(0, MAX_WORDS))
        query = query.where(contains(word))
      const rows = await query
        .orderBy('name_folded')
        .orderBy('id')
        .limit(MAX_PLACEABLE_ITEMS + 1)
        .select(['public_id as id', 'name', 'thumbnail', 'facts'])
        .execute()
      return {
        items: rows.slice(0, MAX_PLACEABLE_ITEMS).map((row) => ({ ...row, facts: JSON.parse(row.facts) })),
        truncated: rows.length > MAX_PLACEABLE_ITEMS,
      }
    },

    async search(team, { q = '', folderId }) {
      const text = foldName(q)
      // PostgreSQL rejects it, and no name contains it.
      if (text.includes('\0')) return { files: [], truncated: false }
      const pattern = toPattern(text)
      let query = files
        .innerJoin('folder', 'folder.id', 'team_file.folder_id')
        .where('team_file.team_id', '=', team)
        .where(contains(text))
      if (folderId !== undefined && folderId !== 'root') {
        const scope = await read
          .selectFrom('folder')
          .where('public_id', '=', folderId as FolderId)
          .where('team_id', '=', team)
          .select('path')
          .executeTakeFirst()
        if (!scope) return { files: [], truncated: false }
        const { start, end } = pathRange(scope.path)
        query = query.where('folder.path', '>=', start).where('folder.path', '<', end)
      }
      const rows = await query
        .orderBy(sql`case when team_file.name_folded like ${`${pattern}%`} escape '\\' then 0 else 1 end`)
        .orderBy('team_file.updated_at', 'desc')
        .orderBy('team_file.id', 'desc')
        .limit(SEARCH_LIMIT + 1)
        .select([...FILE_COLUMNS, ...FOLDER_OF_ITEM_COLUMNS])
        .execute()
      return {
        files: rows.slice(0, SEARCH_LIMIT).map((row) => ({
          ...toFileSummary(row),
          ...toFolderOfFound(row),
        })),
        truncated: rows.length > SEARCH_LIMIT,
      }
    },
  }
}
