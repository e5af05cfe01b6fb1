import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { listTree } from '../../harness/process-figures.ts'
import { createRandom } from '../../team/random.ts'
import { type Attack, type AttackTarget, scaled, Tally } from './attack.ts'

const KILLS = 200
/** The mean of the random pauses. */
const PAUSE_MS = 150
const FROZEN_MS = 5000

/** Terminates connections of the server at random moments, one or all of them, as a failover does. */
async function killConnections(target: AttackTarget, kills: number): Promise<Tally> {
  const tally = new Tally()
  const random = createRandom(Date.now())
  const client = await connect(target)
  for (let kill = 0; kill < kills; kill++) {
    await sleep(random.whole(0, 2 * PAUSE_MS))
    // Every tenth time, all connections.
    const limit = kill % 10 === 9 ? 'all' : '1'
    const { rowCount } = await client.query(
      `select pg_terminate_backend(pid) from (select pid from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() order by random() limit ${limit}) as chosen`,
    )
    tally.sent++
    tally.count('ended', rowCount ?? 0)
  }
  await client.end()
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
    // Time to recover.
    await sleep(FROZEN_MS)
  }
  return tally
}

async function connect({ databaseUrl }: AttackTarget): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: databaseUrl })
  client.on('error', () => {})
  await client.connect()
  return client
}

/** The parent of all processes of the database, on this machine. */
async function findPostmaster(target: AttackTarget): Promise<number> {
  const client = await connect(target)
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
