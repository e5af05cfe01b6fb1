import { writeSync } from 'node:fs'
import * as nodeModule from 'node:module'
import { Worker } from 'node:worker_threads'
import { isOutOfMemory, type Job, type JobModule } from './child.ts'
import type { ChildMessage, ChildSetup, ParentMessage } from './job-process.ts'
import { putStep, STATUS_BYTES } from './job-status.ts'
import type { WatchdogSetup } from './watchdog.worker.ts'

/*
 * The program of every child process: loads the module that the parent names, and runs the jobs that the parent sends,
 * one at a time.
 */

/** The file descriptor of the status file, which the parent opened. */
const STATUS_FD = 4

/**
 * The number of notes of a job that are written at once. A note that is written at once is correct even when the
 * process dies within the same millisecond. Only jobs with more notes than this, and with more than one per
 * millisecond, leave some to the watchdog, which writes the last one a few milliseconds later: a write takes 3 µs, and
 * 100,000 small nodes are solved in a second.
 */
const NOTES_AT_ONCE = 1000
const NOTES_PER_MS = 1

/**
 * The time after which a process without a next job collects its garbage. That takes about 10 ms, which would delay the
 * next job if it were done between jobs that follow each other.
 */
const IDLE_MS = 200
const IDLE_RETAINED_BYTES = 32 * 2 ** 20

const { module, setup, limits } = JSON.parse(process.argv[2]!) as ChildSetup
let secrets: unknown
const { createJob } = (await import(module)) as JobModule
serveJobs(await createJob({ setup, getSecrets: () => secrets }))

/** A job that throws fails with the error and ends the process, whose state is then unknown. */
function serveJobs(work: Job<unknown, unknown>): void {
  const send = (message: ChildMessage<unknown>, done = () => {}) => void process.send!(message, done)
  const baseBytes = process.memoryUsage.rss()
  const watchdog = startWatchdog(baseBytes)

  /** Returns by how much memory has grown, after garbage collection if it is more than may be retained. */
  function measureGrowth(maxBytes: number): number {
    const growth = () => process.memoryUsage.rss() - baseBytes
    if (growth() > maxBytes)
      (globalThis as { gc?: (options: object) => void }).gc?.({ type: 'major', flavor: 'last-resort' })
    return growth()
  }

  let cleanup: NodeJS.Timeout | undefined
  process.on('message', async ({ request, ...message }: ParentMessage<unknown>) => {
    secrets = message.secrets
    clearTimeout(cleanup)
    watchdog.begin()
    try {
      const response = await work(request, { ...watchdog, report: (report) => send({ report }) })
      watchdog.end()
      const maxBytes = limits.retainedMb * 2 ** 20
      const grownBytes = measureGrowth(maxBytes)
      send({ response, grownBytes, isSpent: grownBytes > maxBytes })
      cleanup = setTimeout(() => void measureGrowth(IDLE_RETAINED_BYTES), IDLE_MS)
    } catch (error) {
      watchdog.end()
      send({ error: describe(error) }, () => process.exit(1))
    }
  })
  // On Windows, Ctrl-C reaches this process too. The parent decides when it ends: running jobs finish first.
  process.on('SIGINT', () => {})
  process.on('disconnect', () => process.exit())
  // The cache of compiled code is written here since this process is killed: Node only writes it when a process exits
  // by itself. This takes time only where the cache was empty. Node 20 does not have the cache.
  ;(nodeModule as { flushCompileCache?: () => void }).flushCompileCache?.()
  send({ ready: { baseBytes } })
}

function describe(error: unknown): { message: string; code?: unknown; isMemory: boolean } {
  if (!(error instanceof Error)) return { message: String(error), isMemory: false }
  const { message, code } = error as NodeJS.ErrnoException
  return { message, ...(code !== undefined && { code }), isMemory: isOutOfMemory(error) }
}

/** Starts a thread that ends this process when a job exceeds a limit, however busy its main thread is. */
function startWatchdog(baseBytes: number) {
  const shared: WatchdogSetup = {
    state: new Int32Array(new SharedArrayBuffer(12)),
    cpuAtStart: new Float64Array(new SharedArrayBuffer(8)),
    status: new Uint8Array(new SharedArrayBuffer(STATUS_BYTES)),
    statusFd: STATUS_FD,
    parentPid: process.ppid,
    maxBytes: baseBytes + limits.residentMb * 2 ** 20,
    cpuMs: limits.cpuMs,
  }
  const { state } = shared
  const bytes = Buffer.from(shared.status.buffer)
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
    note(step: string) {
      const length = putStep(bytes, step)
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
      // The first byte belongs to the watchdog.
      writeSync(STATUS_FD, bytes, 1, length - 1, 1)
    },
  }
}
