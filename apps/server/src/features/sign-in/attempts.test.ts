import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PASSWORD, startWebApp } from '../../testing/start-web-app.ts'
import { keysOfSignIn } from './attempt-keys.ts'
import { createAttempts } from './attempts.ts'

const isFailure = () => true
const fail = () => Promise.reject(new Error('wrong'))

test('[SIGN-3] given failures, when a quarter of an hour is over, then they are forgotten', async () => {
  let now = 0
  const attempts = createAttempts(() => now)
  const keys = [{ key: 'x', max: 2 }]
  for (let i = 0; i < 2; i++) await assert.rejects(attempts.run(keys, fail, isFailure), /wrong/)
  now = 14.9 * 60_000
  await assert.rejects(attempts.run(keys, fail, isFailure), {
    code: 'too_many_attempts',
    headers: { 'retry-after': '6' },
  })
  now = 15 * 60_000
  assert.equal(await attempts.run(keys, async () => 1, isFailure), 1)
})

test('[SIGN-3] given tries that succeed or fail for another reason, when there are many, then none counts', async () => {
  const attempts = createAttempts()
  const keys = [{ key: 'x', max: 1 }]
  for (let i = 0; i < 5; i++) {
    assert.equal(await attempts.run(keys, async () => i, isFailure), i)
    await assert.rejects(
      attempts.run(keys, fail, () => false),
      /wrong/,
    )
  }
})

test('[SIGN-3] given tries that are made all at once, when they have not ended yet, then no more begin than may fail', async () => {
  const attempts = createAttempts()
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

test('[SIGN-3] given addresses of one network of IPv6, when tries are counted, then they are those of one client', () => {
  const client = (ip: string) => keysOfSignIn(ip, 'A@b.org')[1]!.key
  assert.equal(client('2001:db8:1:2::1'), client('2001:db8:1:2:ffff::2'))
  assert.notEqual(client('2001:db8:1:2::1'), client('2001:db8:1:3::1'))
  assert.equal(client('::1'), 'client 0:0:0:0')
  assert.equal(client('::ffff:10.0.0.1'), 'client ::ffff:10.0.0.1')
  assert.deepEqual(keysOfSignIn('10.0.0.1', 'A@b.org')[0]!.key, '10.0.0.1 a@b.org')
})

test('[SIGN-3] given a proxy in front, when one client behind it fails, then others can sign in, but only where its word is taken', async (t) => {
  for (const [env, expected] of [
    [{ MEADOW_TRUSTED_PROXIES: '127.0.0.1' }, 200],
    [{}, 429],
  ] as const) {
    const { open, createPerson } = await startWebApp(t, undefined, env)
    const { email } = await createPerson('Ann')
    const sign = (password: string, client: string) =>
      open().ask('POST', '/sign-in', { email, password }, { headers: { 'x-forwarded-for': client } })
    for (let i = 0; i < 10; i++) assert.equal((await sign('wrong password', '10.0.0.1')).status, 401)
    assert.equal((await sign(PASSWORD, '10.0.0.1')).status, 429)
    assert.equal((await sign(PASSWORD, '10.0.0.2')).status, expected)
  }
})
