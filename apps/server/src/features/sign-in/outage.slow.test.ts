import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { API_ERRORS } from '@meadow/contract'
import pg from 'pg'
import { openDatabase } from '../../platform/database/open-database.ts'
import { atEnd } from '../../testing/at-end.ts'
import { createCapturedLog } from '../../testing/captured-log.ts'
import { DATABASES } from '../../testing/databases.ts'
import { startFaultProxy } from '../../testing/fault-proxy.ts'
import { PASSWORD, startWebApp } from '../../testing/start-web-app.ts'
import { until } from '../../testing/until.ts'
import { createAuth } from './auth.ts'

const postgres = DATABASES.find(({ name }) => name === 'postgres')!

/** A server whose connection PostgreSQL closes whenever a session is about to be created, changed or removed. */
async function startLosingSessions(t: TestContext) {
  const { log, lines } = createCapturedLog()
  const app = await startWebApp(t, postgres, {}, log)
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
  test('[SIGN-12] given a connection that is lost during a request, when a person signs in, reads their account, changes their password or signs out, then it is 503, and nothing is counted or changed', async (t) => {
    const { createPerson, open, lose, isGoodAgain, ageSessions, database, lines } =
      await startLosingSessions(t)
    const { email } = await createPerson('Ann')
    const ann = open()
    const signIn = (browser: ReturnType<typeof open>, password = PASSWORD) =>
      browser.request('POST', '/sign-in', { email, password })
    // The second session is what a change of the password ends.
    for (const browser of [ann, open()]) assert.equal((await signIn(browser)).status, 200)
    await ageSessions()
    await lose()
    const responses = {
      signIn: await signIn(open()),
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

  test('[SIGN-12, DB-2] given a database that is down when sign-in is set up, then the log has the reason, without a stack, and sign-in works afterwards', async (t) => {
    const { databaseUrl } = await postgres.createLocation(t)
    const proxy = await startFaultProxy(t, databaseUrl!)
    const { log, lines } = createCapturedLog()
    const database = await openDatabase({ databaseUrl: proxy.url, dataDir: '' }, { log })
    atEnd(t, () => database.close())
    proxy.refuse()
    const auth = await createAuth({
      database,
      secret: 'the-secret-of-the-outage-tests-0123456789',
      baseUrl: undefined,
      log,
    })
    const line = await until('it is said', async () => lines.find(({ msg }) => msg === 'sign-in'))
    assert.match(String(line.reason), /^The database cannot be reached: /)
    assert.equal(line.err, undefined)
    await proxy.resume()
    const body = { email: 'nobody@example.org', password: PASSWORD }
    await until('it answers', () =>
      auth.api.signInEmail({ body }).then(
        () => false,
        (error) => error.status === 'UNAUTHORIZED',
      ),
    )
  })
})
