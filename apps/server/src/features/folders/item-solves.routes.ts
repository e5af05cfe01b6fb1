import type { DocumentId } from '@meadow/contract'
import { priceSolves, solveDocuments, stopSolves } from '@meadow/contract/web'
import { APP_ERRORS } from '@meadow/contract/web/terms'
import { type Actor, changeTeamFor } from '../../access/current-roles.ts'
import { publishSolves } from '../../content/solve-notifications.ts'
import { serveApp } from '../../http/app-api/app-route.ts'
import { HttpError } from '../../http/http-error.ts'
import type { Database } from '../../platform/database/database.ts'
import type { DocumentKey, TeamKey } from '../../platform/database/tables.ts'
import { isPublicId } from '../../platform/public-ids.ts'

export interface ItemSolveParts {
  database: Database
  /** Requests solves that a person asked for. False when the team has no credits. */
  requestSolves(actor: Actor, documents: readonly DocumentKey[]): Promise<boolean>
}

/** Solves of several documents: what they cost, the request, and taking them out of the queue. */
export const itemSolveRoutes = ({ database, requestSolves }: ItemSolveParts) => [
  serveApp(priceSolves, async ({ access, body }) => {
    const known = await findDocuments(database, access.team, body.documentIds)
    const charged = await listCharges(
      database,
      known.map(({ key }) => key),
    )
    const { credit_tenths } = await database.read
      .selectFrom('team')
      .where('id', '=', access.team)
      .select('credit_tenths')
      .executeTakeFirstOrThrow()
    return {
      creditTenths: charged.reduce((sum, tenths) => sum + tenths, 0),
      unknown: known.length - charged.length,
      leftTenths: credit_tenths,
    }
  }),

  serveApp(solveDocuments, async ({ access, body, actor }) => {
    const known = await findDocuments(database, access.team, body.documentIds)
    const keys = new Map(known.map(({ id, key }) => [String(id), key]))
    const asked = body.documentIds.flatMap((id) => keys.get(id) ?? [])
    if (asked.length > 0 && !(await requestSolves(actor, asked))) throw new HttpError('no_credits')
    const missing = body.documentIds.filter((id) => !keys.has(id))
    return {
      problems: missing.map((id) => ({ id, name: null, error: APP_ERRORS.document_not_found.sentence })),
    }
  }),

  serveApp(stopSolves, async ({ access, body, actor }) => {
    const known = await findDocuments(database, access.team, body.documentIds)
    if (known.length === 0) return { stopped: 0 }
    const stopped = await changeTeamFor(database, actor, async ({ write }) => {
      const documents = await write
        .deleteFrom('solve')
        .where('state', '=', 'queued')
        .where(
          'document_id',
          'in',
          known.map(({ key }) => key),
        )
        .returning('document_id as document')
        .execute()
      await publishSolves(
        database,
        write,
        'ended',
        documents.map(({ document }) => document),
      )
      return documents
    })
    return { stopped: stopped.length }
  }),
]

/** The documents of the team among these ids, without those in the bin. */
async function findDocuments({ read }: Database, team: TeamKey, ids: readonly string[]) {
  const valid = ids.filter((id): id is DocumentId => isPublicId('doc', id))
  if (valid.length === 0) return []
  return read
    .selectFrom('document')
    .where('team_id', '=', team)
    .where('bin_id', 'is', null)
    .where('public_id', 'in', valid)
    .select(['id as key', 'public_id as id'])
    .execute()
}

/** What the last solve that ended cost, for each of these documents that has one. In tenths of a credit. */
async function listCharges({ read }: Database, documents: readonly DocumentKey[]): Promise<number[]> {
  if (documents.length === 0) return []
  const rows = await read
    .selectFrom('solve')
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom('solve')
        .where('document_id', 'in', documents)
        .where('state', 'in', ['solved', 'failed'])
        .groupBy('document_id')
        .select(({ fn }) => fn.max('id').as('id')),
    )
    .select('credit_tenths')
    .execute()
  return rows.map(({ credit_tenths }) => credit_tenths ?? 0)
}
