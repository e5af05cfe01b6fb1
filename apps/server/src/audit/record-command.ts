import type { Database } from '../platform/database/database.ts'
import { recordEvent } from './record-event.ts'

/** Records the operator's command that runs now. */
export const recordCommand = (database: Pick<Database, 'transaction'>): Promise<void> =>
  database.transaction(async (write) => recordEvent(write, { action: 'command.run' }))
