import { readSolution } from '@meadow/contract'
import { readWait } from '../../http/api/prefer.ts'
import { serve } from '../../http/api/route.ts'
import type { BodyMaker } from './bodies/body-maker.ts'
import { findBody } from './find-body.ts'
import { readForm } from './read-form.ts'
import { refuseUnsolved } from './refuse-unsolved.ts'
import type { SolutionStore } from './solutions.store.ts'
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
      const { team, tokenId: token } = request.principal
      const find = () => solutions.find(team, request.params.documentId)
      const seconds = readWait(request.headers.prefer)
      let standing = await find()
      let waited = false
      if (standing?.state === 'running' && seconds > 0) {
        const { document } = standing
        const wait = { document, team, token, seconds, find, signal: request.signal }
        const held = await request.share.waitFor(() => waits.wait(wait))
        if (held) [standing, waited] = [held.standing, true]
      }
      if (standing?.state !== 'solved') {
        throw refuseUnsolved(standing, waited ? { 'preference-applied': `wait=${seconds}` } : {})
      }
      const { solution } = standing
      return form === 'values'
        ? findBody(solution, form, bodies)
        : request.share.waitFor(() => findBody(solution, form, bodies))
    },
    { isCached: false },
  ),
]
