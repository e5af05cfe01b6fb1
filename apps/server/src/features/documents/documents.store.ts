import type { DocumentId, Timestamp } from '@meadow/contract'
import type { Database } from '../../platform/database/database.ts'
import type { DocumentKey, TeamKey } from '../../platform/database/tables.ts'
import { toTimestamp } from '../../platform/database/times.ts'
import { isPublicId } from '../../platform/public-ids.ts'
import { SOURCE_FILE_COLUMNS, type SourceFile, toSourceFile } from './file-facts.store.ts'

/** A document without its content. */
export interface StoredDocument {
  key: DocumentKey
  id: DocumentId
  name: string
  createdAt: Timestamp
  updatedAt: Timestamp
  /** The head of the log of changes: grows with every change of the content. */
  seq: number
  /** Null: the document was made here. */
  file: SourceFile | null
}

/** The queries of the API about documents, except for the search (`search.store.ts`). */
export interface DocumentStore {
  /** Undefined when the team has no document with this id, which is what the caller sent. */
  find(team: TeamKey, id: string): Promise<StoredDocument | undefined>
}

export function createDocumentStore(database: Database): DocumentStore {
  const readDocument = database.prepare((read, { team, id }: { team: TeamKey; id: DocumentId }) =>
    read
      .selectFrom('document')
      .where('document.public_id', '=', id)
      .where('document.team_id', '=', team)
      .where('document.bin_id', 'is', null)
      .select(['id', 'public_id', 'name', 'created_at', 'updated_at', 'seq', ...SOURCE_FILE_COLUMNS]),
  )
  return {
    async find(team, id) {
      const row = isPublicId('doc', id) ? await readDocument.first({ team, id }) : undefined
      return (
        row && {
          key: row.id,
          id: row.public_id,
          name: row.name,
          createdAt: toTimestamp(row.created_at),
          updatedAt: toTimestamp(row.updated_at),
          seq: row.seq,
          file: toSourceFile(row),
        }
      )
    },
  }
}
