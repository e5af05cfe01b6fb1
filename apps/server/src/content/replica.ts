import { setImmediate } from 'node:timers/promises'
import { describeChange, type LiveJson, openLiveProjector } from '@meadow/document/live'
import * as Y from 'yjs'
import type { DocumentKey } from '../platform/database/tables.ts'
import type { AsOf, ContentParts, LoggedChange } from './content.store.ts'
import { keepVersions } from './history/keep-versions.ts'
import { encodeLiveJson } from './stored-json.ts'

/** The origin of changes that come from the log, which Hocuspocus therefore does not store. */
const FROM_LOG = { source: 'local', skipStoreHooks: true } as const

/** A document in memory, as of position `seq` of its log. */
export interface Replica {
  readonly doc: Y.Doc
  /** The position of the document in its log. */
  readonly seq: number
  /** The position of the stored snapshot. */
  readonly snapshotSeq: number
  /** Fetches changes from the log, up to `seq` at least, by default up to the head. */
  catchUp(seq?: number): Promise<void>
  /** Applies a change that was appended to the log: directly when it is the next one. */
  apply(change: LoggedChange): Promise<void>
  /**
   * The content as JSON, with references for large values. Only changes since the last call are converted, a few nodes at a
   * time, so that a large document holds nobody up. Undefined when the replica is closed.
   */
  readJson(): Promise<AsOf<LiveJson> | undefined>
  /** Stores a snapshot, so that the next one to open the document has no log to read. */
  compact(): Promise<void>
  /** Closed by `close`, or because `doc` was destroyed: the changes that still arrive are not in its JSON. */
  readonly isClosed: boolean
  close(): void
}

/**
 * Opens a document for editing, into `doc`. A document that was never edited is first converted to a live one. Throws when
 * the document is missing, or when a part of it cannot be read: it is never opened empty instead.
 * `onChange` is called for every change after the stored snapshot, with its position in the log.
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
  let snapshotSeq = start.seq
  const reader = openLiveProjector(doc)
  /** The last change that a picture of the geometry depends on, as far as this replica knows. */
  let shownSeq = start.seq
  const notify = (transaction: Y.Transaction) => {
    if (describeChange(transaction).shows) shownSeq = seq
    onChange?.(transaction, seq)
  }
  doc.on('afterTransaction', notify)
  let catching: Promise<void> | undefined
  let compacting: Promise<void> | undefined
  let isClosed = false
  // A destroyed document reports no changes.
  doc.on('destroy', close)
  await fetchChanges()

  async function fetchChanges(): Promise<void> {
    const changes = await store.listChanges(document, seq)
    if (changes.length > 0 && changes[0]!.seq > seq + 1) return skipToState()
    doc.transact(() => {
      for (const change of changes) apply(change)
    }, FROM_LOG)
  }

  /** Continues with the stored state when the log has been compacted beyond this position. */
  async function skipToState(): Promise<void> {
    const state = await store.findState(document)
    if (!state || state.seq <= seq)
      throw new Error(`The log of document ${document} has a gap behind ${seq}.`)
    // Another fetch may have come further meanwhile.
    seq = Math.max(seq, state.seq)
    Y.applyUpdate(doc, state.value, FROM_LOG)
    await fetchChanges()
  }

  function apply(change: LoggedChange): void {
    if (change.seq !== seq + 1) return
    // The position is set first, so that `onChange` is called with the new one.
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

  /** Converts what has changed, and lets other work in between. */
  async function prepareJson(): Promise<void> {
    for (const _step of reader.prepareJson()) await setImmediate()
  }

  async function compact(): Promise<void> {
    if (isClosed || seq === snapshotSeq) return
    await prepareJson()
    if (isClosed) return
    const snapshot = {
      seq,
      state: Y.encodeStateAsUpdate(doc),
      json: encodeLiveJson(reader.readJson()),
      shown: { seq: shownSeq, since: start.seq },
    }
    // Afterwards there is no way back to what was there before.
    await keepVersions(parts, document)
    await store.compact(document, snapshot)
    snapshotSeq = snapshot.seq
  }

  function close(): void {
    isClosed = true
    doc.off('afterTransaction', notify)
    reader.close()
  }

  return {
    doc,
    get seq() {
      return seq
    },
    get snapshotSeq() {
      return snapshotSeq
    },
    catchUp,
    async apply(change) {
      if (change.seq === seq + 1 && !catching) apply(change)
      else if (change.seq > seq) await catchUp(change.seq)
    },
    async readJson() {
      if (!isClosed) await prepareJson()
      return isClosed ? undefined : { seq, value: reader.readJson() }
    },
    async compact() {
      while (compacting) await compacting
      compacting = compact().finally(() => {
        compacting = undefined
      })
      await compacting
    },
    get isClosed() {
      return isClosed
    },
    close,
  }
}

/** The state that editing starts from; made of the stored JSON the first time. */
async function getState({ store, history }: ContentParts, document: DocumentKey): Promise<AsOf<Uint8Array>> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const state = await store.findState(document)
    if (state) return state
    const head = await store.findHead(document)
    const json = await store.findJson(document, 0)
    if (!head || !json) throw new Error(`Document ${document} has no content.`)
    const request = { kind: 'open' as const, content: json.value }
    const { state: value, values } = await history.open(request, String(head.team))
    await store.putFirstState(document, head.team, { seq: json.seq, value }, values)
  }
  throw new Error(`Document ${document} was changed again and again while it was opened.`)
}

/** An import may change the document between two reads, but hardly so often. */
const MAX_ATTEMPTS = 3
