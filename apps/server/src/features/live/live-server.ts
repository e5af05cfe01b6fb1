import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Hocuspocus } from '@hocuspocus/server'
import { LIVE_CLOSE, LIVE_PATH, MAX_LIVE_MESSAGE_BYTES, type UserId } from '@meadow/contract'
import type { Peer } from 'crossws'
import crossws from 'crossws/adapters/node'
import type { FastifyInstance } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Person, SessionStore } from '../../access/sessions.store.ts'
import { ClientDisconnected } from '../../http/abort-signal.ts'
import { carriesToken } from '../../http/api/authenticate.ts'
import { checkSameSite } from '../../http/app-api/authorize.ts'
import { hostNameOf, isHost, pathOf } from '../../http/connection/address.ts'
import { HttpError, toErrorResponse } from '../../http/http-error.ts'
import type { Metrics } from '../../http/metrics.ts'
import { FairSemaphore, type Permit } from '../../platform/concurrency/fair-semaphore.ts'
import { cutOffSlowest } from './cut-off-slowest.ts'
import { LiveSocket } from './live-socket.ts'
import { createAllowance, createMessageLimit, type MessageLimit } from './message-limit.ts'
import { openReceiver, type Receiver } from './receiver.ts'
import { refuseUpgrade } from './refuse-upgrade.ts'
import type { LiveContext } from './rooms.ts'

export interface LiveLimits {
  /** How many are open at once: of one person, and in this process. */
  sockets: Readonly<Record<'caller' | 'process', number>>
  /** Megabytes that wait in memory for clients to take them. */
  waitingMb: Readonly<Record<'socket' | 'process', number>>
  /** Messages a second, over one socket and over all of one person. */
  messages: Readonly<Record<'socket' | 'caller', number>>
  /** The same in megabytes. */
  inputMb: Readonly<Record<'socket' | 'caller', number>>
}

export interface LiveServerParts {
  hocuspocus: Hocuspocus<LiveContext>
  sessions: Pick<SessionStore, 'findPerson'>
  /** The origin under which clients reach the server, where it is configured. */
  ownOrigin: string | undefined
  limits: LiveLimits
  /**
   * Waits until a handshake of the session that a cookie names may be worked on; it counts until the permit is released.
   * Undefined when the cookie names none: nothing has to be looked up then.
   */
  admit(cookie: string | undefined, signal: AbortSignal): Promise<Permit> | undefined
  metrics: Pick<Metrics, 'watchSemaphore'>
  /** Told of what goes wrong here and is nobody's fault. */
  onError(error: unknown): void
}

/** The sockets at `/live`. */
export interface LiveServer {
  /** Lets nobody in any more, and closes all sockets; those that do not answer soon are cut off. */
  close(): Promise<void>
}

/** Who a socket is let in for. */
interface Guest {
  person: Person
  host: string
  /** To be released once the socket is closed, or when none comes of it. */
  permit: Permit
}

/** Whose messages are counted: longer than they are here, or to come back would be to begin anew. */
const MAX_COUNTED = 10_000

const RELIEVE_EVERY_MS = 1000

/** A client that was told goodbye has so long to say it too. */
const GOODBYE_MS = 1000
const GOODBYE = 'The server stops. Connect again in a moment.'

/** What Hocuspocus is told of the request: nothing, since it hands that on to everybody. */
const NO_REQUEST = new Request('http://localhost/')

/** Whether a request is to become a socket here; `publicPath` is what a proxy may leave in front. */
export function isLiveUpgrade({ url = '', headers }: IncomingMessage, publicPath: string): boolean {
  const path = pathOf(url)
  const isHere = path === LIVE_PATH || path === publicPath + LIVE_PATH
  return isHere && headers.upgrade?.toLowerCase() === 'websocket'
}

/** Takes sockets at `/live` on the port of the service, of people who are signed in. */
export function mountLiveServer(app: FastifyInstance, parts: LiveServerParts): LiveServer {
  const open = new Map<Peer, { socket: LiveSocket; receiver: Receiver; permit: Permit }>()
  const guests = new WeakMap<Request, Guest>()
  const welcomed = new WeakSet<Guest>()
  const { limits } = parts
  const places = createPlaces(limits.sockets)
  parts.metrics.watchSemaphore('live_sockets', places)
  const ofSocket = createAllowance(limits.messages.socket, limits.inputMb.socket)
  const ofPerson = createAllowance(limits.messages.caller, limits.inputMb.caller)
  const people = new LRUCache<UserId, MessageLimit>({
    max: MAX_COUNTED,
    memoMethod: () => createMessageLimit(ofPerson),
  })
  let onEmpty = () => {}

  function welcome(peer: Peer): void {
    const guest = peer.context.guest as Guest
    welcomed.add(guest)
    const { person, host, permit } = guest
    const socket = new LiveSocket(peer, person, limits.waitingMb.socket * 2 ** 20)
    const connection = parts.hocuspocus.handleConnection(socket, NO_REQUEST, { socket, host })
    const counted = [createMessageLimit(ofSocket), people.memo(person.userId)]
    const receiver = openReceiver(socket, connection, counted)
    open.set(peer, { socket, receiver, permit })
    if (app.stopping.aborted) socket.close(LIVE_CLOSE.restarting, GOODBYE)
  }

  const relieving = setInterval(() => {
    const sockets = Array.from(open.values(), ({ socket }) => socket)
    cutOffSlowest(sockets, limits.waitingMb.process * 2 ** 20)
  }, RELIEVE_EVERY_MS).unref()

  const sockets = crossws({
    serverOptions: { maxPayload: MAX_LIVE_MESSAGE_BYTES, clientTracking: false },
    hooks: {
      upgrade: (request) => ({ context: { guest: guests.get(request as Request) } }),
      open: welcome,
      message: (peer, message) => open.get(peer)?.receiver.receive(message.rawData),
      close(peer, { code = 1006, reason = '' }) {
        const gone = open.get(peer)
        open.delete(peer)
        gone?.receiver.close({ code, reason })
        gone?.permit.release()
        if (open.size === 0) onEmpty()
      },
    },
  })

  app.get(LIVE_PATH, async ({ raw }) => {
    const { permit } = await letIn(raw)
    permit.release()
    throw new HttpError('upgrade_needed', { headers: { upgrade: 'websocket' } })
  })
  app.server.on('upgrade', async (request, socket, head) => {
    // A client that goes away in the middle is no failure of ours.
    socket.on('error', () => socket.destroy())
    let guest: Guest | undefined
    // An open socket has limits of its own.
    using working = new DisposableStack()
    try {
      const invitation = new Request(NO_REQUEST)
      guest = await letIn(request, () => admit(request, socket, working))
      guests.set(invitation, guest)
      await sockets.handleUpgrade(request, socket, head, invitation)
      // What was no handshake after all is answered there.
      if (!welcomed.has(guest)) guest.permit.release()
    } catch (error) {
      guest?.permit.release()
      if (error instanceof ClientDisconnected) return
      const answer = toErrorResponse(error)
      if (answer.error.code === 'internal') parts.onError(error)
      refuseUpgrade(request, socket, answer)
    }
  })

  /** Waits until the handshake may be worked on; until `working` is disposed of, it counts. */
  async function admit(request: IncomingMessage, socket: Duplex, working: DisposableStack): Promise<void> {
    const gone = new AbortController()
    const abort = () => gone.abort(new ClientDisconnected())
    socket.once('close', abort)
    working.defer(() => socket.off('close', abort))
    const signal = AbortSignal.any([gone.signal, app.stopping])
    try {
      const permit = await parts.admit(request.headers.cookie, signal)
      if (permit) working.use(permit)
    } catch (error) {
      throw app.stopping.aborted ? refuseStopping() : error
    }
  }

  /** Who it is. Refuses whoever is not to have a socket here; `admitted` is waited for before anything is looked up. */
  async function letIn(request: IncomingMessage, admitted = async () => {}): Promise<Guest> {
    const { authorization, cookie, host } = request.headers
    if (app.stopping.aborted) throw refuseStopping()
    if (host === undefined || !isHost(host)) throw new HttpError('host_not_valid')
    if (carriesToken(authorization)) throw new HttpError('token_outside_the_api')
    checkSameSite(request, parts.ownOrigin)
    await admitted()
    const person = await parts.sessions.findPerson(cookie)
    if (!person) throw new HttpError('not_signed_in')
    const permit = await places.acquire([person.userId, person.userId])
    return { person, host: hostNameOf(host), permit }
  }

  return {
    async close() {
      clearInterval(relieving)
      for (const { socket } of open.values()) socket.close(LIVE_CLOSE.restarting, GOODBYE)
      const cutOff = setTimeout(() => {
        for (const { socket } of open.values()) socket.terminate()
      }, GOODBYE_MS)
      if (open.size > 0) {
        await new Promise<void>((resolve) => {
          onEmpty = resolve
        })
      }
      clearTimeout(cutOff)
      await sockets.close()
    },
  }
}

const refuseStopping = () => new HttpError('stopping', { headers: { 'retry-after': '5' } })

/** The sockets that are open, those on their way in included: many may knock in the same moment. Nobody queues. */
const createPlaces = ({ process, caller }: LiveLimits['sockets']): FairSemaphore =>
  new FairSemaphore({
    limits: [process, Number.POSITIVE_INFINITY, caller],
    maxWaiting: [0],
    maxWaitMs: 0,
  })
