/** The code of an error that says that the object store could not be used. */
export const OBJECT_STORE_UNAVAILABLE = 'OBJECT_STORE_UNAVAILABLE'

/** Reasons by the error code of the operating system; they complete "…: permission denied". */
const REASONS: Record<string, string> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ENOENT: 'it does not exist',
  EEXIST: 'something else has its name',
  ENOTDIR: 'a part of its path is not a folder',
  EISDIR: 'it is a folder',
  ENXIO: 'it is not a regular file',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the disk is read-only',
  EIO: 'the disk reports an error',
  ELOOP: 'its link leads in a circle',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  ENAMETOOLONG: 'its path is too long',
  ECONNREFUSED: 'nothing answers at that address',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the name of the host could not be looked up',
  ECONNRESET: 'the connection was lost',
  ETIMEDOUT: 'there was no answer in time',
}

/** Reasons by the primary result code of SQLite (sqlite.org/rescode.html). */
const SQLITE_REASONS: Record<number, string> = {
  5: 'other processes have been writing to it for too long',
  8: 'it is read-only',
  10: 'the disk is full, or reports an error',
  11: 'the file is damaged',
  13: 'the disk is full',
  14: 'the file cannot be opened',
  26: 'the file is not a database',
}

/** Returns the code of an error that comes from the operating system. */
export const findCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined

/** Returns the reason of a failed call to the operating system in words; undefined when something else failed. */
export function findSystemReason(error: unknown): string | undefined {
  const code = findCode(error)
  if (code === undefined) return undefined
  return code === 'ERR_SQLITE_ERROR' ? SQLITE_REASONS[findResultCode(error) & 0xff] : REASONS[code]
}

const findResultCode = (error: unknown): number => Number((error as { errcode?: unknown }).errcode)

/** Returns the reason of a failure for people, which is never empty and never a stack. */
export function reasonOf(error: unknown): string {
  const said = error instanceof Error ? error.message : String(error)
  return findSystemReason(error) ?? (said || findCode(error) || 'for an unknown reason')
}
