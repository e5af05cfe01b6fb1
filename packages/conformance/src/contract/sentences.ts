import type { Sentence } from '../sentence.ts'
import { AUTHENTICATION } from './authentication.ts'
import { DOCUMENTS } from './documents.ts'
import { ENDPOINTS } from './endpoints.ts'
import { ERRORS } from './errors.ts'
import { EXPORTS } from './exports.ts'
import { LIBRARY } from './library.ts'
import { SEARCH } from './search.ts'
import { SOLUTIONS } from './solutions.ts'
import { PURPOSE, VERSIONING } from './surroundings.ts'

/** Every sentence of the contract, in its order. */
export const SENTENCES: readonly Sentence[] = [
  ...PURPOSE,
  ...LIBRARY,
  ...DOCUMENTS,
  ...SOLUTIONS,
  ...ENDPOINTS,
  ...SEARCH,
  ...EXPORTS,
  ...AUTHENTICATION,
  ...ERRORS,
  ...VERSIONING,
].sort((a, b) => a.id.localeCompare(b.id, 'en', { numeric: true }))
