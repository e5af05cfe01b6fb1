import { basename } from 'node:path/posix'
import type { DocumentId } from '@meadow/contract'
import type { AppDocument, ListSummary, Sharing } from '@meadow/contract/web'
import type { DocumentAccess } from '../../access/resource-access.store.ts'
import { solveColumns, toSolveSummary } from '../../library/completeness.ts'
import { readAncestors } from '../../library/folders.ts'
import { DOCUMENT_COLUMNS, toSummary } from '../../library/listing.ts'
import type { Database } from '../../platform/database/database.ts'
import type { DocumentKey, FolderKey, TeamKey } from '../../platform/database/tables.ts'
import { toTimestamp } from '../../platform/database/times.ts'
import type { CopiedSource } from '../../team/document-writes.ts'
import { sharingColumn } from '../../team/sharing.ts'
import { SOURCE_FILE_COLUMNS, type SourceFile, toSourceFile } from './documents.store.ts'

/** What a copy of a document has beside the content. */
export interface CopiedParts {
  /** The imported file; undefined when the document was made here. */
  source: CopiedSource | undefined
  /** The ids of the objects in Rhino models that the document refers to. */
  references: string[]
}

/** The queries of the web app about documents. */
export interface AppDocumentStore {
  /** Resolves with undefined when the document was deleted meanwhile. */
  readDocument(access: DocumentAccess): Promise<AppDocument | undefined>
  /**
   * Lists who can open these documents, and how their most recent solves ended; those of other teams and in the bin are left
   * out.
   */
  listStates(
    team: TeamKey,
    ids: readonly DocumentId[],
  ): Promise<ReadonlyMap<DocumentId, ListSummary & { visibility: Sharing }>>
  /** Finds the name and folder of a document that is copied. */
  findOriginal(document: DocumentKey): Promise<{ name: string; folder: FolderKey } | undefined>
  readCopied(document: DocumentKey): Promise<CopiedParts>
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
          ...DOCUMENT_COLUMNS,
          'folder_id as folder',
          'source_path as sourcePath',
          'source_view as sourceView',
          'document.public_until',
          'team.credit_tenths',
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
        creditTenths: isMember ? row.credit_tenths : null,
        view: row.sourceView === null ? null : JSON.parse(row.sourceView),
        fileName: isMember && row.sourcePath !== null ? basename(row.sourcePath) : null,
      }
    },
    async listStates(team, ids) {
      if (ids.length === 0) return new Map()
      const rows = await read
        .selectFrom('document')
        .where('team_id', '=', team)
        .where('public_id', 'in', ids)
        .where('bin_id', 'is', null)
        .select(['public_id as id', sharingColumn.as('visibility'), ...solveColumns])
        .execute()
      return new Map(rows.map((row) => [row.id, { visibility: row.visibility, ...toSolveSummary(row) }]))
    },
    findOriginal: (document) =>
      read
        .selectFrom('document')
        .where('id', '=', document)
        .where('bin_id', 'is', null)
        .select(['name', 'folder_id as folder'])
        .executeTakeFirst(),
    async readCopied(document) {
      const row = await read
        .selectFrom('document')
        .leftJoin('document_facts as facts', 'facts.document_id', 'document.id')
        .where('document.id', '=', document)
        .where('source_blob', 'is not', null)
        .select([
          'source_path as path',
          'source_size as size',
          'source_blob as blob',
          'source_created as created',
          'source_modified as modified',
          'source_view as view',
          'source_reading as reading',
          'facts.file',
          'facts.clusters',
          'facts.clusters_blob as clustersBlob',
        ])
        .executeTakeFirst()
      const references = await read
        .selectFrom('document_reference')
        .where('document_id', '=', document)
        .select('object_id')
        .execute()
      return {
        source: row && toCopiedSource(row),
        references: references.map(({ object_id }) => object_id),
      }
    },
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

interface CopiedRow {
  path: string | null
  size: number | null
  blob: string | null
  created: number | null
  modified: number | null
  view: string | null
  reading: number | null
  file: string | null
  clusters: Uint8Array | null
  clustersBlob: string | null
}

/** Converts the row of a document that was imported. */
function toCopiedSource(row: CopiedRow): CopiedSource {
  const { path, size, blob, created, modified, view, reading, file, clusters, clustersBlob } = row
  return {
    ...{ root: null, from: null, mtimeMs: null, path: basename(path!) },
    ...{ sha256: blob!, blob: blob!, sizeBytes: size!, reading },
    times: created === null || modified === null ? undefined : { created, modified },
    view: view === null ? undefined : JSON.parse(view),
    facts:
      file === null
        ? undefined
        : {
            file,
            clusters: clusters
              ? { kind: 'inline', bytes: clusters }
              : { kind: 'blob', digest: clustersBlob!, size: 0 },
          },
  }
}
