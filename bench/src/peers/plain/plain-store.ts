import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { type Dialect, type ExpressionBuilder, Kysely, PostgresDialect, SqliteDialect, sql } from 'kysely'
import pg from 'pg'
import { escapePattern, PEER_SCHEMA } from '../data.ts'

interface Tables {
  folder: { id: string; parent_id: string | null; name: string }
  document: {
    id: string
    folder_id: string
    name: string
    /** The name in lower case, since SQLite ignores case for ASCII only. */
    name_lower: string
    visibility: string
    created_at: string | Date
    updated_at: string | Date
  }
  content: { document_id: string; body: string | object }
}

const SEARCH_LIMIT = 50
/** The maximum number of connections to PostgreSQL: one for each connection of the load. */
const MAX_CONNECTIONS = 8
const collator = new Intl.Collator('en', { numeric: true })

/** Opens the queries of the plain handlers, in a SQLite file or at a PostgreSQL URL. */
export function openStore(location: string) {
  const isPostgres = location.startsWith('postgres:')
  const db = new Kysely<Tables>({ dialect: isPostgres ? openPostgres(location) : openSqlite(location) })
  const matches = isPostgres ? matchesInPostgres : matchesInSqlite

  return {
    async findFolder(id: string) {
      const folder = await db.selectFrom('folder').selectAll().where('id', '=', id).executeTakeFirst()
      if (!folder) return undefined
      const [path, folders, documents] = await Promise.all([
        readPath(db, folder.parent_id),
        db.selectFrom('folder').select(['id', 'name']).where('parent_id', '=', id).execute(),
        db.selectFrom('document').select(SUMMARY).where('folder_id', '=', id).execute(),
      ])
      const byName = (a: { name: string }, b: { name: string }) => collator.compare(a.name, b.name)
      return {
        id,
        name: folder.name,
        parentId: folder.parent_id,
        path,
        folders: folders.sort(byName),
        documents: documents.map(toSummary).sort(byName),
      }
    },

    async findDocument(id: string) {
      const found = await db
        .selectFrom('document')
        .innerJoin('content', 'document_id', 'id')
        .select([...SUMMARY, 'body'])
        .where('id', '=', id)
        .executeTakeFirst()
      if (!found) return undefined
      const { body } = found
      const { name, createdAt, updatedAt } = toSummary(found)
      return {
        id,
        name,
        version: 1,
        createdAt,
        updatedAt,
        ...(typeof body === 'string' ? JSON.parse(body) : body),
      }
    },

    /** Finds documents by name. Names that start with the text come first, then the most recently changed. */
    async search(text: string) {
      const find = (atStart: boolean, limit: number) =>
        db
          .selectFrom('document')
          .innerJoin('folder', 'folder.id', 'folder_id')
          .select(['document.id', 'document.name', 'visibility', 'created_at', 'updated_at'])
          .select(['folder.id as folderId', 'folder.name as folderName'])
          .where((where) => matches(where, text, atStart))
          .orderBy('updated_at', 'desc')
          .limit(limit)
          .execute()
      const first = await find(true, SEARCH_LIMIT)
      const others =
        text === '' || first.length === SEARCH_LIMIT ? [] : await find(false, SEARCH_LIMIT - first.length)
      return [...first, ...others].map((row) => ({
        ...toSummary(row),
        folder: { id: row.folderId, name: row.folderName },
      }))
    },
  }
}

const SUMMARY = ['id', 'name', 'visibility', 'created_at', 'updated_at'] as const

type SummaryRow = Pick<Tables['document'], (typeof SUMMARY)[number]>

const toSummary = ({ id, name, visibility, created_at, updated_at }: SummaryRow) => ({
  id,
  name,
  visibility,
  createdAt: new Date(created_at).toISOString(),
  updatedAt: new Date(updated_at).toISOString(),
})

/** Reads the ancestors, root first. */
async function readPath(db: Kysely<Tables>, parent: string | null) {
  if (parent === null) return []
  const { rows } = await sql<{ id: string; name: string }>`
    with recursive path (id, parent_id, name, height) as (
      select id, parent_id, name, 0 from folder where id = ${parent}
      union all
      select folder.id, folder.parent_id, folder.name, height + 1 from path join folder on folder.id = path.parent_id
    )
    select id, name from path order by height desc`.execute(db)
  return rows
}

type Where = ExpressionBuilder<Tables, 'document' | 'folder'>

/** Matches names that start with the text, or those that have it elsewhere. */
function matchesInPostgres({ eb, and, not }: Where, text: string, atStart: boolean) {
  const pattern = escapePattern(text)
  const starts = eb('document.name', 'ilike', `${pattern}%`)
  return atStart ? starts : and([eb('document.name', 'ilike', `%${pattern}%`), not(starts)])
}

/** Matches the same names in SQLite. Texts of three characters and more are looked up in the trigram index of FTS5. */
function matchesInSqlite({ and, not }: Where, text: string, atStart: boolean) {
  const lower = text.toLowerCase()
  const like = (pattern: string) => sql<boolean>`name_lower like ${pattern} escape '\\'`
  const starts = like(`${escapePattern(lower)}%`)
  const contains =
    [...lower].length < 3
      ? like(`%${escapePattern(lower)}%`)
      : sql<boolean>`document.rowid in (select rowid from document_names where document_names match ${`"${lower.replaceAll('"', '""')}"`})`
  return atStart ? and([contains, starts]) : and([contains, not(starts)])
}

/** Opens node:sqlite in place of better-sqlite3, and prepares each statement once. */
function openSqlite(file: string): Dialect {
  const database = new DatabaseSync(file, { readOnly: true })
  database.exec('pragma cache_size = -65536; pragma mmap_size = 268435456')
  const statements = new Map<string, StatementSync>()
  const prepare = (text: string) => {
    const statement = statements.get(text) ?? database.prepare(text)
    statements.set(text, statement)
    return {
      reader: true,
      all: (parameters: readonly unknown[]) => statement.all(...(parameters as SQLInputValue[])),
      run: () => {
        throw new Error('Nothing is written here.')
      },
      iterate: (parameters: readonly unknown[]) => statement.iterate(...(parameters as SQLInputValue[])),
    }
  }
  return new SqliteDialect({ database: { prepare, close: () => database.close() } })
}

/** Opens a pool whose connections prepare each statement once, as the documentation of pg recommends. */
function openPostgres(connectionString: string): Dialect {
  const names = new Map<string, string>()
  class PreparingClient extends pg.Client {
    override query(text: unknown, values?: unknown): never {
      if (typeof text !== 'string' || !Array.isArray(values)) return super.query(text as never) as never
      if (!names.has(text)) names.set(text, `q${names.size}`)
      return super.query({ name: names.get(text)!, text, values }) as never
    }
  }
  const pool = new pg.Pool({
    connectionString,
    max: MAX_CONNECTIONS,
    options: `-c search_path=${PEER_SCHEMA},public`,
    Client: PreparingClient,
  })
  return new PostgresDialect({ pool })
}
