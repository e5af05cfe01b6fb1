import { CompiledQuery } from 'kysely'
import type { Dialect, Write } from '../database.ts'
import { storedOrder } from '../name-order.ts'
import { listStatements, OWN_COLUMNS } from './baseline.ts'

/** The last version whose tables can be brought over. */
const OLDEST = 43

/**
 * Makes the tables of a Meadow from before 1.0 those of the baseline, with all that is in them: takes the last steps
 * that are missing, then drops what nobody uses any more, and writes what the baseline requires of each row. The next
 * release removes this function.
 */
export async function bringOver(write: Write, dialect: Dialect, version: number): Promise<void> {
  if (version < OLDEST)
    throw new Error(
      `The tables have version ${version}, and only those from ${OLDEST} on can be brought over: start the newest Meadow ` +
        'from before 1.0 first.',
    )
  const statements = [
    ...(version < 44 ? makeClock(dialect) : []),
    ...(version < 45 ? countInTenths(dialect) : []),
    ...dropUnused(dialect),
    ...allowTexts,
    ...addSharing,
    ...fillIn,
    ...addChanges(dialect),
    ...addOrigins,
    ...listStatements(dialect, ['devices'], OWN_COLUMNS[dialect]),
  ]
  for (const statement of statements) await write.executeQuery(CompiledQuery.raw(statement))
  for (const table of ['folder', 'document'] as const) await orderNames(write, table)
}

function makeClock(dialect: Dialect): string[] {
  const long = dialect === 'sqlite' ? 'integer' : 'bigint'
  return [
    `create table service_clock (
      id integer primary key check (id = 1), seen_at ${long} not null, lead_ms ${long} not null,
      jumped_at ${long}, ahead_until ${long})`,
  ]
}

/** Makes credits count in tenths, and adds to each solve and its charge whether somebody asked for it. */
const countInTenths = (dialect: Dialect): string[] => [
  // The index is created again below, with the cause.
  'drop index credit_entry_use',
  ...['team', 'solve', 'credit_entry'].flatMap((table) => [
    `alter table ${table} rename column credits to credit_tenths`,
    dialect === 'sqlite'
      ? `update ${table} set credit_tenths = credit_tenths * 10 where credit_tenths <> 0`
      : `alter table ${table} alter column credit_tenths type bigint using credit_tenths::bigint * 10`,
  ]),
  ...['solve', 'credit_entry'].map(
    (table) => `alter table ${table} add column cause text check (cause in ('asked', 'automatic'))`,
  ),
  `create index credit_entry_use on credit_entry (team_id, at, document_id, credit_tenths, cause)
    where document_id is not null`,
]

/** The columns and tables that another library for sign-ins used. */
const UNUSED = {
  user: ['image'],
  account: [
    'accessToken',
    'refreshToken',
    'idToken',
    'accessTokenExpiresAt',
    'refreshTokenExpiresAt',
    'scope',
  ],
}

const dropUnused = (dialect: Dialect): string[] => [
  'drop table verification',
  ...Object.entries(UNUSED).flatMap(([table, columns]) =>
    columns.map((column) => `alter table "${table}" drop column "${column}"`),
  ),
  'drop table schema_version',
  'drop table schema_version_lock',
  ...['folder', 'document'].flatMap((table) => [
    `drop index if exists ${table}_without_order`,
    `drop trigger if exists ${table}_renamed${dialect === 'postgres' ? ` on ${table}` : ''}`,
  ]),
  'drop index if exists document_unmeasured',
  ...(dialect === 'postgres'
    ? ['drop function next_schema_version()', 'drop function if exists forget_order()']
    : []),
]

/** Allows texts among the files of a team. SQLite changes no check of a column, so another column takes its place. */
const allowTexts = [
  `alter table team_file add column any_kind text not null default 'model'
    check (any_kind in ('model', 'user_object', 'cluster', 'text', 'csv'))`,
  'update team_file set any_kind = kind',
  'alter table team_file drop column kind',
  'alter table team_file rename column any_kind to kind',
]

/** The column that says whether a document is shared as its player, and the index that reads it. */
const addSharing = [
  'alter table document add column shares_player integer not null default 0 check (shares_player in (0, 1))',
  'drop index document_public',
  'create index document_public on document (public_until) where public_until is not null',
]

/**
 * What that Meadow wrote in the background, where it was stopped before it had: the sizes of contents, of which those in the
 * blob store count from when they are stored next. Scopes of tokens that are limited to folders had names of their own.
 */
const fillIn = [
  `update document set content_bytes = coalesce((select length(content) from document_snapshot
    where document_id = document.id and format = 'json'), 0) where content_bytes is null`,
  `update token set scopes = replace(scopes, '@folders', '') where is_limited = 1`,
]

/** What has happened since then is in the change feed. */
const addChanges = (dialect: Dialect): string[] => [
  'alter table team add column changes_from integer not null default 0',
  ...listStatements(dialect, ['changes'], [`changes.${dialect}`]),
]

/** Tokens of then work in no page of another origin. */
const addOrigins = [
  'alter table token add column origins text',
  'create index token_origins on token (id) where origins is not null',
]

/** Stores the keys that names are sorted by where that Meadow had not stored them yet. */
async function orderNames(write: Write, table: 'folder' | 'document'): Promise<void> {
  const rows = await write.selectFrom(table).where('name_order', 'is', null).select(['id', 'name']).execute()
  for (const { id, name } of rows)
    await write
      .updateTable(table)
      .set({ name_order: storedOrder(name) })
      .where('id', '=', id)
      .execute()
}
