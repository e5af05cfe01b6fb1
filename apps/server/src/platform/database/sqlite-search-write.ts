import { CompiledQuery } from 'kysely'
import type { Write } from './database.ts'
import type { IndexChange, IndexedDocument } from './search-index.ts'
import { rankOf } from './search-rank.ts'
import { tokenText } from './sqlite-search-text.ts'
import type { DocumentKey } from './tables.ts'

/** `SearchIndex.apply` on SQLite. */
export async function writeSearchIndex(write: Write, { remove, add }: IndexChange): Promise<void> {
  for (const { document, rank } of byRank(remove)) await removeDocument(write, document, rank)
  for (const { document, rank } of byRank(add)) await addDocument(write, document, rank)
}

interface RankedDocument {
  document: IndexedDocument
  rank: bigint
}

/** FTS5 starts a new segment whenever rowids do not ascend; in their order, one is enough for all. */
function byRank(documents: readonly IndexedDocument[]): RankedDocument[] {
  return documents
    .map((document) => ({ document, rank: rankOf(document.updatedAt, document.publicId) }))
    .sort((a, b) => Number(a.rank > b.rank) - Number(a.rank < b.rank))
}

async function addDocument(write: Write, document: IndexedDocument, rank: bigint): Promise<void> {
  let slot = rank
  while (!(await takeSlot(write, slot, document.id))) slot -= 1n
  if (slot < rank) {
    await run(write, 'update search_displacement set longest = max(longest, ?)', [rank - slot])
  }
  await run(write, 'insert into document_search (rowid, tokens) values (?, ?)', [slot, tokenText(document)])
}

async function takeSlot(write: Write, slot: bigint, document: DocumentKey): Promise<boolean> {
  const { numAffectedRows } = await run(
    write,
    'insert into search_slot (rank, document_id) values (?, ?) on conflict do nothing',
    [slot, document],
  )
  return numAffectedRows === 1n
}

async function removeDocument(write: Write, document: IndexedDocument, rank: bigint): Promise<void> {
  const { rows } = await run<{ moved: number }>(
    write,
    `select ?1 - rank as moved from search_slot
      where rank between ?1 - (select longest from search_displacement) and ?1 and document_id = ?2`,
    [rank, document.id],
  )
  const [found] = rows
  if (!found) throw new Error(`The search index does not hold the document ${document.publicId}.`)
  const slot = rank - BigInt(found.moved)
  await run(write, 'delete from search_slot where rank = ?', [slot])
  // A table without content has to be told what it is to forget.
  await run(write, `insert into document_search (document_search, rowid, tokens) values ('delete', ?, ?)`, [
    slot,
    tokenText(document),
  ])
}

function run<Row>(write: Write, sql: string, parameters: unknown[]) {
  return write.executeQuery<Row>(CompiledQuery.raw(sql, parameters) as CompiledQuery<Row>)
}
