import type { Migration } from '../migration.ts'

/** Whether a team's documents go to the Rhino.Compute server where Meadow cannot solve them. */
export const solversOfTeams: Migration = {
  name: 'solvers of teams',
  async up(write) {
    await write.schema
      .alterTable('team')
      .addColumn('solver', 'text', (column) => column.notNull().defaultTo('meadow'))
      .execute()
  },
}
