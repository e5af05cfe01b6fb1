import { API_ERRORS } from '@meadow/contract/terms'
import type { ResourceScope } from '../../access/resource-scope.ts'
import { HttpError } from '../../http/http-error.ts'
import type { SolutionStore, SolveStatus, StoredSolution } from './solutions.store.ts'

/** The most recent solution of a document, which is what an export contains (decision 27). Throws when there is none. */
export async function getExportable(
  solutions: SolutionStore,
  resourceScope: ResourceScope,
  id: string,
): Promise<StoredSolution> {
  const status = await solutions.findExportable(resourceScope, id)
  if (status?.state !== 'solved') throw createUnsolvedError(status)
  return status.solution
}

/** The value of `Retry-After`, in seconds. A client that needs the result sooner sends `Prefer: wait=N`. */
const RETRY_AFTER = '1'

/** The error for a document without a solution; `status` is undefined when there is no such document in scope. */
export function createUnsolvedError(
  status: Exclude<SolveStatus, { state: 'solved' }> | undefined,
  headers: Record<string, string> = {},
): HttpError {
  switch (status?.state) {
    case undefined:
      return new HttpError('document_not_found')
    case 'never':
      return new HttpError('never_solved')
    case 'running':
      return new HttpError('solve_running', { headers: { 'retry-after': RETRY_AFTER, ...headers } })
    case 'failed':
      return new HttpError('solve_failed', {
        sentence: `${API_ERRORS.solve_failed.sentence} ${status.reason}`.trimEnd(),
      })
  }
}
