import type { Document } from '@hocuspocus/server'
import type { Presence } from '@meadow/contract'
import * as decoding from 'lib0/decoding'
import * as encoding from 'lib0/encoding'
import { applyAwarenessUpdate, encodeAwarenessUpdate, removeAwarenessStates } from 'y-protocols/awareness'
import type { Database } from '../../platform/database/database.ts'
import type { DocumentKey } from '../../platform/database/tables.ts'
import type { LiveContext } from './live-socket.ts'

/** Shows the clients of a document to those that have it open in other processes. */
export interface SharedPresence {
  /** Shares the clients of a document that is open here, until it is closed. */
  open(key: DocumentKey, document: Document): void
  close(key: DocumentKey, document: Document): void
  /** Tells the other processes that this one stops. */
  stop(): Promise<void>
}

export interface SharedPresenceParts {
  database: Pick<Database, 'dialect' | 'subscribe' | 'broadcast'>
  /** The id of this process; see `registerProcess`. */
  processId: string
  /** How often this process tells those that share documents with it that it lives. */
  heartbeatMs?: number | undefined
}

/** The first word of a message. The second one is the sender, the third one says what follows. */
const TOPIC = 'presence'
const HEARTBEAT_MS = 2000
/** A process that sent nothing while this many of our own heartbeats came back has died. */
const MISSED_HEARTBEATS = 4
/** The pause between two messages about documents, which is longer after large ones. */
const MIN_PAUSE_MS = 40
const BYTES_PER_MS = 512
/** PostgreSQL takes less than 8000 bytes in one notification. */
const MAX_TEXT = 7000
/** The pause between greetings: in an outage, the database says twice a second that messages may have been lost. */
const GREET_EVERY_MS = 1000
/** A client that was shown by another process; see `TransactionOrigin` of Hocuspocus. */
const SHARED = { source: 'local', skipStoreHooks: true } as const

/** Another process, and which of its documents are open here too. */
interface Peer {
  documents: Set<DocumentKey>
  missedHeartbeats: number
  /** The beginning of a state that comes in several messages. */
  parts: string[]
}

interface OpenDocument {
  document: Document
  /** The clients that other processes show. */
  owners: Map<number, string>
  /** The clients of this process whose state is to be sent. */
  changed: Set<number>
  unsubscribe(): void
}

/** The service has no other process, or its processes are on SQLite, which sends no messages. */
const NOT_SHARED: SharedPresence = { open() {}, close() {}, async stop() {} }

/**
 * Processes tell each other which documents they have open, and those that share one send each other the states of its
 * clients. A process that dies is noticed because it is silent while our own messages come back, so neither a busy
 * process nor an outage of the database is taken for a death.
 */
export function openSharedPresence({
  database,
  processId: self,
  heartbeatMs = HEARTBEAT_MS,
}: SharedPresenceParts): SharedPresence {
  if (database.dialect === 'sqlite') return NOT_SHARED
  const documents = new Map<DocumentKey, OpenDocument>()
  const peers = new Map<string, Peer>()
  /** Processes that have no document in common with this one. */
  const strangers = new Set<string>()
  let outbox: string[] = []
  let timer: NodeJS.Timeout | undefined
  let sending = Promise.resolve()
  /** Runs until the next greeting may be sent. */
  let greeting: NodeJS.Timeout | undefined
  let isGreetingDue = false

  const subscription = database.subscribe((message) => {
    if (message === undefined) greetAll()
    if (!message?.startsWith(TOPIC)) return
    const [, from, word, ...rest] = message.split(' ')
    if (from === self) {
      if (word === 'beat') countMissedHeartbeats()
    } else receive(from!, word!, rest)
  })
  const heartbeats = setInterval(() => {
    if (peers.size > 0) post('beat')
  }, heartbeatMs).unref()

  function post(...words: (string | number)[]): void {
    outbox.push([TOPIC, self, ...words].join(' '))
    scheduleFlush()
  }

  function scheduleFlush(): void {
    timer ??= setTimeout(flush, MIN_PAUSE_MS).unref()
  }

  function flush(): void {
    const messages = outbox
    outbox = []
    for (const key of documents.keys()) messages.push(...writeStates(key))
    const bytes = messages.reduce((sum, { length }) => sum + length, 0)
    timer = setTimeout(rest, MIN_PAUSE_MS + bytes / BYTES_PER_MS).unref()
    if (messages.length === 0) return
    sending = sending
      .then(() => database.broadcast(messages))
      // The replies bring back what was lost.
      .catch(greetAll)
  }

  function rest(): void {
    timer = undefined
    const hasChanges = outbox.length > 0 || [...documents.values()].some(({ changed }) => changed.size > 0)
    if (hasChanges) flush()
  }

  /** The changed states of a document, for the processes that share it. */
  function writeStates(key: DocumentKey): string[] {
    const { document, changed } = documents.get(key)!
    const clients = [...changed].filter((client) => document.awareness.meta.has(client))
    changed.clear()
    if (clients.length === 0 || !isShared(key)) return []
    const text = Buffer.from(encodeAwarenessUpdate(document.awareness, clients)).toString('base64')
    const count = Math.ceil(text.length / MAX_TEXT)
    return Array.from({ length: count }, (_, at) => {
      const part = text.slice(at * MAX_TEXT, (at + 1) * MAX_TEXT)
      return [TOPIC, self, 'state', key, at, count, part].join(' ')
    })
  }

  const isShared = (key: DocumentKey) => [...peers.values()].some((peer) => peer.documents.has(key))

  function postKeys(word: 'hello' | 'have', keys: readonly DocumentKey[]): void {
    const perMessage = Math.floor(MAX_TEXT / String(Number.MAX_SAFE_INTEGER).length)
    for (let start = 0; start < keys.length; start += perMessage)
      post(word, keys.slice(start, start + perMessage).join(','))
  }

  /** Greets all processes after messages may have been lost: those that share a document reply with its clients. */
  function greetAll(): void {
    strangers.clear()
    isGreetingDue = true
    if (greeting !== undefined) return
    isGreetingDue = false
    postKeys('hello', [...documents.keys()])
    greeting = setTimeout(() => {
      greeting = undefined
      if (isGreetingDue) greetAll()
    }, GREET_EVERY_MS).unref()
  }

  function receive(from: string, word: string, [first = '', ...rest]: string[]): void {
    const known = peers.get(from)
    if (known) known.missedHeartbeats = 0
    if (word === 'hello') share(from, toKeys(first), true)
    if (word === 'have') share(from, toKeys(first), false)
    if (word === 'state') receivePart(from, Number(first) as DocumentKey, rest)
    if (word === 'left') forget(from, Number(first) as DocumentKey)
    if (word === 'bye') forgetPeer(from)
    // It shares documents with some process, perhaps with this one, which has not heard of it yet.
    if (word === 'beat' && !known && !strangers.has(from)) {
      strangers.add(from)
      postKeys('hello', [...documents.keys()])
    }
  }

  function share(from: string, keys: readonly DocumentKey[], isReplyExpected: boolean): void {
    const shared = keys.filter((key) => documents.has(key))
    if (shared.length === 0) return
    const peer = peers.get(from) ?? { documents: new Set(), missedHeartbeats: 0, parts: [] }
    peers.set(from, peer)
    strangers.delete(from)
    for (const key of shared) {
      peer.documents.add(key)
      markAll(documents.get(key)!)
    }
    if (isReplyExpected) postKeys('have', shared)
    else scheduleFlush()
  }

  const markAll = ({ document, owners, changed }: OpenDocument) => {
    for (const client of document.awareness.getStates().keys()) if (!owners.has(client)) changed.add(client)
  }

  function receivePart(from: string, key: DocumentKey, [at, count, text = '']: string[]): void {
    const open = documents.get(key)
    const peer = peers.get(from)
    // Our word that it was closed may have been lost.
    if (!open) post('left', key)
    if (!open || !peer) return
    if (at === '0') peer.parts = []
    peer.parts.push(text)
    if (Number(at) + 1 < Number(count)) return
    const { parts } = peer
    peer.parts = []
    // Some are missing when the connection to the database broke in between.
    if (parts.length === Number(count)) show(open, from, Buffer.from(parts.join(''), 'base64'))
  }

  /** Applies the states of a process' clients, unless a later one of the same client came from elsewhere. */
  function show({ document, owners, changed }: OpenDocument, from: string, update: Uint8Array): void {
    const { awareness } = document
    const accepted: AwarenessEntry[] = []
    for (const entry of readEntries(update)) {
      const { client, clock, state } = entry
      if (state === null) {
        if (owners.get(client) === from) accepted.push(entry)
        // It has left there, and is connected here: it is shown there again.
        else if (!owners.has(client) && awareness.states.has(client)) changed.add(client)
      } else if (clock > (awareness.meta.get(client)?.clock ?? 0) && belongsTo(awareness, client, state)) {
        accepted.push(entry)
        // It may have been connected here, which this process has not noticed the end of.
        releaseClient(document, client)
        owners.set(client, from)
      }
    }
    applyAwarenessUpdate(awareness, writeEntries(accepted), SHARED)
    for (const { client, state } of accepted) if (state === null) owners.delete(client)
    if (changed.size > 0) scheduleFlush()
  }

  function forget(from: string, key: DocumentKey): void {
    const peer = peers.get(from)
    if (!peer?.documents.delete(key)) return
    const open = documents.get(key)
    if (open) {
      const clients = [...open.owners].flatMap(([client, owner]) => (owner === from ? [client] : []))
      removeAwarenessStates(open.document.awareness, clients, SHARED)
      for (const client of clients) open.owners.delete(client)
    }
    if (peer.documents.size > 0) return
    peers.delete(from)
    strangers.add(from)
  }

  function forgetPeer(from: string): void {
    for (const key of [...(peers.get(from)?.documents ?? [])]) forget(from, key)
    strangers.delete(from)
  }

  function countMissedHeartbeats(): void {
    for (const [id, peer] of [...peers]) if (++peer.missedHeartbeats > MISSED_HEARTBEATS) forgetPeer(id)
  }

  return {
    open(key, document) {
      documents.get(key)?.unsubscribe()
      const { awareness } = document
      const owners = new Map<number, string>()
      const changed = new Set<number>()
      const onUpdate = (clients: Record<'added' | 'updated' | 'removed', number[]>, origin: unknown) => {
        if (origin === SHARED) return
        for (const client of [...clients.added, ...clients.updated]) owners.delete(client)
        for (const client of Object.values(clients).flat()) if (!owners.has(client)) changed.add(client)
        for (const client of clients.removed) owners.delete(client)
        if (isShared(key)) scheduleFlush()
      }
      awareness.on('update', onUpdate)
      const unsubscribe = () => awareness.off('update', onUpdate)
      documents.set(key, { document, owners, changed, unsubscribe })
      postKeys('hello', [key])
    },
    close(key, document) {
      const open = documents.get(key)
      // It may have been opened again meanwhile.
      if (open?.document !== document) return
      open.unsubscribe()
      if (isShared(key)) post('left', key)
      for (const id of [...peers.keys()]) forget(id, key)
      documents.delete(key)
    },
    async stop() {
      clearInterval(heartbeats)
      clearTimeout(timer)
      clearTimeout(greeting)
      documents.clear()
      const hadPeers = peers.size > 0
      await subscription.close()
      await sending
      // If it cannot be sent, the others notice the silence.
      if (hadPeers) await database.broadcast([`${TOPIC} ${self} bye`]).catch(() => {})
    },
  }
}

const toKeys = (text: string) => text.split(',').map(Number) as DocumentKey[]

/** A state in an update of awareness; null: the client has left. */
interface AwarenessEntry {
  client: number
  clock: number
  state: Presence | null
}

function readEntries(update: Uint8Array): AwarenessEntry[] {
  const decoder = decoding.createDecoder(update)
  return Array.from({ length: decoding.readVarUint(decoder) }, () => ({
    client: decoding.readVarUint(decoder),
    clock: decoding.readVarUint(decoder),
    state: JSON.parse(decoding.readVarString(decoder)) as Presence | null,
  }))
}

function writeEntries(entries: readonly AwarenessEntry[]): Uint8Array {
  const encoder = encoding.createEncoder()
  encoding.writeVarUint(encoder, entries.length)
  for (const { client, clock, state } of entries) {
    encoding.writeVarUint(encoder, client)
    encoding.writeVarUint(encoder, clock)
    encoding.writeVarString(encoder, JSON.stringify(state))
  }
  return encoding.toUint8Array(encoder)
}

/** Whether the client is unknown here, or that of the same person. */
function belongsTo({ states }: Document['awareness'], client: number, { user }: Presence): boolean {
  const shown = states.get(client) as Presence | undefined
  return shown === undefined || shown.user?.id === user?.id
}

/** The end of a connection does not remove the client any more. */
function releaseClient({ connections }: Document, client: number): void {
  for (const [{ context }, { clients }] of connections) {
    clients.delete(client)
    const live = context as LiveContext
    if (live.presenceClient === client) delete live.presenceClient
  }
}
