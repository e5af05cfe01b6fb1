import type { Database, Write } from '../platform/database/database.ts'

/**
 * The message for every process that somebody may have lost access. On PostgreSQL, triggers send it too (migration
 * 0021).
 */
export const ACCESS_CHANGED = 'access'

/**
 * Makes all processes check the open documents of people again when `write` is committed, for changes that the triggers
 * do not see.
 */
export const publishAccessChange = (database: Pick<Database, 'publish'>, write: Write): Promise<void> =>
  database.publish(write, ACCESS_CHANGED)
