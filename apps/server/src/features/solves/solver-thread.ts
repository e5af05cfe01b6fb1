import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { BlobStore } from '../../platform/blobs/blobs.ts'
import { receiveBodies } from '../../platform/blobs/receive-bodies.ts'
import { findCode } from '../../platform/system-errors.ts'
import { sayWhere } from './describe-failure.ts'
import { createSolvePlace } from './solve-place.ts'
import type { SolveAnswer, SolveRequest, SolverMessage, SolverSetup } from './solve-request.ts'

/** What one solve may take. It is ended when it takes more. */
export interface SolveLimits {
  /** Wall clock time, in milliseconds. */
  timeMs: number
  /** Memory of JavaScript values, in megabytes. */
  memoryMb: number
}

/** A thread of its own that solves. A document that would take all time or all memory costs the thread, nothing else. */
export interface SolverThread extends AsyncDisposable {
  /**
   * Solves a document; the answer tells too when it took more than it may, or when the thread died of it.
   * Undefined when `signal` was raised before. One request at a time.
   */
  solve(request: SolveRequest, signal: AbortSignal): Promise<SolveAnswer | undefined>
}

/**
 * A thread that starts with the first request, which takes most of a second, and serves the next ones too; it starts
 * again after it was lost. `onCrash` hears of what should never happen.
 */
export function openSolverThread(
  { blobs, blobsFolder }: { blobs: BlobStore; blobsFolder: string },
  limits: SolveLimits,
  onCrash: (error: unknown) => void,
): SolverThread {
  const place = createSolvePlace()
  let worker: Worker | undefined

  const forget = (ended: Worker | undefined) => {
    if (worker === ended) worker = undefined
  }

  /** At once, so that no request is sent to a thread that is about to end. */
  const stop = () => {
    const stopped = worker
    forget(stopped)
    void stopped?.terminate()
  }

  async function startWorker(): Promise<Worker> {
    const bodies = receiveBodies(blobs)
    const started = new Worker(new URL('./solve.worker.ts', import.meta.url), {
      workerData: { blobsFolder, place: place.memory, bodies } satisfies SolverSetup,
      transferList: [bodies],
      resourceLimits: { maxOldGenerationSizeMb: limits.memoryMb },
    })
    worker = started
    // Whoever waits for an answer is told; when nobody does, its end is no reason to end the process.
    started.on('error', () => {})
    started.once('exit', () => forget(started))
    await nextMessage(started)
    return started
  }

  return {
    async solve(request, signal) {
      if (signal.aborted) return undefined
      let startedAt = performance.now()
      let isLate = false
      let deadline: NodeJS.Timeout | undefined
      signal.addEventListener('abort', stop)
      try {
        const ready = worker ?? (await startWorker())
        if (signal.aborted) return undefined
        place.note('')
        startedAt = performance.now()
        deadline = setTimeout(() => {
          isLate = true
          stop()
        }, limits.timeMs)
        ready.postMessage(request)
        return (await nextMessage(ready)) as SolveAnswer
      } catch (error) {
        stop()
        if (signal.aborted) return undefined
        const durationMs = performance.now() - startedAt
        const reason = sayWhere(findReason(error, isLate), place.read())
        return { outcome: { state: 'failed', durationMs, reason } }
      } finally {
        clearTimeout(deadline)
        signal.removeEventListener('abort', stop)
      }
    },
    async [Symbol.asyncDispose]() {
      await worker?.terminate()
    },
  }

  function findReason(error: unknown, isLate: boolean): string {
    if (isLate) return `The solve took longer than ${limits.timeMs / 1000} s.`
    if (findCode(error) === 'ERR_WORKER_OUT_OF_MEMORY')
      return `The solve took more than ${limits.memoryMb} MB of memory.`
    onCrash(error)
    return 'The solver stopped unexpectedly.'
  }
}

/** What the thread says next. Throws what it died of. */
async function nextMessage(worker: Worker): Promise<SolverMessage> {
  const settled = new AbortController()
  try {
    const [message] = await Promise.race([
      once(worker, 'message', settled),
      once(worker, 'exit', settled).then(() => Promise.reject(new Error('The thread has ended.'))),
    ])
    return message
  } finally {
    settled.abort()
  }
}
