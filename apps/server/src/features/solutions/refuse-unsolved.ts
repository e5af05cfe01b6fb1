import { API_ERRORS } from '@meadow/contract'
import { HttpError } from '../../http/http-error.ts'
import type { SolveStanding } from './stored-solution.ts'

/** In seconds. A script that wants to know at once sends `Prefer: wait=N`. */
const RETRY_AFTER = '1'

/** Why a document has no solution to answer with; undefined stands for one that the team does not have. */
export function refuseUnsolved(
  standing: Exclude<SolveStanding, { state: 'solved' }> | undefined,
  headers: Record<string, string> = {},
): HttpError {
  switch (standing?.state) {
    case undefined:
      return new HttpError('document_not_found')
    case 'never':
      return new HttpError('never_solved')
    case 'running':
      return new HttpError('solve_running', { headers: { 'retry-after': RETRY_AFTER, ...headers } })
    case 'failed':
      return new HttpError('solve_failed', {
        sentence: `${API_ERRORS.solve_failed.sentence} ${standing.reason}`.trimEnd(),
      })
  }
}
