import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { watchMemory } from '../harness/memory-watch.ts'
import type { ServerProcess } from '../harness/processes.ts'
import { mark, megabytes } from '../harness/report.ts'
import { type HttpRequest, requestBytes } from '../harness/request.ts'

/** The growth of a server's memory while many clients read a large response slowly. */
export interface SlowReaders {
  readers: number
  bodyBytes: number
  /** The rate of each reader. */
  bytesPerSecond: number
  /** The peak of resident bytes above the level before; undefined where the system does not report it. */
  grownBytes: number | undefined
}

/** The maximum memory in bytes that slow readers may take. */
const AIM_BYTES = 64 * 2 ** 20
const READERS = 20
const WATCHED_MS = 5_000
const POLL_MS = 50
/** The number of bytes that are read per poll, so few that no reader finishes while the server is watched. */
const BYTES_PER_POLL = 256 * 1024

/** Watches a server for some seconds while it sends a large response to twenty slow readers. */
export async function measureSlowReaders(
  server: ServerProcess,
  request: HttpRequest,
  bodyBytes: number,
): Promise<SlowReaders> {
  using memory = watchMemory(server.pid, POLL_MS)
  memory.begin()
  const readers = Array.from({ length: READERS }, () => openReader(server, request))
  for (let watchedMs = 0; watchedMs < WATCHED_MS; watchedMs += POLL_MS) {
    await sleep(POLL_MS)
    for (const { read } of readers) read(BYTES_PER_POLL)
  }
  const { before, most } = await memory.end(0)
  const taken = readers.map(({ close }) => close())
  if (taken.some((bytes) => bytes === 0 || bytes >= bodyBytes))
    throw new Error('The readers were not slow, or got nothing.')
  return {
    readers: READERS,
    bodyBytes,
    bytesPerSecond: (1000 * taken.reduce((sum, bytes) => sum + bytes, 0)) / READERS / WATCHED_MS,
    grownBytes: before.own === undefined || most.own === undefined ? undefined : most.own - before.own,
  }
}

interface Reader {
  /** Reads up to this many of the received bytes. */
  read(bytes: number): void
  /** Closes the connection; returns the number of bytes read. */
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

export function printSlowReaders({ readers, bodyBytes, bytesPerSecond, grownBytes }: SlowReaders): string {
  const isGood = grownBytes !== undefined && grownBytes < AIM_BYTES
  return (
    `${readers} readers of ${megabytes(bodyBytes)} MB at ${megabytes(bytesPerSecond)} MB a second each: ` +
    `${megabytes(grownBytes)} MB more, at most ${megabytes(AIM_BYTES)} are aimed at ${mark(isGood)}.`
  )
}
