import { setTimeout as sleep } from 'node:timers/promises'
import type { S3Fault } from '@meadow/server/src/testing/s3-server.ts'
import pg from 'pg'
import { createRandom, type Random } from '../../team/random.ts'
import type { Cluster } from '../parts/cluster.ts'
import type { FaultLog } from './fault-log.ts'

/** What faults are injected into. */
export interface FaultTarget extends Pick<Cluster, 'processes' | 'links'> {
  /** Of the database itself, not by way of a proxy or a pooler. */
  databaseUrl: string
  /** Undefined where others use the database server too. */
  restartDatabase: ((manner: 'clean' | 'crash') => Promise<void>) | undefined
  random: Random
  log: FaultLog
}

export const FAULT_KINDS = ['kill', 'database', 'cut', 'store'] as const
export type FaultKind = (typeof FAULT_KINDS)[number]

/** Injects one fault of a kind; resolves when everything that it broke works again. */
export async function inject(kind: FaultKind, target: FaultTarget): Promise<void> {
  const { name, run } = FAULTS[kind](target)
  await target.log.record(`${kind} ${name}`, run)
}

interface Injection {
  name: string
  run(): Promise<void>
}

const FROZEN_MS = 1500

const FAULTS: Record<FaultKind, (target: FaultTarget) => Injection> = {
  /** Ends a process without a warning; sometimes all that serve. */
  kill({ processes, random }) {
    if (random.whole(1, 20) === 1) {
      const { serve } = processes
      return {
        name: 'all that serve',
        run: async () => void (await Promise.all(serve.map((one) => one.kill()))),
      }
    }
    const process = random.pick([...processes.serve, ...processes.serve, ...processes.work])
    return { name: process.name, run: () => process.kill() }
  },

  database({ restartDatabase, links, databaseUrl, random }) {
    const choices: Injection[] = [
      { name: 'connections ended', run: () => terminateConnections(databaseUrl) },
      {
        name: 'frozen',
        async run() {
          links.database.freeze()
          await sleep(FROZEN_MS)
          await links.database.resume()
          // What was frozen stays so for good, as after a failover.
        },
      },
    ]
    if (restartDatabase) {
      choices.push(
        { name: 'restarted', run: () => restartDatabase('clean') },
        { name: 'crashed', run: () => restartDatabase('crash') },
      )
    }
    return random.pick(choices)
  },

  /** Resets connections between clients and servers, or between servers and the database. */
  cut({ links, random }) {
    const link = random.pick(['clients', 'database'] as const)
    return { name: link, run: async () => links[link].cut() }
  },

  /** The object store refuses, delays, or loses requests for a while. */
  store({ links, random }) {
    const { store } = links
    if (!store) return { name: 'none', run: async () => {} }
    const kind = random.pick(Object.keys(STORE_FAULTS))
    // Of its own, since the number of requests differs from run to run.
    const own = createRandom(random.whole(1, 1_000_000))
    const choose = STORE_FAULTS[kind]!
    return {
      name: kind,
      async run() {
        store.onRequest(() => choose(own))
        await sleep(STORE_FAULT_MS)
        store.onRequest(() => undefined)
      },
    }
  },
}

const STORE_FAULT_MS = 3000
const SLOW_MS = 1500

const STORE_FAULTS: Record<string, (random: Random) => S3Fault | undefined> = {
  'answers 503': () => ({ kind: 'refuse', status: 503, code: 'SlowDown' }),
  'answers 503 now and then': (random) =>
    random.whole(1, 2) === 1 ? { kind: 'refuse', status: 503, code: 'SlowDown', retryAfter: 1 } : undefined,
  'is slow': () => ({ kind: 'delay', until: () => sleep(SLOW_MS) }),
  'loses connections': (random) =>
    random.whole(1, 2) === 1
      ? { kind: 'cut', at: random.pick(['request', 'effect', 'half'] as const) }
      : undefined,
}

async function terminateConnections(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`,
    )
  } catch {
    // Another fault ends this connection too.
  } finally {
    await client.end().catch(() => {})
  }
}
