import assert from 'node:assert/strict'
import { hostname } from 'node:os'
import { describe, test } from 'node:test'
import { atEnd } from '../../testing/at-end.ts'
import { DATABASES } from '../../testing/databases.ts'
import type { Database } from '../database/database.ts'
import { deadAfterMs, listProcesses, type ProcessFacts, registerProcess } from './processes.ts'

const SERVER: ProcessFacts = { kind: 'serve', connections: 10, secretFingerprint: 'ours' }

/** Moves the last sign of life of all processes into the past. */
const silence = (database: Database, ms: number) =>
  database.transaction((write) =>
    write
      .updateTable('process')
      .set((row) => ({ seen_at: row('seen_at', '-', ms) }))
      .execute(),
  )

for (const kind of DATABASES) {
  describe(`processes on ${kind.name}`, kind.options, () => {
    test('[PROC-1] given processes that start, say more about themselves and stop, when they are listed, then those that run are there', async (t) => {
      const database = await kind.open(t)
      const server = await registerProcess(database, SERVER)
      const worker = await registerProcess(database, { kind: 'work', connections: 4 })
      await server.update({ address: 'http://127.0.0.1:4000' })

      // Both may have started in the same millisecond.
      const living = await listProcesses(database)
      const [first, second, ...others] = living.toSorted((a, b) => a.kind.localeCompare(b.kind))
      assert.deepEqual(others, [])
      assert.deepEqual(
        [first?.id, first?.kind, first?.address, first?.secretFingerprint, first?.connections],
        [server.id, 'serve', 'http://127.0.0.1:4000', 'ours', 10],
      )
      assert.deepEqual([second?.id, second?.kind, second?.address], [worker.id, 'work', null])
      assert.deepEqual([first?.host, first?.pid], [hostname(), process.pid])
      assert.match(first!.version, /^\d+\.\d+\.\d+$/)

      await server.close()
      assert.deepEqual(
        (await listProcesses(database)).map(({ id }) => id),
        [worker.id],
      )
      await worker.close()
      assert.deepEqual(await listProcesses(database), [])
    })

    test('[PROC-1] given a process that gives no sign of life, then it counts as dead, is forgotten later, and is back when it does', async (t) => {
      const database = await kind.open(t)
      const silent = await registerProcess(database, SERVER)
      atEnd(t, silent.close)
      await silence(database, deadAfterMs(database.dialect))
      assert.deepEqual(await listProcesses(database), [])

      const other = await registerProcess(database, { ...SERVER, secretFingerprint: 'theirs' })
      await other.close()
      await silence(database, 2 * deadAfterMs(database.dialect))
      const third = await registerProcess(database, SERVER)
      await third.update({})
      const rows = await database.read.selectFrom('process').select('id').execute()
      assert.deepEqual(
        rows.map(({ id }) => id),
        [third.id],
      )
      await third.close()

      await silent.update({})
      assert.deepEqual(
        (await listProcesses(database)).map(({ id }) => id),
        [silent.id],
      )
    })

    test('[PROC-2] given a server that runs, when one with another secret starts, then it is refused with the name of the first and a remedy; without a secret, it is not', async (t) => {
      const database = await kind.open(t)
      const first = await registerProcess(database, { ...SERVER, address: 'http://10.0.0.1:4000' })
      const other = { ...SERVER, secretFingerprint: 'theirs' }
      await assert.rejects(registerProcess(database, other), (error: Error) => {
        assert.match(
          error.message,
          new RegExp(`process ${process.pid} on "${hostname()}" .*10\\.0\\.0\\.1:4000`),
        )
        assert.match(error.message, /Set MEADOW_SESSION_SECRET to the same value/)
        assert.doesNotMatch(error.message, /ours|theirs/)
        return true
      })
      assert.equal((await listProcesses(database)).length, 1)

      const worker = await registerProcess(database, { kind: 'work', connections: 2 })
      const second = await registerProcess(database, SERVER)
      for (const one of [first, second, worker]) await one.close()
      const changed = await registerProcess(database, other)
      await changed.close()
    })

    test('[PROC-2] given servers with different secrets, when they start at the same moment, then one of them does', async (t) => {
      const database = await kind.open(t)
      const started = await Promise.allSettled(
        ['a', 'b', 'c'].map((secretFingerprint) =>
          registerProcess(database, { ...SERVER, secretFingerprint }),
        ),
      )
      const running = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
      for (const one of running) atEnd(t, one.close)
      assert.equal(running.length, 1)
    })
  })
}
