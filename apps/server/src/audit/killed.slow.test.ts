import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { describe, type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { openDatabase } from '../platform/database/open-database.ts'
import { createTeam } from '../team/teams.ts'
import { atEnd } from '../testing/at-end.ts'
import { DATABASES } from '../testing/databases.ts'
import { createAuditLog } from './audit-log.store.ts'
import { SERVICE_CHAIN } from './record-event.ts'

const WRITER = fileURLToPath(new URL('./testing/add-credits.ts', import.meta.url))
const WRITERS = 2

// biome-ignore lint/style/noProcessEnv: more kills, with NUM_RUNS=200, take minutes.
const { NUM_RUNS = 2 } = process.env
const KILLS = Number(NUM_RUNS)

/** A process that writes, and the numbers that it says were committed. */
function startWriter(t: TestContext, args: string[], committed: Set<number>) {
  const child: ChildProcess = spawn(process.execPath, [WRITER, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  atEnd(t, () => void child.kill('SIGKILL'))
  const lines = createInterface({ input: child.stdout! })
  lines.on('line', (line) => committed.add(Number(line)))
  return {
    /** Resolves after so many numbers. Fails when the process ends before. */
    async wrote(count: number) {
      const ended = once(child, 'exit').then(() => assert.fail('a writer ended by itself'))
      ended.catch(() => {})
      for (let seen = 0; seen < count; seen++) await Promise.race([once(lines, 'line'), ended])
    },
    async kill() {
      const closed = once(child, 'close')
      child.kill('SIGKILL')
      await closed
    },
  }
}

for (const kind of DATABASES) {
  describe(`the audit log of processes that are killed, on ${kind.name}`, kind.options, () => {
    test(`[AUD-1, AUD-2] given processes that write to the same teams and are killed ${KILLS} times, then each chain is whole, and has an event of each change that was committed, and of no other`, async (t) => {
      const { dataDir, databaseUrl } = await kind.createLocation(t)
      const database = await openDatabase({ dataDir, databaseUrl })
      atEnd(t, () => database.close())

      const teams = [await createTeam(database, { name: 'A' }), await createTeam(database, { name: 'B' })]
      const committed = new Set<number>()
      let started = 0
      const start = () => {
        const first = 1 + 100_000 * started++
        const place = [dataDir, databaseUrl ?? '', String(first)]
        return startWriter(t, [...place, ...teams.map(({ id }) => id)], committed)
      }
      const writers = Array.from({ length: WRITERS }, start)
      for (let kills = 0; kills < KILLS; kills++) {
        // All of them write when one is killed, somewhere in its next transaction.
        await Promise.all(writers.map((writer) => writer.wrote(2 + (kills % 3))))
        await writers[kills % WRITERS]!.kill()
        writers[kills % WRITERS] = start()
      }
      await Promise.all(writers.map((writer) => writer.wrote(2)))
      await Promise.all(writers.map((writer) => writer.kill()))

      const log = createAuditLog(database)
      const found = new Set<number>()
      for (const { id, key } of teams) {
        assert.equal((await log.verify(id)).broken, undefined)
        const rows = await database.read
          .selectFrom('credit_entry')
          .where('team_id', '=', key)
          .orderBy('id')
          .select('credit_tenths')
          .execute()
        const events = await database.read
          .selectFrom('audit_event')
          .where('chain', '=', id)
          .where('action', '=', 'team.credits_added')
          .orderBy('seq')
          .select('details')
          .execute()
        const recorded = events.map(({ details }) => JSON.parse(details!).count as number)
        assert.deepEqual(
          recorded,
          rows.map(({ credit_tenths }) => credit_tenths / 10),
        )
        for (const count of recorded) found.add(count)
      }
      assert.equal((await log.verify(SERVICE_CHAIN)).broken, undefined)
      assert.deepEqual(
        [...committed].filter((count) => !found.has(count)),
        [],
      )
      assert.deepEqual(
        [...found].filter((count) => count % 4 === 0),
        [],
        'those were rolled back',
      )
      assert.ok(committed.size >= 2 * (KILLS + 1))
    })
  })
}
