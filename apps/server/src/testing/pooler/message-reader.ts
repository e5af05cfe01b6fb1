/** Takes bytes as they arrive. */
export interface MessageReader {
  (bytes: Buffer): void
  /** From now on messages have a type. */
  setTyped(): void
}

/**
 * Divides a stream of PostgreSQL's protocol into messages: a letter, the length, and the rest. `startsUntyped`: the first
 * ones have no letter, as those of a client that starts, and get the type ''.
 */
export function createMessageReader(
  receive: (type: string, message: Buffer) => void,
  { startsUntyped = false } = {},
): MessageReader {
  let letter = startsUntyped ? 0 : 1
  let kept: Buffer = Buffer.alloc(0)
  const read = (bytes: Buffer) => {
    kept = Buffer.concat([kept, bytes])
    while (kept.length >= letter + 4) {
      const length = letter + kept.readInt32BE(letter)
      if (kept.length < length) return
      const message = kept.subarray(0, length)
      kept = kept.subarray(length)
      receive(message.toString('latin1', 0, letter), message)
    }
  }
  return Object.assign(read, {
    setTyped() {
      letter = 1
    },
  })
}
