import { setTimeout as sleep } from 'node:timers/promises'
import { readTreeMemory, type TreeMemory } from './process-figures.ts'

/** Resident bytes of a server and of its child processes. Undefined where the system does not report it. */
export interface MemoryFigures {
  /** The peak during normal work. */
  before: TreeMemory
  /** The peak during and after the attack. */
  most: TreeMemory
  /** The memory at the end of the watch. */
  after: TreeMemory
  /** The time after the attack until the memory was released; undefined when it was not. */
  backAfterMs: number | undefined
}

const POLL_MS = 100
/** The factor and the margin in bytes over the level before, below which the memory counts as released. */
const BACK_FACTOR = 1.1
const BACK_BYTES = 8 * 2 ** 20

export interface MemoryWatch {
  /** Starts the part of the watch that belongs to the attack. */
  begin(): void
  /** Waits until the memory is released, for at most `withinMs`. */
  end(withinMs: number): Promise<MemoryFigures>
  [Symbol.dispose](): void
}

/** Polls the memory, by default ten times a second. */
export function watchMemory(pid: number, pollMs = POLL_MS): MemoryWatch {
  let before: TreeMemory = { own: undefined, descendants: undefined }
  let most = before
  const poll = (): TreeMemory => {
    const now = readTreeMemory(pid)
    most = { own: larger(most.own, now.own), descendants: larger(most.descendants, now.descendants) }
    return now
  }
  const timer = setInterval(poll, pollMs)
  return {
    begin() {
      poll()
      before = most
      most = { own: undefined, descendants: undefined }
    },
    async end(withinMs) {
      const startedAt = performance.now()
      const isBack = (now: TreeMemory) =>
        sum(now) !== undefined && sum(now)! <= sum(before)! * BACK_FACTOR + BACK_BYTES
      let after = poll()
      while (!isBack(after) && performance.now() - startedAt < withinMs) {
        await sleep(pollMs)
        after = poll()
      }
      const backAfterMs = isBack(after) ? performance.now() - startedAt : undefined
      return { before, most, after, backAfterMs }
    },
    [Symbol.dispose]: () => clearInterval(timer),
  }
}

const larger = (one: number | undefined, other: number | undefined) =>
  one === undefined ? other : Math.max(one, other ?? 0)

/** Returns the memory of the server and its child processes together. */
export const sum = ({ own, descendants }: TreeMemory): number | undefined =>
  own === undefined ? undefined : own + (descendants ?? 0)
