/** So much may wait for the other side to take it before a further question is answered: most documents at once. */
const MOST_WAITING_BYTES = 8 * 2 ** 20
/** Between two answers others get their turn; so long it takes to look again whether what was sent is taken. */
const PAUSE_MS = 2
const WAIT_MS = 50

/** An answer may be a whole document: each is made once the last has been taken. */
export interface AskQueue {
  ask(document: string, message: Uint8Array): void
  /** The document is open no more: what waits is not for it. */
  forget(document: string): void
  stop(): void
}

export function createAskQueue(
  socket: { readonly waitingBytes: number },
  pass: (message: Uint8Array) => void,
): AskQueue {
  let waiting: { document: string; message: Uint8Array }[] = []
  let timer: NodeJS.Timeout | undefined

  function next(): void {
    timer = undefined
    const isTaken = socket.waitingBytes <= MOST_WAITING_BYTES
    const first = isTaken ? waiting.shift() : waiting[0]
    if (!first) return
    if (isTaken) pass(first.message)
    timer = setTimeout(next, isTaken ? PAUSE_MS : WAIT_MS).unref()
  }

  return {
    ask(document, message) {
      waiting.push({ document, message })
      if (!timer) next()
    },
    forget(document) {
      waiting = waiting.filter((one) => one.document !== document)
    },
    stop() {
      clearTimeout(timer)
      waiting = []
    },
  }
}
