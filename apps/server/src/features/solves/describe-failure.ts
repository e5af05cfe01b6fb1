import { findSystemReason } from '../../platform/system-errors.ts'

/** Returns undefined for errors that are no faults of the system. */
export function describeStorageFailure(error: unknown): string | undefined {
  const reason = findSystemReason(error)
  return reason && `The server could not store what the solve made: ${reason}.`
}
