import type { DocumentId, SearchResult, Timestamp } from '@meadow/contract'
import type { Database } from '../../platform/database/database.ts'
import type { DocumentKey, TeamKey } from '../../platform/database/tables.ts'
import { toTimestamp } from '../../platform/database/times.ts'
import { isPublicId } from '../../platform/public-ids.ts'
import { createSearch, type SearchRequest } from './search.store.ts'

/** A document's facts: all but what it holds. */
export interface StoredDocument {
  key: DocumentKey
  id: DocumentId
  name: string
  createdAt: Timestamp
  updatedAt: Timestamp
  /** The head of the log of changes: grows with every change of the content. */
  seq: number
}

/** Every SQL statement about documents; those of the search are in `search.store.ts`. */
export interface DocumentStore {
  /** The document, or undefined when the team has none with this id. `id` is what the caller sent. */
  find(team: TeamKey, id: string): Promise<StoredDocument | undefined>
  /** Decisions 16 to 19. Undefined when there is no such folder (for `root`: when the team is not set up correctly). */
  search(team: TeamKey, request: SearchRequest): Promise<SearchResult | undefined>
}

export function createDocumentStore(database: Database): DocumentStore {
  const readDocument = database.prepare((read, { team, id }: { team: TeamKey; id: DocumentId }) =>
    read
      .selectFrom('document')
      .where('document.public_id', '=', id)
      .where('document.team_id', '=', team)
      .where('document.bin_id', 'is', null)
      .select(['id', 'public_id', 'name', 'created_at', 'updated_at', 'seq']),
  )
  return {
    search: createSearch(database),
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
        }
      )
    },
  }
}
