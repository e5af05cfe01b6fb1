import { readName } from '../../platform/database/names.ts'
import { HttpError } from '../http-error.ts'

/** A name that somebody typed, without the blanks around it. Refuses what cannot be one. */
export function readNameOrRefuse(text: string): string {
  try {
    return readName(text.trim())
  } catch (error) {
    if (error instanceof RangeError) throw new HttpError('name_not_acceptable', { cause: error })
    throw error
  }
}
