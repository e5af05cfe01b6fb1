import { CompiledQuery } from 'kysely'
import type { Migration } from '../migration.ts'

/** What the service knows of its own clock: one row, which every process updates with its sign of life. */
export const theClock: Migration = {
  name: 'the clock',
  isExpansion: true,
  async up(write, dialect) {
    const long = dialect === 'sqlite' ? 'integer' : 'bigint'
    await write.executeQuery(
      CompiledQuery.raw(`create table service_clock (
        id integer primary key check (id = 1), seen_at ${long} not null, lead_ms ${long} not null,
        jumped_at ${long}, ahead_until ${long})`),
    )
  },
}
