import type { TeamId } from '@meadow/contract'
import { sql } from 'kysely'
import { purgeAuditLog } from '../../audit/record-event.ts'
import { steadyTime } from '../../platform/database/clock-record.ts'
import { listColumns } from '../../platform/database/columns.ts'
import type { Database, Dialect, Write } from '../../platform/database/database.ts'
import { timeOf } from '../../platform/database/database-clock.ts'
import type { TeamKey } from '../../platform/database/tables.ts'
import { deleteDocuments, deleteFiles } from '../../team/delete-contents.ts'
import { readFolderPath } from '../../team/folders.ts'
import { lockTeam } from '../../team/raise-version.ts'

/** Rows per transaction, during which other writers wait. */
const BATCH = 100

/** Deletes some rows of a team and returns how many, by table; none when nothing is left for this step. */
type PurgeStep = (write: Write, team: TeamKey) => Promise<Record<string, number>>

/**
 * Removes a deleted team with everything that it stores, in batches. Each is a transaction that also counts what it
 * removed, so that a purge that was killed goes on where it was. Concurrent calls do no harm. Blobs that nothing else
 * refers to are removed later, like those of the bin.
 */
export async function purgeTeam(database: Database, id: TeamId, signal?: AbortSignal): Promise<void> {
  const tables = await listTeamTables(database)
  const steps: PurgeStep[] = [
    purgeDocuments(database),
    purgeFiles,
    leaveBin,
    ...['bin_item', 'mirror'].map((table) => purgeRows(database.dialect, table)),
    purgeFolders,
    ...tables.map((table) => purgeRows(database.dialect, table)),
  ]
  for (const step of steps) {
    while (await runStep(database, id, step)) signal?.throwIfAborted()
  }
  await database.transaction(async (write) => {
    const [team] = await write.deleteFrom('team').where('public_id', '=', id).returning('name').execute()
    if (!team) return
    await purgeAuditLog(write, { id, name: team.name })
    await countPurged(write, id, { team: 1 })
    await write
      .updateTable('team_deletion')
      .set({ ended_at: timeOf(write) })
      .where('public_id', '=', id)
      .execute()
  })
}

/** Purges the teams whose time of grace is over by the steady clock, and returns their ids. */
export async function purgeDue(database: Database, signal?: AbortSignal): Promise<TeamId[]> {
  const due = await database.read
    .selectFrom('team_deletion')
    .where('purge_at', '<=', await steadyTime(database.read))
    .where('ended_at', 'is', null)
    .select('public_id as id')
    .orderBy('purge_at')
    .execute()
  for (const { id } of due) await purgeTeam(database, id, signal)
  return due.map(({ id }) => id)
}

/** Runs a step; false when nothing was left to remove. */
const runStep = (database: Database, id: TeamId, step: PurgeStep): Promise<boolean> =>
  database.transaction(async (write) => {
    const team = await beginPurge(write, id)
    if (team === undefined) return false
    const counts = await step(write, team)
    const removed = Object.values(counts).reduce((sum, count) => sum + count, 0)
    if (removed > 0) await countPurged(write, id, counts)
    return removed > 0
  })

/** Locks the team, which cannot be restored any more. Undefined when it is purged, or was restored. */
async function beginPurge(write: Write, id: TeamId): Promise<TeamKey | undefined> {
  const team = await write.selectFrom('team').where('public_id', '=', id).select('id').executeTakeFirst()
  if (!team) return undefined
  await lockTeam(write, team.id)
  const begun = await write
    .updateTable('team_deletion')
    .set(({ fn, val }) => ({ begun_at: fn.coalesce('begun_at', val(timeOf(write))) }))
    .where('public_id', '=', id)
    .executeTakeFirst()
  return begun.numUpdatedRows > 0n ? team.id : undefined
}

async function countPurged(write: Write, id: TeamId, counts: Record<string, number>): Promise<void> {
  const { counts: before } = await write
    .selectFrom('team_deletion')
    .where('public_id', '=', id)
    .select('counts')
    .executeTakeFirstOrThrow()
  const sums: Record<string, number> = JSON.parse(before)
  for (const [table, count] of Object.entries(counts)) {
    if (count > 0) sums[table] = (sums[table] ?? 0) + count
  }
  await write
    .updateTable('team_deletion')
    .set({ counts: JSON.stringify(sums) })
    .where('public_id', '=', id)
    .execute()
}

const purgeDocuments =
  ({ searchIndex }: Pick<Database, 'searchIndex'>): PurgeStep =>
  async (write, team) => {
    const rows = await write
      .selectFrom('document')
      .innerJoin('folder', 'folder.id', 'document.folder_id')
      .where('document.team_id', '=', team)
      .orderBy('document.id')
      .limit(BATCH)
      .select([
        'document.id',
        'document.public_id as publicId',
        'document.name_folded as nameFolded',
        'document.updated_at as updatedAt',
        'document.bin_id as bin',
        'folder.path',
      ])
      .execute()
    const remove = rows
      .filter(({ bin }) => bin === null)
      .map(({ path, bin: _, ...document }) => ({ ...document, team, folders: readFolderPath(path) }))
    await searchIndex.apply(write, { remove, add: [] })
    await deleteDocuments(
      write,
      rows.map(({ id }) => id),
    )
    return { document: rows.length }
  }

const purgeFiles: PurgeStep = async (write, team) => {
  const rows = await write
    .selectFrom('team_file')
    .where('team_id', '=', team)
    .orderBy('id')
    .limit(BATCH)
    .select('id')
    .execute()
  await deleteFiles(
    write,
    rows.map(({ id }) => id),
  )
  return { team_file: rows.length }
}

/** Folders refer to items of the bin, and these to folders. */
const leaveBin: PurgeStep = async (write, team) => {
  await write
    .updateTable('folder')
    .set({ bin_id: null })
    .where('team_id', '=', team)
    .where('bin_id', 'is not', null)
    .execute()
  return {}
}

/** Deletes folders that have no folder inside, until none is left. */
const purgeFolders: PurgeStep = async (write, team) => {
  const { numDeletedRows } = await write
    .deleteFrom('folder')
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom('folder as leaf')
        .where('leaf.team_id', '=', team)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('folder as child').whereRef('child.parent_id', '=', 'leaf.id').select('child.id'),
            ),
          ),
        )
        .limit(BATCH)
        .select('leaf.id'),
    )
    .executeTakeFirst()
  return { folder: Number(numDeletedRows) }
}

/** Rows of any table that names the team in `team_id`. */
const purgeRows =
  (dialect: Dialect, table: string): PurgeStep =>
  async (write, team) => {
    const keys = (await listColumns(write, dialect, table)).filter(({ keyPosition }) => keyPosition > 0)
    const key = sql.join(keys.map(({ name }) => sql.ref(name)))
    const { numAffectedRows = 0n } = await sql`delete from ${sql.table(table)}
      where (${key}) in (select ${key} from ${sql.table(table)} where team_id = ${team} limit ${sql.lit(BATCH)})`.execute(
      write,
    )
    return { [table]: Number(numAffectedRows) }
  }

/** Every table that names a team in `team_id`: also one that is made later is purged. */
export async function listTeamTables({
  read,
  dialect,
}: Pick<Database, 'read' | 'dialect'>): Promise<string[]> {
  const query = {
    sqlite: sql<{ name: string }>`select tables.name from sqlite_schema as tables
      join pragma_table_info(tables.name) as columns on columns.name = 'team_id'
      where tables.type = 'table' order by tables.name`,
    postgres: sql<{ name: string }>`select relname as name from pg_class
      join pg_attribute on attrelid = pg_class.oid and attname = 'team_id' and not attisdropped
      where relkind = 'r' and pg_table_is_visible(pg_class.oid) order by relname`,
  }[dialect]
  const { rows } = await query.execute(read as unknown as Write)
  return rows.map(({ name }) => name)
}
