import { readName } from '../../platform/database/names.ts'
import { refuse } from '../refusal.ts'

/** A name that somebody typed, without the blanks around it. Refuses what cannot be one. */
export function readNameOrRefuse(text: string): string {
  try {
    return readName(text.trim())
  } catch (error) {
    if (error instanceof RangeError) throw refuse('name_not_acceptable', { cause: error })
    throw error
  }
}
