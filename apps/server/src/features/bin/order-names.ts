import type { Database } from '../../platform/database/database.ts'
import { storedOrder } from '../../platform/database/name-order.ts'
import { lockTeam } from '../../team/raise-version.ts'

/** Takes a few milliseconds. */
const BATCH = 200

/**
 * Stores the keys that names are sorted by where they are missing: of rows that are older than the column for them
 * (migration 23), or that a process of an older Meadow wrote. Until then their folders are sorted when they are read.
 * Returns how many were stored.
 */
export async function orderNames(database: Database): Promise<number> {
  let stored = 0
  for (const table of ['folder', 'document'] as const) {
    for (
      let count = await orderBatch(database, table);
      count > 0;
      count = await orderBatch(database, table)
    ) {
      stored += count
    }
  }
  return stored
}

/** Stores the orders of one team's names, since others could lock rows of several teams in another order. */
async function orderBatch(database: Database, table: 'folder' | 'document'): Promise<number> {
  const rows = await database.read
    .selectFrom(table)
    .where('name_order', 'is', null)
    .orderBy('team_id')
    .limit(BATCH)
    .select(['id', 'team_id as team', 'name'])
    .execute()
  if (!rows[0]) return 0
  const { team } = rows[0]
  const ofTeam = rows.filter((row) => row.team === team)
  await database.transaction(async (write) => {
    await lockTeam(write, team)
    for (const { id, name } of ofTeam) {
      await write
        .updateTable(table)
        .set({ name_order: storedOrder(name) })
        .where('id', '=', id)
        // It may have been renamed meanwhile.
        .where('name', '=', name)
        .where('name_order', 'is', null)
        .execute()
    }
  })
  return ofTeam.length
}
