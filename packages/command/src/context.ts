import type { Completed, NameSources } from './complete.ts'
import type { Environment, Output, OutputStream } from './output.ts'
import type { Interrupt } from './signals.ts'

/** The process's environment and streams. */
export interface Surroundings {
  readonly env: Environment
  /** Results are printed with `output`; the streams are for files, questions and progress. */
  readonly stdout: OutputStream
  readonly stderr: OutputStream
}

/** The context in which every command runs. */
export interface CommandContext extends Surroundings {
  readonly output: Output
  /** Sets the exit code of a command that has not failed. */
  endWith(exitCode: number): void
  /**
   * Watches for Ctrl-C and SIGTERM, which otherwise end the process at once. An error that comes after them is not
   * reported; the command then ends with the code of the signal.
   */
  watchInterrupt(onFirst?: () => void): Interrupt
  /** Completes the words of a call, the last of which is not finished. */
  complete(words: readonly string[], names: NameSources): Promise<Completed>
}
