import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Database } from '../platform/database/database.ts'
import { FEATURE_DATABASES } from '../testing/databases.ts'
import { PASSWORD, startWebApp } from '../testing/start-web-app.ts'

const readSignIns = (database: Database) =>
  database.read.selectFrom('audit_event').where('chain', '=', 'service').selectAll().orderBy('seq').execute()

for (const kind of FEATURE_DATABASES) {
  describe(`sign-ins in the audit log on ${kind.name}`, kind.options, () => {
    test('[AUD-4] given people who sign in, fail, change their password and sign out behind a trusted proxy, then each is recorded with its address', async (t) => {
      const { open, createPerson, database } = await startWebApp(t, kind, {
        MEADOW_TRUSTED_PROXIES: '127.0.0.1',
      })
      const ann = await createPerson('Ann')
      const browser = open()
      const init = { headers: { 'x-forwarded-for': '203.0.113.9' } }
      const before = (await readSignIns(database)).length
      const attempt = (email: string, password: string) =>
        browser.request('POST', '/sign-in', { email, password }, init)
      assert.equal((await attempt(ann.email, 'wrong')).status, 401)
      assert.equal((await attempt('nobody@example.org', 'wrong')).status, 401)
      assert.equal((await attempt(ann.email, PASSWORD)).status, 200)
      const next = 'another long sentence of words'
      assert.equal(
        (await browser.request('POST', '/me/password', { current: PASSWORD, next }, init)).status,
        204,
      )
      assert.equal((await browser.request('POST', '/sign-out', undefined, init)).status, 204)
      const events = (await readSignIns(database)).slice(before)
      const facts = events.map(
        ({ action, actor_kind, actor_name, thing_id, thing_name, address, details }) => ({
          ...{
            action,
            by: actor_kind,
            who: actor_name,
            thing: thing_name,
            isKnown: thing_id === ann.id,
            address,
          },
          details: details && JSON.parse(details),
        }),
      )
      const [who, address] = [ann.email, '203.0.113.9']
      assert.deepEqual(facts, [
        {
          ...{ action: 'sign_in.failed', by: 'anonymous', who: null, thing: who, isKnown: true, address },
          details: { by: 'password' },
        },
        {
          ...{ action: 'sign_in.failed', by: 'anonymous', who: null, thing: 'nobody@example.org' },
          ...{ isKnown: false, address, details: { by: 'password' } },
        },
        {
          ...{ action: 'sign_in.succeeded', by: 'user', who, thing: who, isKnown: true, address },
          details: { by: 'password' },
        },
        { action: 'password.changed', by: 'user', who, thing: null, isKnown: false, address, details: null },
        { action: 'sign_out', by: 'user', who, thing: null, isKnown: false, address, details: null },
      ])
      const sessions = events.map(({ session }) => session)
      assert.ok(sessions[2])
      assert.deepEqual(sessions.slice(3), [sessions[2], sessions[2]])
    })
  })
}
