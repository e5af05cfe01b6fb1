import { constants } from 'node:fs'
import { type FileHandle, lstat, open, readlink, realpath } from 'node:fs/promises'
import { isAbsolute, relative, sep } from 'node:path'
import { ImportError } from './import-result.ts'

/** Does not wait for the other end of a pipe. Windows has neither the flag nor such files. */
const OPEN_FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)

/**
 * Opens a file for reading whose real path is below `realRoot`, itself a real path. Throws an {@link ImportError} for
 * another one, which a link on the way leads to: whoever may write into the folder could otherwise read every file that
 * this process can. The opened file is what is checked, since the links may change at any moment.
 */
export async function openBelow(realRoot: string, path: string): Promise<FileHandle> {
  const file = await open(path, OPEN_FLAGS)
  try {
    if (!isBelow(realRoot, await findOpenedPath(file, path))) throw new ImportError(OUTSIDE)
    return file
  } catch (error) {
    await file.close()
    throw error
  }
}

export const OUTSIDE = 'it is a link to a file outside of the folder, which is not followed'

/** Whether one real path is below another. */
export const isBelow = (realRoot: string, realPath: string): boolean => {
  const path = relative(realRoot, realPath)
  // The path to another drive of Windows is absolute.
  return path !== '' && path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path)
}

/**
 * The path of an open file: on Linux that of the system, elsewhere the real path, if what is there is still the file that
 * was opened.
 */
async function findOpenedPath(file: FileHandle, path: string): Promise<string> {
  const known = await readlink(`/proc/self/fd/${file.fd}`).catch(() => undefined)
  if (known !== undefined) return known
  const real = await realpath(path)
  const [there, opened] = await Promise.all([lstat(real, { bigint: true }), file.stat({ bigint: true })])
  if (there.dev !== opened.dev || there.ino !== opened.ino)
    throw new ImportError('it was being replaced: import again when it is finished')
  return real
}
