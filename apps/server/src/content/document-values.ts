import { listReferences, type Reference } from '@meadow/document/live'
import type { Write } from '../platform/database/database.ts'
import { inPortions } from '../platform/database/in-portions.ts'
import type { DocumentKey, TeamKey } from '../platform/database/tables.ts'

/** Notes that a document refers to what lies in the blob store: from now on it is kept for the document. */
export async function keepValues(
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
          // What is a tree to one is JSON to another all the same.
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
 * The same for an edit: false when it refers to something that no document of the team has, or has as something else.
 * Nobody reads what is another team's through a document of their own, and none refers to what is not there.
 */
export async function claimValues(
  write: Write,
  team: TeamKey,
  document: DocumentKey,
  references: readonly Reference[],
): Promise<boolean> {
  // An update has room for tens of thousands, and may say the same again and again.
  const distinct = [...new Map(references.map((one) => [nameOf(one, one.isTree), one])).values()]
  for (const portion of inPortions(distinct)) {
    const known = await listKnown(write, team, portion)
    if (!portion.every((one) => known.has(nameOf(one, one.isTree)))) return false
  }
  await keepValues(write, document, distinct)
  return true
}

const nameOf = ({ digest, bytes }: Pick<Reference, 'digest' | 'bytes'>, isTree: boolean): string =>
  `${digest} ${bytes} ${isTree}`

/** What the documents of a team have of these, by name: what is a tree is JSON to another all the same. */
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

/** Notes which values nothing in the document refers to any more, by the Yjs state that is the head of its log. */
export async function noteUnusedValues(
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
