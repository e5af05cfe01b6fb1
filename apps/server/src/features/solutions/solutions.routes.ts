import { readSolution, SOLUTION_FORMATS } from '@meadow/contract'
import { teamOf } from '../../access/resource-scope.ts'
import { serve } from '../../http/api/route.ts'
import { HttpError } from '../../http/http-error.ts'
import { GrowingBody, type StoredBody } from '../../http/responses/response-body.ts'
import { type BodyMaker, type StreamedForm, toStoredBody } from './bodies/body-maker.ts'
import { createUnsolvedError } from './get-exportable.ts'
import type { SolutionStore, StoredSolution } from './solutions.store.ts'
import type { SolveWaits } from './solve-waits.ts'

export const solutionRoutes = (
  solutions: SolutionStore,
  bodies: BodyMaker,
  waits: Pick<SolveWaits, 'wait'>,
) => [
  serve(
    readSolution,
    async (request) => {
      const form = readForm(request.query)
      const { resourceScope, tokenId: token } = request.principal
      const team = teamOf(resourceScope)
      const find = () => solutions.find(resourceScope, request.params.documentId)
      const seconds = readWait(request.headers.prefer)
      let status = await find()
      let waited = false
      if (status?.state === 'running' && seconds > 0) {
        const { document } = status
        const wait = { document, team, token, seconds, find, signal: request.signal }
        const ended = await request.quota.waitFor(() => waits.wait(wait))
        if (ended) [status, waited] = [ended.status, true]
      }
      if (status?.state !== 'solved') {
        throw createUnsolvedError(status, waited ? { 'preference-applied': `wait=${seconds}` } : {})
      }
      const { solution } = status
      return form === 'values'
        ? findBody(solution, form, bodies)
        : request.quota.waitFor(() => findBody(solution, form, bodies))
    },
    { isCached: false },
  ),
]

type SolutionForm = 'values' | StreamedForm

/** Only an unknown or repeated format is an error; all other queries have a meaning (decision 7). */
function readForm(query: URLSearchParams): SolutionForm {
  const formats = query.getAll('format')
  const format = formats.length === 0 ? 'json' : SOLUTION_FORMATS.find((known) => known === formats[0])
  if (!format || formats.length > 1) throw new HttpError('solution_format_not_accepted')
  if (format === 'bimz') return 'bimz'
  return query.get('includeGeometry') === 'true' ? 'geometry' : 'values'
}

/**
 * The body of a solution in the requested form. If the geometry cannot be read it is the body without geometry, which
 * says so (contract, part 4). Each form has an entity tag of its own. A large body that is being made is sent meanwhile.
 */
async function findBody(
  solution: StoredSolution,
  form: SolutionForm,
  bodies: BodyMaker,
): Promise<StoredBody | GrowingBody> {
  const body = form === 'values' ? undefined : await bodies.getEarly(solution, form)
  if (!body) return toStoredBody(solution.id, solution.values)
  const tag = `${solution.id}.${form}${body.isWhole ? '' : '-without-geometry'}`
  if ('forms' in body) return toStoredBody(tag, body.forms)
  const stored = body.found.then((found) => toStoredBody(tag, found!.forms))
  return new GrowingBody(`"${tag}"`, () => body.growing.open(), stored)
}

/** One preference of RFC 7240: `name`, or `name=value`, with parameters, which are ignored. */
const PREFERENCE =
  /\s*([\w!#$%&'*+.^`|~-]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([\w!#$%&'*+.^`|~-]*)))?((?:"(?:[^"\\]|\\.)*"|[^",])*)(?:,|$)/gy

/** The longest wait that can be requested, in seconds. */
const MAX_WAIT_S = 30

/**
 * The seconds of `Prefer: wait=N`, at most 30; 0 without it, or when N is not a whole number. The first of several
 * counts (RFC 7240).
 */
export function readWait(prefer: string | string[] | undefined): number {
  if (prefer === undefined) return 0
  for (const [, name, quoted, plain] of String(prefer).matchAll(PREFERENCE)) {
    if (name?.toLowerCase() !== 'wait') continue
    const seconds = quoted ?? plain ?? ''
    return /^\d+$/.test(seconds) ? Math.min(Number(seconds), MAX_WAIT_S) : 0
  }
  return 0
}
