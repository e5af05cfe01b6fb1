import type { Meadow } from '@meadow/client'

/** What a tool needs for its work: a client of the API for one token. */
export interface ToolContext {
  meadow: Meadow
  /** Whether the token has a scope. True for all scopes when they could not be found out. */
  hasScope(scope: string): boolean
  /** Aborts when the caller no longer waits. */
  signal: AbortSignal
}

/** An error that the caller can correct. Its message is a sentence that says how. */
export class ToolError extends Error {}
