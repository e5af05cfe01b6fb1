import { TokenBucket } from '../../platform/concurrency/token-bucket.ts'

/** So much at once, and so much each second in the long run. */
interface Allowance {
  messages: Rate
  bytes: Rate
}

interface Rate {
  burst: number
  perSecond: number
}

/** What a client sends when it connects again after a long time counts for as many seconds. */
const AT_ONCE = { messages: 20, bytes: 16 }

/** The allowance of so many messages and megabytes each second. */
export const createAllowance = (messages: number, megabytes: number): Allowance => ({
  messages: { burst: AT_ONCE.messages * messages, perSecond: messages },
  bytes: { burst: AT_ONCE.bytes * megabytes * 2 ** 20, perSecond: megabytes * 2 ** 20 },
})

/** What is answered from the whole document costs the server far more than a small edit. */
const WHOLE_COSTS = 50

/** Counts what is sent; time refills it. */
export interface MessageLimit {
  /** False when it was too much. */
  take(message: { bytes: number; isOfTheWhole: boolean }): boolean
}

export function createMessageLimit(allowance: Allowance): MessageLimit {
  const messages = new TokenBucket(allowance.messages)
  const bytes = new TokenBucket(allowance.bytes)
  return {
    take: (message) => messages.spend(message.isOfTheWhole ? WHOLE_COSTS : 1) && bytes.spend(message.bytes),
  }
}
