import { setTimeout as sleep } from 'node:timers/promises'
import { createRandom, type Random } from '@meadow/server/src/testing/random.ts'
import type { S3Fault } from '@meadow/server/src/testing/s3-server.ts'
import { terminateConnections } from '../harness/postgres.ts'
import type { Cluster } from './parts/cluster.ts'
import type { Supervised } from './parts/supervised.ts'

/**
 * A fault, from its first moment until everything that it broke works again. Times are those of `performance.now()`.
 */
export interface Fault {
  /** The name, such as `kill serve 2`. */
  name: string
  begin: number
  /** Undefined while the fault lasts. */
  end: number | undefined
}

/** The time after the end of a fault in which requests may still fail. */
export const RECOVERY_MS = 5000

/** All faults of a run. */
export class FaultLog {
  readonly faults: Fault[] = []

  /** Runs a fault, whose `run` resolves when everything works again. */
  async record(name: string, run: () => Promise<void>): Promise<void> {
    const fault: Fault = { name, begin: performance.now(), end: undefined }
    this.faults.push(fault)
    try {
      await run()
    } finally {
      fault.end = performance.now()
    }
  }

  /**
   * Returns the time from the end of the last fault until `at`; 0 while there is one, Infinity before the first one.
   */
  sinceLast(at: number): number {
    return this.faults.reduce((least, { end = at }) => Math.min(least, Math.max(0, at - end)), Infinity)
  }

  /** Returns how often each kind of fault happened; the kind is the first word of its name. */
  count(): Record<string, number> {
    const counts: Record<string, number> = {}
    for (const { name } of this.faults) {
      const kind = name.split(' ', 1)[0]!
      counts[kind] = (counts[kind] ?? 0) + 1
    }
    return counts
  }
}

/** The cluster that faults are injected into. */
export interface FaultTarget extends Pick<Cluster, 'processes' | 'links'> {
  /** The address of the database itself, not of a proxy or a pooler. */
  databaseUrl: string
  /** Undefined where others use the database server too. */
  restartDatabase: ((manner: 'clean' | 'crash') => Promise<void>) | undefined
  random: Random
  log: FaultLog
}

export const FAULT_KINDS = ['kill', 'stall', 'database', 'cut', 'store'] as const
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
/** Longer than the lease of a solve. */
const STALLED_MS = 7000

/** The time in milliseconds in which a process that solves starts the child for its next solve. */
const START_MS = 2000
/** The time in milliseconds in which a process whose children stand still begins a solve. */
const BEGIN_MS = 3000

/**
 * Has a fault happen to a process that solves while its children are at work, which is when it has a lease. Solves are so
 * short that it would hardly ever have one otherwise.
 */
async function amidSolve(process: Supervised, stop: () => Promise<void>): Promise<void> {
  await process.ready()
  await sleep(START_MS)
  const release = process.holdChildren()
  await sleep(BEGIN_MS)
  const stopped = stop()
  release()
  await stopped
}

/** A fault of one process: of one that solves amid a solve, of one that serves at any moment. */
const stopOne = (
  { processes, random }: FaultTarget,
  stop: (process: Supervised) => Promise<void>,
): Injection => {
  const process = random.pick([...processes.serve, ...processes.work, ...processes.work])
  const run = () => stop(process)
  return { name: process.name, run: processes.work.includes(process) ? () => amidSolve(process, run) : run }
}

const FAULTS: Record<FaultKind, (target: FaultTarget) => Injection> = {
  /** Ends a process without a warning; sometimes all that serve. */
  kill(target) {
    const { processes, random } = target
    if (random.whole(1, 20) === 1) {
      const { serve } = processes
      return {
        name: 'all that serve',
        run: async () => void (await Promise.all(serve.map((one) => one.kill()))),
      }
    }
    return stopOne(target, (process) => process.kill())
  },

  /** Stops a process that goes on later, and believes that no time has passed. */
  stall: (target) => stopOne(target, (process) => process.stall(STALLED_MS)),

  database({ restartDatabase, links, databaseUrl, random }) {
    const choices: Injection[] = [
      { name: 'connections ended', run: () => endConnections(databaseUrl) },
      {
        name: 'frozen',
        async run() {
          links.database.freeze()
          await sleep(FROZEN_MS)
          await links.database.resume()
          // Connections that were frozen never work again, as after a failover.
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
    // These random numbers are separate, since the number of requests differs from run to run.
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

/** Ends all connections to the database. Another fault may end the connection that does this too. */
const endConnections = (url: string): Promise<void> =>
  terminateConnections(url).then(
    () => {},
    () => {},
  )
