import { API_PREFIX } from '@meadow/contract'
import { APP_PREFIX } from '@meadow/contract/web'
import { pause, send, sendUntilAnswered } from './requests.ts'
import type { Work } from './work.ts'

const SOLVE_MS = 100

/**
 * Requests solves of a document that does not change, one after the other, until the work ends. Each has to finish,
 * whatever happens to the process that solves, with the same values as the first one.
 */
export async function solve(work: Work, document: string): Promise<void> {
  const { balancer, servers, ledger, random, signal, team } = work
  const anywhere = () => random.pick([balancer, ...servers])
  let first: string | undefined
  while (!signal.aborted) {
    const path = `${APP_PREFIX}/documents/${document}/solves`
    const headers = { cookie: team.owner.cookie }
    const requested = await send(anywhere(), { path, headers, method: 'POST' }, ledger)
    if (requested && requested.status !== 202)
      ledger.violate('wrong solves', `A request for a solve was answered with ${requested.status}.`)
    const solution = await waitForSolution(work, document)
    if (solution !== undefined) {
      ledger.count('solves')
      first ??= solution
      if (solution !== first) ledger.violate('wrong solves', `The solution of ${document} has other values.`)
    }
    await pause(SOLVE_MS, signal)
  }
}

/** The time in milliseconds in which a solve has to be finished when nothing is at fault any more. */
const FINISH_MS = 120_000

/** Checks, when the faults are over, that every solve finishes, and that each was charged at most once. */
export async function checkSolves(work: Work): Promise<void> {
  const { team, ledger } = work
  const signal = AbortSignal.timeout(FINISH_MS)
  const finish = async (document: string) => {
    await waitForSolution({ ...work, signal }, document)
    if (signal.aborted) ledger.violate('wrong solves', `The solve of ${document} does not finish.`)
  }
  await Promise.all(team.solved.map(finish))
  const rows = await work.query(
    'select solution_id, count(*) as count from credit_entry group by solution_id having count(*) > 1 and solution_id is not null',
  )
  for (const { solution_id, count } of rows)
    ledger.violate('wrong solves', `The solve of ${solution_id} was charged ${count} times.`)
}

/** The status after a failed solve: a solve fails when three solvers in turn did not survive it. */
const FAILED = 502
const [SOLVED, RUNNING, NEVER] = [200, 202, 409]

/** Resolves with the values of the current solution; undefined when there is none, or the work ends before that. */
async function waitForSolution(work: Work, document: string): Promise<string | undefined> {
  const { balancer, servers, ledger, random, signal, team } = work
  const headers = { authorization: `Bearer ${team.token}`, prefer: 'wait=5' }
  const request = { path: `${API_PREFIX}/documents/${document}/solution`, headers }
  const anywhere = () => random.pick([balancer, ...servers])
  for (;;) {
    const response = await sendUntilAnswered(anywhere, request, ledger, signal, FAILED)
    if (!response) return undefined
    switch (response.status) {
      case SOLVED: {
        const { data, completeness, messages } = JSON.parse(response.body.toString())
        const { solutionId: _, ...values } = data
        return JSON.stringify({ values, completeness, messages })
      }
      case RUNNING:
        continue
      // The request for the first solve failed.
      case NEVER:
        return undefined
      case FAILED:
        ledger.fail(`The solve of ${document} failed: ${response.body}`)
        return undefined
      default:
        ledger.violate('wrong solves', `The solution of ${document} was answered with ${response.status}.`)
        return undefined
    }
  }
}
