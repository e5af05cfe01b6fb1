import { readFileSync } from 'node:fs'
import { CompiledQuery } from 'kysely'
import type { Dialect } from '../database.ts'
import type { Migration } from '../migration.ts'

/** The files beside this one, in an order in which tables come before those that refer to them. */
const AREAS = ['teams', 'library', 'contents', 'solves', 'uses', 'access', 'devices', 'service', 'changes']

/** Files with columns that one database computes, where the other one has an index of the same values. */
export const OWN_COLUMNS: Readonly<Record<Dialect, readonly string[]>> = {
  sqlite: [],
  postgres: ['listing.postgres'],
}

/** All tables as of version 1.0. */
export const baseline: Migration = {
  name: 'baseline',
  async up(write, dialect) {
    const own = [dialect, ...OWN_COLUMNS[dialect], `changes.${dialect}`]
    for (const statement of listStatements(dialect, AREAS, own))
      await write.executeQuery(CompiledQuery.raw(statement))
  },
}

/** Lists the statements of some files for both databases, and of some that are for this one alone. */
export function listStatements(dialect: Dialect, areas: readonly string[], own: readonly string[]): string[] {
  const translate = dialect === 'sqlite' ? toSqlite : toPostgres
  return [
    ...areas.flatMap(readStatements).map(translate),
    ...own
      .flatMap(readStatements)
      .map((statement) => (dialect === 'sqlite' ? makeStrict(statement) : statement)),
  ]
}

/** Reads the statements of a file. Each begins a line, and ends with a semicolon at the end of one. */
function readStatements(area: string): string[] {
  const text = readFileSync(new URL(`${area}.sql`, import.meta.url), 'utf8')
  return text
    .replaceAll(/^ *--.*\n/gm, '')
    .split(/;\n+(?=create |insert |alter |$)/)
    .filter((statement) => statement !== '')
}

/** The name of a column at the beginning of its line, and its type. */
const COLUMN =
  /^( {2}"?\w+"? )(integer primary key(?! check| references)|bigint|boolean|text|blob|timestamp)\b/gm

const POSTGRES_TYPES: Readonly<Record<string, string>> = {
  'integer primary key': 'integer generated always as identity primary key',
  // Texts are compared by their bytes, as in SQLite, whatever the locale of the database is.
  text: 'text collate "C"',
  blob: 'bytea',
  timestamp: 'timestamp with time zone',
}

const SQLITE_TYPES: Readonly<Record<string, string>> = {
  bigint: 'integer',
  boolean: 'integer',
  timestamp: 'date',
}

const toPostgres = (statement: string): string =>
  statement
    .replaceAll(COLUMN, (_, name: string, type: string) => name + (POSTGRES_TYPES[type] ?? type))
    .replace(/\) without rowid$/, ')')

const toSqlite = (statement: string): string =>
  makeStrict(
    statement.replaceAll(COLUMN, (_, name: string, type: string) => name + (SQLITE_TYPES[type] ?? type)),
  )

/**
 * Makes a table of SQLite reject values of other types than those of its columns, except for points in time, which have
 * no type there.
 */
function makeStrict(statement: string): string {
  if (!statement.startsWith('create table ') || /^ {2}"?\w+"? date\b/m.test(statement)) return statement
  return statement.endsWith(' without rowid') ? `${statement}, strict` : `${statement} strict`
}
