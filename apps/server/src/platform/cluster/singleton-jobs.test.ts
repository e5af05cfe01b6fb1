import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { atEnd } from '../../testing/at-end.ts'
import { DATABASES } from '../../testing/databases.ts'
import type { Database } from '../database/database.ts'
import { deadAfterMs, registerProcess } from './processes.ts'
import { createSingletonJobs, startHourly } from './singleton-jobs.ts'

const TASK = 'index of uses'

/** A process that asks each time, and no sooner. */
async function start(database: Database) {
  const registered = await registerProcess(database, { kind: 'work', connections: 1 })
  const singletonJobs = createSingletonJobs(database, registered.id, { askEveryMs: 0 })
  return { ...registered, singletonJobs, isAssigned: singletonJobs(TASK) }
}

for (const kind of DATABASES) {
  describe(`tasks of one process, on ${kind.name}`, kind.options, () => {
    test('[PROC-3] given processes that ask for a task at once, then one of them has it, until it stops or dies', async (t) => {
      const database = await kind.open(t)
      const processes = await Promise.all([start(database), start(database), start(database)])
      const ask = () => Promise.all(processes.map(({ isAssigned }) => isAssigned()))
      const first = await ask()
      assert.deepEqual(first.toSorted(), [false, false, true])
      assert.deepEqual(await ask(), first)
      // Another task has an owner of its own.
      const other = processes[first.indexOf(false)]!
      assert.equal(await other.singletonJobs('obsolete solves')(), true)

      const [owner] = processes.splice(first.indexOf(true), 1)
      await owner!.close()
      const second = await ask()
      assert.deepEqual(second.toSorted(), [false, true])

      // It was killed: nothing is deleted, and its heartbeat has stopped.
      const [killed] = processes.splice(second.indexOf(true), 1)
      await database.transaction((write) =>
        write
          .updateTable('process')
          .set((row) => ({ seen_at: row('seen_at', '-', deadAfterMs(database.dialect)) }))
          .where('id', '=', killed!.id)
          .execute(),
      )
      assert.deepEqual(await ask(), [true])
      assert.equal(await killed!.isAssigned(), false)
      for (const { close } of [...processes, killed!]) await close()
    })

    test('[PROC-3] given work that is done every hour, then only the process whose turn it is does it', async (t) => {
      const database = await kind.open(t)
      const processes = [await start(database), await start(database)]
      for (const { close } of processes) atEnd(t, close)
      let count = 0
      const fail = (error: unknown) => assert.fail(String(error))
      for (const { isAssigned } of processes) await startHourly(isAssigned, async () => count++, fail)()
      assert.equal(count, 1)
    })
  })
}
