import type { Environment } from '../config/read-variables.ts'
import type { Output, OutputStream } from './output/output.ts'

/** The process's environment and streams. */
export interface Surroundings {
  readonly env: Environment
  readonly stdout: OutputStream
  readonly stderr: OutputStream
}

/** The context that every command receives. */
export interface CommandContext {
  readonly env: Environment
  readonly output: Output
  /** The stream for files, which are written without `output`. */
  readonly stdout: OutputStream
  /** The stream for progress bars, which are drawn without `output`. */
  readonly stderr: OutputStream
  /** Sets the exit code for after the command, which has not failed. */
  endWith(exitCode: number): void
}

/**
 * Turns the work of a command into the action that commander calls with the arguments and then the options.
 */
export type StartCommand = <Arguments extends unknown[]>(
  work: (context: CommandContext, ...input: Arguments) => Promise<void>,
) => (...input: unknown[]) => Promise<void>
