import type { Migration } from '../migration.ts'

/** How much of its document a solution covers (decision 34). */
export const completenessOfSolutions: Migration = {
  name: 'completeness of solutions',
  async up(write) {
    await write.schema.alterTable('solve').addColumn('completeness', 'text').execute()
  },
}
