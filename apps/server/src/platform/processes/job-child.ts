import { writeSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { Worker } from 'node:worker_threads'
import type { ChildMessage, ChildSetup, ParentMessage } from './job-process.ts'
import { putPlace, STATUS_BYTES } from './job-status.ts'
import type { WatchdogSetup } from './watchdog.worker.ts'

/** Where a job notes what it is at, for the sentence that tells why it failed. */
export interface JobProgress {
  /** Completes `It was …`. Cheap enough to be called a hundred thousand times a second. */
  note(place: string): void
}

/** The file descriptor of the status file, which the parent opened. */
const STATUS_FD = 4

/**
 * Each note is written at once, so that it is right even when the process dies within the same millisecond. Only jobs
 * that note more than this many places, and more than one a millisecond, leave some to the watchdog, which writes the
 * last one some milliseconds later: writing takes 3 µs, and 100,000 small nodes are solved in a second.
 */
const NOTES_AT_ONCE = 1000
const NOTES_PER_MS = 1

/**
 * A process that has no next job at once gives back what its last one left. It takes some 10 ms, which nobody then
 * waits for; between jobs that follow each other it would cost each of them that much.
 */
const IDLE_MS = 200
const IDLE_KEPT_BYTES = 32 * 2 ** 20

const { setup, limits } = JSON.parse(process.argv[2]!) as ChildSetup

/** What this process was given when it was started. */
export const jobSetup = setup

/**
 * Makes this process do the jobs that its parent sends, one at a time. To be called once, when everything is loaded.
 * A job that throws fails with the error, and ends the process: nobody knows what it left.
 */
export function serveJobs<Request, Answer>(
  work: (request: Request, place: JobProgress) => Promise<Answer>,
): void {
  const send = (message: ChildMessage<Answer>, done = () => {}) => void process.send!(message, done)
  const baseBytes = process.memoryUsage.rss()
  const watchdog = startWatchdog(baseBytes)

  /** By how much memory has grown, after collecting garbage where that is more than may be kept. */
  function measureGrowth(maxBytes: number): number {
    const growth = () => process.memoryUsage.rss() - baseBytes
    if (growth() > maxBytes)
      (globalThis as { gc?: (options: object) => void }).gc?.({ type: 'major', flavor: 'last-resort' })
    return growth()
  }

  let tidy: NodeJS.Timeout | undefined
  process.on('message', async ({ request }: ParentMessage<Request>) => {
    clearTimeout(tidy)
    watchdog.begin()
    try {
      const answer = await work(request, watchdog)
      watchdog.end()
      const maxBytes = limits.keptMb * 2 ** 20
      const grownBytes = measureGrowth(maxBytes)
      send({ answer, grownBytes, isSpent: grownBytes > maxBytes })
      tidy = setTimeout(() => void measureGrowth(IDLE_KEPT_BYTES), IDLE_MS)
    } catch (error) {
      watchdog.end()
      send({ error: describe(error) }, () => process.exit(1))
    }
  })
  process.on('disconnect', () => process.exit())
  // Node does so when a process exits by itself, and this one is killed. Takes time only where the cache was empty.
  flushCompileCache()
  send({ ready: { baseBytes } })
}

function describe(error: unknown): { message: string; code?: unknown; isMemory: boolean } {
  if (!(error instanceof Error)) return { message: String(error), isMemory: false }
  const { message, code } = error as NodeJS.ErrnoException
  return { message, ...(code !== undefined && { code }), isMemory: isOutOfMemory(error) }
}

/** One allocation that is larger than JavaScript or the system allows throws; it does not end the process. */
export const isOutOfMemory = (error: unknown): boolean =>
  error instanceof RangeError &&
  /allocation failed|^Invalid (typed )?(array|string) ?(buffer )?length/i.test(error.message)

/** A thread that ends this process when a job takes too much, however busy its main thread is. */
function startWatchdog(baseBytes: number) {
  const shared: WatchdogSetup = {
    state: new Int32Array(new SharedArrayBuffer(12)),
    cpuAtStart: new Float64Array(new SharedArrayBuffer(8)),
    place: new Uint8Array(new SharedArrayBuffer(STATUS_BYTES)),
    statusFd: STATUS_FD,
    parentPid: process.ppid,
    maxBytes: baseBytes + limits.residentMb * 2 ** 20,
    cpuMs: limits.cpuMs,
  }
  const { state } = shared
  const bytes = Buffer.from(shared.place.buffer)
  const worker = new Worker(new URL('./watchdog.worker.ts', import.meta.url), { workerData: shared })
  worker.unref()
  let left = NOTES_AT_ONCE
  let filledAt = performance.now()

  return {
    begin() {
      const { user, system } = process.cpuUsage()
      shared.cpuAtStart[0] = (user + system) / 1000
      Atomics.store(state, 0, 1)
      Atomics.notify(state, 0)
    },
    end() {
      Atomics.store(state, 0, 0)
    },
    note(place: string) {
      const length = putPlace(bytes, place)
      if (left < 1) {
        const now = performance.now()
        left = Math.min(NOTES_AT_ONCE, (now - filledAt) * NOTES_PER_MS)
        filledAt = now
      }
      if (left < 1) {
        Atomics.store(state, 1, length)
        return
      }
      left--
      Atomics.store(state, 1, 0)
      // The first byte is the watchdog's.
      writeSync(STATUS_FD, bytes, 1, length - 1, 1)
    },
  }
}
