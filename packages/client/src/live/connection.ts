import { HocuspocusProvider, HocuspocusProviderWebsocket } from '@hocuspocus/provider'
import { LIVE_CLOSE, LIVE_PATH, type LiveEvent } from '@meadow/contract'
import * as Y from 'yjs'
import { type Acknowledgements, createAcknowledgements } from './acknowledgements.ts'
import { LiveError } from './live-error.ts'

/** One copy of a document, kept in step with the server until an end is put to it. */
export interface Connection {
  readonly doc: Y.Doc
  readonly provider: HocuspocusProvider
  readonly acknowledgements: Acknowledgements
  /** Who waits for an edit to be safe is told of the error. */
  close(error?: LiveError): void
}

export interface ConnectionEvents {
  /** The copy is as the server has it. */
  onSynced(): void
  onStatus(isOpen: boolean): void
  onEvent(event: LiveEvent): void
  /** No socket can be had, and this is why. It is tried again until an end is put to it. */
  onRefused(error: LiveError): void
  /** The server wants no more of this copy. */
  onEnd(error: LiveError): void
}

export interface ConnectionOptions {
  /** Of the service, without a closing slash. */
  address: string
  cookie: string | undefined
  documentId: string
}

/** After so long a connection that broke is made anew; the pause grows while that fails. */
const RECONNECT_MS = 250
const LONGEST_RECONNECT_MS = 10_000

/** What is put into a transaction that edits here, so that it can be told from what others do. */
export const OWN_EDIT = Symbol('own edit')

export function openConnection(
  { address, cookie, documentId }: ConnectionOptions,
  { onSynced, onStatus, onEvent, onRefused, onEnd }: ConnectionEvents,
): Connection {
  const doc = new Y.Doc()
  const acknowledgements = createAcknowledgements()
  let isOver = false
  let isConnected = false
  let isAsking = false
  // Before the provider listens: it sends an edit as soon as it hears of it.
  doc.on('update', (_update: Uint8Array, origin: unknown) => {
    if (origin !== provider) acknowledgements.edited()
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
      if (!isConnected) void askWhy()
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
      // The server closes too when it may be tried again.
      setTimeout(() => {
        if (socket.status === 'connected') end(new LiveError('not_found', reason))
      }, 0)
    },
  })
  provider.attach()

  /** A socket that is refused does not tell why. */
  async function askWhy(): Promise<void> {
    if (isOver || isAsking) return
    isAsking = true
    const error = await findReason(address, cookie)
    isAsking = false
    if (error && !isOver) onRefused(error)
  }

  function end(error: LiveError): void {
    if (isOver) return
    close(error)
    onEnd(error)
  }

  function close(error = new LiveError('closed', 'The document was closed.')): void {
    isOver = true
    socket.isOver = true
    acknowledgements.fail(error)
    provider.destroy()
    socket.destroy()
    doc.destroy()
  }

  return { doc, provider, acknowledgements, close }
}

/** The provider's socket, which would begin anew when it is destroyed in the pause before a reconnection. */
class Reconnecting extends HocuspocusProviderWebsocket {
  isOver = false

  override async connect(): Promise<unknown> {
    return this.isOver ? undefined : super.connect()
  }
}

/** What a close by the server means for the copy; undefined: it is good, and a new connection goes on with it. */
function toError({ code, reason }: { code: number; reason: string }): LiveError | undefined {
  if (code === LIVE_CLOSE.refused) return new LiveError('refused', reason)
  if (code === LIVE_CLOSE.signedOut) return new LiveError('not_signed_in', reason)
  if (code === LIVE_CLOSE.changed) return new LiveError('not_found', reason)
  return undefined
}

/** What the server answers when it takes the session and waits for a socket. */
const UPGRADE_NEEDED = 426
const UNREACHABLE = 'The server cannot be reached, or does not answer.'

/** Why no socket can be had, which a socket itself does not tell: undefined when it should be possible. */
export async function findReason(
  address: string,
  cookie: string | undefined,
): Promise<LiveError | undefined> {
  try {
    const answer = await fetch(address + LIVE_PATH, cookie === undefined ? {} : { headers: { cookie } })
    if (answer.status === UPGRADE_NEEDED) return undefined
    const { error } = (await answer.json()) as { error: string }
    const isRefused = answer.status === 401 || answer.status === 403
    return new LiveError(isRefused ? 'not_signed_in' : 'not_reachable', error)
  } catch (cause) {
    return new LiveError('not_reachable', UNREACHABLE, { cause })
  }
}

/** What is to be known of the messages of a socket, in the order in which they are really sent and received. */
export interface SocketTap {
  connected(): void
  /** Called before a message is sent: whether it may be. */
  sends(message: Uint8Array): boolean
  received(message: Uint8Array): void
}

/** Node's own WebSocket takes headers; a browser's has none to give, and sends its cookies by itself. */
type SocketOptions = { headers: Record<string, string> } | undefined

/** The class of sockets that the provider makes: those of the platform, with a cookie where there is one to send. */
export function createSocketClass(tap: SocketTap, cookie: string | undefined): typeof WebSocket {
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
