import { SOLUTION_FORMATS } from '@meadow/contract'
import { HttpError } from '../../http/http-error.ts'
import type { MadeForm } from './stored-solution.ts'

/** Which body of a solution is asked for. */
export type SolutionForm = 'values' | MadeForm

/** A format that is not accepted, or repeated, is the only thing refused; all else has a meaning (decision 7). */
export function readForm(query: URLSearchParams): SolutionForm {
  const given = query.getAll('format')
  const format = given.length === 0 ? 'json' : SOLUTION_FORMATS.find((accepted) => accepted === given[0])
  if (!format || given.length > 1) throw new HttpError('solution_format_not_accepted')
  if (format === 'bimz') return 'bimz'
  return query.get('includeGeometry') === 'true' ? 'geometry' : 'values'
}
