import { AsyncLocalStorage } from 'node:async_hooks'
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import timers from 'node:timers'
import timersPromises from 'node:timers/promises'
import { replaceClock } from '@meadow/server/src/testing/move-clock.ts'
import { createRandom, type Random } from '@meadow/server/src/testing/random.ts'

/*
 * Virtual time: nothing happens in this process but by the queue of events below, one after the other, and the clock
 * stands still meanwhile. It replaces Node's timers and clocks, so it has to be imported before the code under test.
 */

/** A process of the simulation. What it started does not happen any more once it is dead. */
export interface VirtualProcess {
  readonly name: string
  isAlive: boolean
  /** What is due while the process stands still; undefined while it runs. */
  held: VirtualEvent[] | undefined
}

/** Something that happens at a time, in milliseconds since the start. */
export interface VirtualEvent {
  at: number
  /** Tells events of the same time apart. */
  order: number
  process: VirtualProcess | undefined
  isCancelled: boolean
  run(): void
}

/** The clock at the start of every history, so that dates are the same in all of them. */
const EPOCH = Date.UTC(2026, 0, 5, 9)

const processes = new AsyncLocalStorage<VirtualProcess>()
const untimed = new AsyncLocalStorage<true>()
const queue: VirtualEvent[] = []
let now = 0
let orders = 0
let held = 0
let random: Random = createRandom(0)

export const virtualNow = (): number => now
export const virtualRandom = (): Random => random

export const currentProcess = (): VirtualProcess | undefined => processes.getStore()

/** Nothing of who calls: processes share no context. */
const inNoContext = AsyncLocalStorage.snapshot()

/** Calls `work` as a part of a process, to which everything belongs that it starts; of none for clients. */
export const runIn = <T>(process: VirtualProcess | undefined, work: () => T): T =>
  inNoContext(() => (process ? processes.run(process, work) : work()))

/** Lets `run` be called after this time, in the context of the caller, unless its process is dead by then. */
export const schedule = (ms: number, run: () => void, process = currentProcess()): VirtualEvent =>
  scheduleAt(now + ms, run, process)

export function scheduleAt(at: number, run: () => void, process: VirtualProcess | undefined): VirtualEvent {
  const inContext = AsyncLocalStorage.snapshot()
  const event: VirtualEvent = {
    ...{ at, order: orders++, process, isCancelled: false },
    run: () => inContext(run),
  }
  push(event)
  return event
}

const isBefore = (a: VirtualEvent, b: VirtualEvent) => a.at < b.at || (a.at === b.at && a.order < b.order)

/** The queue is a binary heap. */
function push(event: VirtualEvent): void {
  let index = queue.push(event) - 1
  while (index > 0) {
    const parent = (index - 1) >> 1
    if (!isBefore(event, queue[parent]!)) break
    queue[index] = queue[parent]!
    index = parent
  }
  queue[index] = event
}

function pop(): VirtualEvent | undefined {
  const first = queue[0]
  const last = queue.pop()
  if (queue.length === 0 || !last) return first
  let index = 0
  for (;;) {
    let child = 2 * index + 1
    if (child + 1 < queue.length && isBefore(queue[child + 1]!, queue[child]!)) child++
    if (child >= queue.length || !isBefore(queue[child]!, last)) break
    queue[index] = queue[child]!
    index = child
  }
  queue[index] = last
  return first
}

/** How long the system takes to continue, in milliseconds: mostly next to nothing, and now and then long. */
export function randomDelay(): number {
  const kind = random.fraction()
  if (kind < 0.8) return random.fraction() * 0.2
  if (kind < 0.98) return random.fraction() * 2
  return random.fraction() * 50
}

/** Resolves after a short time, in which others run; never when the process is dead by then. */
export const turn = (): Promise<void> => new Promise((resolve) => void schedule(randomDelay(), resolve))

let strays = 0

/** Returns how often a process did something after its end. */
export const countStrays = (): number => strays

/** Settles as the promise, but after a turn. */
export async function afterTurn<T>(promise: Promise<T>): Promise<T> {
  if (untimed.getStore()) return promise
  if (currentProcess()?.isAlive === false) strays++
  try {
    return await promise
  } finally {
    await turn()
  }
}

/** Does work that takes no time, such as that of other threads of this process: the clock stands still until its end. */
export async function hold<T>(work: () => Promise<T>): Promise<T> {
  held++
  try {
    return await untimed.run(true, work)
  } finally {
    held--
  }
}

/** Lets a process stand still: what is due waits until `resume`. */
export function suspend(process: VirtualProcess): void {
  process.held ??= []
}

export function resume(process: VirtualProcess): void {
  const waiting = process.held ?? []
  process.held = undefined
  for (const event of waiting) {
    event.at = now
    event.order = orders++
    push(event)
  }
}

const nextLoop = globalThis.setImmediate
const { access } = fs

const trace = { events: 0, hash: 0 }

function note({ process }: VirtualEvent): void {
  trace.events++
  for (const char of `${Math.round(now * 1000)} ${process?.name}`)
    trace.hash = Math.imul(trace.hash ^ char.charCodeAt(0), 0x01000193)
}

/** Resolves when the thread of the pool (there is one only) has done what it was asked for so far. */
const threadIsIdle = () => new Promise<void>((resolve) => access('/', () => nextLoop(resolve)))

let usesThread = false

/** Notes that the thread of the pool was asked for something that Node does not count. */
export function noteThread(): void {
  usesThread = true
}

const isReading = () => process.getActiveResourcesInfo().some((name) => /^(FSReq|CloseReq)/.test(name))

/** Resolves when nothing runs any more: neither callbacks, nor the thread of the pool, nor work that takes no time. */
async function settle(): Promise<void> {
  do {
    await new Promise<void>((resolve) => void nextLoop(resolve))
    while (usesThread) {
      usesThread = false
      await threadIsIdle()
    }
  } while (held > 0 || usesThread || isReading())
}

/** Returns a text that is the same for histories in which the same happened at the same times. */
export const readTrace = (): string => `${trace.events}/${(trace.hash >>> 0).toString(16)}`

/**
 * Lets a history happen: calls `work`, and everything that follows, in an order that the seed decides. `onThrown` gets
 * what a callback throws. Rejects when nothing is left to happen although the work has not ended.
 */
export async function runVirtually<T>(
  seed: number,
  work: () => Promise<T>,
  onThrown: (error: unknown, process: VirtualProcess | undefined) => void,
): Promise<T> {
  random = createRandom(seed)
  let isOver = false
  const result = work().finally(() => {
    isOver = true
  })
  result.catch(() => {})
  for (;;) {
    await settle()
    if (isOver) return result
    const event = pop()
    if (!event) throw new Error(`After ${Math.round(now)} ms nothing is left to happen.`)
    if (event.isCancelled || event.process?.isAlive === false) continue
    now = Math.max(now, event.at)
    note(event)
    if (event.process?.held) {
      event.process.held.push(event)
      continue
    }
    try {
      event.run()
    } catch (error) {
      onThrown(error, event.process)
    }
  }
}

/** A timer of Node. */
class VirtualTimer {
  #event: VirtualEvent
  readonly #ms: number
  readonly #call: () => void
  readonly #repeats: boolean

  constructor(call: () => void, ms: unknown, repeats: boolean) {
    this.#ms = Number(ms) >= 1 ? Math.trunc(Number(ms)) : 1
    this.#call = call
    this.#repeats = repeats
    this.#event = this.#start()
  }

  #start(): VirtualEvent {
    return schedule(this.#ms, () => {
      if (this.#repeats) this.#event = this.#start()
      this.#call()
    })
  }

  cancel(): void {
    this.#event.isCancelled = true
  }

  refresh(): this {
    this.cancel()
    this.#event = this.#start()
    return this
  }

  ref = () => this
  unref = () => this
  hasRef = () => true
  close = () => this.cancel();
  [Symbol.dispose] = () => this.cancel();
  [Symbol.toPrimitive] = () => this.#event.order
}

type Callback = (...given: unknown[]) => void

const setVirtualTimeout = (call: Callback, ms?: number, ...given: unknown[]) =>
  new VirtualTimer(() => call(...given), ms, false)
const setVirtualInterval = (call: Callback, ms?: number, ...given: unknown[]) =>
  new VirtualTimer(() => call(...given), ms, true)
const clear = (timer: unknown) => {
  if (timer instanceof VirtualTimer) timer.cancel()
}
const setVirtualImmediate = (call: Callback, ...given: unknown[]) => {
  const event = schedule(0, () => call(...given))
  const cancel = () => {
    event.isCancelled = true
  }
  return Object.assign(cancel, { ref: () => {}, unref: () => {}, hasRef: () => true })
}
const clearVirtualImmediate = (cancel: unknown) => {
  if (typeof cancel === 'function') cancel()
}

type Signal = { signal?: AbortSignal }

/** Resolves with the value when the event has happened; rejects when the signal aborts before that. */
function wait<T>(start: (done: () => void) => VirtualEvent, value: T, { signal }: Signal = {}): Promise<T> {
  return new Promise((resolve, reject) => {
    const fail = () => {
      event.isCancelled = true
      reject(new DOMException('The operation was aborted', { name: 'AbortError', cause: signal!.reason }))
    }
    const event = start(() => {
      signal?.removeEventListener('abort', fail)
      resolve(value)
    })
    if (signal?.aborted) fail()
    else signal?.addEventListener('abort', fail, { once: true })
  })
}

const sleep = <T>(ms = 1, value?: T, options?: Signal) =>
  wait((done) => schedule(Math.max(1, Math.trunc(ms)), done), value, options)

async function* everyInterval<T>(ms = 1, value?: T, options?: Signal) {
  for (;;) yield await sleep(ms, value, options)
}

function replaceTimers(): void {
  const replaced = {
    setTimeout: setVirtualTimeout,
    setInterval: setVirtualInterval,
    setImmediate: setVirtualImmediate,
    clearTimeout: clear,
    clearInterval: clear,
    clearImmediate: clearVirtualImmediate,
  }
  Object.assign(globalThis, replaced)
  Object.assign(timers, replaced)
  Object.assign(timersPromises, {
    setTimeout: sleep,
    setInterval: everyInterval,
    setImmediate: <T>(value?: T, options?: Signal) => wait((done) => schedule(0, done), value, options),
  })
  AbortSignal.timeout = (ms) => {
    const controller = new AbortController()
    const error = new DOMException('The operation was aborted due to timeout', 'TimeoutError')
    schedule(ms, () => controller.abort(error))
    return controller.signal
  }
}

async function replaceClocks(): Promise<void> {
  await replaceClock(() => EPOCH + Math.floor(now))
  performance.now = () => now
  process.hrtime.bigint = () => BigInt(Math.round(now * 1e6))
  process.cpuUsage = () => ({ user: 0, system: 0 })
}

replaceTimers()
await replaceClocks()
syncBuiltinESMExports()
