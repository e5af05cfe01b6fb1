import { ConfigError } from '../config.ts'
import { findSystemReason, reasonOf } from '../platform/system-errors.ts'

/** A command has failed. The message is a sentence that states what the operator can do. */
export class CommandFailure extends Error {
  override readonly name: string = 'CommandFailure'
  /** The exit code of the process. */
  readonly exitCode: number = 1
}

/** The command was called incorrectly. */
export class UsageFailure extends CommandFailure {
  override readonly name = 'UsageFailure'
  override readonly exitCode = 2
}

/** One plain sentence for the operator about any error. */
export function sentenceOf(error: unknown): string {
  if (error instanceof CommandFailure || error instanceof ConfigError) return error.message
  const reason = findSystemReason(error)
  if (reason === undefined) return reasonOf(error)
  const { path } = error as NodeJS.ErrnoException
  return path ? `"${path}" cannot be used: ${reason}.` : `That did not work: ${reason}.`
}
