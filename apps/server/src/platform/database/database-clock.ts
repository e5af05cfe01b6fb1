import { type RawBuilder, sql } from 'kysely'
import type { Dialect } from './database.ts'

/**
 * The time by the clock of the database, in milliseconds since 1970: the one clock that all processes share. Unlike
 * `now()` of PostgreSQL, it goes on within a transaction.
 */
export const databaseNow = (dialect: Dialect): RawBuilder<number> => CLOCKS[dialect]

const CLOCKS: Record<Dialect, RawBuilder<number>> = {
  sqlite: sql<number>`cast(unixepoch('subsec') * 1000 as integer)`,
  postgres: sql<number>`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`,
}
