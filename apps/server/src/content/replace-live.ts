import type { GraphContent } from '@meadow/contract'
import { LiveEditError, listReferences, openUpdateCheck, replaceContent } from '@meadow/document/live'
import * as Y from 'yjs'
import type { Write } from '../platform/database/database.ts'
import type { DocumentKey } from '../platform/database/tables.ts'
import { keepValues } from './document-values.ts'

/** Who edits when a file is imported: a user that nobody is. */
const IMPORT = ''

/** The content cannot be put in the place of what people have edited. The message is a sentence. */
export class ReplaceError extends Error {}

/**
 * The edit that gives a document another content, for the log: part of the transaction in which it is appended, so that
 * nobody edits in between. Undefined when the document was never open for editing, so that it has no log.
 * Empty when it has that content already. Throws a {@link ReplaceError}.
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
  await keepValues(write, document, listReferences(JSON.stringify(content)))
  return replacement
}

/** Tried on a copy: an edit that would be refused of anybody is not for the log either. */
function replace(updates: readonly Uint8Array[], content: GraphContent): Uint8Array {
  const [before, after] = [createDoc(updates), createDoc(updates)]
  const made: Uint8Array[] = []
  after.on('update', (update: Uint8Array) => made.push(update))
  try {
    replaceContent(after, content)
    const update = Y.mergeUpdates(made)
    const { rejected } =
      made.length === 0 ? {} : openUpdateCheck(before, { owners: new Map() }).check(update, IMPORT)
    if (rejected) throw new ReplaceError(rejected.sentence)
    return made.length === 0 ? new Uint8Array() : update
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
