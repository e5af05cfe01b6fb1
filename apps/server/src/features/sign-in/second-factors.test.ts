import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { APP_ENDPOINTS, APP_ERRORS } from '@meadow/contract/web'
import { setMember } from '../../access/members.ts'
import { changeTeam } from '../../team/team-transaction.ts'
import { FEATURE_DATABASES, type TestDatabase } from '../../testing/databases.ts'
import { type Browser, PASSWORD, startWebApp } from '../../testing/start-web-app.ts'
import { startWithMail } from '../../testing/start-with-mail.ts'
import { createCodes } from './codes.ts'
import { resetSecondFactors } from './second-factors.store.ts'
import { codeOf, enrol, NEXT_MS } from './testing/enrol.ts'

/** A person with a password, signed in, who is the owner of a team. */
async function startPerson(t: TestContext, kind?: TestDatabase) {
  const app = await startWebApp(t, kind)
  const { open, createPerson, database, team } = app
  const { id: userId, email } = await createPerson('Ann')
  await changeTeam(database, team.key, (change) => setMember(change, userId, 'owner'))
  const enter = (browser: Browser, as = email) =>
    browser.request('POST', '/sign-in', { email: as, password: PASSWORD })
  const ann = open()
  await enter(ann)
  const give = (browser: Browser, code: string) => browser.request('POST', '/sign-in/factor', { code })
  /** As if the next interval had begun. */
  const forgetUse = () =>
    database.transaction((write) => write.updateTable('second_factor').set({ last_step: null }).execute())
  return { ...app, userId, email, ann, enter, give, forgetUse }
}

for (const kind of FEATURE_DATABASES) {
  describe(`second factors on ${kind.name}`, kind.options, () => {
    test('[SIGN-31] given a person with an authenticator app, when they give the password, then no endpoint is open until they give a code', async (t) => {
      const { open, ann, enter, give, team, request } = await startPerson(t, kind)
      const { status, secret } = await enrol(ann)
      assert.equal(status, 201)
      assert.deepEqual((await ann.get('/me')).json.secondFactors, { codes: true, passkeys: false })

      const browser = open()
      const entered = await enter(browser)
      const awaits = { codes: true, passkeys: false }
      assert.deepEqual([entered.status, entered.json], [200, { awaits }])
      assert.deepEqual((await browser.get('/sign-in')).json.awaits, awaits)
      for (const { method, path, needs, name } of APP_ENDPOINTS) {
        if (needs === 'anyone' || needs === 'player' || needs === 'visitor') continue
        const filled = path.replace(':teamId', team.id).replaceAll(/:\w+/g, 'x')
        const response = await browser.request(method, filled, method === 'GET' ? undefined : {})
        assert.equal(response.status, 401, name)
      }
      const upgrade = await request('/live', {
        token: null,
        headers: { cookie: browser.cookie, connection: 'upgrade', upgrade: 'websocket' },
      }).catch(() => undefined)
      assert.notEqual(upgrade?.status, 101)

      const wrong = await give(browser, '000000')
      assert.deepEqual([wrong.status, wrong.json.error], [403, APP_ERRORS.code_not_right.sentence])
      assert.equal((await browser.get('/me')).status, 401)
      const given = await give(browser, codeOf(secret, NEXT_MS))
      assert.deepEqual([given.status, given.json.person.name], [200, 'Ann'])
      assert.equal((await browser.get(`/teams/${team.id}`)).status, 200)
      assert.equal((await browser.get('/sign-in')).json.awaits, null)
      assert.equal((await give(open(), codeOf(secret))).status, 401)
    })

    test('[SIGN-31] given a person with a second factor, when they follow an invitation before they have given it, then they are not in the team; afterwards they join', async (t) => {
      const { open, ann: owner, team, createPerson, enter, give } = await startPerson(t, kind)
      const invite = async (): Promise<string> => {
        const { json } = await owner.request('POST', `/teams/${team.id}/invitations`, { role: 'viewer' })
        return json.url.split('#')[1]
      }
      const accept = (browser: Browser, secret: string, account?: object) =>
        browser.request('POST', '/invitations/accept', { secret, ...(account && { account }) })
      const listTeams = async (browser: Browser) =>
        (await browser.get('/me')).json.teams.map(({ id }: { id: string }) => id)

      const { email } = await createPerson('Ben')
      const first = open()
      await enter(first, email)
      const { secret } = await enrol(first)
      const ben = open()
      await enter(ben, email)
      const invitation = await invite()
      assert.equal((await accept(ben, invitation)).status, 401)
      const account = { name: 'Ben', email, password: 'another good password' }
      assert.equal((await accept(ben, invitation, account)).status, 409)
      assert.deepEqual(await listTeams(first), [])
      assert.equal((await give(ben, codeOf(secret, NEXT_MS))).status, 200)
      assert.equal((await accept(ben, invitation)).status, 200)
      assert.deepEqual(await listTeams(first), [team.id])

      // The session that an invitation began is the one in which the first factor is added.
      const cem = open()
      const other = { name: 'Cem', email: 'cem@example.org', password: 'another good password' }
      assert.equal((await accept(cem, await invite(), other)).status, 200)
      assert.equal((await enrol(cem)).status, 201)
      assert.deepEqual(await listTeams(cem), [team.id])
    })

    test('[SIGN-27] given a person with a confirmed address, when their second factors are added, removed and reset, then they get a mail each time, and none when there was nothing to reset', async (t) => {
      const { open, createPerson, newMails, database } = await startWithMail(t, kind)
      const { id, email } = await createPerson('Ann')
      const ann = open()
      await ann.request('POST', '/sign-in', { email, password: PASSWORD })
      const subjects = async () => {
        const mails = await newMails()
        assert.ok(mails.every(({ recipients }) => recipients.join() === email))
        return mails.map(({ subject }) => subject)
      }
      const { factor } = await enrol(ann)
      assert.deepEqual(await subjects(), ['A second factor was added to your account'])
      assert.equal((await ann.request('DELETE', `/me/factors/${factor.id}`)).status, 204)
      assert.deepEqual(await subjects(), ['A second factor was removed from your account'])
      assert.equal((await enrol(ann)).status, 201)
      await subjects()
      const reset = () => database.transaction((write) => resetSecondFactors(write, id))
      assert.deepEqual([await reset(), await reset()], [1, 0])
      assert.deepEqual(await subjects(), ['The second factors of your account were removed'])
    })

    test('[SIGN-32] given a code that was used, when it or an older one is given again, then it is rejected, also simultaneously', async (t) => {
      const { open, ann, enter, give, forgetUse } = await startPerson(t, kind)
      const { secret } = await enrol(ann)
      const first = open()
      await enter(first)
      // The code that set it up counts as used.
      assert.equal((await give(first, codeOf(secret))).status, 403)
      assert.equal((await give(first, codeOf(secret, NEXT_MS))).status, 200)
      const second = open()
      await enter(second)
      assert.equal((await give(second, codeOf(secret, NEXT_MS))).status, 403)
      assert.equal((await give(second, codeOf(secret))).status, 403)
      await forgetUse()
      const browsers = Array.from({ length: 4 }, () => open())
      for (const browser of browsers) await enter(browser)
      const code = codeOf(secret)
      const results = await Promise.all(browsers.map((browser) => give(browser, code)))
      assert.deepEqual(results.map(({ status }) => status).sort(), [200, 403, 403, 403])
    })

    test('[SIGN-33] given recovery codes, when one is used, then it completes one sign-in, and new codes end the old ones', async (t) => {
      const { open, ann, enter, give, database } = await startPerson(t, kind)
      const { recoveryCodes } = await enrol(ann)
      assert.equal(new Set(recoveryCodes).size, 10)
      for (const code of recoveryCodes)
        assert.match(code, /^([0-9a-hjkmnp-tv-z]{4}-){5}[0-9a-hjkmnp-tv-z]{4}$/)
      const enterWith = async (code: string) => {
        const browser = open()
        await enter(browser)
        return (await give(browser, code)).status
      }
      const [one, two, three] = recoveryCodes as [string, string, string]
      assert.equal(await enterWith(one), 200)
      assert.equal(await enterWith(one), 403)
      assert.equal(await enterWith(` ${two.toUpperCase().replaceAll('-', ' ')}`), 200)
      assert.equal((await ann.get('/me/security')).json.recoveryCodes, 8)
      const replaced = await ann.request('POST', '/me/recovery-codes')
      assert.equal(replaced.json.recoveryCodes.length, 10)
      assert.equal(await enterWith(three), 403)
      assert.equal(await enterWith(replaced.json.recoveryCodes[0]), 200)
      const stored = JSON.stringify(await database.read.selectFrom('recovery_code').selectAll().execute())
      assert.ok(!stored.includes(replaced.json.recoveryCodes[1].replaceAll('-', '')))
    })

    test('[SIGN-39] given sessions elsewhere, when the first factor is added, then they end; adding and removing need a fresh sign-in; without the last factor the password is sufficient', async (t) => {
      const { open, ann, enter, database } = await startPerson(t, kind)
      const elsewhere = open()
      await enter(elsewhere)
      const makeStale = () =>
        database.transaction((write) =>
          write
            .updateTable('session')
            .set({ createdAt: new Date(Date.now() - 3600_000).toISOString(), provedAt: null })
            .execute(),
        )
      await makeStale()
      assert.equal((await ann.request('POST', '/me/factors/authenticator')).status, 403)
      assert.equal((await ann.request('POST', '/me/proof', { password: PASSWORD })).status, 204)
      const { factor, secret } = await enrol(ann)
      assert.deepEqual([(await ann.get('/me')).status, (await elsewhere.get('/me')).status], [200, 401])
      assert.equal((await ann.request('POST', '/me/factors/authenticator')).status, 409)

      await makeStale()
      const remove = (id: string) => ann.request('DELETE', `/me/factors/${id}`)
      assert.equal((await remove(factor.id)).status, 403)
      const code = codeOf(secret, NEXT_MS)
      assert.equal((await ann.request('POST', '/me/proof', { code })).status, 204)
      assert.equal((await remove('fac_other')).status, 404)
      assert.equal((await remove(factor.id)).status, 204)
      assert.equal((await ann.request('POST', '/me/recovery-codes')).status, 404)
      const { json } = await ann.get('/me/security')
      assert.deepEqual([json.factors, json.recoveryCodes], [[], 0])
      assert.equal((await enter(open())).json.person.name, 'Ann')
    })

    test('[SIGN-37] given sessions in several browsers, when the person looks, then they see each with its device, address and age, and end one or all others', async (t) => {
      const { open, ann, enter, email } = await startPerson(t, kind)
      const [phone, tablet] = [open(), open()]
      const headers = { 'user-agent': 'Firefox on a phone' }
      await phone.request('POST', '/sign-in', { email, password: PASSWORD }, { headers })
      await enter(tablet)
      const list = async () => (await ann.get('/me/security')).json.sessions
      const sessions = await list()
      assert.equal(sessions.length, 3)
      const ofPhone = sessions.find(
        ({ userAgent }: { userAgent: string }) => userAgent === headers['user-agent'],
      )
      assert.deepEqual([ofPhone.isThis, ofPhone.address], [false, '127.0.0.1'])
      assert.ok(Math.abs(Date.parse(ofPhone.signedInAt) - Date.now()) < 60_000)
      assert.equal(sessions.filter(({ isThis }: { isThis: boolean }) => isThis).length, 1)
      assert.equal((await ann.request('DELETE', '/me/sessions/nothing')).status, 404)
      assert.equal((await ann.request('DELETE', `/me/sessions/${ofPhone.id}`)).status, 204)
      assert.deepEqual([(await phone.get('/me')).status, (await tablet.get('/me')).status], [401, 200])
      assert.equal((await ann.request('DELETE', '/me/sessions')).status, 204)
      assert.deepEqual([(await ann.get('/me')).status, (await tablet.get('/me')).status], [200, 401])
      assert.equal((await list()).length, 1)
    })
  })
}

test('[SIGN-31] given a person with a second factor, when they change their password, then their session stays open, and others end', async (t) => {
  const { open, ann, enter, give } = await startPerson(t)
  const { secret } = await enrol(ann)
  const other = open()
  await enter(other)
  await give(other, codeOf(secret, NEXT_MS))
  const next = 'another good password'
  assert.equal((await ann.request('POST', '/me/password', { current: PASSWORD, next })).status, 204)
  assert.deepEqual([(await ann.get('/me')).status, (await other.get('/me')).status], [200, 401])
})

test('[SIGN-32] given someone who has the password and guesses codes, when ten were wrong, then also the right one is rejected, with the time to wait', async (t) => {
  const { open, ann, enter, give } = await startPerson(t)
  const { secret } = await enrol(ann)
  const thief = open()
  await enter(thief)
  for (let i = 0; i < 10; i++) assert.equal((await give(thief, `00000${i}`)).status, 403)
  const { status, headers } = await give(thief, codeOf(secret, NEXT_MS))
  assert.equal(status, 429)
  assert.ok(Number(headers.get('retry-after')) > 0)
})

test('[SIGN-34] given an authenticator app, when the database is read, then its secret is not in it; it is bound to its person and to the server’s secret', async (t) => {
  const { ann, userId, database, createPerson, open } = await startPerson(t)
  const { secret, enrolment } = await enrol(ann)
  const { secret: sealed } = await database.read
    .selectFrom('second_factor')
    .select('secret')
    .executeTakeFirstOrThrow()
  assert.ok(!sealed!.includes(secret) && !Buffer.from(sealed!, 'base64url').includes(secret))
  const ben = await createPerson('Ben')
  const browser = open()
  await browser.request('POST', '/sign-in', { email: ben.email, password: PASSWORD })
  const stolen = await browser.request('POST', '/me/factors/authenticator/confirm', {
    enrolment,
    code: codeOf(secret),
  })
  assert.equal(stolen.status, 410)
  for (const [key, user] of [
    ['another secret of a server', userId],
    ['a secret', ben.id],
  ] as const)
    assert.equal(await createCodes(key, Date.now).findStep(user, sealed!, codeOf(secret)), undefined)
})

test('[SIGN-34] given an enrolment, when half an hour has passed, then it is not accepted', async () => {
  let now = Date.now()
  const codes = createCodes('a secret', () => now)
  const { enrolment } = await codes.enrol({ userId: 'usr_x' as never, email: 'ann@example.org' })
  assert.ok(codes.readEnrolment('usr_x' as never, enrolment))
  assert.equal(codes.readEnrolment('usr_y' as never, enrolment), undefined)
  assert.equal(codes.readEnrolment('usr_x' as never, 'x'.repeat(80)), undefined)
  now += 30 * 60_000
  assert.equal(codes.readEnrolment('usr_x' as never, enrolment), undefined)
})
