import type { Write } from '../platform/database/database.ts'
import { inBatches } from '../platform/database/in-batches.ts'
import type { BinKey, DocumentKey, GoneFile, TeamFileKey, TeamFileKind } from '../platform/database/tables.ts'
import { discardFacts } from '../team/content-blobs.ts'
import {
  type DocumentSource,
  LATEST_READING,
  putFacts,
  type SourceFacts,
  sourceColumns,
} from '../team/document-writes.ts'
import type { TeamWrite } from '../team/team-transaction.ts'

/** A document or another file that was imported, in the bin or not. */
export type ItemKey =
  | { kind: 'document'; key: DocumentKey; bin?: BinKey | null }
  | { kind: TeamFileKind; key: TeamFileKey; bin?: BinKey | null }

async function setColumns(
  { write, team }: TeamWrite,
  item: ItemKey,
  columns: Partial<SourceColumns>,
): Promise<void> {
  const { numUpdatedRows } =
    item.kind === 'document'
      ? await write
          .updateTable('document')
          .set(columns)
          .where('id', '=', item.key)
          .where('team_id', '=', team)
          .executeTakeFirst()
      : await write
          .updateTable('team_file')
          .set(withoutOriginal(columns))
          .where('id', '=', item.key)
          .where('team_id', '=', team)
          .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new Error(`The team ${team} has no ${item.kind} ${item.key}.`)
}

/** A content without edits is what the file is read as now. */
async function refreshFacts(
  write: Write,
  key: DocumentKey,
  facts: SourceFacts,
  digest: string | null,
): Promise<void> {
  await discardFacts(write, key)
  await write.updateTable('document').set({ source_facts: digest }).where('id', '=', key).execute()
  await write
    .updateTable('document')
    .set({ source_reading: LATEST_READING })
    .where('id', '=', key)
    .whereRef('seq', '=', 'source_seq')
    .execute()
  await putFacts(write, key, facts)
}

/** Detaches a document from its file, so that the next import makes a new one; the original file is retained. */
export const releaseSource = (change: TeamWrite, key: DocumentKey): Promise<void> =>
  setColumns(change, { kind: 'document', key }, { source_root_id: null })

/** Records where and when the same file was last seen. It is not gone. */
export async function refreshSource(change: TeamWrite, item: ItemKey, source: DocumentSource): Promise<void> {
  const { source_view, source_facts, source_reading: _, ...columns } = sourceColumns(source)
  // A file that was not read again has the same view and facts.
  await setColumns(change, item, { ...columns, ...(source.view && { source_view }), source_gone: null })
  if (item.kind === 'document' && source.facts)
    await refreshFacts(change.write, item.key, source.facts, source_facts)
}

/** Records that the file was moved: from now on the item belongs to the file at `path` below `from`. */
export const moveSource = (
  change: TeamWrite,
  item: ItemKey,
  { from, path }: { from: string; path: string },
): Promise<void> => setColumns(change, item, { source_from: from, source_path: path, source_gone: null })

/** Records that the files are no longer there, and that this was reported. */
export async function setGone({ write, team }: TeamWrite, items: readonly ItemKey[]): Promise<void> {
  const [documents, files] = [items.filter(isDocument), items.filter((item) => !isDocument(item))]
  for (const [table, gone] of [
    ['document', documents],
    ['team_file', files],
  ] as const)
    for (const portion of inBatches(gone.map(({ key }) => key)))
      await write
        .updateTable(table)
        .set({ source_gone: 'told' })
        .where('team_id', '=', team)
        .where('id', 'in', portion as (DocumentKey & TeamFileKey)[])
        .execute()
}

type SourceColumns = ReturnType<typeof sourceColumns> & { source_gone: GoneFile | null }

/** A `team_file` has its blob in a column of its own, and always has a digest and a size. */
function withoutOriginal({
  source_blob,
  source_view,
  source_facts,
  source_reading,
  source_sha256,
  source_size,
  ...columns
}: Partial<SourceColumns>) {
  return columns
}

const isDocument = (item: ItemKey): item is Extract<ItemKey, { kind: 'document' }> => item.kind === 'document'
