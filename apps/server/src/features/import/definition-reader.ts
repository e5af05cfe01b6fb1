import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { findCode } from '../../platform/system-errors.ts'
import { ImportError } from './import-error.ts'
import type { MadeDocument } from './make-document.ts'

/** What the thread is sent. The bytes go over to it and come back with the answer, without being copied. */
export interface ReadRequest {
  bytes: Uint8Array<ArrayBuffer>
}

export type ReadAnswer = { bytes: Uint8Array<ArrayBuffer>; document: MadeDocument } | { reason: string }

export interface ReadLimits {
  /** Wall clock time for one file. The worst that was made on purpose took 15 s, real ones take 0.2 s at most. */
  deadlineMs: number
  /** Memory of JavaScript values for one file. The worst that was made on purpose took 2.5 GB, real ones 0.1 GB. */
  heapMb: number
}

const LIMITS: ReadLimits = { deadlineMs: 60_000, heapMb: 1024 }

/**
 * Reads definitions in a thread of its own, one after the other: a file that would take all time or all memory costs
 * the thread, not the import. The thread starts with the first file, and again after it was lost.
 */
export class DefinitionReader implements AsyncDisposable {
  readonly #signal: AbortSignal
  readonly #limits: ReadLimits
  #worker: Worker | undefined
  #turn: Promise<unknown> = Promise.resolve()
  #isClosed = false

  /** When `signal` is raised, the file that is being read is given up, and so are all that wait. */
  constructor(signal: AbortSignal, limits: ReadLimits = LIMITS) {
    this.#signal = signal
    this.#limits = limits
  }

  /** The document of a file. `bytes` cannot be used any more; those in the answer can. Throws {@link ImportError}. */
  read(bytes: Uint8Array<ArrayBuffer>): Promise<Extract<ReadAnswer, { document: object }>> {
    const answer = this.#turn.then(() => this.#read(bytes))
    this.#turn = answer.catch(() => {})
    return answer
  }

  /** What is being read is given up, and so is all that waits. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true
    await this.#worker?.terminate()
  }

  async #read(bytes: Uint8Array<ArrayBuffer>) {
    this.#signal.throwIfAborted()
    if (this.#isClosed) throw ENDED
    this.#worker ??= new Worker(new URL('./definition.worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: this.#limits.heapMb },
    })
    this.#worker.postMessage({ bytes } satisfies ReadRequest, [bytes.buffer])
    const answer = await this.#answerOf(this.#worker)
    if ('reason' in answer) throw new ImportError(answer.reason)
    return answer
  }

  async #answerOf(worker: Worker): Promise<ReadAnswer> {
    const settled = new AbortController()
    const stop = () => worker.terminate()
    const deadline = setTimeout(stop, this.#limits.deadlineMs)
    this.#signal.addEventListener('abort', stop, settled)
    try {
      const [answer] = await Promise.race([
        once(worker, 'message', settled),
        once(worker, 'exit', settled).then(fail),
      ])
      return answer
    } catch (error) {
      this.#worker = undefined
      if (findCode(error) === 'ERR_WORKER_OUT_OF_MEMORY')
        throw new ImportError('it takes too much memory to read')
      if (error !== ENDED || this.#isClosed || this.#signal.aborted) throw error
      throw new ImportError(`it takes more than ${this.#limits.deadlineMs / 1000} s to read`)
    } finally {
      clearTimeout(deadline)
      settled.abort()
    }
  }
}

/** The thread was ended by us. */
const ENDED = new Error('The thread has ended.')

function fail(): never {
  throw ENDED
}
