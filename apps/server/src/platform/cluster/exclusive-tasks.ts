import type { Database, Select } from '../database/database.ts'
import { databaseNow, seenWithin } from '../database/database-clock.ts'
import { deadAfterMs } from './processes.ts'

/** What one process does for all. */
export type ExclusiveTask =
  | 'deleted teams'
  | 'ends of tokens'
  | 'public documents'
  | 'failed attempts'
  | 'index of uses'
  | 'mail'
  | 'obsolete exports'
  | 'obsolete solves'
  | 'old versions'
  | 'unreferenced blobs'
  | 'webhooks'

/** Resolves to whether it is for this process to do the task now. */
export type IsTurn = () => Promise<boolean>

/** Whose turn it is, for each task. */
export type Turns = (task: ExclusiveTask) => IsTurn

/** For a process that has nobody to share tasks with, such as a command. */
export const ALWAYS: Turns = () => async () => true

/** The answer is asked for again after this time, which is shorter than a process takes to count as dead. */
const ASK_EVERY_MS = 5000

/**
 * Distributes tasks among the processes: the first that asks for a task has it as long as it lives, and then the next one
 * that asks. A process that is taken for dead while it still works on a task may do it at the same time as its successor.
 */
export function createExclusiveTasks(
  database: Pick<Database, 'dialect' | 'read' | 'transaction'>,
  processId: string,
  { askEveryMs = ASK_EVERY_MS }: { askEveryMs?: number } = {},
): Turns {
  const { dialect, read } = database

  const findOwner = (select: Select, task: ExclusiveTask) =>
    select
      .selectFrom('exclusive_task')
      .innerJoin('process', 'process.id', 'exclusive_task.process_id')
      .where('exclusive_task.name', '=', task)
      .where(seenWithin('process.seen_at', deadAfterMs(dialect), databaseNow(dialect)))
      .select('process.id')
      .executeTakeFirst()

  async function ask(task: ExclusiveTask): Promise<boolean> {
    const owner = await findOwner(read, task)
    if (owner) return owner.id === processId
    return database.transaction(async (write) => {
      // Of several processes that come here, one after the other locks the row.
      await write
        .insertInto('exclusive_task')
        .values({ name: task, process_id: processId })
        .onConflict((conflict) => conflict.column('name').doUpdateSet({ name: task }))
        .execute()
      const another = await findOwner(write, task)
      if (another && another.id !== processId) return false
      await write
        .updateTable('exclusive_task')
        .set({ process_id: processId })
        .where('name', '=', task)
        .execute()
      return true
    })
  }

  return (task) => {
    let isOurs = false
    let askAt = Number.NEGATIVE_INFINITY
    return async () => {
      if (performance.now() < askAt) return isOurs
      isOurs = await ask(task)
      askAt = performance.now() + askEveryMs
      return isOurs
    }
  }
}

const HOUR_MS = 60 * 60 * 1000

/**
 * Does `work` now and every hour, or as often as `everyMs` says, when it is the turn of this process. `onError` gets its
 * errors. Returns a function that ends this and waits for work that runs.
 */
export function startHourly(
  isTurn: IsTurn,
  work: () => Promise<unknown>,
  onError: (error: unknown) => void,
  everyMs = HOUR_MS,
): () => Promise<void> {
  let running = Promise.resolve()
  const runNext = () => {
    running = running
      .then(async () => {
        if (await isTurn()) await work()
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
