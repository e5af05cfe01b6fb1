import { CommandFailure, describeSystemError } from '@meadow/command'
import { ConfigError } from '../config.ts'
import { findSystemReason, reasonOf } from '../platform/system-errors.ts'

/** One plain sentence for the operator about any error. */
export function sentenceOf(error: unknown): string {
  if (error instanceof CommandFailure || error instanceof ConfigError) return error.message
  const reason = findSystemReason(error)
  return reason === undefined ? reasonOf(error) : describeSystemError(error, reason)
}
