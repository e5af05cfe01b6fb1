/** So much at once, and so much each second in the long run. */
interface Allowance {
  messages: Rate
  bytes: Rate
}

interface Rate {
  atOnce: number
  eachSecond: number
}

export const OF_A_SOCKET: Allowance = {
  messages: { atOnce: 4000, eachSecond: 200 },
  bytes: { atOnce: 64 * 2 ** 20, eachSecond: 4 * 2 ** 20 },
}

/** Over all sockets of a person, in one process: tabs and agents. */
export const OF_A_PERSON: Allowance = {
  messages: { atOnce: 20_000, eachSecond: 1000 },
  bytes: { atOnce: 256 * 2 ** 20, eachSecond: 16 * 2 ** 20 },
}

/** What is answered from the whole document costs the server far more than a small edit. */
const WHOLE_COSTS = 50

/** Counts what is sent; time refills it. */
export interface MessageLimit {
  /** False when it was too much. */
  take(message: { bytes: number; isOfTheWhole: boolean }): boolean
}

export function createMessageLimit(
  allowance: Allowance,
  now: () => number = () => performance.now(),
): MessageLimit {
  const messages = createBucket(allowance.messages, now)
  const bytes = createBucket(allowance.bytes, now)
  return {
    take: (message) => messages(message.isOfTheWhole ? WHOLE_COSTS : 1) && bytes(message.bytes),
  }
}

function createBucket({ atOnce, eachSecond }: Rate, now: () => number) {
  let left = atOnce
  let at = now()
  return (cost: number): boolean => {
    const since = now() - at
    at += since
    left = Math.min(atOnce, left + (since / 1000) * eachSecond) - cost
    return left >= 0
  }
}
