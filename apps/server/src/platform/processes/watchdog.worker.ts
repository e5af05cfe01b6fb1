import { writeSync } from 'node:fs'
import { workerData } from 'node:worker_threads'
import { writeVerdict } from './job-status.ts'

/** What the main thread of a child shares with its watchdog. */
export interface WatchdogSetup {
  /** [whether a job runs, how many bytes of `place` are still to be written, nothing]. */
  state: Int32Array<SharedArrayBuffer>
  /** Processor time of this process when the job began, in milliseconds. */
  cpuAtStart: Float64Array<SharedArrayBuffer>
  /** The status as it is to be written. */
  place: Uint8Array<SharedArrayBuffer>
  statusFd: number
  parentPid: number
  maxBytes: number
  cpuMs: number
}

/** Short, since a loop can take 2 GB in a second. Looking takes 20 µs. */
const LOOK_EVERY_MS = 20
const IDLE_LOOK_EVERY_MS = 1000

/**
 * The watchdog of a child: ends the process when its job takes too much memory or processor time, and when its parent
 * is gone. It needs nothing of the main thread, which may be in an endless loop, nor of the parent, which may be dead.
 */
const { state, cpuAtStart, place, statusFd, parentPid, maxBytes, cpuMs } = workerData as WatchdogSetup

for (;;) {
  const isBusy = Atomics.load(state, 0) === 1
  if (isBusy) {
    const pending = Atomics.exchange(state, 1, 0)
    if (pending > 0) writeSync(statusFd, place, 1, pending - 1, 1)
    if (process.memoryUsage.rss() > maxBytes) end('memory')
    const { user, system } = process.cpuUsage()
    if ((user + system) / 1000 - cpuAtStart[0]! > cpuMs) end('time')
  }
  // Who lost its parent is given another one.
  if (process.ppid !== parentPid) process.kill(process.pid, 'SIGKILL')
  if (isBusy) Atomics.wait(state, 2, 0, LOOK_EVERY_MS)
  else Atomics.wait(state, 0, 0, IDLE_LOOK_EVERY_MS)
}

function end(verdict: 'memory' | 'time'): never {
  writeVerdict(statusFd, verdict)
  process.kill(process.pid, 'SIGKILL')
  // It takes a moment.
  for (;;) Atomics.wait(state, 2, 0, LOOK_EVERY_MS)
}
