import type { TeamId, Unit } from '@meadow/contract'
import type { ReadonlyKysely } from 'kysely/readonly'
import type { Write } from '../platform/database/database.ts'
import { readName } from '../platform/database/names.ts'
import type { Tables, TeamKey, TeamSolver } from '../platform/database/tables.ts'
import { createPublicId } from '../platform/public-ids.ts'
import { createFolder } from './folders.ts'
import type { TeamLimits } from './quotas.ts'

/** All times here are milliseconds since 1970. */
export interface TeamRecord {
  key: TeamKey
  id: TeamId
  name: string
  host: string | null
  credits: number
  solver: TeamSolver
  units: Unit
  createdAt: number
}

export interface NewTeam {
  name: string
  /** The host name of the team alone, in lower case, without a port. */
  host?: string | undefined
  /** Default: 0. */
  credits?: number | undefined
}

/** The columns of a `TeamRecord`. */
const TEAM_COLUMNS = [
  'team.id as key',
  'team.public_id as id',
  'team.name',
  'team.host',
  'team.credits',
  'team.solver',
  'team.units',
  'team.created_at as createdAt',
] as const

export const selectTeams = (read: ReadonlyKysely<Tables>) => read.selectFrom('team').select(TEAM_COLUMNS)

/** Another team has the host name already. */
export class HostTakenError extends Error {
  constructor(host: string) {
    super(`Another team has the host name "${host}".`)
  }
}

/** The name of the root folder, which is never shown: the team's name is shown instead (contract, part 2). */
const ROOT_NAME = 'root'

/** Creates a team with its root folder. */
export async function createTeam(write: Write, { name, host, credits = 0 }: NewTeam): Promise<TeamRecord> {
  if (host !== undefined && (await isHostTaken(write, host))) throw new HostTakenError(host)
  const team = await write
    .insertInto('team')
    .values({
      public_id: createPublicId('team'),
      name: readName(name),
      host: host ?? null,
      credits,
      created_at: Date.now(),
    })
    .returning(TEAM_COLUMNS)
    .executeTakeFirstOrThrow()
  await createFolder(write, team.key, undefined, ROOT_NAME)
  await addCreditEntry(write, team.key, credits)
  return team
}

/** Whether a team other than `except` has the host name. */
async function isHostTaken(write: Write, host: string, except?: TeamKey): Promise<boolean> {
  const team = await write.selectFrom('team').where('host', '=', host).select('id').executeTakeFirst()
  return team !== undefined && team.id !== except
}

export interface TeamSettingChanges {
  renameTeam(name: string): Promise<void>
  /** Null for no host name of its own. Throws a {@link HostTakenError}. */
  setHost(host: string | null): Promise<void>
  /** From the next solve on. */
  setSolver(solver: TeamSolver): Promise<void>
  /** The unit of lengths, from the next solve on. */
  setUnits(units: Unit): Promise<void>
  /** Sets how much the team may store; limits that are not given stay. */
  setLimits(limits: Partial<TeamLimits>): Promise<void>
}

export function createTeamSettingChanges(write: Write, team: TeamKey): TeamSettingChanges {
  return {
    async renameTeam(name) {
      await write
        .updateTable('team')
        .set({ name: readName(name) })
        .where('id', '=', team)
        .execute()
    },
    async setHost(host) {
      if (host !== null && (await isHostTaken(write, host, team))) throw new HostTakenError(host)
      await write.updateTable('team').set({ host }).where('id', '=', team).execute()
    },
    async setSolver(solver) {
      await write.updateTable('team').set({ solver }).where('id', '=', team).execute()
    },
    async setUnits(units) {
      await write.updateTable('team').set({ units }).where('id', '=', team).execute()
    },
    async setLimits({ bytes, documents }) {
      await write
        .updateTable('team')
        .set({ max_bytes: bytes, max_documents: documents })
        .where('id', '=', team)
        .execute()
    },
  }
}

/** `TeamChange.addCredits`. */
export async function addCredits(write: Write, team: TeamKey, count: number): Promise<number> {
  const { credits } = await write
    .updateTable('team')
    .set(({ eb }) => ({ credits: eb('credits', '+', count) }))
    .where('id', '=', team)
    .returning('credits')
    .executeTakeFirstOrThrow()
  await addCreditEntry(write, team, count)
  return credits
}

/** Records an addition of credits, which the team's members can see. */
async function addCreditEntry(write: Write, team: TeamKey, count: number): Promise<void> {
  if (count === 0) return
  await write.insertInto('credit_entry').values({ team_id: team, at: Date.now(), credits: count }).execute()
}
