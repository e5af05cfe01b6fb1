import type { SolutionId, UserId } from './ids.ts'

/** Where documents are edited, through Yjs and the protocol of Hocuspocus: the document's id is its document name. */
export const LIVE_PATH = '/live'

/** The most that one message may hold, in bytes. */
export const MAX_LIVE_MESSAGE_BYTES = 8 * 2 ** 20 + 1024

/** Why the server closes a live connection. The reason that goes with the code is a sentence. */
export const LIVE_CLOSE = {
  /** An edit was refused: the copy that holds it is of no use any more. Drop it, and load the document again. */
  refused: 4400,
  /** The session is over. Sign in, then connect again. */
  signedOut: 4401,
  /** The role in the team has changed, or the document has gone. Connect again to see what may be done now. */
  changed: 4403,
  /** The server stops or starts anew. Connect again in a moment; the copy is good. */
  restarting: 1012,
  /** Something failed on our side. Connect again in a moment; the copy is good. */
  tryAgain: 1013,
} as const

/** How a document stands: that of its most recent solve. */
export type SolveState = 'never' | 'queued' | 'running' | 'solved' | 'failed'

/** How the solve of a document stands, told to whoever has it open: at first, and whenever it changes. */
export interface SolveEvent {
  type: 'solve'
  state: SolveState
  /** Of the most recent solve; null when there was none. */
  solutionId: SolutionId | null
  /** Why it failed, or why there is none although an edit asks for one: a sentence. */
  reason: string | null
}

/** What the server tells beside the document itself: the payload, as JSON, of a stateless message. */
export type LiveEvent = SolveEvent

/** A place on the canvas. */
export interface CanvasPoint {
  x: number
  y: number
}

/** What somebody shows to the others who have the document open: their state in Yjs' awareness. */
export interface Presence {
  /** Put there by the server: nobody can pretend to be somebody else. */
  user?: { id: UserId; name: string }
  /** Null while it is elsewhere. */
  cursor?: CanvasPoint | null
  /** The selected nodes and groups, by id. */
  selection?: string[]
  /** Nodes that are being dragged and where they are now; written to the document when they are dropped. */
  drag?: Record<string, CanvasPoint> | null
}

/** Beyond this a presence is refused. Bytes as JSON. */
export const MAX_PRESENCE_BYTES = 64 * 1024
