import { sql } from 'kysely'
import type { Dialect, Write } from '../database.ts'
import { BACKED_UP } from './backed-up-tables.ts'

/**
 * Takes away foreign keys and triggers for the rest of the transaction, so that rows can be written in any order and as
 * they are. The result restores them; it throws when a reference leads nowhere.
 */
export const suspendConstraints = (write: Write, dialect: Dialect): Promise<() => Promise<void>> =>
  dialect === 'sqlite' ? suspendInSqlite(write) : suspendInPostgres(write)

async function suspendInSqlite(write: Write): Promise<() => Promise<void>> {
  // The pragma holds until the end of the transaction.
  await sql`pragma defer_foreign_keys = on`.execute(write)
  const triggers = await sql<{ name: string; sql: string }>`
    select name, sql from sqlite_schema where type = 'trigger'`.execute(write)
  for (const { name } of triggers.rows) await sql`drop trigger ${sql.ref(name)}`.execute(write)
  return async () => {
    for (const trigger of triggers.rows) await sql.raw(trigger.sql).execute(write)
    const { rows } = await sql<{ table: string; parent: string }>`pragma foreign_key_check`.execute(write)
    const [first] = rows
    if (first)
      throw new Error(`A row of the table "${first.table}" refers to a missing row of "${first.parent}".`)
  }
}

interface ForeignKey {
  table: string
  name: string
  definition: string
}

async function suspendInPostgres(write: Write): Promise<() => Promise<void>> {
  const tables = sql.join(BACKED_UP.map((name) => sql`to_regclass(quote_ident(${name}))`))
  const keys = await sql<ForeignKey>`
    select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'f' and conrelid in (${tables})`.execute(write)
  const existing = await sql<{ name: string }>`
    select oid::regclass::text as name from pg_class where oid in (${tables})`.execute(write)
  const change = (table: string, action: string) => sql.raw(`alter table ${table} ${action}`).execute(write)
  for (const { table, name } of keys.rows) await change(table, `drop constraint ${name}`)
  for (const { name } of existing.rows) await change(name, 'disable trigger user')
  return async () => {
    for (const { name } of existing.rows) await change(name, 'enable trigger user')
    // Adding a key checks all rows.
    for (const { table, name, definition } of keys.rows)
      await change(table, `add constraint ${name} ${definition}`)
  }
}
