import { sql } from 'kysely'
import { listColumns } from '../columns.ts'
import type { Write } from '../database.ts'
import { type IndexChange, type IndexedDocument, tokensOf } from '../search-index.ts'
import type { DocumentKey, FolderKey } from '../tables.ts'

// The writes are apart from the reads, since the migrations write too: commands on SQLite load those, but not
// PostgreSQL's driver.

/** Writes the changes; returns how many documents were added. */
export async function writePostgresIndex(write: Write, change: IndexChange): Promise<number> {
  const { remove, add } = withoutSameTokens(change)
  if (remove.length > 0) await removeDocuments(write, remove)
  if (add.length > 0) await addDocuments(write, add)
  return add.length
}

/**
 * Leaves out documents whose tokens stay the same: an edit changes the time of a document, which is not among the
 * tokens.
 */
function withoutSameTokens({ remove, add }: IndexChange): IndexChange {
  const removed = new Map(remove.map((before) => [before.id, before]))
  const isSame = (after: IndexedDocument) => {
    const before = removed.get(after.id)
    return (
      before?.nameFolded === after.nameFolded &&
      before.team === after.team &&
      before.folders.join() === after.folders.join()
    )
  }
  const same = new Set(add.filter(isSame).map(({ id }) => id))
  if (same.size === 0) return { remove, add }
  const isOther = ({ id }: IndexedDocument) => !same.has(id)
  return { remove: remove.filter(isOther), add: add.filter(isOther) }
}

const DOCUMENTS_PER_STATEMENT = 500
async function addDocuments(write: Write, documents: readonly IndexedDocument[]): Promise<void> {
  for (let start = 0; start < documents.length; start += DOCUMENTS_PER_STATEMENT) {
    const rows = documents
      .slice(start, start + DOCUMENTS_PER_STATEMENT)
      .map((document) => sql`(${document.id}::int, ${[...tokensOf(document)].map(asNumber)}::int[])`)
    await sql`insert into document_search (document_id, tokens) values ${sql.join(rows)}`.execute(write)
  }
}

async function removeDocuments(write: Write, documents: readonly IndexedDocument[]): Promise<void> {
  const ids = documents.map(({ id }) => id)
  await sql`delete from document_search where document_id = any(${ids}::int[])`.execute(write)
}

/** Implements `SearchIndex.rebuild` on PostgreSQL. */
export async function rebuildPostgresIndex(write: Write): Promise<void> {
  await sql`delete from document_search`.execute(write)
  // The tables of the first versions have no bin.
  const hasBin = (await listColumns(write, 'postgres', 'document')).some(({ name }) => name === 'bin_id')
  for (let last = 0; ; ) {
    const documents = await write
      .selectFrom('document')
      .innerJoin('folder', 'folder.id', 'document.folder_id')
      .where('document.id', '>', last as DocumentKey)
      .$if(hasBin, (rows) => rows.where('document.bin_id', 'is', null))
      .orderBy('document.id')
      .limit(DOCUMENTS_PER_STATEMENT)
      .select([
        'document.id',
        'document.public_id as publicId',
        'document.team_id as team',
        'folder.path',
        'document.name_folded as nameFolded',
        'document.updated_at as updatedAt',
      ])
      .execute()
    if (documents.length === 0) return
    const indexed = documents.map(({ path, ...document }) => ({
      ...document,
      folders: path.slice(0, -1).split('/').map(Number) as FolderKey[],
    }))
    await addDocuments(write, indexed)
    last = documents.at(-1)!.id
  }
}

/**
 * Hashes a token with FNV-1a. Two tokens may have the same number, so results are compared by team, name and folder.
 */
export function asNumber(token: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < token.length; index++) {
    hash = Math.imul(hash ^ token.charCodeAt(index), 0x01000193)
  }
  return hash | 0
}
