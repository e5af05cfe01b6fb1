import { setTimeout as sleep } from 'node:timers/promises'
import { Gauge, type Metric } from 'prom-client'
import { findBackupAgeMs } from '../../platform/blobs/backup-runs.ts'
import type { Database } from '../../platform/database/database.ts'

/** How long `/metrics` waits for the database. */
const MAX_WAIT_MS = 1000

/** How long ago the last backup was: the same in each process. Without a value while there is none. */
export function createBackupGauge(database: Pick<Database, 'read' | 'dialect'>): Metric {
  return new Gauge({
    name: 'meadow_backup_age_seconds',
    help: 'How long ago the last backup of the service ended, to any target: the same in each process.',
    registers: [],
    async collect() {
      const finding = findBackupAgeMs(database).catch(() => undefined)
      const ageMs = await Promise.race([finding, sleep(MAX_WAIT_MS, undefined, { ref: false })])
      this.remove()
      if (ageMs !== undefined) this.set(ageMs / 1000)
    },
  })
}
