import { setTimeout as sleep } from 'node:timers/promises'
import { readTreeMemory, type TreeMemory } from '../servers/process-figures.ts'

/** Resident bytes of a server and of the processes that it started. Undefined where the system does not tell. */
export interface MemoryFigures {
  /** At most while both teams work as always. */
  before: TreeMemory
  /** At most during the attack and after it. */
  most: TreeMemory
  /** When it was back, or at the end of the minute that it has for it. */
  after: TreeMemory
  /** How long after the attack that was; undefined when it did not come back. */
  backAfterMs: number | undefined
}

const LOOK_MS = 100
/** What counts as back, and what a fresh process differs by anyway. */
const BACK_SHARE = 1.1
const BACK_BYTES = 8 * 2 ** 20

export interface MemoryWatch {
  /** From now on what is seen is that of the attack. */
  begin(): void
  /** Waits until the memory is back where it was, `withinMs` at most. */
  end(withinMs: number): Promise<MemoryFigures>
  [Symbol.dispose](): void
}

/** Looks at the memory ten times a second. */
export function watchMemory(pid: number): MemoryWatch {
  let before: TreeMemory = { own: undefined, descendants: undefined }
  let most = before
  const look = (): TreeMemory => {
    const now = readTreeMemory(pid)
    most = { own: larger(most.own, now.own), descendants: larger(most.descendants, now.descendants) }
    return now
  }
  const timer = setInterval(look, LOOK_MS)
  return {
    begin() {
      look()
      before = most
      most = { own: undefined, descendants: undefined }
    },
    async end(withinMs) {
      const startedAt = performance.now()
      const isBack = (now: TreeMemory) =>
        sum(now) !== undefined && sum(now)! <= sum(before)! * BACK_SHARE + BACK_BYTES
      let after = look()
      while (!isBack(after) && performance.now() - startedAt < withinMs) {
        await sleep(LOOK_MS)
        after = look()
      }
      const backAfterMs = isBack(after) ? performance.now() - startedAt : undefined
      return { before, most, after, backAfterMs }
    },
    [Symbol.dispose]: () => clearInterval(timer),
  }
}

const larger = (one: number | undefined, other: number | undefined) =>
  one === undefined ? other : Math.max(one, other ?? 0)

/** Of the server and its processes together. */
export const sum = ({ own, descendants }: TreeMemory): number | undefined =>
  own === undefined ? undefined : own + (descendants ?? 0)
