import type { GraphContent, Presence, SolveEvent } from '@meadow/contract'
import { type LiveProjector, openLiveProjector } from '@meadow/document/live'
import type * as Y from 'yjs'
import { type Connection, type ConnectionOptions, OWN_EDIT, openConnection } from './connection.ts'
import type { LiveDocument, LiveEvents, LiveStatus } from './live-document.ts'
import { LiveError } from './live-error.ts'
import type { LivePerson, OwnPresence } from './people.ts'

export interface LiveOptions {
  /** The address of the service: `https://meadow.example.org`. */
  address: string
  documentId: string
  /** The cookie `name=value`, as printed by `meadow-server session create`. A browser sends its own and needs none. */
  cookie?: string
  /**
   * The longest wait for the document to open, in milliseconds. A connection that breaks later is restored without a
   * limit.
   */
  timeoutMs?: number
}

const TIMEOUT_MS = 20_000

/** Opens a document for editing, and waits until it is loaded. Rejects with a `LiveError`. */
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

/**
 * The maximum number of times that a copy is loaded again within `RESETS_WITHIN_MS`: after more rejections, the fault
 * is one that this does not fix.
 */
const MAX_RESETS = 5
const RESETS_WITHIN_MS = 60_000

/** A `LiveDocument` over successive connections. */
class LiveSession implements LiveDocument {
  readonly #options: ConnectionOptions
  readonly #listeners = createListeners<LiveEvents>()
  readonly #opening = createDeferred<void>()
  readonly #hasSolve = createDeferred<void>()
  #connection: Connection & { projector: LiveProjector }
  #status: LiveStatus = 'reconnecting'
  #isOpened = false
  /** Why the last copy was discarded, until the next one is loaded. */
  #dropped: LiveError | undefined
  #resets: number[] = []
  #solve: SolveEvent = { type: 'solve', state: 'never', solutionId: null, reason: null }
  #presence: OwnPresence = {}
  /** Why edits were lost, until the next call of `durable` reports it. */
  #unreportedError: Error | undefined
  #error: LiveError | undefined

  constructor(options: ConnectionOptions) {
    this.#options = options
    for (const { promise } of [this.#opening, this.#hasSolve]) promise.catch(() => {})
    this.#connection = this.#connect()
  }

  /** Resolves when the document is loaded for the first time; rejects with the reason if it cannot be. */
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
    return this.#connection.projector.read()
  }

  edit<T>(work: (doc: Y.Doc) => T): T {
    if (this.#status === 'closed') throw new LiveError('closed', 'The document was closed.')
    if (this.isViewer) throw new LiveError('viewer', 'You may look at this document, and not change it.')
    return this.doc.transact(() => work(this.doc), OWN_EDIT)
  }

  durable(): Promise<void> {
    const unreportedError = this.#unreportedError
    this.#unreportedError = undefined
    return unreportedError ? Promise.reject(unreportedError) : this.#connection.acknowledgements.durable()
  }

  nextSolve({ signal }: { signal?: AbortSignal } = {}): Promise<SolveEvent> {
    const { promise, resolve, reject } = createDeferred<SolveEvent>()
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

  /** Closes the document permanently. */
  fail(error: LiveError): void {
    if (this.#status === 'closed') return
    this.#error = error
    this.#connection.projector.close()
    this.#connection.close(error)
    this.#unreportedError ??= this.#connection.acknowledgements.unreportedError
    this.#opening.reject(error)
    this.#hasSolve.reject(error)
    this.#setStatus('closed')
  }

  #connect(): Connection & { projector: LiveProjector } {
    const connection = openConnection(this.#options, {
      onSynced: () => this.#synced(),
      onStatus: (isOpen) => this.#setStatus(isOpen ? 'open' : 'reconnecting'),
      onEvent: (event) => {
        if (event.type === 'comments') this.#listeners.emit('comments', event)
        if (event.type === 'views') this.#listeners.emit('views', event)
        if (event.type !== 'solve') return
        this.#solve = event
        this.#hasSolve.resolve()
        this.#listeners.emit('solve', event)
      },
      onRejected: (error) => {
        // A server that answered before may come back; one that never answered may not exist.
        if (error.fault === 'not_signed_in' || !this.#isOpened) this.fail(error)
      },
      onEnd: (error) => this.#ended(error),
    })
    // The projector listens from its first read on, before all others, so a listener of `change` reads the new content.
    const projector = openLiveProjector(connection.doc)
    projector.read()
    connection.doc.on('afterTransaction', (transaction) => {
      if (transaction.changed.size > 0 && this.#isOpened) this.#listeners.emit('change', transaction)
    })
    connection.provider.awareness?.setLocalState(this.#presence)
    connection.provider.on('open', () => forgetStates(connection.provider.awareness))
    connection.provider.awareness?.on('change', () => this.#listeners.emit('people', this.people))
    return { ...connection, projector }
  }

  #synced(): void {
    // The server removed the presence when it noticed the end of the last socket, and accepts only a later state.
    if (this.#isOpened) this.show({})
    this.#isOpened = true
    // The status of the solve arrives shortly after.
    this.#opening.resolve(this.#hasSolve.promise)
    const dropped = this.#dropped
    this.#dropped = undefined
    if (dropped) this.#listeners.emit('reset', dropped)
  }

  /** Loads another copy after the server has ended this one, unless that is hopeless. */
  #ended(error: LiveError): void {
    const now = performance.now()
    this.#resets = [...this.#resets.filter((at) => now - at < RESETS_WITHIN_MS), now]
    const isHopeless = error.fault === 'not_signed_in' || this.#dropped || this.#resets.length > MAX_RESETS
    if (isHopeless || !this.#isOpened) {
      // The first of two sentences says what happened to the document; the second one, that it is not found any more.
      this.fail(this.#dropped?.fault === error.fault ? this.#dropped : error)
      return
    }
    this.#setStatus('reconnecting')
    this.#dropped = error
    this.#unreportedError ??= this.#connection.acknowledgements.unreportedError
    this.#connection.projector.close()
    this.#connection = this.#connect()
  }

  #setStatus(status: LiveStatus): void {
    if (this.#status === status || this.#status === 'closed') return
    this.#status = status
    this.#listeners.emit('status', status)
  }
}

/**
 * Forgets the states of people who left with the last socket. Those who are still there have the same clocks, which
 * would otherwise count as old.
 */
function forgetStates(awareness: Connection['provider']['awareness']): void {
  for (const client of awareness?.meta.keys() ?? []) {
    if (!awareness!.states.has(client)) awareness!.meta.delete(client)
  }
}

/** The listeners of each event. */
interface Listeners<Events extends object> {
  /** Adds a listener and returns a function that removes it. */
  on<Name extends keyof Events>(name: Name, listener: (event: Events[Name]) => void): () => void
  emit<Name extends keyof Events>(name: Name, event: Events[Name]): void
}

function createListeners<Events extends object>(): Listeners<Events> {
  const all = new Map<keyof Events, Set<(event: never) => void>>()
  return {
    on(name, listener) {
      const set = all.get(name) ?? new Set()
      all.set(name, set)
      set.add(listener)
      return () => set.delete(listener)
    },
    emit(name, event) {
      for (const listener of [...(all.get(name) ?? [])]) listener(event as never)
    },
  }
}

/** Returns what `Promise.withResolvers` returns, which Node 20 does not have. */
function createDeferred<T>() {
  let resolve!: (value: T | PromiseLike<T>) => void
  let reject!: (reason: unknown) => void
  const promise = new Promise<T>((resolves, rejects) => {
    resolve = resolves
    reject = rejects
  })
  return { promise, resolve, reject }
}
