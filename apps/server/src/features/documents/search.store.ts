import { type FolderId, type FoundDocument, SEARCH_LIMIT, type SearchResult } from '@meadow/contract'
import type { Database } from '../../platform/database/database.ts'
import { foldName, MAX_FOLDED_LENGTH } from '../../platform/database/names.ts'
import { toSummary } from '../../platform/database/document-summary.ts'
import type { DocumentKey, FolderKey, TeamKey } from '../../platform/database/tables.ts'
import { isPublicId } from '../../platform/public-ids.ts'

export interface SearchRequest {
  /** As the caller sent it; undefined or empty: every document. */
  q?: string | undefined
  /** A folder id as the caller sent it, or `root`. */
  folderId?: string | undefined
}

/** `DocumentStore.search`. */
export type Search = (team: TeamKey, request: SearchRequest) => Promise<SearchResult | undefined>

const NOTHING: SearchResult = { documents: [], truncated: false }

export function createSearch(database: Database): Search {
  const findPlace = createFindPlace(database)
  const readFound = createReadFound(database)
  return async (team, { q = '', folderId }) => {
    const place = await findPlace(team, folderId)
    if (!place) return undefined
    const textFolded = foldName(q)
    // No name is so long, and none has NUL, which PostgreSQL does not take.
    if (textFolded.length > MAX_FOLDED_LENGTH || textFolded.includes('\0')) return NOTHING
    const { folder } = place
    const keys = await database.searchIndex.find({ team, textFolded, folder, limit: SEARCH_LIMIT + 1 })
    return {
      documents: await readFound(keys.slice(0, SEARCH_LIMIT)),
      truncated: keys.length > SEARCH_LIMIT,
    }
  }
}

/** What a search is restricted to: without a folder, all of the team. */
interface Place {
  folder?: FolderKey
}

function createFindPlace(database: Database) {
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
  return async (team: TeamKey, id: string | undefined): Promise<Place | undefined> => {
    if (id === undefined) return {}
    if (id !== 'root' && !isPublicId('fld', id)) return undefined
    const folder = id === 'root' ? await readRoot.first({ team }) : await readFolder.first({ team, id })
    if (!folder) return undefined
    // Every document is somewhere below the root.
    return folder.parent_id === null ? {} : { folder: folder.id }
  }
}

/** Reads so many documents at once, by the numbers of their places in a list. */
const PLACES = Array.from({ length: SEARCH_LIMIT }, (_, place) => place)
const NO_DOCUMENT = 0 as DocumentKey

function createReadFound(database: Database) {
  const readDocuments = database.prepare((read, keys: Record<number, DocumentKey>) =>
    read
      .selectFrom('document')
      .innerJoin('folder', 'folder.id', 'document.folder_id')
      .where(
        'document.id',
        'in',
        PLACES.map((place) => keys[place]!),
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
  /** In the order of `keys`, which are `SEARCH_LIMIT` at most. */
  return async (keys: DocumentKey[]): Promise<FoundDocument[]> => {
    const rows = await readDocuments.all(PLACES.map((place) => keys[place] ?? NO_DOCUMENT))
    const byKey = new Map(rows.map((row) => [row.key, row]))
    const found = keys.map((key) => byKey.get(key)).filter((row) => row !== undefined)
    return found.map((row) => ({
      ...toSummary(row),
      folder: { id: row.folderId, name: row.folderName },
      isRoot: row.parentFolder === null,
    }))
  }
}
