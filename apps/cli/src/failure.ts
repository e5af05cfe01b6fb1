import { ApiError, ConnectionFailed, MeadowError, TimedOut } from '@meadow/client'
import { STATUS_DESCRIPTIONS } from '@meadow/client/endpoints'

/** The exit codes of the command. After Ctrl-C it is 130, after SIGTERM 143. */
export const EXIT_CODES = {
  ok: 0,
  failed: 1,
  usage: 2,
  notAllowed: 3,
  notFound: 4,
  notReady: 5,
  solveFailed: 6,
} as const

export type ExitCode = (typeof EXIT_CODES)[keyof typeof EXIT_CODES] | 130 | 143

/** A command has failed. The message is a sentence that says what the user can do. */
export class CommandFailure extends Error {
  override readonly name: string = 'CommandFailure'
  readonly exitCode: ExitCode

  constructor(message: string, exitCode: ExitCode = EXIT_CODES.failed) {
    super(message)
    this.exitCode = exitCode
  }
}

/** The command was called incorrectly. */
export class UsageFailure extends CommandFailure {
  override readonly name = 'UsageFailure'

  constructor(message: string) {
    super(message, EXIT_CODES.usage)
  }
}

/** The report of an error: its sentence, and the other members that `--json` prints. */
export interface ErrorReport {
  error: string
  status?: number
  requestId?: string
}

/** Reports any error as one plain sentence, with what the service adds to it. */
export function reportError(error: unknown): ErrorReport {
  if (error instanceof ApiError) {
    const { status, requestId } = error
    return { error: error.message, status, ...(requestId !== undefined && { requestId }) }
  }
  if (error instanceof CommandFailure || error instanceof MeadowError) return { error: error.message }
  return { error: describeSystemError(error) }
}

/** Returns the exit code for an error; the contract has those of statuses. */
export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof CommandFailure) return error.exitCode
  if (error instanceof TimedOut) return EXIT_CODES.notReady
  if (error instanceof ApiError) {
    const known = STATUS_DESCRIPTIONS.find(({ status }) => status === error.status)
    return (known?.exitCode ?? EXIT_CODES.failed) as ExitCode
  }
  return EXIT_CODES.failed
}

/** Whether a request failed for a reason that the next request of its kind would have too. */
export const isGeneral = (error: unknown): boolean =>
  error instanceof ConnectionFailed ||
  error instanceof TimedOut ||
  (error instanceof ApiError && [401, 403, 429, 503].includes(error.status))

/** The words for errors of the system that users meet. */
const REASONS: Record<string, string> = {
  EACCES: 'permission is missing',
  EPERM: 'it is not permitted',
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'a part of the path is not a folder',
  EISDIR: 'it is a folder',
  EEXIST: 'it exists already',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of the disk is used up',
  EROFS: 'the disk is read-only',
  EMFILE: 'too many files are open',
  ENAMETOOLONG: 'the name is too long',
}

function describeSystemError(error: unknown): string {
  const { code, path, message } = error as NodeJS.ErrnoException
  const reason = code === undefined ? undefined : REASONS[code]
  if (reason === undefined) return `That did not work: ${String(message ?? error).split('\n')[0]}`
  return path ? `"${path}" cannot be used: ${reason}.` : `That did not work: ${reason}.`
}
