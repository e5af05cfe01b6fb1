import type { SolutionId, UserId } from './ids.ts'

/**
 * The path at which documents are edited, through Yjs and the protocol of Hocuspocus: the document's id is its document
 * name.
 */
export const LIVE_PATH = '/live'

/** The most that one message may hold, in bytes. */
export const MAX_LIVE_MESSAGE_BYTES = 8 * 2 ** 20 + 1024

/** Why the server closes a live connection. The reason that goes with the code is a sentence. */
export const LIVE_CLOSE = {
  /** An edit was rejected: the copy with it is invalid. Discard it, and load the document again. */
  refused: 4400,
  /** The session is over. Sign in, then connect again. */
  signedOut: 4401,
  /** The role in the team has changed, or the document was deleted. Connect again for the current permissions. */
  changed: 4403,
  /** The server stops or restarts. Connect again in a moment; the copy stays valid. */
  restarting: 1012,
  /** Something failed on our side. Connect again in a moment; the copy is good. */
  tryAgain: 1013,
} as const

/** The status of a document: that of its most recent solve. */
export type SolveState = 'never' | 'queued' | 'running' | 'solved' | 'failed'

/** The status of a document's solve, sent to all clients that have it open: at first, and after each change. */
export interface SolveEvent {
  type: 'solve'
  state: SolveState
  /** The id of the most recent solve; null if there was none. */
  solutionId: SolutionId | null
  /** Why the solve failed, or why no solve follows an edit that needs one: a sentence. */
  reason: string | null
}

/** The comments about the document have changed. Sent to pages of the web app, which read them again, and not to agents. */
export interface CommentsEvent {
  type: 'comments'
  /** The revision differs after each change. */
  revision: number
}

/** The named views of the document have changed. Sent to pages of the web app alone, like the event of comments. */
export interface ViewsEvent {
  type: 'views'
  /** The revision differs after each change. */
  revision: number
}

/** A message of the server besides the document itself: the JSON payload of a stateless message. */
export type LiveEvent = SolveEvent | CommentsEvent | ViewsEvent

/** A position on the canvas. */
export interface CanvasPoint {
  x: number
  y: number
}

/** What a user shows to the others who have the document open: their state in the awareness protocol of Yjs. */
export interface Presence {
  /** Set by the server, so that no client can impersonate another user. */
  user?: { id: UserId; name: string }
  /** Null while the pointer is elsewhere. */
  cursor?: CanvasPoint | null
  /** The selected nodes and groups, by id. */
  selection?: string[]
  /** Nodes that are being dragged and where they are now; written to the document when they are dropped. */
  drag?: Record<string, CanvasPoint> | null
  /** The version that the user restored last: when it was made, and when they restored it, as ISO 8601. */
  restored?: { versionAt: string; at: string }
}

/** The limit of a presence, in bytes of JSON. A larger one is rejected. */
export const MAX_PRESENCE_BYTES = 64 * 1024
