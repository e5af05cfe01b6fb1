import { type Actor, checkActor } from '../../access/current-roles.ts'
import type { DocumentAccess } from '../../access/resource-access.store.ts'
import type { Database, Write } from '../../platform/database/database.ts'
import { lockTeam } from '../../team/raise-version.ts'
import { HttpError } from '../http-error.ts'

/**
 * Runs a change of what belongs to a document but not to its content, such as comments, in one transaction, if the
 * actor may still make it then. The team's version stays as it is, since the API returns nothing of it. `work` gets the
 * name of the document.
 */
export const changeBeside = <T>(
  database: Database,
  actor: Actor,
  access: DocumentAccess,
  work: (write: Write, name: string) => Promise<T>,
): Promise<T> =>
  database.transaction(async (write) => {
    // The lock comes first, so that changes of one team wait for each other on PostgreSQL and later rows have higher
    // keys.
    await lockTeam(write, actor.team)
    await checkActor(database, write, actor)
    const document = await write
      .selectFrom('document')
      .where('id', '=', access.document)
      .where('team_id', '=', actor.team)
      .where('bin_id', 'is', null)
      .select('name')
      .executeTakeFirst()
    if (!document) throw new HttpError('document_not_found')
    return work(write, document.name)
  })
