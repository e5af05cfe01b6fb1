/** What one connection may send: so much at once, and so much each second in the long run. */
const MESSAGES = { atOnce: 4000, eachSecond: 200 }
const BYTES = { atOnce: 64 * 2 ** 20, eachSecond: 4 * 2 ** 20 }

/** To be sent the whole document costs the server far more than a small edit. */
const ASK_COSTS = 50

/** Counts what a connection sends; time refills it. */
export interface MessageLimit {
  /** False when it was too much. */
  take(message: { bytes: number; isAsk: boolean }): boolean
}

export function createMessageLimit(now: () => number = () => performance.now()): MessageLimit {
  const messages = createBucket(MESSAGES, now)
  const bytes = createBucket(BYTES, now)
  return {
    take: (message) => messages(message.isAsk ? ASK_COSTS : 1) && bytes(message.bytes),
  }
}

function createBucket({ atOnce, eachSecond }: typeof MESSAGES, now: () => number) {
  let left = atOnce
  let at = now()
  return (cost: number): boolean => {
    const since = now() - at
    at += since
    left = Math.min(atOnce, left + (since / 1000) * eachSecond) - cost
    return left >= 0
  }
}
