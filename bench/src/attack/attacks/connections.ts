import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type AttackTarget, type Strength, scaled, Tally } from './attack.ts'

/** Whether a connection reads everything, nothing, or a little at a time. */
export type Reading = 'all' | 'nothing' | 'drip'

const CONNECT_MS = 10_000
const POLL_MS = 50
const DRIP_MS = 100
const DRIP_BYTES = 1024
const STATUS_LINE = Buffer.from('HTTP/1.1 ')

/** The receive buffer of all connections that read everything. */
const RECEIVED = Buffer.allocUnsafe(256 * 1024)

/** Opens a connection; returns undefined if the server rejects it. The server may close it at any time. */
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

/** Opens connections, 50 at a time; returns those that the server accepted. */
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

/** Sends requests over several connections at once, and waits for the responses or the end of the duration. */
export async function flood(
  target: AttackTarget,
  strength: Strength,
  shape: { connections: number; requests: readonly Buffer[]; each: number; reading: Reading },
): Promise<Tally> {
  const tally = new Tally()
  const { requests, reading } = shape
  const each = scaled(shape.each, strength)
  const bytes = Buffer.concat(Array.from({ length: each }, (_, index) => requests[index % requests.length]!))
  const deadline = performance.now() + strength.durationMs
  const sockets = await openConnections(target, tally, shape.connections, reading)
  for (const socket of sockets) {
    tally.sent += each
    socket.write(bytes)
  }
  const isOver = () => sockets.every(({ destroyed }) => destroyed) || tally.answered >= tally.sent
  await waitUntil(isOver, deadline)
  for (const socket of sockets) socket.destroy()
  return tally
}

/** Polls until the condition holds, or until `deadline` (`performance.now()`). */
export async function waitUntil(isOver: () => boolean, deadline: number): Promise<void> {
  while (!isOver() && performance.now() < deadline) await sleep(POLL_MS)
}

function drip(socket: Socket, count: (bytes: Buffer) => void): void {
  const timer = setInterval(() => {
    const piece: Buffer | null = socket.read(DRIP_BYTES) ?? socket.read()
    if (piece) count(piece)
  }, DRIP_MS)
  socket.once('close', () => clearInterval(timer))
}

/** Finds status lines in the bytes of one connection, received in pieces of any size. No body contains such a line. */
export function countStatuses(onStatus: (status: number) => void): (bytes: Buffer) => void {
  const length = STATUS_LINE.length + 3
  const overlap = length - 1
  /** The end of the last piece, in which a status line may have started. */
  let tail = Buffer.alloc(0)
  return (bytes) => {
    let seen = 0
    const border = Buffer.concat([tail, bytes.subarray(0, overlap)])
    const started = border.indexOf(STATUS_LINE)
    if (started !== -1 && started < tail.length && started + length <= border.length) {
      seen = started + length - tail.length
      onStatus(Number(border.toString('latin1', started + length - 3, started + length)))
    }
    for (;;) {
      const found = bytes.indexOf(STATUS_LINE, seen)
      if (found === -1 || found + length > bytes.length) break
      seen = found + length
      onStatus(Number(bytes.toString('latin1', seen - 3, seen)))
    }
    const isEnough = seen > 0 || bytes.length >= overlap
    const rest = isEnough ? bytes.subarray(seen) : Buffer.concat([tail, bytes])
    // A copy, because the receive buffer is reused.
    tail = Buffer.from(rest.subarray(-overlap))
  }
}
