import type { GraphContent } from '@meadow/contract'
import { LiveEditError, listReferences, openUpdateCheck, replaceContent } from '@meadow/document/live'
import * as Y from 'yjs'
import type { Write } from '../platform/database/database.ts'
import type { DocumentKey } from '../platform/database/tables.ts'
import { addValues } from './document-values.ts'

/** The id of the editor when a file is imported: no user has it. */
const IMPORTER = ''

/** A change of the log that leaves the graph as it is: the document has another imported file since. */
export const UNCHANGED_GRAPH: Uint8Array = Y.encodeStateAsUpdate(new Y.Doc())

/** The content cannot replace what people have edited. The message is a sentence. */
export class ReplaceError extends Error {}

/**
 * The edit that gives a document another content. Called in the transaction that appends the edit to the log, so that
 * there is no other edit in between. Undefined when the document was never opened for editing, so that it has no log;
 * empty when it has this content already. Throws a {@link ReplaceError}.
 */
export async function findReplacement(
  write: Write,
  document: DocumentKey,
  readContent: () => Promise<GraphContent>,
): Promise<Uint8Array | undefined> {
  const state = await write
    .selectFrom('document_snapshot')
    .where('document_id', '=', document)
    .where('format', '=', 'yjs')
    .select(['seq', 'content'])
    .executeTakeFirst()
  if (!state) return undefined
  const changes = await write
    .selectFrom('document_change')
    .where('document_id', '=', document)
    .where('seq', '>', state.seq)
    .orderBy('seq')
    .select('change')
    .execute()
  const updates = [state.content!, ...changes.map(({ change }) => change)]
  const content = await readContent()
  const replacement = replace(updates, content)
  await addValues(write, document, listReferences(JSON.stringify(content)))
  return replacement
}

/** Validates the edit on a copy, as an edit of a person would be. */
function replace(updates: readonly Uint8Array[], content: GraphContent): Uint8Array {
  const [before, after] = [createDoc(updates), createDoc(updates)]
  const changes: Uint8Array[] = []
  after.on('update', (update: Uint8Array) => changes.push(update))
  try {
    replaceContent(after, content)
    const update = Y.mergeUpdates(changes)
    const { rejected } =
      changes.length === 0 ? {} : openUpdateCheck(before, { owners: new Map() }).check(update, IMPORTER)
    if (rejected) throw new ReplaceError(rejected.sentence)
    return changes.length === 0 ? new Uint8Array() : update
  } catch (error) {
    throw error instanceof LiveEditError ? new ReplaceError(error.message, { cause: error }) : error
  } finally {
    before.destroy()
    after.destroy()
  }
}

function createDoc(updates: readonly Uint8Array[]): Y.Doc {
  const doc = new Y.Doc()
  doc.transact(() => {
    for (const update of updates) Y.applyUpdate(doc, update)
  })
  return doc
}
