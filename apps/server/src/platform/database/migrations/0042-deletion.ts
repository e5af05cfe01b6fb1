import { CompiledQuery, sql } from 'kysely'
import type { Dialect, Write } from '../database.ts'
import type { Migration } from '../migration.ts'
import { storedOrder } from '../name-order.ts'
import { cleanName, findHidden, foldName } from '../names.ts'
import { writePostgresIndex } from '../postgres/postgres-search-writes.ts'
import type { IndexedDocument } from '../search-index.ts'
import { writeSearchIndex } from '../sqlite/sqlite-search-writes.ts'
import type { FolderKey } from '../tables.ts'

/**
 * Deletion of teams, the policy for public documents, and names without hidden characters. Names that hold such are
 * cleaned here: all others are checked when they are given.
 */
export const deletion: Migration = {
  name: 'deletion',
  async up(write, dialect) {
    for (const statement of tables(TYPES[dialect])) await write.executeQuery(CompiledQuery.raw(statement))
    const counts: string[] = []
    for (const [table, what] of NAMED) {
      const count = await cleanTable(write, dialect, table)
      if (count > 0) counts.push(`${count} ${what}`)
    }
    if (counts.length === 0) return []
    await sql`update team set version = version + 1`.execute(write)
    return [`Hidden characters and line breaks were taken out of the names of ${counts.join(', ')}.`]
  },
}

const TYPES = {
  sqlite: { long: 'integer', text: 'text', options: 'strict' },
  postgres: { long: 'bigint', text: 'text collate "C"', options: '' },
} as const

const tables = ({ long, text, options }: (typeof TYPES)[Dialect]) => [
  // Null: it is not deleted.
  `alter table team add column deleted_at ${long}`,
  'alter table team add column public_documents integer not null default 0 check (public_documents in (0, 1))',
  // Null: without an end.
  'alter table team add column public_days integer default 90 check (public_days > 0)',
  // What is public stays so.
  `update team set public_documents = 1
    where exists (select 1 from document where team_id = team.id and visibility = 'public')`,
  `alter table document add column public_until ${long}`,
  "create index document_public on document (public_until) where visibility = 'public'",
  // Names of documents that are gone.
  `update credit_entry set document_name = ''
    where document_id is not null and document_id not in (select public_id from document)`,
  'create index credit_entry_document on credit_entry (document_id) where document_id is not null',
  // Without a reference to the team: the row outlives it.
  `create table team_deletion (
    public_id ${text} primary key,
    asked_at ${long} not null,
    purge_at ${long} not null,
    begun_at ${long},
    ended_at ${long},
    counts ${text} not null default '{}'
  ) ${options}`,
]

const NAMED = [
  ['team', 'teams'],
  ['folder', 'folders'],
  ['document', 'documents'],
  ['team_file', 'files'],
  ['token', 'API tokens'],
  ['user', 'users'],
  ['mirror', 'mirrors'],
] as const

interface NamedRow {
  id: number | string
  name: string
}

const PAGE = 1000

/** Cleans the names in a table; returns how many there were. */
async function cleanTable(write: Write, dialect: Dialect, table: (typeof NAMED)[number][0]): Promise<number> {
  let count = 0
  for (let last: NamedRow['id'] = table === 'user' ? '' : -1; ; ) {
    const { rows } = await sql<NamedRow>`select id, name from ${sql.table(table)}
      where id > ${last} order by id limit ${sql.lit(PAGE)}`.execute(write)
    for (const { id, name } of rows) {
      if (findHidden(name) === undefined) continue
      count++
      await renameRow(write, dialect, table, id, cleanName(name))
    }
    if (rows.length < PAGE) return count
    last = rows.at(-1)!.id
  }
}

async function renameRow(
  write: Write,
  dialect: Dialect,
  table: (typeof NAMED)[number][0],
  id: NamedRow['id'],
  name: string,
): Promise<void> {
  const before = table === 'document' ? await findIndexed(write, id as number) : undefined
  const values = {
    name,
    ...((table === 'document' || table === 'team_file') && { name_folded: foldName(name) }),
    ...((table === 'document' || table === 'folder') && { name_order: storedOrder(name) }),
  }
  const assignments = Object.entries(values).map(([column, value]) => sql`${sql.ref(column)} = ${value}`)
  await sql`update ${sql.table(table)} set ${sql.join(assignments)} where id = ${id}`.execute(write)
  if (!before) return
  const change = { remove: [before], add: [{ ...before, nameFolded: foldName(name) }] }
  await (dialect === 'sqlite' ? writeSearchIndex : writePostgresIndex)(write, change)
}

/** The entry of a document in the search index; undefined for one in the bin. */
async function findIndexed(write: Write, id: number): Promise<IndexedDocument | undefined> {
  const { rows } = await sql<Omit<IndexedDocument, 'folders'> & { path: string }>`
    select document.id, document.public_id as "publicId", document.team_id as team, folder.path,
      document.name_folded as "nameFolded", document.updated_at as "updatedAt"
    from document join folder on folder.id = document.folder_id
    where document.id = ${id} and document.bin_id is null`.execute(write)
  const [row] = rows
  return row && { ...row, folders: row.path.slice(0, -1).split('/').map(Number) as FolderKey[] }
}
