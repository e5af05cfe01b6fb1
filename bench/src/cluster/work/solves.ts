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

/** Checks, when the faults are over, that every solve finishes, and that each that ended was charged once. */
export async function checkSolves(work: Work): Promise<void> {
  const { team, ledger } = work
  const signal = AbortSignal.timeout(FINISH_MS)
  const finish = async (document: string) => {
    await waitForSolution({ ...work, signal }, document)
    if (signal.aborted) ledger.violate('wrong solves', `The solve of ${document} does not finish.`)
  }
  await Promise.all(team.solved.map(finish))
  const charges = (await work.query(CHARGES)) as unknown as Charges[]
  for (const message of judgeCharges(charges)) ledger.violate('wrong solves', message)
  const teams = await work.query(
    'select credit_tenths - (select sum(credit_tenths) from credit_entry where team_id = team.id) as off from team',
  )
  for (const { off } of teams)
    if (Number(off) !== 0) ledger.violate('wrong solves', `The credits differ from their list by ${off}.`)
}

/** What was charged for a solve. Numbers of the database may be texts. */
export interface Charges {
  id: string
  /** Null when the record was deleted since, which happens to solves that ended. */
  state: string | null
  /** What the record of the solve says, in tenths of a credit; null before its end. */
  tenths: number | string | null
  /** The number of entries in the list of credits, and their sum. */
  entries: number | string
  charged: number | string
}

const CHARGES = `select coalesce(solve.public_id, entry.solution_id) as id, solve.state, solve.credit_tenths as tenths,
    count(entry.solution_id) as entries, -coalesce(sum(entry.credit_tenths), 0) as charged
  from solve full join credit_entry entry on entry.solution_id = solve.public_id
  where coalesce(solve.public_id, entry.solution_id) is not null
  group by solve.public_id, entry.solution_id, solve.state, solve.credit_tenths`

/**
 * Lists the solves that ended without being charged once, as much as their record says, and those that were charged before
 * their end. A solve that no process survives costs nothing.
 */
export function judgeCharges(rows: readonly Charges[]): string[] {
  return rows.flatMap(({ id, state, tenths, entries, charged }) => {
    const isOver = state !== 'queued' && state !== 'running'
    const expected = isOver && !(state === 'failed' && Number(tenths) === 0) ? 1 : 0
    if (Number(entries) !== expected)
      return `The solve ${id} (${state ?? 'deleted'}) was charged ${entries} times, not ${expected}.`
    if (expected === 1 && state !== null && Number(charged) !== Number(tenths))
      return `The solve ${id} was charged ${charged} tenths of a credit, not ${tenths}.`
    return []
  })
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
