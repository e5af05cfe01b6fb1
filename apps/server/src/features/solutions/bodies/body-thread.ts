import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { BodyRequest, BodyThreadSetup, MadeBody } from './body-request.ts'

export interface BodyLimits {
  /** Wall clock time for one body. */
  deadlineMs: number
  /** Memory of JavaScript values for one body; the values and the model file lie outside of it. */
  heapMb: number
}

const LIMITS: BodyLimits = { deadlineMs: 120_000, heapMb: 1024 }
/** A thread that nobody needed for so long is ended, and gives its memory back. */
const IDLE_MS = 60_000

/** A thread that makes bodies, one after the other: the main one goes on answering meanwhile. */
export interface BodyThread extends AsyncDisposable {
  /** Fails when that takes more than it may, or the thread dies of it. */
  make(request: BodyRequest): Promise<MadeBody>
}

/** The thread starts when it is first needed, and again after it ended. */
export function openBodyThread(setup: BodyThreadSetup, limits: BodyLimits = LIMITS): BodyThread {
  let worker: Worker | undefined
  let idle: NodeJS.Timeout | undefined
  let turn: Promise<unknown> = Promise.resolve()
  let isClosed = false

  function start(): Worker {
    const started = new Worker(new URL('./body.worker.ts', import.meta.url), {
      workerData: setup,
      resourceLimits: { maxOldGenerationSizeMb: limits.heapMb },
    })
    // Whoever waits for an answer is told.
    started.on('error', () => {})
    started.once('exit', () => {
      if (worker === started) worker = undefined
    })
    return started
  }

  async function end(): Promise<void> {
    const ended = worker
    worker = undefined
    await ended?.terminate()
  }

  async function makeNow(request: BodyRequest): Promise<MadeBody> {
    if (isClosed) throw new Error('The service is stopping.')
    clearTimeout(idle)
    worker ??= start()
    const settled = new AbortController()
    let fault = 'The thread was ended.'
    const deadline = setTimeout(() => {
      fault = `It took longer than ${limits.deadlineMs / 1000} s.`
      void end()
    }, limits.deadlineMs)
    try {
      const answer = Promise.race([
        once(worker, 'message', settled),
        once(worker, 'exit', settled).then(() => Promise.reject(new Error(fault))),
      ])
      worker.postMessage(request)
      const [made] = await answer
      return made
    } catch (error) {
      // It may be on its way out: nobody else is to count on it.
      await end()
      throw error
    } finally {
      clearTimeout(deadline)
      settled.abort()
      idle = setTimeout(end, IDLE_MS).unref()
    }
  }

  return {
    make(request) {
      const made = turn.then(() => makeNow(request))
      turn = made.catch(() => {})
      return made
    },
    async [Symbol.asyncDispose]() {
      isClosed = true
      clearTimeout(idle)
      await end()
    },
  }
}
