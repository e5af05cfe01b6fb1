import { type FolderId, type FoundDocument, SEARCH_LIMIT, type SearchResult } from '@meadow/contract'
import type { Database } from '../../platform/database/database.ts'
import { toSummary } from '../../platform/database/document-summary.ts'
import { foldName, MAX_FOLDED_LENGTH } from '../../platform/database/names.ts'
import type { DocumentKey, FolderKey, TeamKey } from '../../platform/database/tables.ts'
import { isPublicId } from '../../platform/public-ids.ts'

/** A search as the caller sent it. */
export interface SearchRequest {
  /** Undefined or empty: every document. */
  q?: string | undefined
  /** A folder id, or `root`. */
  folderId?: string | undefined
}

/**
 * Finds documents by name (decisions 16 to 19). Resolves to undefined when the folder does not exist; for `root`, when
 * the team is not set up correctly.
 */
export type Search = (team: TeamKey, request: SearchRequest) => Promise<SearchResult | undefined>

const NO_RESULTS: SearchResult = { documents: [], truncated: false }

export function createSearch(database: Database): Search {
  const findScope = createFindScope(database)
  const readFound = createReadFound(database)
  return async (team, { q = '', folderId }) => {
    const scope = await findScope(team, folderId)
    if (!scope) return undefined
    const textFolded = foldName(q)
    // No name is longer, and none contains NUL, which PostgreSQL rejects.
    if (textFolded.length > MAX_FOLDED_LENGTH || textFolded.includes('\0')) return NO_RESULTS
    const { folder } = scope
    const keys = await database.searchIndex.find({ team, textFolded, folder, limit: SEARCH_LIMIT + 1 })
    return {
      documents: await readFound(keys.slice(0, SEARCH_LIMIT)),
      truncated: keys.length > SEARCH_LIMIT,
    }
  }
}

/** The folder that a search is restricted to; without one, the whole team. */
interface Scope {
  folder?: FolderKey
}

function createFindScope(database: Database) {
  const readFolder = database.prepare((read, { team, id }: { team: TeamKey; id: FolderId }) =>
    read
      .selectFrom('folder')
      .where('public_id', '=', id)
      .where('team_id', '=', team)
      .where('bin_id', 'is', null)
      .select(['id', 'parent_id']),
  )
  const readRoot = database.prepare((read, { team }: { team: TeamKey }) =>
    read
      .selectFrom('folder')
      .where('team_id', '=', team)
      .where('parent_id', 'is', null)
      .select(['id', 'parent_id']),
  )
  return async (team: TeamKey, id: string | undefined): Promise<Scope | undefined> => {
    if (id === undefined) return {}
    if (id !== 'root' && !isPublicId('fld', id)) return undefined
    const folder = id === 'root' ? await readRoot.first({ team }) : await readFolder.first({ team, id })
    if (!folder) return undefined
    // Every document is below the root.
    return folder.parent_id === null ? {} : { folder: folder.id }
  }
}

/** The prepared statement has a fixed number of parameters; unused ones are a key that no document has. */
const PARAMETERS = Array.from({ length: SEARCH_LIMIT }, (_, index) => index)
const NO_DOCUMENT = 0 as DocumentKey

function createReadFound(database: Database) {
  const readDocuments = database.prepare((read, keys: Record<number, DocumentKey>) =>
    read
      .selectFrom('document')
      .innerJoin('folder', 'folder.id', 'document.folder_id')
      .where(
        'document.id',
        'in',
        PARAMETERS.map((index) => keys[index]!),
      )
      .select([
        'document.id as key',
        'document.public_id as id',
        'document.name',
        'visibility',
        'document.created_at',
        'updated_at',
        'folder.public_id as folderId',
        'folder.name as folderName',
        'folder.parent_id as parentFolder',
      ]),
  )
  /** In the order of `keys`, which are at most `SEARCH_LIMIT`. */
  return async (keys: DocumentKey[]): Promise<FoundDocument[]> => {
    const rows = await readDocuments.all(PARAMETERS.map((index) => keys[index] ?? NO_DOCUMENT))
    const byKey = new Map(rows.map((row) => [row.key, row]))
    const found = keys.map((key) => byKey.get(key)).filter((row) => row !== undefined)
    return found.map((row) => ({
      ...toSummary(row),
      folder: { id: row.folderId, name: row.folderName },
      isRoot: row.parentFolder === null,
    }))
  }
}
