import type { Readable } from 'node:stream'
import type { Meadow } from '@meadow/client'
import type { Command } from 'commander'
import type { Connection } from './config/connection.ts'
import type { Output, OutputStream } from './output/output.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** The process's environment and streams. */
export interface Surroundings {
  readonly env: Environment
  /** The user's own folder. */
  readonly home: string
  readonly platform: NodeJS.Platform
  readonly stdin: Readable & { isTTY?: boolean }
  readonly stdout: OutputStream
  readonly stderr: OutputStream
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
export interface CommandContext extends Surroundings {
  /** All commands, for completion. */
  readonly program: Command
  readonly options: GlobalOptions
  readonly output: Output
  /** Aborts with Ctrl-C or SIGTERM. */
  readonly signal: AbortSignal
  /** Returns the service and the token to use, as options, environment and profiles determine them. */
  connect(): Promise<Connection>
  /**
   * Opens the API of that connection. Fails when there is no token. `retries` is the number of times that a request is
   * repeated.
   */
  openMeadow(retries?: number): Promise<Meadow>
  /** Sets the exit code of a command that has not failed. */
  endWith(exitCode: number): void
}

/** Turns the work of a command into the action that commander calls with the arguments and then the options. */
export type StartCommand = <Arguments extends unknown[]>(
  work: (context: CommandContext, ...input: Arguments) => Promise<void>,
) => (...input: unknown[]) => Promise<void>
