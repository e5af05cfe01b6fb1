import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { ModelFault } from '../opennurbs/model-fault.ts'
import type { Answer, Answered, Asked, Request, RequestName } from './requests.ts'

/** The library never releases memory: a worker above this limit is replaced. */
const RECYCLE_HEAP_BYTES = 256 * 1024 ** 2

/** rhino3dm in a separate worker, which processes one request at a time; others are queued. */
export interface LibraryWorker extends AsyncDisposable {
  /**
   * Fails: `ModelFault` when the library throws, crashes, or does not reply within `deadlineMs` of the start of
   * the request. Its worker is ended then, and the next request starts another.
   */
  ask<N extends RequestName>(name: N, asked: Asked[N], deadlineMs: number): Promise<Answered[N]>
}

/** Starts the library on first use, in a worker that is ended on errors. */
export function openLibraryWorker(): LibraryWorker {
  let worker: Worker | undefined
  let turn: Promise<unknown> = Promise.resolve()

  async function end(): Promise<void> {
    const ended = worker
    worker = undefined
    await ended?.terminate()
  }

  async function askNow(request: Request, deadlineMs: number): Promise<Answered[RequestName]> {
    worker ??= startWorker()
    const answer = nextAnswer(worker, deadlineMs)
    worker.postMessage(request, request.name === 'convert' ? [request.asked.bytes.buffer] : [])
    const reply = await answer
    if ('fault' in reply) {
      await end()
      throw new ModelFault(reply.fault)
    }
    if (reply.heapBytes > RECYCLE_HEAP_BYTES) await end()
    return reply.answered
  }

  return {
    ask<N extends RequestName>(name: N, asked: Asked[N], deadlineMs: number) {
      const answered = turn.then(() => askNow({ name, asked } as Request, deadlineMs))
      turn = answered.catch(() => {})
      return answered as Promise<Answered[N]>
    },
    async [Symbol.asyncDispose]() {
      await end()
    },
  }
}

function startWorker(): Worker {
  const worker = new Worker(new URL('./library.worker.ts', import.meta.url))
  worker.unref()
  return worker
}

/** The next message of the worker. It keeps the process alive; an idle worker does not. */
async function nextAnswer(worker: Worker, deadlineMs: number): Promise<Answer> {
  const waiting = new AbortController()
  const { signal } = waiting
  const timer = setTimeout(() => waiting.abort(), deadlineMs)
  try {
    return await Promise.race([
      once(worker, 'message', { signal }).then(([answer]) => answer as Answer),
      once(worker, 'exit', { signal }).then(() => ({ fault: 'The library died.' })),
    ])
  } catch (error) {
    return { fault: signal.aborted ? `The library did not answer within ${deadlineMs} ms.` : String(error) }
  } finally {
    clearTimeout(timer)
    waiting.abort()
  }
}
