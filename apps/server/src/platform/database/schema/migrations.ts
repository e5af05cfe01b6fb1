import type { Migration } from '../migration.ts'
import { baseline } from './baseline.ts'

/** The migrations in the order in which they run; a new one goes to the end. */
export const MIGRATIONS: readonly Migration[] = [baseline]

/** The version of the tables after the first migration. Earlier versions were never released. */
export const BASELINE_VERSION = 46

/** Returns the version of the tables after all of these migrations. */
export const versionAfter = (migrations: readonly Migration[]): number =>
  BASELINE_VERSION + migrations.length - 1

/** The version of the tables that this Meadow works with. */
export const SCHEMA_VERSION = versionAfter(MIGRATIONS)
