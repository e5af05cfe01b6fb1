import { once } from 'node:events'
import { type MessagePort, Worker } from 'node:worker_threads'

export interface JobLimits {
  /** Wall clock time for one job. */
  deadlineMs: number
  /** Memory of JavaScript values for one job; buffers lie outside of it. */
  heapMb: number
}

export interface JobThreadOptions {
  /** What the thread is given when it starts, as `workerData`. */
  setup: object
  /** Ports that each thread is given beside it, made anew for it. */
  openPorts?: () => Record<string, MessagePort>
  limits: JobLimits
}

/** A thread that does jobs, one after the other: the main one goes on answering meanwhile. */
export interface JobThread<Request, Answer> extends AsyncDisposable {
  /** Fails when that takes more than it may, or the thread dies of it. */
  ask(request: Request): Promise<Answer>
}

/** A thread that nobody needed for so long is ended, and gives its memory back. */
const IDLE_MS = 60_000

/**
 * `script` answers each message with one. The thread starts when it is first needed, and again after it ended: it
 * belongs to nobody who has got no answer from it.
 */
export function openJobThread<Request, Answer>(
  script: URL,
  { setup, openPorts, limits }: JobThreadOptions,
): JobThread<Request, Answer> {
  let worker: Worker | undefined
  let idle: NodeJS.Timeout | undefined
  let turn: Promise<unknown> = Promise.resolve()
  let isClosed = false

  function start(): Worker {
    const ports = openPorts?.() ?? {}
    const started = new Worker(script, {
      workerData: { ...setup, ...ports },
      transferList: Object.values(ports),
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

  async function askNow(request: Request): Promise<Answer> {
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
      const [answered] = await answer
      return answered
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
    ask(request) {
      const answered = turn.then(() => askNow(request))
      turn = answered.catch(() => {})
      return answered
    },
    async [Symbol.asyncDispose]() {
      isClosed = true
      clearTimeout(idle)
      await end()
    },
  }
}
