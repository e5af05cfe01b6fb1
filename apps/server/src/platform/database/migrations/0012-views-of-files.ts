import type { Migration } from '../migration.ts'

/** The view of the canvas that an imported file was saved at. Documents imported before have none. */
export const viewsOfFiles: Migration = {
  name: 'views of files',
  async up(write) {
    await write.schema.alterTable('document').addColumn('source_view', 'text').execute()
  },
}
