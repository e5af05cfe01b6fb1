import { accessSync, constants, mkdirSync } from 'node:fs'
import { findCode, reasonOf } from './system-errors.ts'

const REFUSED = ['EACCES', 'EPERM', 'EROFS']

/** Makes a folder for Meadow's files where there is none. Throws a sentence for the operator when it cannot be written. */
export function ensureDataFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true })
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (cause) {
    const advice = REFUSED.includes(findCode(cause) ?? '')
      ? ' Let this user write there, or set MEADOW_DATA_DIR to another folder.'
      : ''
    throw new Error(`The data folder "${path}" cannot be used: ${reasonOf(cause)}.${advice}`, { cause })
  }
}
