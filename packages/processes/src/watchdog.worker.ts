import { writeSync } from 'node:fs'
import { workerData } from 'node:worker_threads'
import { writeCpuMs, writeVerdict } from './job-status.ts'

/** What the main thread of a child shares with its watchdog. */
export interface WatchdogSetup {
  /** [whether a job runs, how many bytes of `status` are still to be written, nothing]. */
  state: Int32Array<SharedArrayBuffer>
  /** The CPU time of this process when the job began, in milliseconds. */
  cpuAtStart: Float64Array<SharedArrayBuffer>
  /** The status to be written. */
  status: Uint8Array<SharedArrayBuffer>
  statusFd: number
  parentPid: number
  maxBytes: number
  cpuMs: number
}

/**
 * The time between checks in milliseconds. It is short since a loop can allocate 2 GB in a second. A check takes 20 µs.
 */
const CHECK_EVERY_MS = 20
const IDLE_CHECK_EVERY_MS = 1000

/**
 * The watchdog of a child process: ends it when its job takes too much memory or CPU time, and when its parent has ended. It
 * depends neither on the main thread, which may be in an endless loop, nor on the parent, which may be dead.
 */
const { state, cpuAtStart, status, statusFd, parentPid, maxBytes, cpuMs } = workerData as WatchdogSetup

for (;;) {
  const isBusy = Atomics.load(state, 0) === 1
  if (isBusy) {
    const pending = Atomics.exchange(state, 1, 0)
    if (pending > 0) writeSync(statusFd, status, 1, pending - 1, 1)
    const { user, system } = process.cpuUsage()
    const usedMs = (user + system) / 1000 - cpuAtStart[0]!
    // The CPU time is written at each check, since nothing announces that the process dies.
    writeCpuMs(statusFd, usedMs)
    if (process.memoryUsage.rss() > maxBytes) end('memory')
    if (usedMs > cpuMs) end('time')
  }
  // A process that has lost its parent gets another one.
  if (process.ppid !== parentPid) process.kill(process.pid, 'SIGKILL')
  if (isBusy) Atomics.wait(state, 2, 0, CHECK_EVERY_MS)
  else Atomics.wait(state, 0, 0, IDLE_CHECK_EVERY_MS)
}

function end(verdict: 'memory' | 'time'): never {
  writeVerdict(statusFd, verdict)
  process.kill(process.pid, 'SIGKILL')
  // The loop waits until the signal arrives.
  for (;;) Atomics.wait(state, 2, 0, CHECK_EVERY_MS)
}
