import type { Database, Select } from '../../platform/database/database.ts'
import type { SolveKey, TeamKey } from '../../platform/database/tables.ts'
import { isRunning, QUEUED, RUNNING, reservedBy } from './solve-states.ts'

/** The solve that is to be claimed next. */
export interface Turn {
  key: SolveKey
  team: TeamKey
  /** A solver began it, and then its lease ran out. */
  isLeft: boolean
}

/** Whose turn it may be: solves whose lease has run out by `now`, and those of any team but `exceptTeam`. */
interface TurnParameters {
  now: number
  exceptTeam: TeamKey
}

/** No team has it. */
const NO_TEAM = 0 as TeamKey

/** Finds whose turn it is, without a transaction: solvers that have nothing to do ask every second. */
export function createFindTurn(
  database: Database,
): (now: number, exceptTeam?: TeamKey) => Promise<Turn | undefined> {
  const findLeft = database.prepare((read, { now, exceptTeam }: TurnParameters) =>
    read
      .selectFrom('solve')
      .where('state', '=', RUNNING)
      .where('lease_until', '<', now)
      .where('team_id', '<>', exceptTeam)
      .orderBy('lease_until')
      // Those that were given back have all the same: of them the oldest.
      .orderBy('id')
      .select(['id as key', 'team_id as team'])
      .limit(1),
  )
  const findWaiting = database.prepare(selectWaiting)
  return async (now, exceptTeam = NO_TEAM) => {
    const left = await findLeft.first({ now, exceptTeam })
    if (left) return { ...left, isLeft: true }
    const waiting = await findWaiting.first({ exceptTeam })
    return waiting && { ...waiting, isLeft: false }
  }
}

/**
 * The oldest solve that waits of the team that was served longest ago, so that a thousand solves of one team do not
 * hold up the one of another. A team without credits is not left out: its solves are given up when it is their turn.
 */
const selectWaiting = (read: Select, { exceptTeam }: Pick<TurnParameters, 'exceptTeam'>) =>
  read
    .selectFrom('solve as waiting')
    .innerJoin('team', 'team.id', 'waiting.team_id')
    .where('waiting.state', '=', QUEUED)
    .where('team.id', '<>', exceptTeam)
    .where(({ not, ref }) => not(isRunning(ref('waiting.document_id'))))
    .where(({ eb, or, ref }) =>
      or([eb('team.credits', '<=', 0), eb('team.credits', '>', reservedBy(ref('team.id')))]),
    )
    .groupBy('team.id')
    .select(({ fn }) => [fn.min('waiting.id').as('key'), 'team.id as team'])
    .orderBy(({ selectFrom, fn, val }) =>
      fn.coalesce(
        selectFrom('solve as served')
          .select(({ fn }) => fn.max('served.started_at').as('at'))
          .whereRef('served.team_id', '=', 'team.id'),
        val(0),
      ),
    )
    .orderBy('key')
    .limit(1)
