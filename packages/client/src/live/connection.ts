import { HocuspocusProvider, HocuspocusProviderWebsocket, WebSocketStatus } from '@hocuspocus/provider'
import { LIVE_CLOSE, LIVE_PATH, type LiveEvent } from '@meadow/contract/terms'
import * as Y from 'yjs'
import { type Acknowledgements, createAcknowledgements } from './acknowledgements.ts'
import { LiveError } from './live-error.ts'

/** One copy of a document, synchronised with the server until it is closed. */
export interface Connection {
  readonly doc: Y.Doc
  readonly provider: HocuspocusProvider
  readonly acknowledgements: Acknowledgements
  /** Pending `durable` calls reject with the error. */
  close(error?: LiveError): void
}

export interface ConnectionEvents {
  /** The copy has the state of the server. */
  onSynced(): void
  onStatus(isOpen: boolean): void
  onEvent(event: LiveEvent): void
  /** A socket could not be opened, with the reason. It is tried again until the connection is closed. */
  onRejected(error: LiveError): void
  /** The server ended this copy. */
  onEnd(error: LiveError): void
}

export interface ConnectionOptions {
  /** The address of the service, without a trailing slash. */
  address: string
  cookie: string | undefined
  documentId: string
}

/** The delay before reconnecting, which grows while that fails. */
const RECONNECT_MS = 250
const LONGEST_RECONNECT_MS = 10_000

/**
 * A server that acknowledges no edit and sends nothing for this long is asked whether it can be reached. It has the
 * same time to answer.
 */
const SILENCE_MS = 3000

/** The window in a browser, which has the events `online` and `offline`; Node does not have them. */
const network = globalThis as Partial<EventTarget>

/** The origin of local transactions, which distinguishes them from those of others. */
export const OWN_EDIT = Symbol('own edit')

export function openConnection(
  { address, cookie, documentId }: ConnectionOptions,
  { onSynced, onStatus, onEvent, onRejected, onEnd }: ConnectionEvents,
): Connection {
  const doc = new Y.Doc()
  const acknowledgements = createAcknowledgements()
  let isOver = false
  let isConnected = false
  let isChecking = false
  let silence: ReturnType<typeof setTimeout> | undefined
  // Registered before the provider's listener, which sends an edit at once.
  doc.on('update', (_update: Uint8Array, origin: unknown) => {
    if (origin === provider) return
    acknowledgements.edited()
    silence ??= setTimeout(listen, SILENCE_MS)
  })

  const socket = new Reconnecting({
    url: address.replace(/^http/, 'ws') + LIVE_PATH,
    WebSocketPolyfill: createSocketClass(acknowledgements, cookie),
    delay: RECONNECT_MS,
    minDelay: RECONNECT_MS,
    maxDelay: LONGEST_RECONNECT_MS,
    onOpen: () => {
      isConnected = true
    },
    onClose({ event }) {
      const error = toError(event)
      if (error) end(error)
      else if (!isOver) onStatus(false)
      if (!isConnected) void checkReason()
      isConnected = false
    },
  })
  const provider: HocuspocusProvider = new HocuspocusProvider({
    websocketProvider: socket,
    name: documentId,
    document: doc,
    onSynced: () => {
      if (isOver) return
      onStatus(true)
      onSynced()
    },
    onStateless: ({ payload }) => onEvent(JSON.parse(payload)),
    onAuthenticationFailed: ({ reason }) => {
      // The server also closes the socket if the client may try again.
      setTimeout(() => {
        if (socket.status === 'connected') end(new LiveError('not_found', reason))
      }, 0)
    },
  })
  provider.attach()
  // Another socket is opened at once: a server on this same machine, or in its network, is still there.
  const abandon = () => socket.abandon()
  const connect = () => void socket.connect()
  network.addEventListener?.('offline', abandon)
  network.addEventListener?.('online', connect)

  /** Finds out why a socket was rejected, which the socket itself does not say. */
  async function checkReason(): Promise<void> {
    if (isOver || isChecking) return
    isChecking = true
    const error = await findReason(address, cookie)
    isChecking = false
    if (error && !isOver) onRejected(error)
  }

  /** Abandons a connection that was lost without a sign, while edits are not acknowledged. */
  async function listen(): Promise<void> {
    const isSilent = isConnected && Date.now() - socket.lastMessageReceived >= SILENCE_MS
    if (isSilent && !acknowledgements.isDurable && !(await isReachable(address))) socket.abandon()
    const isWaiting = !isOver && !acknowledgements.isDurable
    silence = isWaiting ? setTimeout(listen, SILENCE_MS) : undefined
  }

  function end(error: LiveError): void {
    if (isOver) return
    close(error)
    onEnd(error)
  }

  function close(error = new LiveError('closed', 'The document was closed.')): void {
    isOver = true
    clearTimeout(silence)
    network.removeEventListener?.('offline', abandon)
    network.removeEventListener?.('online', connect)
    socket.isOver = true
    acknowledgements.fail(error)
    provider.destroy()
    socket.destroy()
    doc.destroy()
  }

  return { doc, provider, acknowledgements, close }
}

/** The provider's own code for a socket that it closes because nothing is received. */
const ABANDONED = 4408

/** The provider's socket, which would otherwise reconnect if it is destroyed during the delay before a reconnection. */
class Reconnecting extends HocuspocusProviderWebsocket {
  isOver = false

  override async connect(): Promise<unknown> {
    return this.isOver ? undefined : super.connect()
  }

  /** Treats an open socket as closed, without waiting for the other end, and opens another one. */
  abandon(): void {
    if (this.status === WebSocketStatus.Connected)
      this.emit('close', { event: { code: ABANDONED, reason: '' } })
  }
}

/**
 * Returns the meaning of a close code for the copy; undefined if the copy is valid and a new connection continues with
 * it.
 */
function toError({ code, reason }: { code: number; reason: string }): LiveError | undefined {
  if (code === LIVE_CLOSE.refused) return new LiveError('refused', reason)
  if (code === LIVE_CLOSE.signedOut) return new LiveError('not_signed_in', reason)
  if (code === LIVE_CLOSE.changed) return new LiveError('not_found', reason)
  return undefined
}

/** The response of a server that accepts the session and expects a socket. */
const UPGRADE_NEEDED = 426
const UNREACHABLE = 'The server cannot be reached, or does not answer.'

/**
 * Resolves with the reason why a socket cannot be opened, found by a plain request; undefined if it should be possible.
 */
async function findReason(address: string, cookie: string | undefined): Promise<LiveError | undefined> {
  try {
    const response = await fetch(address + LIVE_PATH, cookie === undefined ? {} : { headers: { cookie } })
    if (response.status === UPGRADE_NEEDED) return undefined
    const { error } = (await response.json()) as { error: string }
    const isRejected = response.status === 401 || response.status === 403
    return new LiveError(isRejected ? 'not_signed_in' : 'not_reachable', error)
  } catch (cause) {
    return new LiveError('not_reachable', UNREACHABLE, { cause })
  }
}

/** Whether a server answers at all. */
const isReachable = (address: string): Promise<boolean> =>
  fetch(address + LIVE_PATH, { signal: AbortSignal.timeout(SILENCE_MS) }).then(
    () => true,
    () => false,
  )

/** Observes the messages of a socket in the order in which they are actually sent and received. */
interface SocketTap {
  connected(): void
  /** Called before a message is sent; false if it must not be sent. */
  sends(message: Uint8Array): boolean
  received(message: Uint8Array): void
}

/** The WebSocket of Node accepts headers; that of a browser does not, and sends cookies by itself. */
type SocketOptions = { headers: Record<string, string> } | undefined

/** Returns the WebSocket class for the provider: that of the platform, with a cookie if given. */
function createSocketClass(tap: SocketTap, cookie: string | undefined): typeof WebSocket {
  if (typeof WebSocket === 'undefined') {
    throw new LiveError(
      'not_reachable',
      'Live documents need Node 22 or newer, or a browser: Node 20 has no WebSocket.',
    )
  }
  const options: SocketOptions = cookie === undefined ? undefined : { headers: { cookie } }
  return class LiveSocket extends WebSocket {
    constructor(url: string | URL) {
      super(url, options as never)
      tap.connected()
      this.addEventListener('message', ({ data }) => {
        if (data instanceof ArrayBuffer) tap.received(new Uint8Array(data))
      })
    }

    override send(data: Uint8Array<ArrayBuffer>): void {
      if (tap.sends(data)) super.send(data)
    }
  }
}
