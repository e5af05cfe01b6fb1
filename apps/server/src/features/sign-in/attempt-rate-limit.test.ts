import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openDatabase } from '../../platform/database/open-database.ts'
import { DATABASES } from '../../testing/databases.ts'
import { PASSWORD, startWebApp } from '../../testing/start-web-app.ts'
import { until } from '../../testing/until.ts'
import { createAttemptRateLimit, signInKeys } from './attempt-rate-limit.ts'

const postgres = DATABASES.find(({ name }) => name === 'postgres')!
const isFailure = () => true
const fail = () => Promise.reject(new Error('wrong'))

for (const kind of DATABASES) {
  describe(`the rate limit of attempts on ${kind.name}`, kind.options, () => {
    test('[SIGN-3] given failures, when 15 minutes have passed, then they no longer count', async (t) => {
      const database = await kind.open(t)
      let now = 0
      const attempts = createAttemptRateLimit(database, () => now)
      const keys = [
        { key: 'x', max: 2 },
        { key: 'y', max: 9 },
      ]
      for (let i = 0; i < 2; i++) await assert.rejects(attempts.run(keys, fail, isFailure), /wrong/)
      now = 14.9 * 60_000
      await assert.rejects(attempts.run(keys, fail, isFailure), {
        code: 'too_many_attempts',
        headers: { 'retry-after': '6' },
      })
      await attempts.deleteExpired()
      const count = async () =>
        (await database.read.selectFrom('failed_attempt').selectAll().execute()).length
      assert.equal(await count(), 2)
      now = 15 * 60_000
      assert.equal(await attempts.run(keys, async () => 1, isFailure), 1)
      now = 30 * 60_000
      await attempts.deleteExpired()
      assert.equal(await count(), 0)
    })

    test('[SIGN-3] given attempts that succeed or fail for another reason, when there are many, then none counts', async (t) => {
      const attempts = createAttemptRateLimit(await kind.open(t))
      const keys = [{ key: 'x', max: 1 }]
      for (let i = 0; i < 5; i++) {
        assert.equal(await attempts.run(keys, async () => i, isFailure), i)
        await assert.rejects(
          attempts.run(keys, fail, () => false),
          /wrong/,
        )
      }
    })

    test('[SIGN-3] given concurrent attempts, when none has ended yet, then no more start than may fail', async (t) => {
      const attempts = createAttemptRateLimit(await kind.open(t))
      let begun = 0
      const work = async () => {
        begun++
        throw new Error('wrong')
      }
      await Promise.allSettled(
        Array.from({ length: 20 }, () => attempts.run([{ key: 'x', max: 3 }], work, isFailure)),
      )
      assert.equal(begun, 3)
    })

    test('[SIGN-3] given attempts under several keys, when one key is at its limit, then the others are not counted', async (t) => {
      const attempts = createAttemptRateLimit(await kind.open(t))
      const one = { key: 'one', max: 1 }
      const other = { key: 'other', max: 2 }
      await assert.rejects(attempts.run([one], fail, isFailure), /wrong/)
      for (let i = 0; i < 5; i++)
        await assert.rejects(attempts.run([other, one], fail, isFailure), { code: 'too_many_attempts' })
      assert.equal(await attempts.run([other], async () => 1, isFailure), 1)
    })
  })
}

test(
  '[SIGN-3] given two servers on one database, when ten failures are counted together, then both reject',
  postgres.options,
  async (t) => {
    const { databaseUrl } = await postgres.createLocation(t)
    const env = { DATABASE_URL: databaseUrl!, MEADOW_SESSION_SECRET: 'the-secret-of-both-servers-0123456789' }
    const one = await startWebApp(t, undefined, env)
    const other = await startWebApp(t, undefined, { ...env, MEADOW_DATA_DIR: one.dataDir })
    const { email } = await one.createPerson('Ann')
    const sign = ({ open }: typeof one, password: string) =>
      open().request('POST', '/sign-in', { email, password })
    const tries = await Promise.all(
      Array.from({ length: 12 }, (_, i) => sign(i % 2 === 0 ? one : other, 'wrong password')),
    )
    assert.deepEqual(tries.map(({ status }) => status).sort(), [...Array(10).fill(401), 429, 429])
    assert.deepEqual(
      (await Promise.all([sign(one, PASSWORD), sign(other, PASSWORD)])).map(({ status }) => status),
      [429, 429],
    )
  },
)

test('[SIGN-3] given expired counts, when a server starts, then they are deleted', async (t) => {
  const kind = DATABASES[0]!
  const { dataDir } = await kind.createLocation(t)
  const database = await openDatabase({ dataDir })
  const attempts = createAttemptRateLimit(database, () => 0)
  await assert.rejects(attempts.run([{ key: 'x', max: 1 }], fail, isFailure), /wrong/)
  await database.close()
  const server = await startWebApp(t, undefined, { MEADOW_DATA_DIR: dataDir })
  await until('the count is gone', async () => {
    const counts = await server.database.read.selectFrom('failed_attempt').selectAll().execute()
    return counts.length === 0
  })
})

test('[SIGN-3] given addresses of one IPv6 network, when attempts are counted, then they count as one client', () => {
  const client = (ip: string) => signInKeys(ip, 'A@b.org')[1]!.key
  assert.equal(client('2001:db8:1:2::1'), client('2001:db8:1:2:ffff::2'))
  assert.notEqual(client('2001:db8:1:2::1'), client('2001:db8:1:3::1'))
  assert.equal(client('::1'), 'client 0:0:0:0')
  assert.equal(client('::ffff:10.0.0.1'), 'client ::ffff:10.0.0.1')
  assert.deepEqual(signInKeys('10.0.0.1', 'A@b.org')[0]!.key, '10.0.0.1 a@b.org')
})

test('[SIGN-3] given a proxy in front, when one client behind it fails, then others can sign in, but only if the proxy is trusted', async (t) => {
  for (const [env, expected] of [
    [{ MEADOW_TRUSTED_PROXIES: '127.0.0.1' }, 200],
    [{}, 429],
  ] as const) {
    const { open, createPerson } = await startWebApp(t, undefined, env)
    const { email } = await createPerson('Ann')
    const sign = (password: string, client: string) =>
      open().request('POST', '/sign-in', { email, password }, { headers: { 'x-forwarded-for': client } })
    for (let i = 0; i < 10; i++) assert.equal((await sign('wrong password', '10.0.0.1')).status, 401)
    assert.equal((await sign(PASSWORD, '10.0.0.1')).status, 429)
    assert.equal((await sign(PASSWORD, '10.0.0.2')).status, expected)
  }
})
