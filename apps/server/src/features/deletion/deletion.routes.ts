import { deleteAccount, deleteTeam, readDeletions, restoreTeam } from '@meadow/contract/web'
import { deleteUser, LastOwnerError, listSoleOwnerships } from '../../access/members.ts'
import type { SessionCookies } from '../../access/session-cookie.ts'
import { serveApp } from '../../http/app-api/app-route.ts'
import { HttpError } from '../../http/http-error.ts'
import type { Database } from '../../platform/database/database.ts'
import { timeOf } from '../../platform/database/database-clock.ts'
import { toTimestamp } from '../../platform/database/times.ts'
import { listRemainsForPeople } from './remains.ts'
import {
  DAY_MS,
  deleteTeam as deleteTeamOf,
  GRACE_DAYS,
  listOwnedDeletions,
  NotRestorableError,
  type OwnedDeletion,
  restoreTeam as restoreTeamOf,
} from './team-deletion.ts'

export interface DeletionRouteParts {
  database: Database
  cookies: Pick<SessionCookies, 'remove'>
}

/** Owners delete and restore their teams, and people their accounts. */
export const deletionRoutes = ({ database, cookies }: DeletionRouteParts) => [
  serveApp(deleteTeam, async ({ access, body, actor }) => {
    if (body.name !== access.teamName) throw new HttpError('confirmation_not_right')
    const deletion = await database.transaction((write) =>
      deleteTeamOf(database, write, access.team, timeOf(write) + GRACE_DAYS * DAY_MS, actor),
    )
    const team = showDeletion({ ...deletion, name: access.teamName, isByOwner: true })
    return { team, remains: listRemainsForPeople(deletion.purgeAt) }
  }),

  serveApp(readDeletions, async ({ person }) => ({
    deletedTeams: (await listOwnedDeletions(database.read, person.userId)).map(showDeletion),
    lastOwnerOf: await listSoleOwnerships(database.read, person.userId),
  })),

  serveApp(restoreTeam, ({ person, params }) =>
    database.transaction(async (write) => {
      const owned = await listOwnedDeletions(write, person.userId)
      const deletion = owned.find(({ teamId }) => teamId === params.deletedTeamId)
      if (!deletion) throw new HttpError('deleted_team_not_found')
      if (!deletion.isByOwner) throw new HttpError('deleted_by_operator')
      await restoreTeamOf(write, deletion.team).catch((error: unknown) => {
        throw error instanceof NotRestorableError ? new HttpError('team_not_restorable') : error
      })
    }),
  ),

  serveApp(deleteAccount, async ({ person, body, headers, setCookies, clearBrowserCache }) => {
    const { userId: id, email } = person
    if (body.email.trim().toLowerCase() !== email.toLowerCase()) throw new HttpError('confirmation_not_right')
    await deleteUser(database, { id, email }).catch((error: unknown) => {
      throw error instanceof LastOwnerError ? describeLastOwner(error) : error
    })
    setCookies(cookies.remove(headers.cookie))
    clearBrowserCache()
    return { remains: listRemainsForPeople() }
  }),
]

function describeLastOwner({ teams }: LastOwnerError): HttpError {
  const names = teams.map(({ name }) => `"${name}"`).join(', ')
  const sentence = `You are the last owner of ${names}. Make somebody else an owner first, or delete the team.`
  return new HttpError('last_owner_stays', { sentence })
}

const showDeletion = ({ teamId, name, askedAt, purgeAt, isByOwner }: Omit<OwnedDeletion, 'team'>) => ({
  id: teamId,
  name,
  deletedAt: toTimestamp(askedAt),
  restorableUntil: toTimestamp(purgeAt),
  isRestorable: isByOwner,
})
