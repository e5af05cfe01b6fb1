import { deleteVersions } from '../../content/history/versions.store.ts'
import type { Database, Select } from '../../platform/database/database.ts'
import type { DocumentKey, TeamKey } from '../../platform/database/tables.ts'
import { lockTeam } from '../../team/raise-version.ts'
import { readVersionPolicy } from '../../team/teams.ts'
import { selectVersionsToKeep } from './select-versions-to-keep.ts'

/** Documents that are looked at with one query. */
const PAGE = 500
/** Versions that are removed in one transaction, during which other writers wait. */
const BATCH = 200

/**
 * Removes the versions of all teams that their policies do not keep at a time (milliseconds since 1970), and returns their
 * number. Each batch is a transaction that leaves nothing half done, so that a run that was killed is continued by the next.
 */
export async function pruneVersions(
  database: Pick<Database, 'read' | 'transaction'>,
  now: number,
  signal?: AbortSignal,
): Promise<number> {
  const { read } = database
  let count = 0
  for (let last = 0 as DocumentKey; ; ) {
    const documents = await read
      .selectFrom('document_version')
      .where('document_id', '>', last)
      .groupBy(['document_id', 'team_id'])
      .having(({ eb, fn }) => eb(fn.countAll(), '>', 1))
      .orderBy('document_id')
      .limit(PAGE)
      .select(['document_id as document', 'team_id as team'])
      .execute()
    for (const { document, team } of documents) {
      if ((await listUnkept(read, team, document, now)).length === 0) continue
      for (let removed = BATCH; removed === BATCH; count += removed) {
        signal?.throwIfAborted()
        removed = await removeBatch(database, team, document, now)
      }
    }
    if (documents.length < PAGE) return count
    last = documents.at(-1)!.document
  }
}

const removeBatch = (
  { transaction }: Pick<Database, 'transaction'>,
  team: TeamKey,
  document: DocumentKey,
  now: number,
): Promise<number> =>
  transaction(async (write) => {
    await lockTeam(write, team)
    // Again: one may have been named, or the policy changed.
    const unkept = (await listUnkept(write, team, document, now)).slice(0, BATCH)
    if (unkept.length > 0) await deleteVersions(write, document, unkept)
    return unkept.length
  })

/** The versions of a document that the policy of its team does not keep, the oldest first. */
async function listUnkept(select: Select, team: TeamKey, document: DocumentKey, now: number) {
  const policy = await readVersionPolicy(select, team)
  const rows = await select
    .selectFrom('document_version')
    .where('document_id', '=', document)
    .where('team_id', '=', team)
    .orderBy('seq')
    .select(['id', 'seq', 'at', 'name', 'is_pinned'])
    .execute()
  const versions = rows.map(({ id, seq, at, name, is_pinned }) => ({
    id,
    seq,
    at,
    isKept: name !== null || is_pinned === 1,
  }))
  const kept = selectVersionsToKeep(versions, policy, now)
  return versions.filter((version) => !kept.has(version)).map(({ id }) => id)
}
