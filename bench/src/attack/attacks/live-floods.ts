import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { API_PREFIX, LIVE_PATH } from '@meadow/contract'
import {
  authFrame,
  awarenessFrame,
  requestFrame,
  updateFrame,
} from '@meadow/server/src/features/live/testing/raw-client.ts'
import * as encoding from 'lib0/encoding'
import { type Attack, type AttackTarget, type Strength, scaled, Tally } from './attack.ts'
import { openConnection, waitUntil } from './connections.ts'

const OPEN_MS = 10_000
const SOCKETS = 16
/** The number of messages of all sockets together, per interval. */
const MESSAGES = 400
const INTERVAL_MS = 20
const EVERYTHING = new Uint8Array([0])

/** Opens a socket at `/live`; returns undefined if the server rejects it. */
function openSocket(
  { host, port }: AttackTarget,
  cookie: string | undefined,
  tally: Tally,
): Promise<WebSocket | undefined> {
  const options = cookie === undefined ? undefined : { headers: { cookie } }
  const socket = new WebSocket(`ws://${host}:${port}${LIVE_PATH}`, options as never)
  socket.binaryType = 'arraybuffer'
  tally.sent++
  return new Promise((resolve) => {
    const late = setTimeout(() => resolve(undefined), OPEN_MS)
    socket.addEventListener('open', () => {
      clearTimeout(late)
      tally.count('opened')
      resolve(socket)
    })
    socket.addEventListener('error', () => resolve(undefined))
    socket.addEventListener('close', ({ code }) => {
      clearTimeout(late)
      tally.count(`close ${code}`)
    })
  })
}

const isOpen = (socket: WebSocket | undefined): socket is WebSocket =>
  socket !== undefined && socket.readyState === WebSocket.OPEN

/** Opens many sockets at once. */
const socketFlood = (sockets: number, isAnonymous: boolean): Attack => ({
  family: 'live',
  name: `${sockets} sockets of ${isAnonymous ? 'nobody' : 'one person'}`,
  async run(target, strength) {
    const tally = new Tally()
    const cookie = isAnonymous ? undefined : target.teams.attacker.cookie
    const deadline = performance.now() + strength.durationMs
    const opening = Array.from({ length: scaled(sockets, strength) }, () => openSocket(target, cookie, tally))
    const opened = (await Promise.all(opening)).filter(isOpen)
    await waitUntil(() => false, Math.min(deadline, performance.now() + 2000))
    for (const socket of opened) socket.close()
    return tally
  },
})

/** Sends messages over several sockets for the duration of the attack; closed sockets are opened again. */
const messageFlood = (
  name: string,
  frameOf: (target: AttackTarget, count: number) => Uint8Array,
): Attack => ({
  family: 'live',
  name: `floods of ${name}`,
  run: (target, strength) => sendFrames(target, strength, (count) => frameOf(target, count)),
})

async function sendFrames(
  target: AttackTarget,
  strength: Strength,
  frameOf: (count: number) => Uint8Array,
): Promise<Tally> {
  const tally = new Tally()
  const { cookie, edited } = target.teams.attacker
  const deadline = performance.now() + strength.durationMs
  const messages = scaled(MESSAGES, strength)
  const sockets: (WebSocket | undefined)[] = Array(SOCKETS).fill(undefined)
  let count = 0
  while (performance.now() < deadline) {
    for (const [index, socket] of sockets.entries()) {
      if (isOpen(socket)) continue
      sockets[index] = await openSocket(target, cookie, tally)
      sockets[index]?.send(authFrame(edited.id) as never)
    }
    const open = sockets.filter(isOpen)
    for (let sent = 0; sent < messages && open.length > 0; sent++) {
      const socket = open[sent % open.length]!
      // A frame is not sent when the server does not read, so that frames are not buffered here.
      if (isOpen(socket) && socket.bufferedAmount < 2 ** 20) socket.send(frameOf(count++) as never)
    }
    await sleep(INTERVAL_MS)
  }
  tally.count('frames', count)
  for (const socket of sockets) socket?.close()
  return tally
}

/** Encodes a presence as Yjs does: one client, its clock and its state. */
function presenceOf(count: number): Uint8Array {
  const encoder = encoding.createEncoder()
  encoding.writeVarUint(encoder, 1)
  encoding.writeVarUint(encoder, 1)
  encoding.writeVarUint(encoder, count + 1)
  encoding.writeVarString(
    encoder,
    JSON.stringify({ cursor: { x: count, y: 0 }, selection: ['x'.repeat(500)] }),
  )
  return encoding.toUint8Array(encoder)
}

/**
 * Requests with an unaccepted `Upgrade` and further bytes behind it. Node 24 drops the rest of the packet and continues to
 * parse in mid-stream: a header's value must never be answered as a request.
 */
const unacceptedUpgrades: Attack = {
  family: 'live',
  name: '500 upgrades that are not taken, with bytes behind',
  async run(target, strength) {
    const tally = new Tally()
    const upgrades = scaled(500, strength)
    for (let done = 0; done < upgrades; done += 10) {
      await Promise.all(
        Array.from({ length: Math.min(10, upgrades - done) }, () => upgradeOnce(target, tally)),
      )
    }
    return tally
  },
}

async function upgradeOnce(target: AttackTarget, tally: Tally): Promise<void> {
  const own = new Tally()
  const socket = await openConnection(target, own, 'all')
  tally.sent++
  if (!socket) return
  const host = `host: ${target.host}`
  // Without a token, both are answered with 401.
  const path = `${API_PREFIX}/team`
  socket.write(
    `GET ${path} HTTP/1.1\r\n${host}\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\nGET ${path} HTTP/1.1\r\nx-value: `,
  )
  await waitUntil(() => own.answered > 0, performance.now() + 2000)
  if (!socket.destroyed) socket.write(`GET /healthz HTTP/1.1\r\n${host}\r\n\r\n`)
  await waitUntil(() => own.answered > 1 || socket.destroyed, performance.now() + 1000)
  socket.destroy()
  if (own.answers[200] !== undefined && tally.faults.length === 0)
    tally.faults.push("A header's value behind an untaken upgrade was answered as a request.")
  for (const [answer, times] of Object.entries(own.answers)) tally.count(answer, times)
}

export const liveFloods: readonly Attack[] = [
  socketFlood(400, false),
  socketFlood(1000, true),
  messageFlood('questions for everything', ({ teams }) => requestFrame(teams.attacker.edited.id, EVERYTHING)),
  messageFlood('presences', ({ teams }, count) =>
    awarenessFrame(teams.attacker.edited.id, presenceOf(count)),
  ),
  messageFlood('updates that are none', ({ teams }) =>
    updateFrame(teams.attacker.edited.id, randomBytes(64)),
  ),
  messageFlood('frames that are none', (_target, count) => randomBytes(count % 200 === 0 ? 100_000 : 200)),
  unacceptedUpgrades,
]
