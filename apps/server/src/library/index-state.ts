import type { IndexState } from '@meadow/contract'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Select } from '../platform/database/database.ts'

/** The documents that the database index `document_uses_pending` has, written as in that index. */
export const IS_UNINDEXED = sql<SqlBool>`document.bin_id is null and
  (document.uses_seq is distinct from document.seq or document.uses_source is distinct from document.source_blob)`

/** Counts what the index of uses does not know of documents that fulfil a condition and are not in the bin. */
export async function readIndexState(read: Select, isWanted: RawBuilder<SqlBool>): Promise<IndexState> {
  const unindexed = await read
    .selectFrom('document')
    .where(isWanted)
    .where(IS_UNINDEXED)
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow()
  const gaps = await read
    .selectFrom('document_graph')
    .innerJoin('document', 'document.id', 'document_graph.document_id')
    .where('gap', 'is not', null)
    .where(isWanted)
    .where('document.bin_id', 'is', null)
    .groupBy('is_read')
    .select(({ fn }) => ['is_read', fn.countAll<number | string>().as('count')])
    .execute()
  const gapsOf = (isRead: 0 | 1) => Number(gaps.find(({ is_read }) => is_read === isRead)?.count ?? 0)
  return { pending: Number(unindexed.count), unread: gapsOf(0), partial: gapsOf(1) }
}
