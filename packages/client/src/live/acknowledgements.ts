import * as decoding from 'lib0/decoding'

/** The messages of Hocuspocus that count, and the steps of Yjs' protocol in the first. */
const SYNC = 0
const SYNC_STATUS = 8
/** Answers what the server asked for: all that it does not have. */
const ANSWER = 1
const UPDATE = 2

/**
 * Tells what of the local edits is safe. The provider's own count is no help: it takes the acknowledgement of one edit
 * for that of another.
 *
 * The server acknowledges in order each message that brings something. On a new socket the answer to what the server
 * asks for holds all edits so far; from then on each edit is sent as it is made. Before that answer no edit is sent by
 * itself: the provider would, and the server has to refuse one that builds on others that it does not have yet.
 */
export interface Acknowledgements {
  /** Something was edited here. */
  edited(): void
  /** A new socket: what was on its way on the old one is not known to have arrived. */
  connected(): void
  /** False for what is not to be sent. */
  sends(message: Uint8Array): boolean
  received(message: Uint8Array): void
  /** Resolves when all that was edited so far is safe; rejects when `fail` is called before. */
  durable(): Promise<void>
  fail(error: Error): void
  /** Why edits were lost that nobody waited for at that time; undefined where none were. */
  readonly untold: Error | undefined
}

interface Waiting {
  edit: number
  resolve(): void
  reject(error: Error): void
}

export function createAcknowledgements(): Acknowledgements {
  let made = 0
  let safe = 0
  /** For each message on its way, the last edit that is safe once it is acknowledged. */
  let onTheirWay: number[] = []
  let isAnswered = false
  let waiting: Waiting[] = []
  let untold: Error | undefined

  function settle(): void {
    const done = waiting.filter(({ edit }) => edit <= safe)
    waiting = waiting.filter(({ edit }) => edit > safe)
    for (const { resolve } of done) resolve()
  }

  return {
    edited() {
      made++
    },
    connected() {
      onTheirWay = []
      isAnswered = false
    },
    sends(message) {
      const step = findStep(message)
      if (step === ANSWER) isAnswered = true
      if (step === UPDATE && !isAnswered) return false
      if (step === ANSWER || step === UPDATE) onTheirWay.push(made)
      return true
    },
    received(message) {
      if (!isAcknowledgement(message)) return
      safe = Math.max(safe, onTheirWay.shift() ?? 0)
      settle()
    },
    durable() {
      if (safe >= made) return Promise.resolve()
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      waiting.push({ edit: made, resolve, reject })
      return promise
    },
    fail(error) {
      const failed = waiting
      waiting = []
      if (safe < made && failed.length === 0) untold = error
      // What is lost is nobody's to wait for any more.
      safe = made
      for (const { reject } of failed) reject(error)
    },
    get untold() {
      return untold
    },
  }
}

function findStep(message: Uint8Array): number | undefined {
  const decoder = decoding.createDecoder(message)
  decoding.readVarString(decoder)
  return decoding.readVarUint(decoder) === SYNC ? decoding.readVarUint(decoder) : undefined
}

function isAcknowledgement(message: Uint8Array): boolean {
  const decoder = decoding.createDecoder(message)
  decoding.readVarString(decoder)
  return decoding.readVarUint(decoder) === SYNC_STATUS && decoding.readVarInt(decoder) === 1
}
