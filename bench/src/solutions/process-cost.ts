import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { openProcessPool } from '@meadow/server/src/platform/processes/process-pool.ts'

/** What a child process costs beside a worker thread that does the same. Milliseconds, a figure a repetition. */
export interface ProcessCost {
  /** Until the first job is answered. */
  start: { process: number[]; thread: number[] }
  /** 10 MB there and back, when warm. */
  transfer: { process: number[]; thread: number[] }
  /** Of processor time, for a hundred thousand notes of where a job is. */
  note100kCpuMs: number
}

const REPETITIONS = 7
const BYTES = 10 * 2 ** 20
const ECHO = '@meadow/server/src/platform/processes/testing/hostile.worker.ts'
const THREAD = `const { parentPort } = require('node:worker_threads')
parentPort.on('message', ({ bytes }) => parentPort.postMessage({ bytes }))`

const openEcho = () =>
  openProcessPool<object, { cpuMs: number }>({
    script: new URL(import.meta.resolve(ECHO)),
    setup: {},
    limits: { cpuMs: 60_000, heapMb: 256, keptMb: 1024 },
    processes: 1,
  })

async function time(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

const cost: ProcessCost = {
  start: { process: [], thread: [] },
  transfer: { process: [], thread: [] },
  note100kCpuMs: 0,
}
for (let repetition = 0; repetition < REPETITIONS; repetition++) {
  await using pool = openEcho()
  const ask = (request: object) => pool.run(request, { group: '' })
  const echo = (length: number) => ask({ do: 'echo', bytes: new Uint8Array(length) })
  const thread = new Worker(THREAD, { eval: true })
  const askThread = async (length: number) => {
    thread.postMessage({ bytes: new Uint8Array(length) })
    await once(thread, 'message')
  }
  // Both exist already when their start is timed; the thread begins to run at once, so it has its turn first.
  cost.start.thread.push(await time(() => askThread(1)))
  cost.start.process.push(await time(() => echo(1)))
  cost.transfer.thread.push(await time(() => askThread(BYTES)))
  cost.transfer.process.push(await time(() => echo(BYTES)))
  cost.note100kCpuMs = (await ask({ do: 'note', times: 100_000 })).cpuMs
  await thread.terminate()
}
process.stdout.write(JSON.stringify(cost))
