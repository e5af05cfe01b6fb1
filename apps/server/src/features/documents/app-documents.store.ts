import { basename } from 'node:path/posix'
import type { AppDocument, SolveState } from '@meadow/contract/web'
import { sql } from 'kysely'
import type { DocumentAccess } from '../../access/resource-access.store.ts'
import { readAncestors } from '../../catalogue/folders.ts'
import type { Database } from '../../platform/database/database.ts'
import { toSummary } from '../../platform/database/document-summary.ts'
import type { DocumentKey, FolderKey } from '../../platform/database/tables.ts'

/** The queries of the web app about documents. */
export interface AppDocumentStore {
  /** Undefined when the document was deleted meanwhile. */
  readDocument(access: DocumentAccess): Promise<AppDocument | undefined>
  /** The name and folder of a document that is copied. */
  findOriginal(document: DocumentKey): Promise<{ name: string; folder: FolderKey } | undefined>
  /** The position of a document in its log, and the digest of the file that it was imported from. */
  findVersion(document: DocumentKey): Promise<{ seq: number; file: string | null } | undefined>
}

const solveState = sql<SolveState>`coalesce(
  (select state from solve where document_id = document.id order by id desc limit 1), 'never')`

export function createAppDocumentStore({ read }: Pick<Database, 'read'>): AppDocumentStore {
  return {
    async readDocument({ team, teamId, teamName, role, document }) {
      const row = await read
        .selectFrom('document')
        .innerJoin('team', 'team.id', 'document.team_id')
        .where('document.id', '=', document)
        .where('document.bin_id', 'is', null)
        .select([
          'document.public_id as id',
          'document.name',
          'visibility',
          'document.created_at',
          'document.updated_at',
          'folder_id as folder',
          'source_path as sourcePath',
          'team.credits',
          solveState.as('solve'),
        ])
        .executeTakeFirst()
      if (!row) return undefined
      const isMember = role !== null
      return {
        ...toSummary(row),
        team: isMember ? { id: teamId, name: teamName } : null,
        role,
        path: isMember ? await readAncestors(read, { team, teamName }, row.folder) : [],
        solve: row.solve,
        credits: isMember ? row.credits : null,
        fileName: isMember && row.sourcePath !== null ? basename(row.sourcePath) : null,
      }
    },
    findOriginal: (document) =>
      read
        .selectFrom('document')
        .where('id', '=', document)
        .where('bin_id', 'is', null)
        .select(['name', 'folder_id as folder'])
        .executeTakeFirst(),
    findVersion: (document) =>
      read
        .selectFrom('document')
        .where('id', '=', document)
        .where('bin_id', 'is', null)
        .select(['seq', 'source_blob as file'])
        .executeTakeFirst(),
  }
}
