import type { Readable } from 'node:stream'
import type { Meadow } from '@meadow/client'
import type {
  CommandContext as CommonContext,
  Declaration,
  Interrupt,
  Surroundings as Streams,
} from '@meadow/command'
import type { Connection } from './config/connection.ts'

/** The process's environment and streams. */
export interface Surroundings extends Streams {
  /** The user's own folder. */
  readonly home: string
  readonly platform: NodeJS.Platform
  readonly stdin: Readable & { isTTY?: boolean }
}

/** The options that every command takes. */
export interface GlobalOptions {
  json?: true
  jq?: string
  csv?: true
  profile?: string
  url?: string
  timeout?: number
  verbose?: true
}

/** The context in which every command runs. */
export interface CommandContext extends Surroundings, CommonContext {
  readonly options: GlobalOptions
  /** Aborts with Ctrl-C or SIGTERM. */
  readonly signal: AbortSignal
  /** Runs work that may take long without a pause, and that Ctrl-C ends in the middle. It must not write anything. */
  run: Interrupt['run']
  /** Returns the service and the token to use, as options, environment and profiles determine them. */
  connect(): Promise<Connection>
  /**
   * Opens the API of that connection. Fails when there is no token. `retries` is the number of times that a request is
   * repeated.
   */
  openMeadow(retries?: number): Promise<Meadow>
}

/** A command of `meadow`. */
export type Command = Declaration<CommandContext>
