import type { IncomingMessage } from 'node:http'
import type { Hocuspocus } from '@hocuspocus/server'
import { LIVE_CLOSE, LIVE_PATH, MAX_LIVE_MESSAGE_BYTES } from '@meadow/contract'
import type { Peer } from 'crossws'
import crossws from 'crossws/adapters/node'
import type { FastifyInstance } from 'fastify'
import type { Person, SessionStore } from '../../access/sessions.store.ts'
import { pathOf } from '../../http/address.ts'
import { refuseOtherSite } from '../../http/app/refuse-other-sites.ts'
import { carriesToken } from '../../http/authenticate.ts'
import { hostNameOf, isHost } from '../../http/host.ts'
import { refuse } from '../../http/refusal.ts'
import { toAnswer } from '../../http/to-answer.ts'
import { LiveSocket } from './live-socket.ts'
import { openReceiver, type Receiver } from './receiver.ts'
import { refuseUpgrade } from './refuse-upgrade.ts'
import type { LiveContext } from './rooms.ts'

export interface LiveServerParts {
  hocuspocus: Hocuspocus<LiveContext>
  sessions: Pick<SessionStore, 'findPerson'>
  /** The origin under which clients reach the server, where it is configured. */
  ownOrigin: string | undefined
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
}

/** Of one person at once, in one process. */
const MAX_SOCKETS = 100

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
  const open = new Map<Peer, { socket: LiveSocket; receiver: Receiver }>()
  const guests = new WeakMap<Request, Guest>()
  let onEmpty = () => {}

  function welcome(peer: Peer): void {
    const { person, host } = peer.context.guest as Guest
    const socket = new LiveSocket(peer, person)
    const connection = parts.hocuspocus.handleConnection(socket, NO_REQUEST, { socket, host })
    open.set(peer, { socket, receiver: openReceiver(socket, connection) })
    if (app.stopping.aborted) socket.close(LIVE_CLOSE.restarting, GOODBYE)
  }

  const sockets = crossws({
    serverOptions: { maxPayload: MAX_LIVE_MESSAGE_BYTES, clientTracking: false },
    hooks: {
      upgrade: (request) => ({ context: { guest: guests.get(request as Request) } }),
      open: welcome,
      message: (peer, message) => open.get(peer)?.receiver.receive(message.rawData),
      close(peer, { code = 1006, reason = '' }) {
        open.get(peer)?.receiver.close({ code, reason })
        open.delete(peer)
        if (open.size === 0) onEmpty()
      },
    },
  })

  app.get(LIVE_PATH, async ({ raw }) => {
    await letIn(raw)
    throw refuse('upgrade_needed', { headers: { upgrade: 'websocket' } })
  })
  app.server.on('upgrade', async (request, socket, head) => {
    // A client that goes away in the middle is no failure of ours.
    socket.on('error', () => socket.destroy())
    try {
      const invitation = new Request(NO_REQUEST)
      guests.set(invitation, await letIn(request))
      await sockets.handleUpgrade(request, socket, head, invitation)
    } catch (error) {
      const answer = toAnswer(error)
      if (answer.refusal.code === 'internal') parts.onError(error)
      refuseUpgrade(request, socket, answer)
    }
  })

  /** Who it is. Refuses whoever is not to have a socket here. */
  async function letIn(request: IncomingMessage): Promise<Guest> {
    const { authorization, cookie, host } = request.headers
    if (app.stopping.aborted) throw refuse('stopping', { headers: { 'retry-after': '5' } })
    if (host === undefined || !isHost(host)) throw refuse('host_not_valid')
    if (carriesToken(authorization)) throw refuse('token_outside_the_api')
    refuseOtherSite(request, parts.ownOrigin)
    const person = await parts.sessions.findPerson(cookie)
    if (!person) throw refuse('not_signed_in')
    const own = [...open.values()].filter(({ socket }) => socket.person.userId === person.userId)
    if (own.length >= MAX_SOCKETS) throw refuse('too_many_attempts', { headers: { 'retry-after': '60' } })
    return { person, host: hostNameOf(host) }
  }

  return {
    async close() {
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
