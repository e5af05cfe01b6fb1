/** So much at once, and so much each second in the long run. */
interface Allowance {
  messages: Rate
  bytes: Rate
}

interface Rate {
  atOnce: number
  eachSecond: number
}

/** What a client sends when it connects again after a long time counts for as many seconds. */
const AT_ONCE = { messages: 20, bytes: 16 }

/** The allowance of so many messages and megabytes each second. */
export const createAllowance = (messages: number, megabytes: number): Allowance => ({
  messages: { atOnce: AT_ONCE.messages * messages, eachSecond: messages },
  bytes: { atOnce: AT_ONCE.bytes * megabytes * 2 ** 20, eachSecond: megabytes * 2 ** 20 },
})

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
