import type { Dialect, Write } from './database.ts'

/** One step from a version of the tables to the next. It stays as it is once it was released. */
export interface Migration {
  name: string
  /**
   * The step only adds: tables, indexes, and columns that may be left out. Processes of an older Meadow go on during
   * and after it, and may be started again. Any other step waits until none of them runs. See decision 0043. A dialect
   * means that the step only adds there.
   */
  isAdditive?: true | Dialect
  /**
   * Runs inside the transaction that records the step. May return sentences for the operator about data that it
   * changed; they hold no secrets.
   */
  up(write: Write, dialect: Dialect): Promise<void> | Promise<readonly string[]>
}
