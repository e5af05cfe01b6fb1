import type { Write } from '../platform/database/database.ts'
import type { IndexChange, IndexedDocument } from '../platform/database/search-index.ts'
import type { BinKey, DocumentKey, TeamKey } from '../platform/database/tables.ts'
import { FilingError, pathRange, readFolderPath } from './folders.ts'

/** Collects the changes of a transaction to the search index, so that they are written together at its end. */
export interface IndexChanges {
  add(document: IndexedDocument): void
  /** `before` is the document as the transaction found it, or as it has changed it so far. */
  replace(before: IndexedDocument, after: IndexedDocument): void
  /** `before` is as in `replace`. */
  remove(before: IndexedDocument): void
  collected(): IndexChange
}

export function createIndexChanges(): IndexChanges {
  const before = new Map<DocumentKey, IndexedDocument>()
  const after = new Map<DocumentKey, IndexedDocument>()
  return {
    add: (document) => after.set(document.id, document),
    replace(old, document) {
      // The index has the state before the first of several changes.
      if (!after.has(document.id)) before.set(document.id, old)
      after.set(document.id, document)
    },
    remove(old) {
      if (!after.delete(old.id)) before.set(old.id, old)
    },
    collected: () => ({ remove: [...before.values()], add: [...after.values()] }),
  }
}

/** The columns of a query of `document` and its `folder` of which an entry of the search index is made. */
export const INDEXED_COLUMNS = [
  'document.id',
  'document.public_id as publicId',
  'folder.path',
  'document.name_folded as nameFolded',
  'document.updated_at as updatedAt',
] as const

/**
 * The search index's entry for a document. Throws a {@link FilingError} when the team has no such document, or has it in
 * the bin.
 */
export async function getIndexedDocument(
  write: Write,
  team: TeamKey,
  document: DocumentKey,
): Promise<IndexedDocument> {
  const [found] = await getIndexedDocuments(write, team, [document])
  return found!
}

/** The entries for some documents. Throws as {@link getIndexedDocument} does. */
export async function getIndexedDocuments(
  write: Write,
  team: TeamKey,
  documents: readonly DocumentKey[],
): Promise<IndexedDocument[]> {
  const rows = await write
    .selectFrom('document')
    .innerJoin('folder', 'folder.id', 'document.folder_id')
    .where('document.id', 'in', documents)
    .where('document.team_id', '=', team)
    .where('document.bin_id', 'is', null)
    .select(INDEXED_COLUMNS)
    .execute()
  const found = new Set(rows.map(({ id }) => id))
  const missing = documents.find((document) => !found.has(document))
  if (missing !== undefined) throw new FilingError('gone', `The team ${team} has no document ${missing}.`)
  return rows.map((row) => toIndexed(team, row))
}

const toIndexed = (
  team: TeamKey,
  { path, ...document }: Omit<IndexedDocument, 'team' | 'folders'> & { path: string },
): IndexedDocument => ({ ...document, team, folders: readFolderPath(path) })

/** The entries for the documents in a folder, at any depth, that are in this item of the bin; null: not in the bin. */
export async function listIndexedDocuments(
  write: Write,
  team: TeamKey,
  path: string,
  bin: BinKey | null,
): Promise<IndexedDocument[]> {
  const { start, end } = pathRange(path)
  const rows = await write
    .selectFrom('folder')
    .innerJoin('document', 'document.folder_id', 'folder.id')
    .where('folder.path', '>=', start)
    .where('folder.path', '<', end)
    .where('document.bin_id', bin === null ? 'is' : '=', bin)
    .select(INDEXED_COLUMNS)
    .execute()
  return rows.map((row) => toIndexed(team, row))
}
