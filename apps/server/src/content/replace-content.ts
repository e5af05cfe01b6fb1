import type { GraphContent } from '@meadow/contract'
import {
  LiveEditError,
  listReferences,
  openUpdateCheck,
  type Reference,
  replaceContent,
} from '@meadow/document/live'
import * as Y from 'yjs'
import type { Select, Write } from '../platform/database/database.ts'
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
 * empty when it has this content already. Throws a {@link ReplaceError}, and a
 * {@link TooLargeHereError}.
 */
export async function findReplacement(
  write: Write,
  document: DocumentKey,
  { readContent, contentBytes, maxBytes }: NewGraph,
): Promise<Uint8Array | undefined> {
  const updates = await readUpdates(write, document)
  if (!updates) return undefined
  const bytes = updates.reduce((sum, { length }) => sum + length, contentBytes)
  if (bytes > maxBytes) throw new TooLargeHereError('The document is large.')
  const content = await readContent()
  const edit = findEdit(updates, content)
  if ('refused' in edit) throw new ReplaceError(edit.refused)
  await addValues(write, document, listReferences(JSON.stringify(content)))
  return edit
}

/** A content that replaces another one. */
interface NewGraph {
  readContent: () => Promise<GraphContent>
  contentBytes: number
  /** A larger document is not worked on in a transaction. */
  maxBytes: number
}

/** A document is too large to be worked on while others wait for a transaction. */
export class TooLargeHereError extends Error {}

/** What was made of a content before the transaction, for a document as of `seq`. */
export interface PreparedReplacement {
  seq: number
  /** The result of {@link findEdit}; undefined for a document without a log. */
  edit: Uint8Array | { refused: string } | undefined
  values: readonly Reference[]
}

/** A document was edited after something was prepared for it. */
export class OutdatedError extends Error {}

/**
 * Takes the edit that was prepared, if the document is still as it was then. Throws a {@link ReplaceError}, and an
 * {@link OutdatedError}.
 */
export async function usePrepared(
  write: Write,
  document: DocumentKey,
  { seq, edit, values }: PreparedReplacement,
): Promise<Uint8Array | undefined> {
  const now = await findHead(write, document)
  if (now?.seq !== seq || now.isLive !== (edit !== undefined))
    throw new OutdatedError('The document was edited meanwhile.')
  if (edit === undefined) return undefined
  if ('refused' in edit) throw new ReplaceError(edit.refused)
  await addValues(write, document, values)
  return edit
}

/** The head of the log of a document, and whether it was ever opened for editing. */
export async function findHead(
  select: Select,
  document: DocumentKey,
): Promise<{ seq: number; isLive: boolean } | undefined> {
  const row = await select
    .selectFrom('document')
    .leftJoin('document_snapshot as state', (join) =>
      join.onRef('state.document_id', '=', 'document.id').on('state.format', '=', 'yjs'),
    )
    .where('document.id', '=', document)
    .select(['document.seq', 'state.seq as stateSeq'])
    .executeTakeFirst()
  return row && { seq: row.seq, isLive: row.stateSeq !== null }
}

/** The Yjs state of a document and the changes since; undefined when it was never opened for editing. */
export async function readUpdates(select: Select, document: DocumentKey): Promise<Uint8Array[] | undefined> {
  const state = await select
    .selectFrom('document_snapshot')
    .where('document_id', '=', document)
    .where('format', '=', 'yjs')
    .select(['seq', 'content'])
    .executeTakeFirst()
  if (!state) return undefined
  const changes = await select
    .selectFrom('document_change')
    .where('document_id', '=', document)
    .where('seq', '>', state.seq)
    .orderBy('seq')
    .select('change')
    .execute()
  return [state.content!, ...changes.map(({ change }) => change)]
}

/**
 * The edit that gives a live document, whose state and changes these are, another content; validated on a copy, as an edit
 * of a person would be. Empty when it has this content already; `refused` says why it cannot be edited.
 */
export function findEdit(
  updates: readonly Uint8Array[],
  content: GraphContent,
): Uint8Array | { refused: string } {
  const [before, after] = [createDoc(updates), createDoc(updates)]
  const changes: Uint8Array[] = []
  after.on('update', (update: Uint8Array) => changes.push(update))
  try {
    replaceContent(after, content)
    if (changes.length === 0) return new Uint8Array()
    const update = Y.mergeUpdates(changes)
    const { rejected } = openUpdateCheck(before, { owners: new Map() }).check(update, IMPORTER)
    return rejected ? { refused: rejected.sentence } : update
  } catch (error) {
    if (error instanceof LiveEditError) return { refused: error.message }
    throw error
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
