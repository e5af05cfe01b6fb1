import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type HttpRequest, requestBytes } from '../load/request.ts'
import { readProcessFigures } from '../servers/process-figures.ts'
import type { ServerProcess } from '../servers/server-process.ts'

/** What a server's resident memory did while many took a large answer, and none of them in a hurry. */
export interface SlowReaders {
  readers: number
  bodyBytes: number
  /** What each of them took, in bytes for each second. */
  bytesPerSecond: number
  /** Resident bytes more than before, at most; undefined where the system does not tell. */
  grownBytes: number | undefined
}

const READERS = 20
const WATCHED_MS = 5_000
const LOOK_EVERY_MS = 50
/** So slow that all of them are still at it when the watching ends. */
const BYTES_PER_LOOK = 256 * 1024

/** Watches a server for some seconds in the middle of sending a large answer to twenty slow readers. */
export async function measureSlowReaders(
  server: ServerProcess,
  request: HttpRequest,
  bodyBytes: number,
): Promise<SlowReaders> {
  const resident = () => readProcessFigures(server.pid).residentBytes
  const before = resident()
  const readers = Array.from({ length: READERS }, () => openReader(server, request))
  let most = before
  for (let watchedMs = 0; watchedMs < WATCHED_MS; watchedMs += LOOK_EVERY_MS) {
    await sleep(LOOK_EVERY_MS)
    for (const { read } of readers) read(BYTES_PER_LOOK)
    const now = resident()
    if (most !== undefined && now !== undefined) most = Math.max(most, now)
  }
  const taken = readers.map(({ close }) => close())
  if (taken.some((bytes) => bytes === 0 || bytes >= bodyBytes))
    throw new Error('The readers were not slow, or got nothing.')
  return {
    readers: READERS,
    bodyBytes,
    bytesPerSecond: (1000 * taken.reduce((sum, bytes) => sum + bytes, 0)) / READERS / WATCHED_MS,
    grownBytes: before === undefined || most === undefined ? undefined : most - before,
  }
}

interface Reader {
  /** Takes so many bytes if that many have arrived, or those that have. */
  read(bytes: number): void
  /** Goes away; tells how much it took. */
  close(): number
}

function openReader({ host, port }: ServerProcess, request: HttpRequest): Reader {
  const socket = connect({ host, port })
  socket.on('error', () => {})
  socket.write(requestBytes(request))
  let taken = 0
  return {
    read(bytes) {
      const piece: Buffer | null = socket.read(bytes) ?? socket.read()
      taken += piece?.length ?? 0
    },
    close() {
      socket.destroy()
      return taken
    },
  }
}
