import type { TeamId, Unit } from '@meadow/contract'
import type { VersionPolicy } from '@meadow/contract/web'
import { TENTHS_PER_CREDIT, toCredits } from '@meadow/contract/web/terms'
import type { Updateable } from 'kysely'
import { recordEvent } from '../audit/record-event.ts'
import type { Database, Select, Write } from '../platform/database/database.ts'
import { timeOf } from '../platform/database/database-clock.ts'
import { readName } from '../platform/database/names.ts'
import type { Tables, TeamKey, TeamSolver } from '../platform/database/tables.ts'
import { createPublicId, isPublicId } from '../platform/public-ids.ts'
import { publishAccessChange } from './access-changes.ts'
import { insertFolder } from './folders.ts'
import type { TeamLimits } from './quotas.ts'
import type { TeamTransaction, TeamWrite } from './team-transaction.ts'

/** All times here are milliseconds since 1970. */
export interface TeamRecord {
  key: TeamKey
  id: TeamId
  name: string
  host: string | null
  /** What is left, in tenths of a credit. */
  creditTenths: number
  solver: TeamSolver
  units: Unit
  createdAt: number
  publicDocuments: 0 | 1
  publicDays: number | null
  /** When its deletion was requested; nobody reaches the team from then on. */
  deletedAt: number | null
}

/** Whether the documents of a team may be public, and for how many days at most; null for no end. */
export interface PublicPolicy {
  allowed: boolean
  days: number | null
}

export interface NewTeam {
  name: string
  /** The host name of the team alone, in lower case, without a port. */
  host?: string | undefined
  /** Whole credits; default: 0. */
  credits?: number | undefined
  /** Whether its documents may be public; by default not. */
  publicDocuments?: boolean | undefined
}

/** The columns of a `TeamRecord`. */
const TEAM_COLUMNS = [
  'team.id as key',
  'team.public_id as id',
  'team.name',
  'team.host',
  'team.credit_tenths as creditTenths',
  'team.solver',
  'team.units',
  'team.created_at as createdAt',
  'team.public_documents as publicDocuments',
  'team.public_days as publicDays',
  'team.deleted_at as deletedAt',
] as const

const selectTeams = (read: Select) => read.selectFrom('team').select(TEAM_COLUMNS)

/** Lists all teams, oldest first. */
export const listTeams = (read: Select): Promise<TeamRecord[]> =>
  selectTeams(read).orderBy('team.id').execute()

export const findTeam = async (read: Select, id: string): Promise<TeamRecord | undefined> =>
  isPublicId('team', id) ? selectTeams(read).where('team.public_id', '=', id).executeTakeFirst() : undefined

/** The team of a token by the token's public id. */
export const findTeamOfToken = async (read: Select, id: string): Promise<TeamRecord | undefined> =>
  isPublicId('tok', id)
    ? selectTeams(read)
        .innerJoin('token', 'token.team_id', 'team.id')
        .where('token.public_id', '=', id)
        .executeTakeFirst()
    : undefined

/** Another team has the host name already. */
export class HostTakenError extends Error {
  constructor(host: string) {
    super(`Another team has the host name "${host}".`)
  }
}

/** A later time of the policy for versions is shorter than an earlier one. */
export class VersionPolicyError extends Error {
  constructor() {
    super('Each time of the policy must be as long as the one before it, or longer.')
  }
}

/** The name of the root folder, which is never shown: the team's name is shown instead (contract, part 2). */
const ROOT_NAME = 'root'

/** Creates the team with its root folder. Throws a {@link HostTakenError} when another team has that host. */
export const createTeam = (
  database: Pick<Database, 'transaction'>,
  { name, host, credits = 0, publicDocuments = false }: NewTeam,
): Promise<TeamRecord> =>
  database.transaction(async (write) => {
    if (host !== undefined && (await isHostTaken(write, host))) throw new HostTakenError(host)
    const team = await write
      .insertInto('team')
      .values({
        public_id: createPublicId('team'),
        name: readName(name),
        host: host ?? null,
        credit_tenths: credits * TENTHS_PER_CREDIT,
        public_documents: publicDocuments ? 1 : 0,
        created_at: timeOf(write),
      })
      .returning(TEAM_COLUMNS)
      .executeTakeFirstOrThrow()
    await insertFolder(write, team.key, undefined, ROOT_NAME)
    recordEvent(write, {
      action: 'team.created',
      team: team.key,
      target: { kind: 'team', id: team.id, name: team.name },
      details: { host: team.host },
    })
    await addCreditEntry(write, team.key, credits)
    return team
  })

/** Whether a team other than `except` has the host name. */
async function isHostTaken(write: Write, host: string, except?: TeamKey): Promise<boolean> {
  const team = await write.selectFrom('team').where('host', '=', host).select('id').executeTakeFirst()
  return team !== undefined && team.id !== except
}

const update = ({ write, team }: TeamWrite, columns: Updateable<Tables['team']>) =>
  write.updateTable('team').set(columns).where('id', '=', team).execute()

const recordSetting = ({ record }: TeamTransaction, setting: string, to: string | number | null) =>
  record({ action: 'team.settings_changed', details: { setting, to } })

export async function renameTeam(change: TeamTransaction, name: string): Promise<void> {
  await update(change, { name: readName(name) })
  recordSetting(change, 'name', name)
}

/** Sets the host name; null for none of its own. Throws a {@link HostTakenError}. */
export async function setHost(change: TeamTransaction, host: string | null): Promise<void> {
  const { write, team, record } = change
  if (host !== null && (await isHostTaken(write, host, team))) throw new HostTakenError(host)
  const { host: from } = await write
    .selectFrom('team')
    .where('id', '=', team)
    .select('host')
    .executeTakeFirstOrThrow()
  await update(change, { host })
  record({ action: 'team.host_changed', details: { from, to: host } })
}

/** Sets who solves, from the next solve on. */
export async function setSolver(change: TeamTransaction, solver: TeamSolver): Promise<void> {
  await update(change, { solver })
  recordSetting(change, 'solver', solver)
}

/** Sets the unit of lengths, from the next solve on. */
export async function setUnits(change: TeamTransaction, units: Unit): Promise<void> {
  await update(change, { units })
  recordSetting(change, 'units', units)
}

/** Sets whether members without a second factor see nothing of the team. */
export async function requireSecondFactor(change: TeamTransaction, isRequired: boolean): Promise<void> {
  await update(change, { requires_second_factor: isRequired ? 1 : 0 })
  await publishAccessChange(change.database, change.write)
  recordSetting(change, 'requires_second_factor', isRequired ? 'yes' : 'no')
}

/** Documents that may not be shared any more, or not for that long, change at once. What is not given stays. */
export async function setPublicPolicy(
  change: TeamTransaction,
  { allowed, days }: Partial<PublicPolicy>,
): Promise<void> {
  const { write, team } = change
  const set = {
    ...(allowed !== undefined && { public_documents: allowed ? (1 as const) : (0 as const) }),
    ...(days !== undefined && { public_days: days }),
  }
  await update(change, set)
  if (allowed !== undefined) recordSetting(change, 'public documents', allowed ? 'allowed' : 'not allowed')
  if (days !== undefined) recordSetting(change, 'days that documents are public', days)
  const documents = write
    .updateTable('document')
    .where('team_id', '=', team)
    .where(({ or, eb }) => or([eb('visibility', '=', 'public'), eb('shares_player', '=', 1)]))
  if (allowed === false)
    await documents.set({ visibility: 'private', shares_player: 0, public_until: null }).execute()
  if (typeof days !== 'number') return
  const latest = timeOf(write) + days * 86_400_000
  await documents
    .set({ public_until: latest })
    .where(({ or, eb }) => or([eb('public_until', 'is', null), eb('public_until', '>', latest)]))
    .execute()
}

/** Sets for how long versions are kept; what is not given stays. Throws a {@link VersionPolicyError}. */
export async function setVersionPolicy(
  change: TeamTransaction,
  policy: Partial<VersionPolicy>,
): Promise<void> {
  const { write, team } = change
  const before = await readVersionPolicy(write, team)
  const given = Object.entries(policy).filter(([, days]) => days !== undefined)
  const after: VersionPolicy = { ...before, ...Object.fromEntries(given) }
  const ends = [after.allDays, after.dailyDays, after.weeklyDays].map((days) => days ?? Infinity)
  if (ends.some((days, at) => at > 0 && days < ends[at - 1]!)) throw new VersionPolicyError()
  await update(change, {
    versions_all_days: after.allDays,
    versions_daily_days: after.dailyDays,
    versions_weekly_days: after.weeklyDays,
  })
  for (const [setting, days] of given)
    recordSetting(change, POLICY_SETTINGS[setting as keyof VersionPolicy], days)
}

/** Sets how much the team may store; limits that are not given stay. */
export async function setLimits(
  change: TeamTransaction,
  { bytes, documents }: Partial<TeamLimits>,
): Promise<void> {
  await update(change, { max_bytes: bytes, max_documents: documents })
  if (bytes !== undefined) recordSetting(change, 'max_bytes', bytes)
  if (documents !== undefined) recordSetting(change, 'max_documents', documents)
}

/** The settings of the policy in the words of events. */
const POLICY_SETTINGS: Record<keyof VersionPolicy, string> = {
  allDays: 'days that all versions are kept',
  dailyDays: 'days that daily versions are kept',
  weeklyDays: 'days that weekly versions are kept',
}

export async function readVersionPolicy(select: Select, team: TeamKey): Promise<VersionPolicy> {
  return select
    .selectFrom('team')
    .where('id', '=', team)
    .select([
      'versions_all_days as allDays',
      'versions_daily_days as dailyDays',
      'versions_weekly_days as weeklyDays',
    ])
    .executeTakeFirstOrThrow()
}

/** Adds whole credits; returns how many tenths of a credit the team has now. */
export async function addCredits({ write, team, record }: TeamTransaction, count: number): Promise<number> {
  const { credit_tenths: now } = await write
    .updateTable('team')
    .set(({ eb }) => ({ credit_tenths: eb('credit_tenths', '+', count * TENTHS_PER_CREDIT) }))
    .where('id', '=', team)
    .returning('credit_tenths')
    .executeTakeFirstOrThrow()
  await addCreditEntry(write, team, count)
  record({ action: 'team.credits_added', details: { count, now: toCredits(now) } })
  return now
}

/** Records an addition of credits, which the team's members can see. */
async function addCreditEntry(write: Write, team: TeamKey, count: number): Promise<void> {
  if (count === 0) return
  await write
    .insertInto('credit_entry')
    .values({ team_id: team, at: timeOf(write), credit_tenths: count * TENTHS_PER_CREDIT })
    .execute()
}
