import { Gauge, type Metric } from 'prom-client'
import type { BlobStore } from '../../platform/blobs/blobs.ts'
import type { Database } from '../../platform/database/database.ts'
import { findUnavailable } from '../../platform/database/unavailable.ts'
import { findSystemReason } from '../../platform/system-errors.ts'

/** Why the server is not ready, as a sentence without paths and addresses; undefined when it is ready. */
export type FindFault = () => Promise<string | undefined>

/** How long a result is cached, so that frequent requests cause few writes. */
const FRESH_MS = 1000
/** A check that takes longer has failed, for example because a disk hangs. */
const DEADLINE_MS = 3000

export interface ReadinessParts {
  database: Pick<Database, 'read' | 'checkWritable'>
  blobs: Pick<BlobStore, 'checkWritable'>
  /** Why the blob store is not the one of the service (any more). */
  findWrongStore: FindFault
}

/**
 * Checks that the database responds, that it and the file store can be written, and that the file store is the one that
 * this service uses. Takes at most 3 s.
 */
export function createReadiness({ database, blobs, findWrongStore }: ReadinessParts): FindFault {
  const finders = [
    createFinder('The database', async () => {
      await database.read.selectFrom('team').select('id').limit(1).execute()
      await database.checkWritable()
      return undefined
    }),
    createFinder('The file store', async () => {
      await blobs.checkWritable()
      return undefined
    }),
    // Asks the database which store is the right one. That the file store does not answer is said above.
    createFinder('The database', findWrongStore),
  ]
  return async () => (await Promise.all(finders.map((find) => find()))).find((fault) => fault !== undefined)
}

/** Creates the metric that says in `/metrics` whether the service is ready. */
export const createReadinessGauge = (findFault: FindFault): Metric =>
  new Gauge({
    name: 'meadow_ready',
    help: '1 while the database and the file store can be written, otherwise 0.',
    registers: [],
    async collect() {
      this.set((await findFault()) === undefined ? 1 : 0)
    },
  })

/** Runs one check at a time, shared by concurrent callers (single flight), and caches its result for a moment. */
function createFinder(what: string, check: FindFault): FindFault {
  const late = `${what} does not answer.`
  let running: Promise<string | undefined> | undefined
  let startedAt = 0
  let last: { at: number; fault: string | undefined } | undefined

  async function run(): Promise<string | undefined> {
    const fault = await check().catch((error) => describe(what, error) ?? late)
    last = { at: performance.now(), fault }
    running = undefined
    return fault
  }

  return async () => {
    if (last && performance.now() - last.at < FRESH_MS) return last.fault
    if (!running) {
      startedAt = performance.now()
      running = run()
    }
    const { promise: deadline, resolve } = Promise.withResolvers<string>()
    const leftMs = Math.max(0, startedAt + DEADLINE_MS - performance.now())
    const timer = setTimeout(resolve, leftMs, late)
    try {
      return await Promise.race([running, deadline])
    } finally {
      clearTimeout(timer)
    }
  }
}

function describe(what: string, error: unknown): string | undefined {
  const unavailable = findUnavailable(error)
  const reason = unavailable?.reason ?? findSystemReason(error)
  const done = unavailable?.kind === 'unreachable' ? 'reached' : 'written'
  return reason === undefined ? undefined : `${what} cannot be ${done}: ${reason}.`
}
