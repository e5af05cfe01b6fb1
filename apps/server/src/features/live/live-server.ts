import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Hocuspocus } from '@hocuspocus/server'
import { LIVE_CLOSE, LIVE_PATH, MAX_LIVE_MESSAGE_BYTES, type UserId } from '@meadow/contract'
import type { Peer } from 'crossws'
import crossws from 'crossws/adapters/node'
import type { FastifyInstance } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Person, SessionStore } from '../../access/sessions.store.ts'
import { carriesToken } from '../../access/tokens.ts'
import { checkSameSite } from '../../http/app-api/authorize.ts'
import { ClientDisconnected } from '../../http/call.ts'
import { hostNameOf, isHost, pathOf } from '../../http/connection/address.ts'
import { COMMON_HEADERS, type ErrorResponse, HttpError, toErrorResponse } from '../../http/http-error.ts'
import type { Metrics } from '../../http/metrics.ts'
import { readRequestId } from '../../http/request-log.ts'
import { headerLines, type SecurityHeaders } from '../../http/responses/security-headers.ts'
import { FairSemaphore, type Permit } from '../../platform/concurrency/fair-semaphore.ts'
import { limitEntries } from '../../platform/limit-entries.ts'
import { type LiveContext, LiveSocket } from './live-socket.ts'
import { createInputLimit, type InputLimit, openReceiver, type Receiver } from './receiver.ts'

export interface LiveLimits {
  /** The open sockets of one person, and in this process. */
  sockets: Readonly<Record<'caller' | 'process', number>>
  /** Megabytes of output that wait in memory for clients to read them. */
  waitingMb: Readonly<Record<'socket' | 'process', number>>
  /** Messages per second, over one socket and over all sockets of one person. */
  messages: Readonly<Record<'socket' | 'caller', number>>
  /** Megabytes of input per second, over one socket and over all sockets of one person. */
  inputMb: Readonly<Record<'socket' | 'caller', number>>
}

export interface LiveServerParts {
  hocuspocus: Hocuspocus<LiveContext>
  sessions: Pick<SessionStore, 'findPerson'>
  /** The origin under which clients reach the server, if it is configured. */
  ownOrigin: string | undefined
  limits: LiveLimits
  /**
   * Waits until a handshake may be processed for the session that a cookie names; it counts until the permit is
   * released. Undefined when the cookie names no session: nothing has to be looked up then.
   */
  admit(cookie: string | undefined, signal: AbortSignal): Promise<Permit> | undefined
  metrics: Pick<Metrics, 'watchSemaphore'>
  /** Called with errors of the server itself. */
  onError(error: unknown): void
}

/** The sockets at `/live`. */
export interface LiveServer {
  /** Accepts no further sockets and closes the open ones; sockets that do not close soon are terminated. */
  close(): Promise<void>
}

/** The person for whom a socket is opened. */
interface AuthorizedClient {
  person: Person
  isAgent: boolean
  host: string
  /** Released when the socket is closed, or when the handshake fails. */
  permit: Permit
}

interface OpenSocket {
  socket: LiveSocket
  receiver: Receiver
  permit: Permit
}

/** The input limits of this many people are remembered; a person who was forgotten starts with a full allowance. */
const MAX_PERSON_LIMITS = 10_000

const CHECK_WAITING_EVERY_MS = 1000

/** The time that clients have to close their side after the shutdown notice. */
const SHUTDOWN_MS = 1000
const SHUTDOWN_NOTICE = 'The server stops. Connect again in a moment.'

/** The request that Hocuspocus sees: an empty one, because Hocuspocus passes it on to every hook. */
const EMPTY_REQUEST = new Request('http://localhost/')

/** Whether a request is for a socket at `/live`; `publicPath` is a prefix that a proxy may leave in the URL. */
export function isLiveUpgrade({ url = '', headers }: IncomingMessage, publicPath: string): boolean {
  const path = pathOf(url)
  const isLivePath = path === LIVE_PATH || path === publicPath + LIVE_PATH
  return isLivePath && headers.upgrade?.toLowerCase() === 'websocket'
}

/** Accepts sockets at `/live`, on the server's own port, from people who are signed in. */
export function mountLiveServer(app: FastifyInstance, parts: LiveServerParts): LiveServer {
  const { limits } = parts
  const open = new Map<Peer, OpenSocket>()
  const clients = new WeakMap<Request, AuthorizedClient>()
  const connected = new WeakSet<AuthorizedClient>()
  const socketPermits = createSocketSemaphore(limits.sockets)
  parts.metrics.watchSemaphore('live_sockets', socketPermits)
  const personLimits = new LRUCache<UserId, InputLimit>({
    ...limitEntries(MAX_PERSON_LIMITS),
    memoMethod: () => createInputLimit(limits.messages.caller, limits.inputMb.caller),
  })
  let onEmpty = () => {}

  app.get(LIVE_PATH, { config: { access: 'person' } }, async ({ raw }) => {
    const { permit } = await authorize(raw)
    permit.release()
    throw new HttpError('upgrade_needed', { headers: { upgrade: 'websocket' } })
  })

  app.server.on('upgrade', async (request, socket, head) => {
    // A client may disconnect during the handshake, which is not an error of the server.
    socket.on('error', () => socket.destroy())
    let client: AuthorizedClient | undefined
    // Only the handshake counts for admission: open sockets have limits of their own.
    using handshake = new DisposableStack()
    try {
      const upgrade = new Request(EMPTY_REQUEST)
      client = await authorize(request, () => admit(request, socket, handshake))
      clients.set(upgrade, client)
      await sockets.handleUpgrade(request, socket, head, upgrade)
      // A handshake that is not valid is answered by crossws, without an exception.
      if (!connected.has(client)) client.permit.release()
    } catch (error) {
      client?.permit.release()
      if (error instanceof ClientDisconnected) return
      const response = toErrorResponse(error)
      if (response.error.code === 'internal') parts.onError(error)
      app.connections.endGently(socket as Socket, writeRejection(request, response, app.securityHeaders))
    }
  })

  /** Identifies the client, or throws why it may not have a socket. `admitted` is awaited before any query. */
  async function authorize(request: IncomingMessage, admitted = async () => {}): Promise<AuthorizedClient> {
    const { authorization, cookie, host } = request.headers
    if (app.stopping.aborted) throw createStoppingError()
    if (host === undefined || !isHost(host)) throw new HttpError('host_not_valid')
    if (carriesToken(authorization)) throw new HttpError('token_outside_the_api')
    checkSameSite(request, parts.ownOrigin)
    await admitted()
    const person = await parts.sessions.findPerson(cookie)
    if (!person) throw new HttpError('not_signed_in')
    const permit = await socketPermits.acquire([person.userId, person.userId])
    // Browsers say which page opens a socket.
    const isAgent = request.headers.origin === undefined
    return { person, isAgent, host: hostNameOf(host), permit }
  }

  /** Waits until the handshake is admitted; it counts until `handshake` is disposed of. */
  async function admit(request: IncomingMessage, socket: Duplex, handshake: DisposableStack): Promise<void> {
    const disconnected = new AbortController()
    const abort = () => disconnected.abort(new ClientDisconnected())
    socket.once('close', abort)
    handshake.defer(() => socket.off('close', abort))
    const signal = AbortSignal.any([disconnected.signal, app.stopping])
    try {
      const permit = await parts.admit(request.headers.cookie, signal)
      if (permit) handshake.use(permit)
    } catch (error) {
      throw app.stopping.aborted ? createStoppingError() : error
    }
  }

  const sockets = crossws({
    serverOptions: { maxPayload: MAX_LIVE_MESSAGE_BYTES, clientTracking: false },
    hooks: {
      upgrade: (request) => ({ context: { client: clients.get(request as Request) } }),
      open: onConnect,
      message: (peer, message) => open.get(peer)?.receiver.receive(message.rawData),
      close(peer, { code = 1006, reason = '' }) {
        const closed = open.get(peer)
        open.delete(peer)
        closed?.receiver.close({ code, reason })
        closed?.permit.release()
        if (open.size === 0) onEmpty()
      },
    },
  })

  function onConnect(peer: Peer): void {
    const client = peer.context.client as AuthorizedClient
    connected.add(client)
    const { person, isAgent, host, permit } = client
    const socket = new LiveSocket(peer, person, isAgent, limits.waitingMb.socket * 2 ** 20)
    const connection = parts.hocuspocus.handleConnection(socket, EMPTY_REQUEST, { socket, host })
    const socketLimit = createInputLimit(limits.messages.socket, limits.inputMb.socket)
    const receiver = openReceiver(socket, connection, [socketLimit, personLimits.memo(person.userId)])
    open.set(peer, { socket, receiver, permit })
    if (app.stopping.aborted) socket.close(LIVE_CLOSE.restarting, SHUTDOWN_NOTICE)
  }

  const checkWaiting = setInterval(() => {
    const sockets = Array.from(open.values(), ({ socket }) => socket)
    terminateSlowest(sockets, limits.waitingMb.process * 2 ** 20)
  }, CHECK_WAITING_EVERY_MS).unref()

  return {
    async close() {
      clearInterval(checkWaiting)
      for (const { socket } of open.values()) socket.close(LIVE_CLOSE.restarting, SHUTDOWN_NOTICE)
      const terminateAll = setTimeout(() => {
        for (const { socket } of open.values()) socket.terminate()
      }, SHUTDOWN_MS)
      if (open.size > 0) {
        await new Promise<void>((resolve) => {
          onEmpty = resolve
        })
      }
      clearTimeout(terminateAll)
      await sockets.close()
    },
  }
}

const createStoppingError = () => new HttpError('stopping', { headers: { 'retry-after': '5' } })

/** Counts open sockets and handshakes alike, because many handshakes may run at once. There is no queue. */
const createSocketSemaphore = ({ process, caller }: LiveLimits['sockets']): FairSemaphore =>
  new FairSemaphore({
    limits: [process, Number.POSITIVE_INFINITY, caller],
    maxWaiting: [0],
    maxWaitMs: 0,
  })

/** The response to an upgrade request that is an error, in the same form as those to other requests. */
function writeRejection(
  request: IncomingMessage,
  { error, body }: ErrorResponse,
  securityHeaders: SecurityHeaders,
): string {
  const headers = {
    ...securityHeaders,
    ...COMMON_HEADERS,
    ...error.headers,
    'x-request-id': readRequestId(request),
    'content-length': Buffer.byteLength(body),
    date: new Date().toUTCString(),
    connection: 'close',
  }
  return `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\n${headerLines(headers)}\r\n${body}`
}

/** Terminates the sockets with the most waiting output, until at most `maxBytes` wait over all sockets. */
export function terminateSlowest(
  sockets: Iterable<Pick<LiveSocket, 'waitingBytes' | 'terminate'>>,
  maxBytes: number,
): void {
  const measured = Array.from(sockets, (socket) => ({ socket, bytes: socket.waitingBytes }))
  let waiting = measured.reduce((sum, { bytes }) => sum + bytes, 0)
  if (waiting <= maxBytes) return
  for (const { socket, bytes } of measured.sort((a, b) => b.bytes - a.bytes)) {
    if (waiting <= maxBytes) return
    waiting -= bytes
    socket.terminate()
  }
}
