import { writeFileSync } from 'node:fs'
import { isMainThread, Worker, workerData } from 'node:worker_threads'

/** How long one input may be read; usual ones take less than a millisecond, and a busy machine stands still for seconds. */
const PATIENCE_MS = 20_000

interface Watched {
  /** The number of inputs, and the length of the one that is being read. */
  state: Int32Array<SharedArrayBuffer>
  input: Uint8Array<SharedArrayBuffer>
  file: string
}

/**
 * Ends the process when an input is read for too long, after writing it to a file. Returns what has to be called with each
 * input.
 */
export function watchInputs(
  maxLength: number,
  file: string,
): { note(input: Uint8Array): void; stop(): void } {
  const state = new Int32Array(new SharedArrayBuffer(8))
  const input = new Uint8Array(new SharedArrayBuffer(maxLength))
  const worker = new Worker(new URL(import.meta.url), {
    workerData: { state, input, file } satisfies Watched,
  })
  worker.unref()
  return {
    note(next) {
      input.set(next)
      Atomics.store(state, 1, next.length)
      Atomics.add(state, 0, 1)
    },
    stop: () => void worker.terminate(),
  }
}

if (!isMainThread && workerData?.state) {
  const { state, input, file } = workerData as Watched
  let last = -1
  setInterval(() => {
    const count = Atomics.load(state, 0)
    if (count !== last) {
      last = count
      return
    }
    writeFileSync(file, input.slice(0, Atomics.load(state, 1)))
    process.stderr.write(`Input ${count} is read for more than ${PATIENCE_MS / 1000} s: it is in ${file}.\n`)
    process.kill(process.pid, 'SIGKILL')
  }, PATIENCE_MS)
}
