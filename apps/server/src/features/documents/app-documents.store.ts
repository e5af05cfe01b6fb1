import { basename } from 'node:path/posix'
import type { DocumentId } from '@meadow/contract'
import type { AppDocument, ListSummary } from '@meadow/contract/web'
import type { DocumentAccess } from '../../access/resource-access.store.ts'
import { readAncestors } from '../../catalogue/folders.ts'
import { solveColumns, toSolveSummary } from '../../platform/database/completeness.ts'
import type { Database } from '../../platform/database/database.ts'
import { toSummary } from '../../platform/database/document-summary.ts'
import type { DocumentKey, FolderKey, TeamKey } from '../../platform/database/tables.ts'
import { toTimestamp } from '../../platform/database/times.ts'
import { SOURCE_FILE_COLUMNS, type SourceFile, toSourceFile } from './file-facts.store.ts'

/** The queries of the web app about documents. */
export interface AppDocumentStore {
  /** Undefined when the document was deleted meanwhile. */
  readDocument(access: DocumentAccess): Promise<AppDocument | undefined>
  /** How the most recent solves of these documents ended; those of other teams and in the bin are left out. */
  listSolves(team: TeamKey, ids: readonly DocumentId[]): Promise<ReadonlyMap<DocumentId, ListSummary>>
  /** The name and folder of a document that is copied. */
  findOriginal(document: DocumentKey): Promise<{ name: string; folder: FolderKey } | undefined>
  /** The file of a document; null when it was made here, undefined when it was deleted. */
  findFile(document: DocumentKey): Promise<SourceFile | null | undefined>
  /** The position of a document in its log, and the digest of the file that it was imported from. */
  findVersion(document: DocumentKey): Promise<{ seq: number; file: string | null } | undefined>
}

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
          'source_view as sourceView',
          'document.public_until',
          'team.credits',
          'team.public_documents',
          'team.public_days',
          ...solveColumns,
        ])
        .executeTakeFirst()
      if (!row) return undefined
      const isMember = role !== null
      return {
        ...toSummary(row),
        team: isMember ? { id: teamId, name: teamName } : null,
        role,
        publicUntil: isMember && row.public_until !== null ? toTimestamp(row.public_until) : null,
        publicDocuments: isMember ? { allowed: row.public_documents === 1, days: row.public_days } : null,
        path: isMember ? await readAncestors(read, { team, teamName }, row.folder) : [],
        ...toSolveSummary(row),
        credits: isMember ? row.credits : null,
        view: row.sourceView === null ? null : JSON.parse(row.sourceView),
        fileName: isMember && row.sourcePath !== null ? basename(row.sourcePath) : null,
      }
    },
    async listSolves(team, ids) {
      if (ids.length === 0) return new Map()
      const rows = await read
        .selectFrom('document')
        .where('team_id', '=', team)
        .where('public_id', 'in', ids)
        .where('bin_id', 'is', null)
        .select(['public_id as id', ...solveColumns])
        .execute()
      return new Map(rows.map((row) => [row.id, toSolveSummary(row)]))
    },
    findOriginal: (document) =>
      read
        .selectFrom('document')
        .where('id', '=', document)
        .where('bin_id', 'is', null)
        .select(['name', 'folder_id as folder'])
        .executeTakeFirst(),
    async findFile(document) {
      const row = await read
        .selectFrom('document')
        .where('id', '=', document)
        .where('bin_id', 'is', null)
        .select(SOURCE_FILE_COLUMNS)
        .executeTakeFirst()
      return row && toSourceFile(row)
    },
    findVersion: (document) =>
      read
        .selectFrom('document')
        .where('id', '=', document)
        .where('bin_id', 'is', null)
        .select(['seq', 'source_blob as file'])
        .executeTakeFirst(),
  }
}
