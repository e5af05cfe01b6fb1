import { accessSync, chmodSync, constants, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { findCode, reasonOf } from './system-errors.ts'

const REJECTED = ['EACCES', 'EPERM', 'EROFS']

/** The permissions of folders and files with password hashes, sessions, keys and documents. */
export const OWNER_ONLY = { folder: 0o700, file: 0o600 } as const

/** What lies directly in a data folder; what is below `blobs` is closed by that folder. */
const KNOWN_ENTRIES = [
  'blobs',
  'meadow.sqlite',
  'meadow.sqlite-wal',
  'meadow.sqlite-shm',
  'session-secret',
  'demo-token',
  'spool',
]

const STICKY = 0o1000
const OTHERS = 0o077

/**
 * Creates the data folder if it does not exist, and restricts it and its files to the owner. `notify` is called with a
 * sentence about files that were restricted, or could not be. Throws a sentence for the operator when the folder is not
 * writable.
 */
export function ensureDataFolder(path: string, notify: (sentence: string) => void = () => {}): void {
  try {
    mkdirSync(path, { recursive: true, mode: OWNER_ONLY.folder })
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (cause) {
    const advice = REJECTED.includes(findCode(cause) ?? '')
      ? ' Let this user write there, or set MEADOW_DATA_DIR to another folder.'
      : ''
    throw new Error(`The data folder "${path}" cannot be used: ${reasonOf(cause)}.${advice}`, { cause })
  }
  closeDataFolder(path, notify)
}

/** Removes the permissions of others, which older versions did not. Windows has no such permissions. */
function closeDataFolder(path: string, notify: (sentence: string) => void): void {
  if (process.platform === 'win32') return
  // Other users could read a file only if both the folder and the file were open to them.
  const wasOpen = isOpenToOthers(path)
  let closed = 0
  for (const part of listReadable(path)) {
    const facts = statSync(part)
    try {
      // A sticky folder, such as /tmp, holds the files of other programs too.
      if (facts.mode & STICKY) throw new Error('it is a folder for everybody')
      chmodSync(part, facts.isDirectory() ? OWNER_ONLY.folder : OWNER_ONLY.file)
      if (part !== path) closed++
    } catch (error) {
      notify(
        `"${part}" can be read by other users of this machine, and that could not be changed: ${reasonOf(error)}. ` +
          'It holds passwords (hashed), sessions and documents: take the permissions of group and others away.',
      )
    }
  }
  if (wasOpen && closed > 0)
    notify(
      `Other users of this machine could read what is in the data folder "${path}". From now on only its owner can. If ` +
        'others should not have read it, change the passwords and keys that it holds.',
    )
}

/** Lists the data folder and the entries directly in it, if others have permissions there. */
const listReadable = (path: string): string[] =>
  [path, ...KNOWN_ENTRIES.map((name) => join(path, name))].filter(isOpenToOthers)

function isOpenToOthers(path: string): boolean {
  const facts = statSync(path, { throwIfNoEntry: false })
  return facts !== undefined && (facts.mode & OTHERS) !== 0
}

/** Returns the folders that other users may read. */
export const findReadableByOthers = (folders: readonly string[]): string[] =>
  process.platform === 'win32' ? [] : folders.filter(isOpenToOthers)
