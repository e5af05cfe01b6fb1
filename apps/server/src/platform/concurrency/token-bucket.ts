export interface TokenBucketOptions {
  /** How many tokens a full bucket has. */
  burst: number
  /** How many tokens are added each second until the bucket is full. */
  perSecond: number
  /** Returns the milliseconds since any fixed moment. */
  now?: () => number
}

/** Limits a rate in the long run but allows short bursts. A new bucket is full. */
export class TokenBucket {
  readonly #burst: number
  readonly #perMs: number
  readonly #now: () => number
  #tokens: number
  #filledAt: number

  constructor({ burst, perSecond, now = () => performance.now() }: TokenBucketOptions) {
    this.#burst = burst
    this.#perMs = perSecond / 1000
    this.#now = now
    this.#tokens = burst
    this.#filledAt = now()
  }

  /** Takes tokens, even more than there are. Returns false when the bucket is in debt afterwards. */
  spend(tokens: number): boolean {
    this.#fill()
    this.#tokens -= tokens
    return this.#tokens >= 0
  }

  /** Returns how long it takes until the bucket is out of debt, in milliseconds. */
  debtMs(): number {
    this.#fill()
    return Math.max(0, -this.#tokens / this.#perMs)
  }

  #fill(): void {
    const now = this.#now()
    this.#tokens = Math.min(this.#burst, this.#tokens + (now - this.#filledAt) * this.#perMs)
    this.#filledAt = now
  }
}
