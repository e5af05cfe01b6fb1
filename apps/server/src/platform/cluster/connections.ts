import type { Database } from '../database/database.ts'
import { listProcesses } from './processes.ts'

/**
 * Each process has two more connections: one that listens, and now and then one to find out whether the database
 * answers.
 */
const BESIDE_POOL = 2

/**
 * Resolves with a sentence when the processes of the service together may open more connections than PostgreSQL has for
 * them. Each then goes on with the connections that it has (DB-23), and waits longer for them.
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
