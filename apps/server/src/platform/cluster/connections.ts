import type { Database } from '../database/database.ts'
import { listProcesses } from './processes.ts'

/** Of each process: one that listens, and one now and then to find out whether the database answers. */
const BESIDE_POOL = 2

/**
 * A sentence when the processes of the service together may open more connections than PostgreSQL has for them.
 * Then each goes on with those that it has (DB-23), and waits longer for them.
 */
export async function findTooManyConnections(database: Database): Promise<string | undefined> {
  const limit = await database.readConnectionLimit()
  if (limit === undefined) return undefined
  const processes = await listProcesses(database)
  const wanted = processes.reduce((sum, { connections }) => sum + connections + BESIDE_POOL, 0)
  if (wanted <= limit) return undefined
  const share = Math.max(2, Math.floor(limit / processes.length) - BESIDE_POOL)
  return (
    `${processes.length} processes may open ${wanted} connections to PostgreSQL, which has ${limit} for them: set ` +
    `MEADOW_DATABASE_CONNECTIONS to ${share} for each, or raise max_connections.`
  )
}
