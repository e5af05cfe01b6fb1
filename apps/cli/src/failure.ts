import { ApiError, ConnectionFailed, ERROR_CLASSES, MeadowError, TimedOut } from '@meadow/client'
import { STATUS_DESCRIPTIONS } from '@meadow/client/endpoints'
import { CommandFailure, describeSystemError, type ErrorReport } from '@meadow/command'

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

/** Reports any error as one plain sentence, with what the service adds to it. */
export function reportError(error: unknown): ErrorReport {
  if (error instanceof ApiError) {
    const { status, requestId } = error
    return { error: error.message, status, ...(requestId !== undefined && { requestId }) }
  }
  if (error instanceof CommandFailure || error instanceof MeadowError) return { error: error.message }
  const { code, message } = error as NodeJS.ErrnoException
  const reason = code === undefined ? undefined : REASONS[code]
  if (reason !== undefined) return { error: describeSystemError(error, reason) }
  return { error: `That did not work: ${String(message ?? error).split('\n')[0]}` }
}

/** Returns the exit code for an error; the contract has those of statuses. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof CommandFailure) return error.exitCode
  if (error instanceof TimedOut) return EXIT_CODES.notReady
  if (error instanceof ApiError) {
    const known = STATUS_DESCRIPTIONS.find(({ status }) => status === error.status)
    return known?.exitCode ?? EXIT_CODES.failed
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

/** Returns the error for the answer to a raw request, with the sentence of the service. */
export async function readFailure(response: Response, url: string): Promise<ApiError> {
  const { status, headers } = response
  const message = readSentence(await response.text()) ?? `The answer of ${url} has the status ${status}.`
  const Class = ERROR_CLASSES[status] ?? ApiError
  return new Class({ status, url, message, requestId: headers.get('x-request-id') ?? undefined })
}

function readSentence(body: string): string | undefined {
  try {
    const { error } = JSON.parse(body)
    return typeof error === 'string' ? error : undefined
  } catch {
    return undefined
  }
}
