import type { Database, Select } from '../database/database.ts'
import { databaseNow, seenWithin } from '../database/database-clock.ts'
import { deadAfterMs } from './processes.ts'

/** A job that one process does for all. */
export type SingletonJob =
  | 'deleted teams'
  | 'ends of tokens'
  | 'public documents'
  | 'device authorizations'
  | 'failed attempts'
  | 'index of uses'
  | 'mail'
  | 'obsolete exports'
  | 'old departures'
  | 'obsolete solves'
  | 'old versions'
  | 'sessions and invitations'
  | 'unreferenced blobs'
  | 'webhooks'

/** Resolves to whether the job is assigned to this process now. */
export type IsAssigned = () => Promise<boolean>

/** Returns for each job the function that tells whether it is assigned to this process. */
export type SingletonJobs = (job: SingletonJob) => IsAssigned

/** The assignment of a process that has nobody to share jobs with, such as a command: it does all jobs. */
export const ALWAYS: SingletonJobs = () => async () => true

/** The answer is asked for again after this time, which is shorter than a process takes to count as dead. */
const ASK_EVERY_MS = 5000

/**
 * Assigns jobs to processes: the first process that asks for a job has it as long as it lives, and then the next one
 * that asks. A process that is taken for dead while it still works may do a job at the same time as its successor.
 */
export function createSingletonJobs(
  database: Pick<Database, 'dialect' | 'read' | 'transaction'>,
  processId: string,
  { askEveryMs = ASK_EVERY_MS }: { askEveryMs?: number } = {},
): SingletonJobs {
  const { dialect, read } = database

  const findOwner = (select: Select, job: SingletonJob) =>
    select
      .selectFrom('exclusive_task')
      .innerJoin('process', 'process.id', 'exclusive_task.process_id')
      .where('exclusive_task.name', '=', job)
      .where(seenWithin('process.seen_at', deadAfterMs(dialect), databaseNow(dialect)))
      .select('process.id')
      .executeTakeFirst()

  async function ask(job: SingletonJob): Promise<boolean> {
    const owner = await findOwner(read, job)
    if (owner) return owner.id === processId
    return database.transaction(async (write) => {
      // When several processes come here, they lock the row one after the other.
      await write
        .insertInto('exclusive_task')
        .values({ name: job, process_id: processId })
        .onConflict((conflict) => conflict.column('name').doUpdateSet({ name: job }))
        .execute()
      const another = await findOwner(write, job)
      if (another && another.id !== processId) return false
      await write
        .updateTable('exclusive_task')
        .set({ process_id: processId })
        .where('name', '=', job)
        .execute()
      return true
    })
  }

  return (job) => {
    let isOurs = false
    let askAt = Number.NEGATIVE_INFINITY
    return async () => {
      if (performance.now() < askAt) return isOurs
      isOurs = await ask(job)
      askAt = performance.now() + askEveryMs
      return isOurs
    }
  }
}

const HOUR_MS = 60 * 60 * 1000

/**
 * Does `work` now and every hour, or as often as `everyMs` says, when the job is assigned to this process. `onError`
 * gets its errors. Returns a function that ends this and waits for work that runs.
 */
export function startHourly(
  isAssigned: IsAssigned,
  work: () => Promise<unknown>,
  onError: (error: unknown) => void,
  everyMs = HOUR_MS,
): () => Promise<void> {
  let running = Promise.resolve()
  const runNext = () => {
    running = running
      .then(async () => {
        if (await isAssigned()) await work()
      })
      .catch(onError)
  }
  runNext()
  const timer = setInterval(runNext, everyMs)
  return async () => {
    clearInterval(timer)
    await running
  }
}
