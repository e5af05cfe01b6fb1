import { sql } from 'kysely'
import type { Dialect, Select, Write } from './database.ts'

/** How a value is written in a backup: a number (also for booleans), a text, base64, or a point in time as ISO 8601. */
export type PortableKind = 'number' | 'text' | 'bytes' | 'time'

export interface PortableColumn {
  name: string
  kind: PortableKind
}

/** A column as its database declares it. */
export interface TableColumn extends PortableColumn {
  /** Whether the column is a boolean of PostgreSQL, which is 0 or 1 in backups and on SQLite. */
  isBoolean: boolean
  /** The position of the column in the primary key, from 1; 0 when it is not part of it. */
  keyPosition: number
  /** Whether the column is a key that PostgreSQL assigns. */
  isIdentity: boolean
}

interface DeclaredColumn {
  name: string
  type: string
  keyPosition: number
  isIdentity: boolean
}

/** Lists the columns of a table that are not computed, in their order; none when the database does not have the table. */
export async function listColumns(
  read: Select | Write,
  dialect: Dialect,
  table: string,
): Promise<TableColumn[]> {
  const query = dialect === 'sqlite' ? ofSqlite(table) : ofPostgres(table)
  const { rows } = await query.execute(read as Write)
  return rows.map(({ name, type, keyPosition, isIdentity }) => ({
    name,
    kind: kindOf(type.toLowerCase()),
    isBoolean: type.toLowerCase() === 'boolean',
    keyPosition: Number(keyPosition),
    isIdentity: Boolean(isIdentity),
  }))
}

const ofSqlite = (table: string) => sql<DeclaredColumn>`
  select name, type, pk as "keyPosition", 0 as "isIdentity" from pragma_table_info(${table}) order by cid`

const ofPostgres = (table: string) => sql<DeclaredColumn>`
  select attname as name, format_type(atttypid, null) as type, attidentity <> '' as "isIdentity",
    coalesce(array_position(conkey, attnum), 0) as "keyPosition"
  from pg_attribute
    left join pg_constraint on conrelid = attrelid and contype = 'p'
  where attrelid = to_regclass(quote_ident(${table})) and attnum > 0 and not attisdropped and attgenerated = ''
  order by attnum`

const KINDS: Readonly<Record<string, PortableKind>> = {
  integer: 'number',
  bigint: 'number',
  boolean: 'number',
  text: 'text',
  blob: 'bytes',
  bytea: 'bytes',
  date: 'time',
  'timestamp with time zone': 'time',
}

function kindOf(type: string): PortableKind {
  const kind = KINDS[type]
  if (!kind) throw new Error(`A backup cannot contain columns of the type ${type}.`)
  return kind
}

/** A value as it is written in a backup. */
export type PortableValue = string | number | null

/** Converts a value that the driver of either database returned to its form in a backup. */
export function toPortable(value: unknown, kind: PortableKind): PortableValue {
  if (value === null || typeof value === 'number') return value
  if (typeof value === 'string') return kind === 'time' ? toIsoTime(value) : value
  if (typeof value === 'boolean') return value ? 1 : 0
  if (value instanceof Uint8Array) {
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64')
  }
  if (value instanceof Date) return value.toISOString()
  throw new Error(`A backup cannot contain a value of the type ${typeof value}.`)
}

/** Converts a value of a backup to what the driver takes for the column. */
export function fromPortable(value: PortableValue, { kind, isBoolean }: TableColumn): unknown {
  if (value === null) return null
  if (kind === 'bytes') return Buffer.from(value as string, 'base64')
  return isBoolean ? value === 1 : value
}

/** Adds the time zone to a `current_timestamp` of SQLite, which is in UTC and does not say so. */
const toIsoTime = (text: string): string =>
  /^[\d-]{10} [\d:]{8}$/.test(text) ? `${text.replace(' ', 'T')}.000Z` : text
