/** Of all that is kept for the documents of a socket: a long time of editing without a connection. */
const MAX_KEPT_BYTES = 2 ** 20
/** More than can be open over a socket, since any name may be asked for. */
const MAX_ASKED = 64

/**
 * Edits that build on others which the server does not have yet. A client that was offline may send the last edits
 * before its answer to the server's question, which holds all of them. Over one socket; documents are named by their ids.
 */
export interface EarlyEdits {
  /** The client asks, so that the server asks in return: an answer is to come. */
  asked(document: string): void
  /** Keeps an edit for when the answer is there; false where none is to come, and when it would be too much. */
  keep(document: string, update: Uint8Array): boolean
  /** The answer is there. Returns what was kept for it, in order. */
  answered(document: string): Uint8Array[]
  /** The document is open no more. */
  forget(document: string): void
}

export function createEarlyEdits(): EarlyEdits {
  const kept = new Map<string, Uint8Array[]>()
  let keptBytes = 0

  function answered(document: string): Uint8Array[] {
    const updates = kept.get(document) ?? []
    kept.delete(document)
    for (const { length } of updates) keptBytes -= length
    return updates
  }

  return {
    asked(document) {
      if (!kept.has(document) && kept.size < MAX_ASKED) kept.set(document, [])
    },
    keep(document, update) {
      const updates = kept.get(document)
      if (!updates || keptBytes + update.length > MAX_KEPT_BYTES) return false
      keptBytes += update.length
      // A copy: the message around it may be far larger.
      updates.push(update.slice())
      return true
    },
    answered,
    forget: answered,
  }
}
