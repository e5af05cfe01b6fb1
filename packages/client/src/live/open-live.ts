import type { LiveDocument } from './live-document.ts'
import { LiveError } from './live-error.ts'
import { LiveSession } from './live-session.ts'

export interface LiveOptions {
  /** Of the service: `https://meadow.example.org`. */
  address: string
  documentId: string
  /** `name=value`, as `meadow-server session create` prints it. A browser has its own, and needs none. */
  cookie?: string
  /** How long to wait for the document at first. Later, a connection that breaks is made anew again and again. */
  timeoutMs?: number
}

const TIMEOUT_MS = 20_000

/** Opens a document for editing, and waits until it is there. Rejects with a `LiveError`. */
export async function openLive(options: LiveOptions): Promise<LiveDocument> {
  const { cookie, documentId, timeoutMs = TIMEOUT_MS } = options
  const address = options.address.replace(/\/+$/, '')
  const session = new LiveSession({ address, cookie, documentId })
  const late = setTimeout(
    () => session.fail(new LiveError('not_reachable', 'The document did not come in time.')),
    timeoutMs,
  )
  try {
    await session.opened
    return session
  } finally {
    clearTimeout(late)
  }
}
