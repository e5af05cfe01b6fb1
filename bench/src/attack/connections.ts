import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type AttackTarget, type Strength, scaled, Tally } from './attack.ts'

/** Takes all that comes, nothing at all, or a little now and then. */
export type Reading = 'all' | 'nothing' | 'drip'

const CONNECT_MS = 10_000
const LOOK_MS = 50
const DRIP_MS = 100
const DRIP_BYTES = 1024
const STATUS_LINE = Buffer.from('HTTP/1.1 ')

/** All connections that read everything read into this one. */
const RECEIVED = Buffer.allocUnsafe(256 * 1024)

/** Opens a connection; undefined where it is refused. A server may cut it at any time. */
export function openConnection(
  { host, port }: Pick<AttackTarget, 'host' | 'port'>,
  tally: Tally,
  reading: Reading,
): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const count = countStatuses((status) => tally.count(status))
    const read = (length: number, buffer: Uint8Array) => {
      count(buffer.subarray(0, length) as Buffer)
      return true
    }
    const onread = reading === 'all' ? { onread: { buffer: RECEIVED, callback: read } } : {}
    const socket = connect({ host, port, noDelay: true, ...onread })
    const late = setTimeout(() => socket.destroy(new Error('late')), CONNECT_MS)
    socket.once('connect', () => {
      clearTimeout(late)
      resolve(socket)
    })
    socket.on('error', () => resolve(undefined))
    socket.once('close', () => {
      clearTimeout(late)
      tally.count('closed')
    })
    if (reading === 'drip') drip(socket, count)
  })
}

/** Opens so many, some at a time, and gives those that were taken. */
export async function openConnections(
  target: AttackTarget,
  tally: Tally,
  count: number,
  reading: Reading,
): Promise<Socket[]> {
  const opened: Socket[] = []
  for (let left = count; left > 0; left -= 50) {
    const some = Array.from({ length: Math.min(50, left) }, () => openConnection(target, tally, reading))
    for (const socket of await Promise.all(some)) if (socket) opened.push(socket)
  }
  return opened
}

/** Sends so many requests over so many connections at once, waits for the answers or the end of the time, and goes. */
export async function flood(
  target: AttackTarget,
  strength: Strength,
  wanted: { connections: number; requests: readonly Buffer[]; each: number; reading: Reading },
): Promise<Tally> {
  const tally = new Tally()
  const { requests, reading } = wanted
  const each = scaled(wanted.each, strength)
  const bytes = Buffer.concat(Array.from({ length: each }, (_, at) => requests[at % requests.length]!))
  const deadline = performance.now() + strength.durationMs
  const sockets = await openConnections(target, tally, wanted.connections, reading)
  for (const socket of sockets) {
    tally.sent += each
    socket.write(bytes)
  }
  const isOver = () => sockets.every(({ destroyed }) => destroyed) || tally.answered >= tally.sent
  await waitUntil(isOver, deadline)
  for (const socket of sockets) socket.destroy()
  return tally
}

/** Looks again and again until it is so, or until `deadline` (`performance.now()`). */
export async function waitUntil(isOver: () => boolean, deadline: number): Promise<void> {
  while (!isOver() && performance.now() < deadline) await sleep(LOOK_MS)
}

function drip(socket: Socket, count: (bytes: Buffer) => void): void {
  const timer = setInterval(() => {
    const piece: Buffer | null = socket.read(DRIP_BYTES) ?? socket.read()
    if (piece) count(piece)
  }, DRIP_MS)
  socket.once('close', () => clearInterval(timer))
}

/** Finds the status lines in the bytes of one connection, in whatever pieces these come. No body has such words. */
export function countStatuses(onStatus: (status: number) => void): (bytes: Buffer) => void {
  const length = STATUS_LINE.length + 3
  const kept = length - 1
  /** The end of what came before, where a status line may have begun. */
  let tail = Buffer.alloc(0)
  return (bytes) => {
    let seen = 0
    const border = Buffer.concat([tail, bytes.subarray(0, kept)])
    const begun = border.indexOf(STATUS_LINE)
    if (begun !== -1 && begun < tail.length && begun + length <= border.length) {
      seen = begun + length - tail.length
      onStatus(Number(border.toString('latin1', begun + length - 3, begun + length)))
    }
    for (;;) {
      const at = bytes.indexOf(STATUS_LINE, seen)
      if (at === -1 || at + length > bytes.length) break
      seen = at + length
      onStatus(Number(bytes.toString('latin1', seen - 3, seen)))
    }
    const isEnough = seen > 0 || bytes.length >= kept
    const rest = isEnough ? bytes.subarray(seen) : Buffer.concat([tail, bytes])
    // A copy: what is read next lies in the same memory.
    tail = Buffer.from(rest.subarray(-kept))
  }
}
