import { EventEmitter } from 'node:events'
import { syncBuiltinESMExports } from 'node:module'
import timers from 'node:timers/promises'
import { promisify } from 'node:util'
import v8 from 'node:v8'
import vm from 'node:vm'
import { moveClock } from '@meadow/server/src/testing/move-clock.ts'

/*
 * Lets hours pass in a server within moments: it is imported before the server, moves all of its clocks, and calls what
 * is due by then. It also says what the server holds in memory.
 */

/** What the process is asked for: to let this time pass, or to say what it holds. */
export type HoursTask = { do: 'pass'; ms: number } | { do: 'look' }

/** What a process holds after a collection of garbage. */
export interface Held {
  heapBytes: number
  /** The bytes of buffers and of other memory outside of the heap. */
  externalBytes: number
  /** The number of event emitters, such as sockets, streams and child processes. */
  emitters: number
  /** The number of listeners of the process itself. */
  listeners: number
  /** The number of sockets, timers and other handles that the event loop waits for. */
  handles: number
  /** The number of timers of a second and longer. */
  timers: number
}

interface Waiting {
  dueAt: number
  everyMs: number | undefined
  run(): void
}

/** Shorter timers are left as they are. */
const LEAST_MS = 1000

let passedMs = 0
const steady = performance.now.bind(performance)
performance.now = () => steady() + passedMs

const waiting = new Map<unknown, Waiting>()
const { setTimeout, setInterval, clearTimeout } = globalThis

function clear(timer: Parameters<typeof clearTimeout>[0]): void {
  waiting.delete(timer)
  clearTimeout(timer)
}

type Callback = (...given: unknown[]) => void

function wait(call: Callback, ms = 0, ...given: unknown[]): NodeJS.Timeout {
  if (!(ms >= LEAST_MS)) return setTimeout(call, ms, ...given)
  const run = () => {
    clear(timer)
    call(...given)
  }
  const timer = setTimeout(run, ms)
  waiting.set(timer, { dueAt: performance.now() + ms, everyMs: undefined, run })
  return timer
}

function repeat(call: Callback, ms = 0, ...given: unknown[]): NodeJS.Timeout {
  if (!(ms >= LEAST_MS)) return setInterval(call, ms, ...given)
  const run = () => {
    entry.dueAt = performance.now() + ms
    call(...given)
  }
  const entry: Waiting = { dueAt: performance.now() + ms, everyMs: ms, run }
  const timer = setInterval(run, ms)
  waiting.set(timer, entry)
  return timer
}

const sleep = <T>(ms = 0, value?: T, { signal, ref = true }: { signal?: AbortSignal; ref?: boolean } = {}) =>
  new Promise<T>((resolve, reject) => {
    const abort = () => {
      clear(timer)
      reject(
        Object.assign(new Error('The operation was aborted.'), { name: 'AbortError', code: 'ABORT_ERR' }),
      )
    }
    const timer = wait(() => {
      signal?.removeEventListener('abort', abort)
      resolve(value as T)
    }, ms)
    if (!ref) timer.unref()
    if (signal?.aborted) abort()
    else signal?.addEventListener('abort', abort, { once: true })
  })

Object.assign(globalThis, {
  setTimeout: Object.assign(wait, { [promisify.custom]: sleep }),
  setInterval: repeat,
  clearTimeout: clear,
  clearInterval: clear,
})
Object.assign(timers, { setTimeout: sleep })
syncBuiltinESMExports()

function pass(ms: number): void {
  moveClock(ms)
  passedMs += ms
  const due = [...waiting.values()].filter(({ dueAt }) => dueAt <= performance.now())
  // Heartbeats come first, and the process lives when its chores ask who does them.
  for (const { run } of due.toSorted((one, other) => (one.everyMs ?? 0) - (other.everyMs ?? 0))) run()
}

v8.setFlagsFromString('--expose-gc')
const collect = vm.runInNewContext('gc') as () => void

function look(): Held {
  collect()
  collect()
  const { heapUsed, external } = process.memoryUsage()
  const listeners = process.eventNames().map((name) => process.listenerCount(name))
  return {
    heapBytes: heapUsed,
    externalBytes: external,
    emitters: v8.queryObjects(EventEmitter) as number,
    listeners: listeners.reduce((sum, count) => sum + count, 0),
    handles: process.getActiveResourcesInfo().length,
    timers: waiting.size,
  }
}

process.on('message', (task: HoursTask) => {
  if (task.do === 'pass') pass(task.ms)
  process.send!({ result: task.do === 'look' ? look() : null })
})
// It must not keep the process alive.
process.channel!.unref()
