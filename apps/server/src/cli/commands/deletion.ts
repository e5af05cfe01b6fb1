import {
  type CommandContext,
  CommandFailure,
  type Declaration,
  formatCount,
  printable,
  readWhole,
  UsageFailure,
} from '@meadow/command'
import { deleteUser, LastOwnerError } from '../../access/members.ts'
import { purgeTeam } from '../../features/deletion/purge-team.ts'
import { listRemains, type Remains } from '../../features/deletion/remains.ts'
import {
  DAY_MS,
  deleteTeam,
  findDeletion,
  GRACE_DAYS,
  listDeletions,
  restoreTeam,
  type TeamDeletion,
} from '../../features/deletion/team-deletion.ts'
import { timeOf } from '../../platform/database/database-clock.ts'
import type { TeamRecord } from '../../team/teams.ts'
import { readEmail } from '../arguments.ts'
import { getTeam, getUser, openStorage, type Storage } from '../storage.ts'

/** `meadow-server team delete` */
export const teamDelete: Declaration = {
  name: 'delete',
  summary: 'Delete a team with everything that it has.',
  description:
    'Delete a team with everything that it has. From now on nobody reaches it, and its API tokens are rejected. ' +
    `For ${GRACE_DAYS} days "team restore" brings it back as it was; then a running server purges it, and a report ` +
    'says what was removed and what remains where.',
  arguments: { '<id>': 'The id of the team.' },
  options: {
    '--grace-days <number>': { says: 'For how many days it can be restored.', read: readWhole(1, 3650) },
    '--now': 'Purge it now: nothing but a backup brings it back. Needs --name.',
    '--name <name>': 'The name of the team, as a confirmation of --now.',
  },
  examples: [
    'meadow-server team delete <ID>',
    'meadow-server team delete <ID> --grace-days 30',
    'meadow-server team delete <ID> --now --name "Facades"',
  ],
  run: runTeamDelete,
}

interface TeamDeleteOptions {
  graceDays?: number
  now?: true
  name?: string
}

async function runTeamDelete(
  { env, output }: CommandContext,
  id: string,
  { graceDays, now, name }: TeamDeleteOptions,
): Promise<void> {
  if (now && graceDays !== undefined)
    throw new UsageFailure('"--now" and "--grace-days" exclude each other: leave one of them out.')
  await using storage = await openStorage({ env, output })
  const team = await getTeam(storage.database, id)
  if (now && name !== team.name) throw new CommandFailure(describeUnconfirmed(team))
  const graceMs = now ? 0 : (graceDays ?? GRACE_DAYS) * DAY_MS
  const { database } = storage
  const deletion = await database.transaction((write) =>
    deleteTeam(database, write, team.key, timeOf(write) + graceMs),
  )
  if (now) await purgeTeam(database, team.id)
  await report(storage, output, now ? ((await findDeletion(database, team.id)) ?? deletion) : deletion)
  if (now) return
  output.message(
    `Nobody reaches the team "${printable(team.name)}" any more. "meadow-server team restore ${team.id}" brings it ` +
      `back until ${toDay(deletion.purgeAt)}; then a running server purges it.`,
  )
}

const describeUnconfirmed = ({ name }: TeamRecord): string =>
  `Purging cannot be undone. To confirm it, add the name of the team: --name "${printable(name)}".`

/** `meadow-server team restore` */
export const teamRestore: Declaration = {
  name: 'restore',
  description: 'Bring a deleted team back as it was, with its members and API tokens.',
  arguments: { '<id>': 'The id of the team.' },
  examples: ['meadow-server team restore <ID>'],
  run: runTeamRestore,
}

async function runTeamRestore({ env, output }: CommandContext, id: string): Promise<void> {
  await using storage = await openStorage({ env, output })
  const team = await getTeam(storage.database, id)
  await storage.database.transaction((write) => restoreTeam(write, team.key))
  await output.data({ id: team.id, restored: true }, () => team.id)
  output.message(`Team "${printable(team.name)}" is back.`)
}

/** `meadow-server team deletions` */
export const teamDeletions: Declaration = {
  name: 'deletions',
  summary: 'List deleted teams, or report on the deletion of one.',
  description:
    'List deleted teams, newest first: which can be restored until when, and which are purged. With an id: what was ' +
    'purged, and what remains where.',
  arguments: { '[id]': 'The id of a deleted team.' },
  examples: ['meadow-server team deletions', 'meadow-server team deletions <ID> --json'],
  run: runTeamDeletions,
}

async function runTeamDeletions({ env, output }: CommandContext, id: string | undefined): Promise<void> {
  await using storage = await openStorage({ env, output })
  const deletions = await listDeletions(storage.database)
  if (id === undefined) {
    return output.data(
      { deletions: deletions.map(showDeletion) },
      {
        table: {
          columns: ['TEAM', 'DELETED', 'STATE'],
          rows: deletions.map((deletion) => [
            deletion.teamId,
            toDay(deletion.askedAt),
            describeState(deletion),
          ]),
        },
      },
    )
  }
  const deletion = deletions.find(({ teamId }) => teamId === id)
  if (!deletion)
    throw new CommandFailure(
      `The team "${printable(id)}" was not deleted. "meadow-server team deletions" lists deleted teams.`,
    )
  await report(storage, output, deletion)
}

async function report(
  { database }: Storage,
  output: CommandContext['output'],
  deletion: TeamDeletion,
): Promise<void> {
  const remains = await listRemains(database, deletion)
  await output.data({ ...showDeletion(deletion), counts: deletion.counts, remains }, () =>
    [
      `Team ${deletion.teamId}: ${describeState(deletion)}.`,
      ...describeCounts(deletion),
      ...remains.map(({ where, until }) => `Remains: ${where}; ${until}.`),
    ].join('\n'),
  )
}

function describeCounts({ counts }: TeamDeletion): string[] {
  const rows = Object.entries(counts).map(([table, count]) => `${formatCount(count)} of ${table}`)
  return rows.length === 0 ? [] : [`Purged rows: ${rows.join(', ')}.`]
}

function describeState({ purgeAt, begunAt, endedAt }: TeamDeletion): string {
  if (endedAt !== null) return `purged on ${toDay(endedAt)}`
  if (begunAt !== null) return 'being purged'
  return `can be restored until ${toDay(purgeAt)}`
}

/** A deletion as `--json` shows it. */
const showDeletion = ({ teamId, askedAt, purgeAt, begunAt, endedAt }: TeamDeletion) => ({
  id: teamId,
  state: endedAt !== null ? 'purged' : begunAt !== null ? 'purging' : 'restorable',
  deletedAt: new Date(askedAt).toISOString(),
  purgeAt: new Date(purgeAt).toISOString(),
  purgedAt: endedAt === null ? null : new Date(endedAt).toISOString(),
})

const toDay = (time: number): string => new Date(time).toISOString().slice(0, 10)

/** `meadow-server user delete` */
export const userDelete: Declaration = {
  name: 'delete',
  summary: 'Delete a user, whose work stays with their teams.',
  description:
    'Delete a user with their sessions, password, roles, invitations and API tokens. What they made stays with their ' +
    'teams, as the work of a former member. The last owner of a team cannot be deleted.',
  arguments: { '<email>': { says: 'The e-mail address of the user.', read: readEmail } },
  examples: ['meadow-server user delete ann@example.org'],
  run: runUserDelete,
}

async function runUserDelete({ env, output }: CommandContext, email: string): Promise<void> {
  await using storage = await openStorage({ env, output })
  const user = await getUser(storage.users, email)
  const left = await deleteUser(storage.database, user).catch((error: unknown) => {
    throw error instanceof LastOwnerError ? new CommandFailure(describeLastOwner(email, error)) : error
  })
  const remains = await listRemains(storage.database)
  const teams = left.map(({ id, name, role }) => ({ id, name, role }))
  await output.data({ id: user.id, deleted: true, teams, remains }, () =>
    [
      `User ${user.id}: deleted.`,
      ...teams.map(({ id, name, role }) => `No longer ${role} of team "${printable(name)}" (${id}).`),
      ...remains.map(({ where, until }: Remains) => `Remains: ${where}; ${until}.`),
    ].join('\n'),
  )
}

function describeLastOwner(email: string, { teams }: LastOwnerError): string {
  const names = teams.map(({ id, name }) => `"${printable(name)}" (${id})`).join(', ')
  const [first] = teams
  return (
    `${email} is the last owner of ${names}. Make somebody else an owner first, with "meadow-server user add EMAIL ` +
    `--team ${first!.id} --role owner", or delete the team, with "meadow-server team delete ${first!.id}".`
  )
}
