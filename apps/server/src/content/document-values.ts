import { listReferences, type Reference } from '@meadow/document/live'
import type { Write } from '../platform/database/database.ts'
import { inBatches } from '../platform/database/in-batches.ts'
import type { DocumentKey, TeamKey } from '../platform/database/tables.ts'

/** Records that a document refers to blobs, which are retained from now on. */
export async function addValues(
  write: Write,
  document: DocumentKey,
  references: readonly Reference[],
): Promise<void> {
  for (const { digest, bytes, isTree } of references) {
    await write
      .insertInto('document_value')
      .values({ document_id: document, digest, bytes, is_tree: isTree ? 1 : 0, unused_at: null })
      .onConflict((conflict) =>
        conflict.columns(['document_id', 'digest']).doUpdateSet(({ ref, eb }) => ({
          unused_at: null,
          // A tree may also be referred to as plain JSON.
          is_tree: eb
            .case()
            .when('document_value.is_tree', '=', 1)
            .then(1 as const)
            .else(ref('excluded.is_tree'))
            .end(),
        })),
      )
      .execute()
  }
}

/**
 * Does what `addValues` does for an edit; false when it refers to a value that no document of the team has, nor a
 * version of one, or has with another size or type. So a document cannot give access to values of another team, nor
 * refer to missing ones.
 */
export async function registerValues(
  write: Write,
  team: TeamKey,
  document: DocumentKey,
  references: readonly Reference[],
): Promise<boolean> {
  // An update has room for tens of thousands of references, and may repeat them.
  const distinct = [...new Map(references.map((one) => [nameOf(one, one.isTree), one])).values()]
  for (const portion of inBatches(distinct)) {
    const known = await listKnown(write, team, portion)
    if (!portion.every((one) => known.has(nameOf(one, one.isTree)))) return false
  }
  await addValues(write, document, distinct)
  return true
}

const nameOf = ({ digest, bytes }: Pick<Reference, 'digest' | 'bytes'>, isTree: boolean): string =>
  `${digest} ${bytes} ${isTree}`

/** The names of those values that documents of the team have; a tree may also be referred to as plain JSON. */
async function listKnown(
  write: Write,
  team: TeamKey,
  references: readonly Reference[],
): Promise<ReadonlySet<string>> {
  const rows = await write
    .selectFrom('document_value')
    .innerJoin('document', 'document.id', 'document_value.document_id')
    .where('document.team_id', '=', team)
    .where(
      'document_value.digest',
      'in',
      references.map(({ digest }) => digest),
    )
    .select(['digest', 'bytes', 'is_tree'])
    .distinct()
    .unionAll(
      write
        .selectFrom('version_value')
        .innerJoin('document', 'document.id', 'version_value.document_id')
        .where('document.team_id', '=', team)
        .where(
          'version_value.digest',
          'in',
          references.map(({ digest }) => digest),
        )
        .select(['digest', 'version_value.bytes', 'version_value.is_tree'])
        .distinct(),
    )
    .execute()
  return new Set(rows.flatMap((row) => [nameOf(row, false), nameOf(row, row.is_tree === 1)]))
}

/** Whether a document has large values at all: most have none. */
export async function hasValues(write: Write, document: DocumentKey): Promise<boolean> {
  const row = await write
    .selectFrom('document_value')
    .where('document_id', '=', document)
    .select('digest')
    .executeTakeFirst()
  return row !== undefined
}

/** Marks the values that the document no longer refers to. `state` is its Yjs state at the head of the log. */
export async function markUnusedValues(
  write: Write,
  document: DocumentKey,
  state: Uint8Array,
  now: number,
): Promise<void> {
  const used = new Set(listReferences(Buffer.from(state).toString('latin1')).map(({ digest }) => digest))
  const rows = await write
    .selectFrom('document_value')
    .where('document_id', '=', document)
    .select(['digest', 'unused_at'])
    .execute()
  for (const { digest, unused_at } of rows) {
    if ((unused_at === null) === used.has(digest)) continue
    await write
      .updateTable('document_value')
      .set({ unused_at: used.has(digest) ? null : now })
      .where('document_id', '=', document)
      .where('digest', '=', digest)
      .execute()
  }
}
