import type { Environment } from '../config/read-variables.ts'
import type { Output, OutputStream } from './output/output.ts'

/** What the process gives to the command. */
export interface Surroundings {
  readonly env: Environment
  readonly stdout: OutputStream
  readonly stderr: OutputStream
}

/** What every command is handed. */
export interface CommandContext {
  readonly env: Environment
  readonly output: Output
  /** For files that are written there, which go around `output`. */
  readonly stdout: OutputStream
  /** For progress bars, which go around `output`. */
  readonly stderr: OutputStream
  /** Ends the process with this code after the command, which is not a failure of its own. */
  endWith(exitCode: number): void
}

/**
 * Turns a command's work into what commander calls: the arguments, then the options.
 * One of these is made per call of the command.
 */
export type StartCommand = <Arguments extends unknown[]>(
  work: (context: CommandContext, ...given: Arguments) => Promise<void>,
) => (...given: unknown[]) => Promise<void>
