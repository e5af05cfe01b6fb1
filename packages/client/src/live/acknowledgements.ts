import * as decoding from 'lib0/decoding'

/** The relevant messages of Hocuspocus, and the steps of the Yjs sync protocol in the first one. */
const SYNC = 0
const SYNC_STATUS = 8
/** The answer to the server's state vector: everything that the server lacks. */
const ANSWER = 1
const UPDATE = 2

/**
 * Tracks which local edits are durable. The provider's own count is not sufficient: it mistakes the acknowledgement of
 * one edit for that of another.
 *
 * The server acknowledges in order each message that contains changes. On a new socket the answer to the server's state
 * vector contains all edits so far; from then on each edit is sent when it is made. Before that answer no edit may be
 * sent by itself, as the provider would do: the server has to reject an edit that builds on others that it lacks.
 */
export interface Acknowledgements {
  /** Called after a local edit. */
  edited(): void
  /** Called for a new socket: messages in transit on the old one may not have arrived. */
  connected(): void
  /** Called before a message is sent; false if it must not be sent. */
  sends(message: Uint8Array): boolean
  received(message: Uint8Array): void
  /** Whether all edits so far are durable. */
  readonly isDurable: boolean
  /** Resolves when all edits so far are durable; rejects if `fail` is called before that. */
  durable(): Promise<void>
  fail(error: Error): void
  /** Why edits were lost while no caller was waiting for them; undefined if none were. */
  readonly unreportedError: Error | undefined
}

interface Waiting {
  edit: number
  resolve(): void
  reject(error: Error): void
}

export function createAcknowledgements(): Acknowledgements {
  let made = 0
  let safe = 0
  /** For each message in transit, the last edit that is durable once it is acknowledged. */
  let inTransit: number[] = []
  let isAnswered = false
  let waiting: Waiting[] = []
  let unreportedError: Error | undefined

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
      inTransit = []
      isAnswered = false
    },
    sends(message) {
      const step = findStep(message)
      if (step === ANSWER) isAnswered = true
      if (step === UPDATE && !isAnswered) return false
      if (step === ANSWER || step === UPDATE) inTransit.push(made)
      return true
    },
    received(message) {
      if (!isAcknowledgement(message)) return
      safe = Math.max(safe, inTransit.shift() ?? 0)
      settle()
    },
    get isDurable() {
      return safe >= made
    },
    durable() {
      if (safe >= made) return Promise.resolve()
      return new Promise((resolve, reject) => {
        waiting.push({ edit: made, resolve, reject })
      })
    },
    fail(error) {
      const failed = waiting
      waiting = []
      if (safe < made && failed.length === 0) unreportedError = error
      // Lost edits are not waited for any more.
      safe = made
      for (const { reject } of failed) reject(error)
    },
    get unreportedError() {
      return unreportedError
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
