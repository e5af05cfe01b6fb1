import { join } from 'node:path'
import type { Database } from '../../platform/database/database.ts'
import { findUnavailable } from '../../platform/database/unavailable.ts'
import { probeFolder } from '../../platform/probe-folder.ts'
import { findSystemReason } from '../../platform/system-errors.ts'

/** Why the service is not ready, as a sentence without paths and addresses; undefined: it is ready. */
export type FindFault = () => Promise<string | undefined>

/** An outcome stands for so long, so that little is written however often somebody asks. */
const FRESH_MS = 1000
/** A check that takes longer has failed: a disk that hangs shows as one that is full does. */
const DEADLINE_MS = 3000

export interface ReadinessParts {
  database: Pick<Database, 'read' | 'checkWritable'>
  blobsFolder: string
}

/** Looks whether the database answers, and whether it and the file store take writes. An answer takes 3 s at most. */
export function createReadiness({ database, blobsFolder }: ReadinessParts): FindFault {
  const finders = [
    createFinder('The database', async () => {
      await database.read.selectFrom('team').select('id').limit(1).execute()
      await database.checkWritable()
    }),
    // Where every new file begins.
    createFinder('The file store', () => probeFolder(join(blobsFolder, 'unfinished'))),
  ]
  return async () => (await Promise.all(finders.map((find) => find()))).find((fault) => fault !== undefined)
}

/** Runs one check at a time, for all who ask meanwhile (single flight), and gives its outcome again for a moment. */
function createFinder(what: string, check: () => Promise<void>): FindFault {
  const late = `${what} does not answer.`
  let flight: Promise<string | undefined> | undefined
  let startedAt = 0
  let last: { at: number; fault: string | undefined } | undefined

  async function fly(): Promise<string | undefined> {
    const fault = await check().then(
      () => undefined,
      (error) => describe(what, error) ?? late,
    )
    last = { at: performance.now(), fault }
    flight = undefined
    return fault
  }

  return async () => {
    if (last && performance.now() - last.at < FRESH_MS) return last.fault
    if (!flight) {
      startedAt = performance.now()
      flight = fly()
    }
    const { promise: deadline, resolve } = Promise.withResolvers<string>()
    const leftMs = Math.max(0, startedAt + DEADLINE_MS - performance.now())
    const timer = setTimeout(resolve, leftMs, late)
    try {
      return await Promise.race([flight, deadline])
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
