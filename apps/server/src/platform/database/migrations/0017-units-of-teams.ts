import type { Migration } from '../migration.ts'

/** The unit of lengths in a team's definitions, which do not declare one. */
export const unitsOfTeams: Migration = {
  name: 'units of teams',
  async up(write) {
    await write.schema
      .alterTable('team')
      .addColumn('units', 'text', (column) => column.notNull().defaultTo('none'))
      .execute()
  },
}
