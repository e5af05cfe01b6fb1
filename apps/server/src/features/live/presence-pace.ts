/** What somebody shows goes to everybody: so long after the last, and longer after a large one. */
const LEAST_MS = 30
const BYTES_EACH_MS = 512

/** Lets presences through no faster than those who see them can bear; of several meanwhile the last counts. */
export interface PresencePace {
  /** A message that shows something, of a document that is open over the socket. */
  show(document: string, message: Uint8Array): void
  /** The document is open no more: what waits is not for it. */
  forget(document: string): void
  stop(): void
}

export function createPresencePace(pass: (message: Uint8Array) => void): PresencePace {
  /** After each that went through, until the next may: with the last that came meanwhile. */
  const pauses = new Map<string, { timer: NodeJS.Timeout; waiting: Uint8Array | undefined }>()

  function letThrough(document: string, message: Uint8Array): void {
    pass(message)
    const timer = setTimeout(end, LEAST_MS + message.length / BYTES_EACH_MS, document).unref()
    pauses.set(document, { timer, waiting: undefined })
  }

  function end(document: string): void {
    const { waiting } = pauses.get(document)!
    pauses.delete(document)
    if (waiting) letThrough(document, waiting)
  }

  return {
    show(document, message) {
      const pause = pauses.get(document)
      if (pause) pause.waiting = message
      else letThrough(document, message)
    },
    forget(document) {
      clearTimeout(pauses.get(document)?.timer)
      pauses.delete(document)
    },
    stop() {
      for (const { timer } of pauses.values()) clearTimeout(timer)
      pauses.clear()
    },
  }
}
