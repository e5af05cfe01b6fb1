import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { openProcessPool } from '@meadow/server/src/platform/processes/process-pool.ts'
import { timeAsync } from '../harness/statistics.ts'

/** The cost of a child process compared with a worker thread, in milliseconds. There is one figure per repetition. */
export interface ProcessCost {
  /** The time until the response to the first job. */
  start: { process: number[]; thread: number[] }
  /** The time to send 10 MB there and back, after the first job. */
  transfer: { process: number[]; thread: number[] }
  /** The processor time of a hundred thousand progress notes of a job. */
  note100kCpuMs: number
}

const REPETITIONS = 7
const BYTES = 10 * 2 ** 20
const ECHO = '@meadow/server/src/platform/processes/testing/hostile-job.ts'
const THREAD = `const { parentPort } = require('node:worker_threads')
parentPort.on('message', ({ bytes }) => parentPort.postMessage({ bytes }))`

const openEcho = () =>
  openProcessPool<object, { cpuMs: number }>({
    name: 'echo',
    module: new URL(import.meta.resolve(ECHO)),
    limits: { cpuMs: 60_000, heapMb: 256, retainedMb: 1024 },
    processes: 1,
  })

const cost: ProcessCost = {
  start: { process: [], thread: [] },
  transfer: { process: [], thread: [] },
  note100kCpuMs: 0,
}
for (let repetition = 0; repetition < REPETITIONS; repetition++) {
  await using pool = openEcho()
  const run = (request: object) => pool.run(request, { group: '' })
  const echo = (length: number) => run({ do: 'echo', bytes: new Uint8Array(length) })
  const thread = new Worker(THREAD, { eval: true })
  const runThread = async (length: number) => {
    thread.postMessage({ bytes: new Uint8Array(length) })
    await once(thread, 'message')
  }
  // Both were created before. The thread starts to run at once, so it is timed first.
  cost.start.thread.push((await timeAsync(() => runThread(1))).ms)
  cost.start.process.push((await timeAsync(() => echo(1))).ms)
  cost.transfer.thread.push((await timeAsync(() => runThread(BYTES))).ms)
  cost.transfer.process.push((await timeAsync(() => echo(BYTES))).ms)
  cost.note100kCpuMs = (await run({ do: 'note', times: 100_000 })).cpuMs
  await thread.terminate()
}
process.stdout.write(JSON.stringify(cost))
