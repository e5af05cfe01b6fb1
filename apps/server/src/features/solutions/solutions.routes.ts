import { readSolution } from '@meadow/contract'
import { readWait } from '../../http/prefer.ts'
import { serve } from '../../http/serve.ts'
import type { BodyMaker } from './bodies/body-maker.ts'
import { findBody } from './find-body.ts'
import { readForm } from './read-form.ts'
import { refuseUnsolved } from './refuse-unsolved.ts'
import type { SolutionStore } from './solutions.store.ts'
import type { SolveEnds } from './solve-ends.ts'
import { waitForSolve } from './wait-for-solve.ts'

export const solutionRoutes = (
  solutions: SolutionStore,
  bodies: BodyMaker,
  ends: Pick<SolveEnds, 'listen'>,
) => [
  serve(
    readSolution,
    async (request) => {
      const form = readForm(request.query)
      const find = () => solutions.find(request.reader.team, request.params.documentId)
      const waitS = readWait(request.headers.prefer)
      let standing = await find()
      if (standing?.state === 'running' && waitS > 0) {
        standing = await waitForSolve(standing.document, waitS, { ends, find, hurry: request.hurry })
      }
      if (standing?.state !== 'solved') {
        throw refuseUnsolved(standing, waitS > 0 ? { 'preference-applied': `wait=${waitS}` } : {})
      }
      return findBody(standing.solution, form, bodies)
    },
    { kept: false },
  ),
]
