import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { API_ERRORS } from '@meadow/contract'
import pg from 'pg'
import { atEnd } from '../../testing/at-end.ts'
import { createCapturedLog } from '../../testing/captured-log.ts'
import { DATABASES } from '../../testing/databases.ts'
import { type Browser, PASSWORD } from '../../testing/start-web-app.ts'
import { startWithProvider } from './testing/start-with-provider.ts'

const postgres = DATABASES.find(({ name }) => name === 'postgres')!

/** A server whose connection PostgreSQL closes whenever a session is about to be created, changed or removed. */
async function startLosingSessions(t: TestContext) {
  const { log, lines } = createCapturedLog()
  const app = await startWithProvider(t, postgres, { log })
  const admin = new pg.Client(app.databaseUrl)
  await admin.connect()
  atEnd(t, () => admin.end())
  const lose = () =>
    admin.query(`
      create function lose_connection() returns trigger language plpgsql as $$
      begin
        perform pg_terminate_backend(pg_backend_pid());
        return coalesce(new, old);
      end $$;
      create trigger lose_connection before insert or update or delete on session
        for each row execute function lose_connection()`)
  const isGoodAgain = () => admin.query('drop trigger lose_connection on session')
  /** Makes the next use extend the session. */
  const ageSessions = () => admin.query(`update session set "expiresAt" = now() + interval '1 day'`)
  return { ...app, lose, isGoodAgain, ageSessions, lines }
}

describe('sign-in while the database is away', postgres.options, () => {
  test('[SIGN-12] given a connection that is lost during a request, when a person signs in, comes back from the provider, reads their account, changes their password or signs out, then it is 503, and nothing is counted or changed', async (t) => {
    const { createPerson, open, lose, isGoodAgain, ageSessions, database, lines, provider, begin } =
      await startLosingSessions(t)
    const { email } = await createPerson('Ann')
    const ann = open()
    const signIn = (browser: Browser) => browser.request('POST', '/sign-in', { email, password: PASSWORD })
    // The second session is what a change of the password ends.
    for (const browser of [ann, open()]) assert.equal((await signIn(browser)).status, 200)
    provider.authorize({ sub: '1', email, email_verified: true, name: 'Ann' })
    const back = open()
    const callback = await begin(back)
    await ageSessions()
    await lose()
    const responses = {
      signIn: await signIn(open()),
      callback: await back.get(callback, { redirect: 'manual' }),
      me: await ann.get('/me'),
      password: await ann.request('POST', '/me/password', { current: PASSWORD, next: 'another password' }),
      signOut: await ann.request('POST', '/sign-out'),
    }
    for (const [what, { status, json, headers }] of Object.entries(responses)) {
      assert.equal(status, 503, what)
      assert.deepEqual(json, { error: API_ERRORS.database_unavailable.sentence }, what)
      assert.equal(headers.get('retry-after'), '5', what)
      assert.deepEqual(headers.getSetCookie(), [], what)
    }
    const counted = await database.read.selectFrom('failed_attempt').select('count').execute()
    assert.deepEqual(
      counted.filter(({ count }) => count !== 0),
      [],
    )
    await isGoodAgain()
    assert.equal((await ann.get('/me')).status, 200)
    assert.equal((await signIn(open())).status, 200)
    const errors = lines.filter(({ level }) => level === 'error')
    for (const line of errors) assert.equal(typeof line.reason, 'string', JSON.stringify(line))
    assert.equal(new Set(errors.map(({ msg }) => msg)).size, errors.length, JSON.stringify(errors))
  })
})
