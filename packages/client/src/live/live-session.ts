import type { GraphContent, Presence, SolveEvent } from '@meadow/contract'
import { type LiveProjector, openLiveProjector } from '@meadow/document/live'
import type * as Y from 'yjs'
import { type Connection, type ConnectionOptions, OWN_EDIT, openConnection } from './connection.ts'
import type { LiveDocument, LiveEvents, LiveStatus } from './live-document.ts'
import { LiveError } from './live-error.ts'
import type { LivePerson, OwnPresence } from './people.ts'

/** A copy that is refused again and again has a fault that loading it anew does not mend. */
const MAX_RESETS = 5
const RESETS_WITHIN_MS = 60_000

/** `LiveDocument` over one connection after the other. */
export class LiveSession implements LiveDocument {
  readonly #options: ConnectionOptions
  readonly #listeners = createListeners<LiveEvents>()
  readonly #opening = Promise.withResolvers<void>()
  readonly #isTold = Promise.withResolvers<void>()
  #connection: Connection & { reader: LiveProjector }
  #status: LiveStatus = 'reconnecting'
  #isOpened = false
  /** Why the last copy was dropped, until the next one is there. */
  #dropped: LiveError | undefined
  #resets: number[] = []
  #solve: SolveEvent = { type: 'solve', state: 'never', solutionId: null, reason: null }
  #presence: OwnPresence = {}
  /** Why edits were lost, until somebody asks whether they are safe. */
  #untold: Error | undefined
  #error: LiveError | undefined

  constructor(options: ConnectionOptions) {
    this.#options = options
    for (const { promise } of [this.#opening, this.#isTold]) promise.catch(() => {})
    this.#connection = this.#connect()
  }

  /** Resolves when the document is there for the first time, or rejects with why it is not. */
  get opened(): Promise<void> {
    return this.#opening.promise
  }

  get doc(): Y.Doc {
    return this.#connection.doc
  }

  get status(): LiveStatus {
    return this.#status
  }

  get error(): LiveError | undefined {
    return this.#error
  }

  get isViewer(): boolean {
    return this.#connection.provider.authorizedScope === 'readonly'
  }

  get solve(): SolveEvent {
    return this.#solve
  }

  get people(): readonly LivePerson[] {
    const { awareness, document } = this.#connection.provider
    return [...(awareness?.getStates() ?? [])].map(([clientId, state]) => ({
      ...(state as Presence),
      clientId,
      isMe: clientId === document.clientID,
    }))
  }

  read(): GraphContent {
    return this.#connection.reader.read()
  }

  edit<T>(work: (doc: Y.Doc) => T): T {
    if (this.#status === 'closed') throw new LiveError('closed', 'The document was closed.')
    if (this.isViewer) throw new LiveError('viewer', 'You may look at this document, and not change it.')
    return this.doc.transact(() => work(this.doc), OWN_EDIT)
  }

  durable(): Promise<void> {
    const untold = this.#untold
    this.#untold = undefined
    return untold ? Promise.reject(untold) : this.#connection.acknowledgements.durable()
  }

  nextSolve({ signal }: { signal?: AbortSignal } = {}): Promise<SolveEvent> {
    const { promise, resolve, reject } = Promise.withResolvers<SolveEvent>()
    const stopListening = [
      this.on('solve', (event) => {
        if (event.state === 'solved' || event.state === 'failed' || event.reason !== null) resolve(event)
      }),
      this.on('status', (status) => {
        if (status === 'closed') reject(this.#error)
      }),
    ]
    const stop = () => reject(signal?.reason)
    signal?.addEventListener('abort', stop)
    return promise.finally(() => {
      signal?.removeEventListener('abort', stop)
      for (const off of stopListening) off()
    })
  }

  show(presence: OwnPresence): void {
    this.#presence = { ...this.#presence, ...presence }
    this.#connection.provider.awareness?.setLocalState(this.#presence)
  }

  on<Name extends keyof LiveEvents>(name: Name, listener: (event: LiveEvents[Name]) => void): () => void {
    return this.#listeners.on(name, listener)
  }

  close(): void {
    this.fail(new LiveError('closed', 'The document was closed.'))
  }

  [Symbol.dispose](): void {
    this.close()
  }

  /** Ends it for good. */
  fail(error: LiveError): void {
    if (this.#status === 'closed') return
    this.#error = error
    this.#connection.reader.close()
    this.#connection.close(error)
    this.#untold ??= this.#connection.acknowledgements.untold
    this.#opening.reject(error)
    this.#isTold.reject(error)
    this.#setStatus('closed')
  }

  #connect(): Connection & { reader: LiveProjector } {
    const connection = openConnection(this.#options, {
      onSynced: () => this.#synced(),
      onStatus: (isOpen) => this.#setStatus(isOpen ? 'open' : 'reconnecting'),
      onEvent: (event) => {
        this.#solve = event
        this.#isTold.resolve()
        this.#listeners.tell('solve', event)
      },
      onRefused: (error) => {
        // A server that is away for a while comes back; one that never answered may not be there at all.
        if (error.fault === 'not_signed_in' || !this.#isOpened) this.fail(error)
      },
      onEnd: (error) => this.#ended(error),
    })
    // First of those who listen, which begins with the first read: whoever hears of a change reads what it made.
    const reader = openLiveProjector(connection.doc)
    reader.read()
    connection.doc.on('afterTransaction', (transaction) => {
      if (transaction.changed.size > 0 && this.#isOpened) this.#listeners.tell('change', transaction)
    })
    connection.provider.awareness?.setLocalState(this.#presence)
    connection.provider.awareness?.on('change', () => this.#listeners.tell('people', this.people))
    return { ...connection, reader }
  }

  #synced(): void {
    this.#isOpened = true
    // How the solve stands comes a moment later.
    this.#opening.resolve(this.#isTold.promise)
    const dropped = this.#dropped
    this.#dropped = undefined
    if (dropped) this.#listeners.tell('reset', dropped)
  }

  /** The server wants no more of this copy: there may be another one. */
  #ended(error: LiveError): void {
    const now = performance.now()
    this.#resets = [...this.#resets.filter((at) => now - at < RESETS_WITHIN_MS), now]
    const isHopeless = error.fault === 'not_signed_in' || this.#dropped || this.#resets.length > MAX_RESETS
    if (isHopeless || !this.#isOpened) {
      this.fail(error)
      return
    }
    this.#setStatus('reconnecting')
    this.#dropped = error
    this.#untold ??= this.#connection.acknowledgements.untold
    this.#connection.reader.close()
    this.#connection = this.#connect()
  }

  #setStatus(status: LiveStatus): void {
    if (this.#status === status || this.#status === 'closed') return
    this.#status = status
    this.#listeners.tell('status', status)
  }
}

/** Who wants to hear of what, by the name of the event. */
export interface Listeners<Events extends object> {
  /** Returns what ends the listening. */
  on<Name extends keyof Events>(name: Name, listener: (event: Events[Name]) => void): () => void
  tell<Name extends keyof Events>(name: Name, event: Events[Name]): void
}

export function createListeners<Events extends object>(): Listeners<Events> {
  const all = new Map<keyof Events, Set<(event: never) => void>>()
  return {
    on(name, listener) {
      const set = all.get(name) ?? new Set()
      all.set(name, set)
      set.add(listener)
      return () => set.delete(listener)
    },
    tell(name, event) {
      for (const listener of [...(all.get(name) ?? [])]) listener(event as never)
    },
  }
}

export interface LiveOptions {
  /** Of the service: `https://meadow.example.org`. */
  address: string
  documentId: string
  /** `name=value`, as `meadow-server session create` prints it. A browser has its own, and needs none. */
  cookie?: string
  /** How long to wait for the document at first. Later, a connection that breaks is made anew again and again. */
  timeoutMs?: number
}

const TIMEOUT_MS = 20_000

/** Opens a document for editing, and waits until it is there. Rejects with a `LiveError`. */
export async function openLive(options: LiveOptions): Promise<LiveDocument> {
  const { cookie, documentId, timeoutMs = TIMEOUT_MS } = options
  const address = options.address.replace(/\/+$/, '')
  const session = new LiveSession({ address, cookie, documentId })
  const late = setTimeout(
    () => session.fail(new LiveError('not_reachable', 'The document did not come in time.')),
    timeoutMs,
  )
  try {
    await session.opened
    return session
  } finally {
    clearTimeout(late)
  }
}
