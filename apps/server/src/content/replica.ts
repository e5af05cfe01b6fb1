import { encodeLiveDocument, type LiveJson, listReferences, openLiveProjector } from '@meadow/document/live'
import * as Y from 'yjs'
import type { DocumentKey } from '../platform/database/tables.ts'
import type { AsOf, LoggedChange } from './content.store.ts'
import type { ContentParts } from './document-contents.ts'
import { readSmallContent } from './small-content.ts'

/** Tells changes that come from the log from those that somebody makes; Hocuspocus stores nothing for it. */
const FROM_LOG = { source: 'local', skipStoreHooks: true } as const

/** A document in memory, as its log says it is at `seq`. */
export interface Replica {
  readonly doc: Y.Doc
  /** How far along the log it is. */
  readonly seq: number
  /** As of which place in the log the stored whole is. */
  readonly foldedSeq: number
  /** Fetches what the log has more of, until it is at `seq` at least; without one, to the head. */
  catchUp(seq?: number): Promise<void>
  /** Takes what was appended at `seq`: at once when it is next in the log. */
  take(change: LoggedChange): Promise<void>
  /** The content as JSON, with gaps where large values are. Costs what was changed since the last time. */
  readJson(): AsOf<LiveJson>
  /** Stores it as a whole, so that who opens it next has no log to read. */
  fold(): Promise<void>
  close(): void
}

/**
 * Opens a document for editing, into `doc`. One that never was is turned into a live one first, once, whoever asks.
 * Throws when it is not there, or when anything of it cannot be read: there is never an empty document in its place.
 * `onChange` is told of what the log brings after the stored whole, and from then on, with the place in the log.
 */
export async function openReplica(
  parts: ContentParts,
  document: DocumentKey,
  doc: Y.Doc = new Y.Doc(),
  onChange?: (transaction: Y.Transaction, seq: number) => void,
): Promise<Replica> {
  const { store } = parts
  const start = await getState(parts, document)
  Y.applyUpdate(doc, start.value, FROM_LOG)
  let { seq } = start
  let foldedSeq = start.seq
  const reader = openLiveProjector(doc)
  const tell = (transaction: Y.Transaction) => onChange?.(transaction, seq)
  doc.on('afterTransaction', tell)
  let catching: Promise<void> | undefined
  let folding: Promise<void> | undefined
  await fetchChanges()

  async function fetchChanges(): Promise<void> {
    const changes = await store.listChanges(document, seq)
    if (changes.length > 0 && changes[0]!.seq > seq + 1) return skipToState()
    doc.transact(() => {
      for (const change of changes) apply(change)
    }, FROM_LOG)
  }

  /** The log has been folded beyond where this is. */
  async function skipToState(): Promise<void> {
    const state = await store.findState(document)
    if (!state || state.seq <= seq)
      throw new Error(`The log of document ${document} has a gap behind ${seq}.`)
    // Another look may have come further meanwhile.
    seq = Math.max(seq, state.seq)
    Y.applyUpdate(doc, state.value, FROM_LOG)
    await fetchChanges()
  }

  function apply(change: LoggedChange): void {
    if (change.seq !== seq + 1) return
    // First, so that who is told of the change knows how far the document is.
    seq = change.seq
    Y.applyUpdate(doc, change.update, FROM_LOG)
  }

  async function catchUp(target?: number): Promise<void> {
    while (catching) await catching
    if (target !== undefined && seq >= target) return
    catching = fetchChanges().finally(() => {
      catching = undefined
    })
    await catching
  }

  async function fold(): Promise<void> {
    if (seq === foldedSeq) return
    const folded = { seq, state: Y.encodeStateAsUpdate(doc), json: encodeLiveJson(reader.readJson()) }
    await store.fold(document, folded)
    foldedSeq = folded.seq
  }

  return {
    doc,
    get seq() {
      return seq
    },
    get foldedSeq() {
      return foldedSeq
    },
    catchUp,
    async take(change) {
      if (change.seq === seq + 1 && !catching) apply(change)
      else if (change.seq > seq) await catchUp(change.seq)
    },
    readJson: () => ({ seq, value: reader.readJson() }),
    async fold() {
      while (folding) await folding
      folding = fold().finally(() => {
        folding = undefined
      })
      await folding
    },
    close() {
      doc.off('afterTransaction', tell)
      reader.close()
    },
  }
}

/** What editing starts from: made of the stored JSON by whoever is first. */
async function getState({ store, blobs }: ContentParts, document: DocumentKey): Promise<AsOf<Uint8Array>> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const state = await store.findState(document)
    if (state) return state
    const head = await store.findHead(document)
    const json = await store.findJson(document, 0)
    if (!head || !json) throw new Error(`Document ${document} has no content.`)
    const content = await readSmallContent(blobs, json.value)
    const first = { seq: json.seq, value: encodeLiveDocument(content) }
    await store.putFirstState(document, head.team, first, listReferences(JSON.stringify(content)))
  }
  throw new Error(`Document ${document} was changed again and again while it was opened.`)
}

/** An import may change the document between two looks; that it does so each time is no accident. */
const MAX_ATTEMPTS = 3

/** As JSON, with references in place of the gaps. */
const encodeLiveJson = (json: LiveJson): Uint8Array =>
  Buffer.from(json.map((piece) => (typeof piece === 'string' ? piece : JSON.stringify(piece))).join(''))
