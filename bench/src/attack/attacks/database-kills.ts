import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { createRandom } from '@meadow/server/src/testing/random.ts'
import pg from 'pg'
import { terminateConnections } from '../../harness/postgres.ts'
import { listTree } from '../../harness/process-figures.ts'
import { type Attack, type AttackTarget, scaled, Tally } from './attack.ts'

const KILLS = 200
/** The mean of the random pauses in milliseconds. */
const PAUSE_MS = 150
const FROZEN_MS = 5000

/** Terminates connections of the server at random moments, one or all of them, as a failover does. */
async function killConnections(target: AttackTarget, kills: number): Promise<Tally> {
  const tally = new Tally()
  const random = createRandom(Date.now())
  for (let kill = 0; kill < kills; kill++) {
    await sleep(random.whole(0, 2 * PAUSE_MS))
    // Every tenth time, all connections are ended.
    const ended = await terminateConnections(target.databaseUrl!, kill % 10 === 9 ? undefined : 1)
    tally.sent++
    tally.count('ended', ended)
  }
  return tally
}

/** Stops all processes of the database for some seconds: connections stay open and do not respond. */
async function freeze(target: AttackTarget, times: number): Promise<Tally> {
  const tally = new Tally()
  for (let freezing = 0; freezing < times; freezing++) {
    const postmaster = await findPostmaster(target)
    const thaw = () => signal(postmaster, 'SIGCONT')
    process.once('exit', thaw)
    signal(postmaster, 'SIGSTOP')
    await sleep(FROZEN_MS)
    thaw()
    process.off('exit', thaw)
    tally.sent++
    // The pause gives the server time to recover.
    await sleep(FROZEN_MS)
  }
  return tally
}

/** Resolves with the process id of the parent of all processes of the database, on this machine. */
async function findPostmaster({ databaseUrl }: AttackTarget): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl })
  client.on('error', () => {})
  await client.connect()
  try {
    const { rows } = await client.query('select pg_backend_pid() as pid')
    const parent = /^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${rows[0].pid}/status`, 'utf8'))?.[1]
    return Number(parent)
  } finally {
    await client.end()
  }
}

function signal(postmaster: number, name: 'SIGSTOP' | 'SIGCONT'): void {
  for (const pid of listTree(postmaster)) {
    try {
      process.kill(pid, name)
    } catch (error) {
      // A process may have ended since it was listed.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
}

export const databaseKills: readonly Attack[] = [
  {
    family: 'database',
    name: `${KILLS} kills of database connections`,
    store: 'postgres',
    bothWork: true,
    outageMs: 0,
    run: (target, strength) => killConnections(target, scaled(KILLS, strength)),
  },
  {
    family: 'database',
    name: `a database that stands still for ${FROZEN_MS / 1000} s, twice`,
    store: 'postgres',
    bothWork: true,
    outageMs: FROZEN_MS,
    run: (target, strength) => freeze(target, scaled(2, strength)),
  },
]
