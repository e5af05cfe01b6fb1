import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { createOneTimeLink, findOneTimeLink, RESET_MS } from '../../access/one-time-links.ts'
import { createSessionStore } from '../../access/sessions.store.ts'
import { createToken } from '../../access/team-tokens.ts'
import { createTokenPrincipalStore } from '../../access/token-principal.store.ts'
import { createTokenSecret } from '../../access/tokens.ts'
import { createUserStore } from '../../access/users.store.ts'
import { purgeDue } from '../../features/deletion/purge-team.ts'
import { deleteTeam } from '../../features/deletion/team-deletion.ts'
import { examine } from '../../features/doctor/doctor.ts'
import { createExportStore } from '../../features/exports/exports.store.ts'
import { createMirrorStore } from '../../features/mirrors/mirrors.store.ts'
import { createAttemptRateLimit } from '../../features/sign-in/attempt-rate-limit.ts'
import { createSolveStore } from '../../features/solves/solves.store.ts'
import { changeTeam } from '../../team/team-transaction.ts'
import { createTeam, listTeams } from '../../team/teams.ts'
import { atEnd } from '../../testing/at-end.ts'
import { DATABASES, type TestDatabase } from '../../testing/databases.ts'
import { givenTeam } from '../../testing/given-team.ts'
import { listProcesses, registerProcess } from '../cluster/processes.ts'
import { createSingletonJobs } from '../cluster/singleton-jobs.ts'
import { describeClock, noteTime, readLead, STEADY_AFTER_MS, steadyTime } from './clock-record.ts'
import type { Database } from './database.ts'
import { hasEnded, isWithin, keepTime, timeOf } from './database-clock.ts'
import { findFutureTimes, TIME_COLUMNS } from './time-columns.ts'

const [MINUTE_MS, HOUR_MS, DAY_MS] = [60_000, 3_600_000, 86_400_000]
const JUMPS = { 'two hours': 2 * HOUR_MS, '400 days': 400 * DAY_MS }
const [SQLITE] = DATABASES as [TestDatabase]

/** A database whose clock is moved by hand. */
async function openWithClock(t: Parameters<TestDatabase['open']>[0], kind = SQLITE) {
  const database = await kind.open(t)
  const right = timeOf(database.read)
  let time = right
  keepTime(database.read, () => time)
  /** Sets the clock, and writes the time down as a process does. */
  async function set(at: number) {
    time = at
    await database.transaction(noteTime)
  }
  return {
    database,
    right,
    set,
    /** Sets the clock, and no process has noticed. */
    setUnnoticed(at: number) {
      time = at
    },
    /** Lets the clock go on while a process runs. */
    async run(ms: number) {
      for (const end = time + ms; time < end; ) await set(Math.min(end, time + 30 * MINUTE_MS))
    },
  }
}

async function givenToken(database: Database, expiresAt: number) {
  const { team, document } = await givenTeam(database)
  const secret = createTokenSecret()
  await changeTeam(database, team, (change) =>
    createToken(change, { name: 'test', secret, scopes: ['team:read'], expiresAt }),
  )
  const { findPrincipal } = createTokenPrincipalStore(database)
  const works = async () => (await findPrincipal(secret, 'localhost')) !== undefined
  return { team, database, document, works }
}

describe('times that are stored', () => {
  test('[CLOCK-1] every column that holds a point in time is in the list, and docs/clocks.md shows the list', async (t) => {
    const { read } = await SQLITE.open(t)
    const { rows } = await sql<{ name: string }>`select tables.name || '.' || columns.name as name
      from sqlite_schema as tables join pragma_table_info(tables.name) as columns
      where tables.type = 'table' and tables.name not like 'sqlite%'`.execute(read as never)
    const notTimes = ['document.shown_until']
    const isTime = /(_at|_until|_since|At|_step)$|\.(at|until|day)$/
    const stored = rows
      .map(({ name }) => name)
      .filter((name) => isTime.test(name) && !notTimes.includes(name))
    const days = ['token_reads.day']
    assert.deepEqual(
      TIME_COLUMNS.map(({ column }) => column as string)
        .concat(days)
        .sort(),
      stored.sort(),
    )
    const page = await readFile(new URL('../../../../../docs/clocks.md', import.meta.url), 'utf8')
    const listed = page.split('\n').filter((line) => line.startsWith('| `'))
    assert.deepEqual(listed, TIME_COLUMNS.map(describeColumn))
  })

  test('[CLOCK-2] a lease, window or sign of life has ended when it has passed, or lies further ahead than its length', () => {
    const now = Date.UTC(2026, 0, 1)
    const ends = [-1, 0, 1, MINUTE_MS, 2 * HOUR_MS, 400 * DAY_MS].map((ahead) =>
      hasEnded(now + ahead, MINUTE_MS, now),
    )
    assert.deepEqual(ends, [true, true, false, false, true, true])
    const seen = [-MINUTE_MS, -1, 0, 2 * HOUR_MS].map((ahead) => isWithin(now + ahead, MINUTE_MS, now))
    assert.deepEqual(seen, [false, true, true, false])
  })
})

/** A line of the table in docs/clocks.md. */
function describeColumn({ column, use, lengthMs, what }: (typeof TIME_COLUMNS)[number]): string {
  const units: [string, number][] = [
    ['d', DAY_MS],
    ['h', HOUR_MS],
    ['min', MINUTE_MS],
    ['s', 1000],
  ]
  const [unit, ms] = units.find(([, ms]) => lengthMs % ms === 0)!
  return `| \`${column}\` | ${use} | ${lengthMs === 0 ? '' : `${lengthMs / ms} ${unit}`} | ${what} |`
}

for (const [length, ahead] of Object.entries(JUMPS))
  describe(`a clock that was ${length} ahead`, () => {
    test('[CLOCK-2] given leases, windows and links of a process that was killed, when the clock is put right, then nothing waits for them', async (t) => {
      const { database, right, setUnnoticed } = await openWithClock(t)
      const { team, root, document } = await givenTeam(database)
      await database.transaction((write) => write.updateTable('team').set({ credit_tenths: 90 }).execute())
      const { key } = (await document()) as never as { key: never }
      const solves = createSolveStore(database)
      const exports = createExportStore(database)
      const mirrors = createMirrorStore(database)
      const attempts = createAttemptRateLimit(database)
      const terms = { leaseMs: 30_000, maxTenths: 10 }
      const attempt = [{ key: 'somebody', max: 1 }]
      await solves.request(team, [key])
      const id = await mirrors.add({
        team,
        folder: root.key,
        name: 'M',
        path: '/m',
        gone: 'keep',
        onConflict: 'fail',
      })
      const mirror = (await mirrors.find(id))!.key
      const file = { cacheKey: 'k', document: key, seq: 1, solve: null }

      setUnnoticed(right + ahead)
      assert.ok(await solves.lease(terms))
      assert.ok('leaseId' in (await mirrors.lease(mirror)))
      await mirrors.setWatched(mirror, true)
      assert.ok(await exports.lease(file))
      await attempts.count(attempt)
      await assert.rejects(attempts.count(attempt), /too_many|Too many/)

      setUnnoticed(right)
      assert.equal((await mirrors.find(id))!.isWatched, false)
      assert.equal((await mirrors.find(id))!.lastRun!.state, 'stopped')
      assert.equal((await solves.lease(terms))?.attempt, 2)
      assert.ok('leaseId' in (await mirrors.lease(mirror)))
      assert.ok(await exports.lease(file))
      await attempts.count(attempt)
    })

    test('[CLOCK-2] given a session, a link and a fresh sign-in of the time ahead, when the clock is put right, then they have ended', async (t) => {
      const { database, right, setUnnoticed } = await openWithClock(t)
      const user = await createUserStore(database).createUser({ email: 'ann@example.org', name: 'Ann' })
      const sessions = createSessionStore(database, 'a secret')
      setUnnoticed(right + ahead)
      await sessions.createSession({ user: user.id, expiresAt: right + ahead + 7 * DAY_MS, userAgent: '' })
      const link = { purpose: 'reset', user: user.id, email: user.email } as const
      const secret = await database.transaction((write) =>
        createOneTimeLink(write, link, timeOf(write) + RESET_MS),
      )
      assert.equal((await sessions.listSessions(user.id)).length, 1)
      assert.ok(await findOneTimeLink(database.read, 'reset', secret))
      setUnnoticed(right)
      assert.deepEqual(await sessions.listSessions(user.id), [])
      assert.equal(await findOneTimeLink(database.read, 'reset', secret), undefined)
    })

    test('[CLOCK-3] given a deleted team, a token and discarded files, when the clock goes ahead, then nothing is removed and no token ends', async (t) => {
      const { database, right, set, setUnnoticed } = await openWithClock(t)
      await set(right)
      const { team, works } = await givenToken(database, right + HOUR_MS)
      const gone = await createTeam(database, { name: 'Gone' })
      await database.transaction((write) => deleteTeam(database, write, gone.key, right + HOUR_MS))
      const purge = () => purgeDue(database)
      const isThere = async () => (await listTeams(database.read)).some(({ key }) => key === gone.key)

      setUnnoticed(right + ahead)
      await purge()
      assert.deepEqual([await isThere(), await works()], [true, true], 'before the jump was noticed')
      await set(right + ahead)
      await purge()
      assert.deepEqual([await isThere(), await works()], [true, true], 'after it was noticed')
      assert.equal(await readLead(database.read), ahead)
      // Put right: nothing happened, and both end in their time.
      await set(right)
      assert.deepEqual([await readLead(database.read), await isThere(), await works()], [0, true, true])
      await set(right + HOUR_MS - 1)
      assert.equal(await works(), true)
      await set(right + HOUR_MS)
      await purge()
      assert.deepEqual([await isThere(), await works()], [false, false])
      assert.ok((await listTeams(database.read)).some(({ key }) => key === team))
    })

    test('[CLOCK-4] given what began while the clock was ahead, when it is put right, then it lasts for its own length from now', async (t) => {
      const { database, right, set } = await openWithClock(t)
      await set(right)
      await set(right + ahead)
      const { works, document } = await givenToken(database, right + ahead + HOUR_MS)
      const gone = await createTeam(database, { name: 'Gone' })
      await database.transaction(async (write) => {
        await deleteTeam(database, write, gone.key, right + ahead + 30 * DAY_MS)
        await write
          .insertInto('discarded_blob')
          .values({ digest: 'aa', discarded_at: timeOf(write) })
          .execute()
      })
      await document()
      await set(right)
      const deletion = await database.read.selectFrom('team_deletion').selectAll().executeTakeFirstOrThrow()
      const blob = await database.read.selectFrom('discarded_blob').selectAll().executeTakeFirstOrThrow()
      assert.deepEqual([deletion.asked_at, deletion.purge_at], [right, right + 30 * DAY_MS])
      assert.equal(blob.discarded_at, right)
      assert.equal(await works(), true)
      await set(right + HOUR_MS)
      assert.equal(await works(), false)
    })
  })

describe('a clock that is watched', () => {
  test('[CLOCK-3] given a service that stood still for weeks, when it has run for six hours, then what was due meanwhile is due', async (t) => {
    const { database, right, set, run } = await openWithClock(t)
    await set(right)
    const { works } = await givenToken(database, right + DAY_MS)
    await set(right + 20 * DAY_MS)
    await run(STEADY_AFTER_MS - HOUR_MS)
    assert.equal(await works(), true)
    assert.equal(await readLead(database.read), 20 * DAY_MS)
    await run(HOUR_MS)
    assert.equal(await readLead(database.read), 0)
    assert.equal(await steadyTime(database.read), timeOf(database.read))
    assert.equal(await works(), false)
  })

  test('[CLOCK-5] given a clock that has jumped or was set back, then /readyz and doctor have sentences about it', async (t) => {
    const { database, right, set } = await openWithClock(t)
    await set(right)
    assert.deepEqual(await describeClock(database.read), [])
    await set(right + 400 * DAY_MS)
    assert.match(
      (await describeClock(database.read)).join(),
      /^The clock has gone ahead by 400 days .* before 20/,
    )
    await set(right)
    assert.match((await describeClock(database.read)).join(), /^The clock was set back: times up to 20/)
    await database.transaction((write) =>
      write
        .insertInto('discarded_blob')
        .values({ digest: 'aa', discarded_at: right + DAY_MS * 3 })
        .execute(),
    )
    assert.deepEqual(await findFutureTimes(database.read, right), [
      { column: 'discarded_blob.discarded_at', count: 1, aheadMs: 3 * DAY_MS },
    ])
    const findings = await examine({ database, store: {} as never, folders: [], baseUrl: undefined })
    const said = findings
      .filter(({ what }) => what === 'clock' || what === 'times in the future')
      .map(({ says }) => says)
    assert.match(said.join('\n'), /The clock was set back.*discarded_blob.discarded_at: 1 lie .* by 3 days/s)
  })
})

for (const kind of DATABASES)
  describe(`signs of life of the future, on ${kind.name}`, kind.options, () => {
    test('[CLOCK-2] given a process that was killed while the clock was ahead, then it is dead, and its tasks are taken over', async (t) => {
      const database = await kind.open(t)
      const dead = await registerProcess(database, { kind: 'serve', connections: 1 })
      const isAssigned = (id: string) => createSingletonJobs(database, id, { askEveryMs: 0 })('mail')()
      assert.equal(await isAssigned(dead.id), true)
      await database.transaction(async (write) => {
        await write
          .updateTable('process')
          .set((row) => ({ seen_at: row('seen_at', '+', 2 * HOUR_MS) }))
          .execute()
        await write
          .updateTable('service_clock')
          .set((row) => ({ seen_at: row('seen_at', '+', 2 * HOUR_MS) }))
          .execute()
        await write
          .insertInto('discarded_blob')
          .values({ digest: 'aa', discarded_at: timeOf(write) + DAY_MS })
          .execute()
      })
      assert.deepEqual(await listProcesses(database), [])
      const next = await registerProcess(database, { kind: 'serve', connections: 1 })
      for (const { close } of [next, dead]) atEnd(t, close)
      assert.equal(await isAssigned(next.id), true)
      assert.equal(await isAssigned(dead.id), false)
      // The new one has put right what was written ahead.
      assert.deepEqual(await findFutureTimes(database.read, timeOf(database.read)), [])
      assert.equal((await describeClock(database.read)).length, 1)
    })
  })
