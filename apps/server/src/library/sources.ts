import type { Write } from '../platform/database/database.ts'
import { inBatches } from '../platform/database/in-batches.ts'
import type {
  BinKey,
  DocumentKey,
  GoneFile,
  TeamFileKey,
  TeamFileKind,
  TeamKey,
} from '../platform/database/tables.ts'
import { discardFacts } from '../team/content-blobs.ts'
import {
  type DocumentSource,
  type DocumentWrites,
  LATEST_READING,
  type SourceFacts,
  sourceColumns,
} from '../team/document-writes.ts'

/** A document or another file that was imported, in the bin or not. */
export type ItemKey =
  | { kind: 'document'; key: DocumentKey; bin?: BinKey | null }
  | { kind: TeamFileKind; key: TeamFileKey; bin?: BinKey | null }

/** Changes what a team knows of the files that its documents and other files were imported from. */
export interface SourceChanges {
  /** Detaches a document from its file, so that the next import makes a new one; the original file is retained. */
  releaseSource(document: DocumentKey): Promise<void>
  /** Records where and when the same file was last seen. It is not gone. */
  refreshSource(item: ItemKey, source: DocumentSource): Promise<void>
  /** Records that the file was moved: from now on the item belongs to the file at `path` below `from`. */
  moveSource(item: ItemKey, source: { from: string; path: string }): Promise<void>
  /** Records that the files are no longer there, and that this was reported. */
  setGone(items: readonly ItemKey[]): Promise<void>
}

export function createSourceChanges(
  write: Write,
  team: TeamKey,
  writes: Pick<DocumentWrites, 'putFacts'>,
): SourceChanges {
  async function set(item: ItemKey, columns: Partial<SourceColumns>): Promise<void> {
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
  async function refreshFacts(key: DocumentKey, facts: SourceFacts, digest: string | null): Promise<void> {
    await discardFacts(write, key)
    await write.updateTable('document').set({ source_facts: digest }).where('id', '=', key).execute()
    await write
      .updateTable('document')
      .set({ source_reading: LATEST_READING })
      .where('id', '=', key)
      .whereRef('seq', '=', 'source_seq')
      .execute()
    await writes.putFacts(write, key, facts)
  }
  return {
    releaseSource: (key) => set({ kind: 'document', key }, { source_root_id: null }),
    async refreshSource(item, source) {
      const { source_view, source_facts, source_reading: _, ...columns } = sourceColumns(source)
      // A file that was not read again has the same view and facts.
      await set(item, { ...columns, ...(source.view && { source_view }), source_gone: null })
      if (item.kind === 'document' && source.facts) await refreshFacts(item.key, source.facts, source_facts)
    },
    moveSource: (item, { from, path }) =>
      set(item, { source_from: from, source_path: path, source_gone: null }),
    async setGone(items) {
      const [documents, files] = [items.filter(isDocument), items.filter((item) => !isDocument(item))]
      for (const portion of inBatches(documents)) {
        const keys = portion.map(({ key }) => key)
        const update = write.updateTable('document').set({ source_gone: 'told' }).where('team_id', '=', team)
        await update.where('id', 'in', keys).execute()
      }
      for (const portion of inBatches(files)) {
        const keys = portion.map(({ key }) => key)
        const update = write.updateTable('team_file').set({ source_gone: 'told' }).where('team_id', '=', team)
        await update.where('id', 'in', keys).execute()
      }
    },
  }
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
