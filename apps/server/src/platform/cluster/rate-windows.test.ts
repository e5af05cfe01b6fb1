import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { atEnd } from '../../testing/at-end.ts'
import { DATABASES } from '../../testing/databases.ts'
import { startServer } from '../../testing/start-server.ts'
import { until } from '../../testing/until.ts'
import type { Database } from '../database/database.ts'
import { createProcessWindows, openRateWindows, type RateWindows } from './rate-windows.ts'

const postgres = DATABASES.find(({ name }) => name === 'postgres')!

const end = (database: Database) =>
  database.transaction((write) => write.updateTable('rate_window').set({ until: 0 }).execute())

function open(t: TestContext, database: Database, idleMs = 600_000): RateWindows {
  const windows = openRateWindows(database, { idleMs })
  atEnd(t, windows.close)
  return windows
}

/** How many of `count` were within the limit, taken `atOnce` at a time. */
async function takeMany(windows: RateWindows, max: number, count: number, atOnce = 20): Promise<number> {
  let within = 0
  for (let done = 0; done < count; done += atOnce) {
    const counts = await Promise.all(Array.from({ length: atOnce }, () => windows.take('key', max)))
    within += counts.filter(({ isWithin }) => isWithin).length
  }
  return within
}

describe('counts of several processes', postgres.options, () => {
  test('[PROC-4] given processes that count under one key at once, then no more than the limit are within it, and nearly as many', async (t) => {
    const database = await postgres.open(t)
    const max = 400
    const processes = Array.from({ length: 3 }, () => open(t, database))
    const within = await Promise.all(processes.map((windows) => takeMany(windows, max, 300)))
    const sum = within.reduce((a, b) => a + b, 0)
    assert.ok(sum <= max && sum >= max - 2 * (max / 20), `${within}`)
    // All that was reserved is given back.
    for (const windows of processes) await windows.close()
    const rest = await takeMany(open(t, database), max, 100)
    assert.equal(sum + rest, max)
  })

  test('[PROC-4] given a limit that is used up, then another key has its own, and the next window begins anew', async (t) => {
    const database = await postgres.open(t)
    const [one, other] = [open(t, database), open(t, database)]
    assert.equal(await takeMany(one, 3, 5, 1), 3)
    const refused = await other.take('key', 3)
    assert.deepEqual([refused.isWithin, refused.left], [false, 0])
    assert.ok(refused.msLeft > 0 && refused.msLeft <= 60_000)
    assert.equal((await other.take('another', 3)).left, 2)
    await end(database)
    const last = await open(t, database).take('key', 3)
    assert.equal(last.left, 2)
  })

  test('[D11] given a count that is taken back, then it can be taken again, also by another process', async (t) => {
    const database = await postgres.open(t)
    const one = open(t, database)
    for (let count = 0; count < 20; count++) (await one.take('key', 3)).takeBack()
    assert.equal(await takeMany(one, 3, 1, 1), 1)
    await one.close()
    assert.equal(await takeMany(open(t, database), 3, 5, 1), 2)
  })

  test('[PROC-4] given counts that a process reserved and does not use, then another one gets them', async (t) => {
    const database = await postgres.open(t)
    const [idle, busy] = [open(t, database, 1), open(t, database, 1)]
    await idle.take('key', 60)
    let within = 1
    await until('all are used', async () => {
      while ((await busy.take('key', 60)).isWithin) within++
      return within === 60
    })
  })

  test('[D11, PROC-4] given two servers, when a token is used at both, then its requests are counted together', async (t) => {
    const { databaseUrl } = await postgres.createLocation(t)
    const env = {
      DATABASE_URL: databaseUrl!,
      MEADOW_RATE_LIMIT: '5',
      MEADOW_SESSION_SECRET: 'the-secret-of-both-servers-0123456789',
      MEADOW_SOLVE_WORKERS: '0',
    }
    const one = await startServer(t, env)
    const other = await startServer(t, { ...env, MEADOW_DATA_DIR: one.dataDir })
    const statuses: number[] = []
    for (const { address } of [one, other, one, other, one, other, one]) {
      const headers = { authorization: `Bearer ${one.secret}` }
      const response = await fetch(`${address}/api/v1/team`, { headers })
      await response.text()
      statuses.push(response.status)
      if (response.status === 429) assert.ok(Number(response.headers.get('retry-after')) > 0)
      const left = Math.max(0, 5 - statuses.length)
      assert.match(response.headers.get('ratelimit')!, new RegExp(`^"token";r=${left};t=`))
    }
    assert.deepEqual(statuses, [200, 200, 200, 200, 200, 429, 429])
  })
})

test('[D11] given counts of one process, when the limit of a window is reached, then no more are within it until it has ended, and other keys are not concerned', async (t) => {
  let now = 0
  t.mock.method(performance, 'now', () => now)
  const { take } = createProcessWindows(1000)
  assert.partialDeepStrictEqual(await take('a', 2), { isWithin: true, left: 1, msLeft: 1000 })
  now = 400
  assert.partialDeepStrictEqual(await take('a', 2), { isWithin: true, left: 0, msLeft: 600 })
  assert.partialDeepStrictEqual(await take('a', 2), { isWithin: false, left: 0, msLeft: 600 })
  assert.partialDeepStrictEqual(await take('b', 2), { isWithin: true, left: 1, msLeft: 1000 })
  const { takeBack } = await take('b', 2)
  assert.equal((await take('b', 2)).isWithin, false)
  takeBack()
  assert.equal((await take('b', 2)).isWithin, true)
  now = 1000
  assert.partialDeepStrictEqual(await take('a', 2), { isWithin: true, left: 1, msLeft: 1000 })
})

test('[D11] given a time whose sum with a minute is rounded up, when a window begins, then it lasts no longer than a minute', async (t) => {
  t.mock.method(performance, 'now', () => 6519.881448595037)
  assert.equal((await createProcessWindows().take('a', 1)).msLeft, 60_000)
})
