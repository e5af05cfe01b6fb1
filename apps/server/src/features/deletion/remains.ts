import { sql } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import { GARBAGE_GRACE_MS } from '../../team/content-blobs.ts'
import type { TeamDeletion } from './team-deletion.ts'

/** What of a deleted team or user is still somewhere, in words for the operator. */
export interface Remains {
  where: string
  /** Until when it remains there. */
  until: string
}

const AUTHOR: Remains = {
  where:
    'comments that they wrote, and their id beside their edits and in comments that mention them, without a name',
  until: 'as long as the documents are there',
}

/** Lists what remains of a deleted team, or of a deleted user if no team is given. */
export async function listRemains(
  { read }: Pick<Database, 'read'>,
  deletion?: TeamDeletion,
): Promise<Remains[]> {
  const rows = await read
    .selectFrom('backup_run')
    .where('moment', 'is not', null)
    .groupBy('target')
    .select(['target', sql<number>`max(ended_at)`.as('at')])
    .orderBy('target')
    .execute()
  const backups = rows.map(({ target, at }) => ({
    where: `backups in ${target}, the last one of ${new Date(at).toISOString().slice(0, 16)}Z`,
    until: 'until "meadow-server backup --keep" has removed every moment from before the deletion',
  }))
  const others = {
    where: rows.length === 0 ? 'backups, of which none was recorded in the last 90 days' : 'other backups',
    until: 'copies of the database and of the files that were made by other means are yours to remove',
  }
  const log = {
    where: 'the log of requests, with ids and addresses',
    until: 'until whatever keeps it has removed it',
  }
  const audit = { where: 'the audit log of the service: who deleted it, and when', until: 'for good' }
  return [audit, ...(deletion === undefined ? [AUTHOR] : filesOf(deletion)), ...backups, others, log]
}

/** Lists for people who are not the operator what remains of a team, or of their account if `purgeAt` is not given. */
export function listRemainsForPeople(purgeAt?: number): Remains[] {
  const log = {
    where: 'the log of requests, with ids and network addresses',
    until: 'until the operator removes it',
  }
  const backups = {
    where: 'backups of the service',
    until: 'until the operator removes those from before the deletion',
  }
  const who = { where: 'the audit log: who deleted it, and when', until: 'for good' }
  if (purgeAt === undefined)
    return [{ ...who, where: 'the audit log: what you did, and this deletion' }, AUTHOR, backups, log]
  const day = new Date(purgeAt).toISOString().slice(0, 10)
  return [
    { where: 'everything that the team stores', until: `until it is removed, from ${day} on` },
    who,
    backups,
    log,
  ]
}

function filesOf({ endedAt, purgeAt }: TeamDeletion): Remains[] {
  if (endedAt === null) {
    const day = new Date(purgeAt).toISOString().slice(0, 10)
    return [{ where: 'everything that the team stores', until: `until it is purged, from ${day} on` }]
  }
  const removed = new Date(endedAt + GARBAGE_GRACE_MS).toISOString().slice(0, 16)
  return [
    {
      where: 'files that only this team had, in the file store',
      until: `until a running server removes them, from ${removed}Z on`,
    },
  ]
}
