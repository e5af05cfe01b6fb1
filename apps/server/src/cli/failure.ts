import { ConfigError } from '../config.ts'
import { findSystemReason, reasonOf } from '../platform/system-errors.ts'

/** Why a command did not do what it was asked for, as a sentence that tells the operator what to do. */
export class CommandFailure extends Error {
  override readonly name: string = 'CommandFailure'
  /** What the process ends with. */
  readonly exitCode: number = 1
}

/** The command was called in a way that it cannot be called in. */
export class UsageFailure extends CommandFailure {
  override readonly name = 'UsageFailure'
  override readonly exitCode = 2
}

/** One plain sentence for the operator, whatever was thrown. */
export function sentenceOf(error: unknown): string {
  if (error instanceof CommandFailure || error instanceof ConfigError) return error.message
  const reason = findSystemReason(error)
  if (reason === undefined) return reasonOf(error)
  const { path } = error as NodeJS.ErrnoException
  return path ? `"${path}" cannot be used: ${reason}.` : `That did not work: ${reason}.`
}
