import { REFUSALS } from '@meadow/contract'
import { type Refusal, refuse } from '../../http/refusal.ts'
import type { SolveStanding } from './stored-solution.ts'

/** In seconds. A script that wants to know at once sends `Prefer: wait=N`. */
const RETRY_AFTER = '1'

/** Why a document has no solution to answer with; undefined stands for one that the team does not have. */
export function refuseUnsolved(
  standing: Exclude<SolveStanding, { state: 'solved' }> | undefined,
  headers: Record<string, string> = {},
): Refusal {
  switch (standing?.state) {
    case undefined:
      return refuse('document_not_found')
    case 'never':
      return refuse('never_solved')
    case 'running':
      return refuse('solve_running', { headers: { 'retry-after': RETRY_AFTER, ...headers } })
    case 'failed':
      return refuse('solve_failed', {
        sentence: `${REFUSALS.solve_failed.sentence} ${standing.reason}`.trimEnd(),
      })
  }
}
