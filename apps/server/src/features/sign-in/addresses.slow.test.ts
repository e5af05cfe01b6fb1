import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { FEATURE_DATABASES } from '../../testing/databases.ts'
import { createCommandLine } from '../../testing/meadow-server.ts'
import { PASSWORD, startWebApp } from '../../testing/start-web-app.ts'
import { secretIn, startWithMail } from '../../testing/start-with-mail.ts'

for (const kind of FEATURE_DATABASES) {
  // They wait for what is sent, most of the time.
  describe(`addresses on ${kind.name}`, { ...kind.options, concurrency: 3 }, () => {
    test('[SIGN-22, SIGN-23, SIGN-26, MAIL-5] given a forgotten password, when a link is asked for and used, then it sets the password once, ends all sessions, and no secret is stored', async (t) => {
      const { open, createPerson, newMails, database } = await startWithMail(t, kind)
      const { email } = await createPerson('Ann')
      const signIn = async (password: string) => {
        const browser = open()
        const { status } = await browser.request('POST', '/sign-in', { email, password })
        return Object.assign(browser, { status })
      }
      const session = await signIn(PASSWORD)
      assert.equal(session.status, 200)
      for (const _ of [1, 2])
        assert.equal(
          (await open().request('POST', '/password-reset', { email: email.toUpperCase() })).status,
          204,
        )
      const [mail, second] = await newMails()
      assert.deepEqual(mail!.recipients, [email])
      const [secret, other] = [
        secretIn(mail!.text, 'reset-password'),
        secretIn(second!.text, 'reset-password'),
      ]
      const stored = await Promise.all(
        (['mail', 'one_time_link'] as const).map((table) =>
          database.read.selectFrom(table).selectAll().execute(),
        ),
      )
      assert.ok(!JSON.stringify(stored).includes(secret))
      const finish = (password: string, by = secret) =>
        open().request('POST', '/password-reset/finish', { secret: by, password })
      assert.equal((await finish('short')).status, 400)
      const both = await Promise.all([finish('a new password'), finish('a new password')])
      assert.deepEqual(both.map(({ status }) => status).sort(), [204, 410])
      assert.equal((await finish('another password', other)).status, 410)
      assert.equal((await session.get('/me')).status, 401)
      assert.equal((await signIn(PASSWORD)).status, 401)
      assert.equal((await signIn('a new password')).status, 200)
      const [notice] = await newMails()
      assert.equal(notice!.subject, 'Your password was changed')
    })

    test('[SIGN-22] given known, unknown, unconfirmed addresses and people without a password, when links are asked for, then all get the same response and do the same work, and only the first gets a mail', async (t) => {
      const { open, createPerson, users, newMails, database } = await startWithMail(t, kind)
      const [ann, eve] = [await createPerson('Ann'), await createPerson('Eve')]
      const cem = await users.createUser({ name: 'Cem', email: 'cem@example.org' })
      await database.transaction(async (write) => {
        await write.updateTable('user').set({ emailVerified: 0 }).where('id', '=', eve.id).execute()
        const now = new Date().toISOString()
        const times = { createdAt: now, updatedAt: now }
        const account = { id: 'x', accountId: 'x', providerId: 'oidc', userId: cem.id, ...times }
        await write.insertInto('account').values(account).execute()
      })
      const addresses = [ann.email, eve.email, cem.email, 'nobody@example.org']
      const responses = []
      for (const email of addresses) {
        const { status, text, headers } = await open().request('POST', '/password-reset', { email })
        const names = [...headers.keys()].filter((name) => name !== 'date').sort()
        responses.push(JSON.stringify([status, text, names]))
      }
      assert.equal(new Set(responses).size, 1, responses.join('\n'))
      assert.deepEqual(
        (await newMails()).map(({ recipients }) => recipients),
        [[ann.email]],
      )
      const rows = await database.read
        .selectFrom('mail')
        .select(['recipient', 'about', 'state'])
        .orderBy('id')
        .execute()
      assert.deepEqual(
        rows,
        addresses.map((recipient, i) => ({ recipient, about: null, state: i === 0 ? 'sent' : 'dropped' })),
      )
    })

    test('[SIGN-22] given many requests for one address, when another follows, then it is rejected for a while, also where there is no account', async (t) => {
      const { open, createPerson, newMails } = await startWithMail(t, kind)
      const { email } = await createPerson('Ann')
      for (const address of [email, 'nobody@example.org']) {
        const statuses = []
        for (let i = 0; i < 6; i++)
          statuses.push((await open().request('POST', '/password-reset', { email: address })).status)
        assert.deepEqual(statuses, [...Array(5).fill(204), 429], address)
      }
      assert.equal((await newMails()).length, 5)
    })

    test('[SIGN-23] given a link that has expired, or secrets that nobody made, when they are used, then nothing happens, and repeated attempts are rejected', async (t) => {
      const { open, createPerson, newMails, database } = await startWithMail(t, kind)
      const { email } = await createPerson('Ann')
      await open().request('POST', '/password-reset', { email })
      const secret = secretIn((await newMails())[0]!.text, 'reset-password')
      const [link] = await database.read.selectFrom('one_time_link').selectAll().execute()
      assert.ok(link!.expires_at <= Date.now() + 3_600_000)
      await database.transaction((write) =>
        write.updateTable('one_time_link').set({ expires_at: Date.now() }).execute(),
      )
      const finish = (by: string) =>
        open().request('POST', '/password-reset/finish', { secret: by, password: 'a new password' })
      assert.equal((await finish(secret)).status, 410)
      const statuses = new Set<number>()
      for (let i = 0; i < 101; i++) statuses.add((await finish(`mdl_${i}`)).status)
      assert.deepEqual([...statuses], [410, 429])
      const signed = await open().request('POST', '/sign-in', { email, password: PASSWORD })
      assert.equal(signed.status, 200)
    })

    test('[SIGN-20] given an unconfirmed address, when its mailed link is opened, then it is confirmed once, and only in a session of its account', async (t) => {
      const { signIn, open, newMails, database } = await startWithMail(t, kind)
      const [eve, boss] = [await signIn('Eve'), await signIn('Boss')]
      await database.transaction((write) =>
        write.updateTable('user').set({ emailVerified: 0 }).where('id', '=', eve.userId).execute(),
      )
      assert.equal((await eve.get('/me')).json.isEmailConfirmed, false)
      assert.equal((await eve.request('POST', '/me/email/confirmation')).status, 204)
      const [mail] = await newMails()
      assert.deepEqual(mail!.recipients, [eve.email])
      const secret = secretIn(mail!.text, 'confirm-address')
      assert.equal((await open().request('POST', '/me/email/confirm', { secret })).status, 401)
      // Who reads the mail has an account of their own: that of Eve stays unconfirmed.
      assert.equal((await boss.request('POST', '/me/email/confirm', { secret })).status, 410)
      assert.equal((await eve.get('/me')).json.isEmailConfirmed, false)
      const confirmed = await eve.request('POST', '/me/email/confirm', { secret })
      assert.deepEqual([confirmed.status, confirmed.json.isEmailConfirmed], [200, true])
      assert.equal((await eve.request('POST', '/me/email/confirm', { secret })).status, 410)
      // Nothing is left to confirm.
      await eve.request('POST', '/me/email/confirmation')
      assert.deepEqual(await newMails(), [])
    })

    test('[SIGN-21, SIGN-26] given a new address, when its link is opened, then it replaces the old one, which is told', async (t) => {
      const { createPerson, open, newMails } = await startWithMail(t, kind)
      const [{ email }, ben] = [await createPerson('Ann'), await createPerson('Ben')]
      const ann = open()
      await ann.request('POST', '/sign-in', { email, password: PASSWORD })
      await open().request('POST', '/password-reset', { email })
      const reset = secretIn((await newMails())[0]!.text, 'reset-password')
      for (const next of ['New@Example.org', ben.email])
        assert.equal((await ann.request('POST', '/me/email', { email: next })).status, 204)
      // Somebody has the second address: nobody is told.
      const [mail, none] = await newMails()
      assert.deepEqual([mail!.recipients, none], [['new@example.org'], undefined])
      assert.equal((await ann.get('/me')).json.person.email, email)
      const secret = secretIn(mail!.text, 'confirm-address')
      const { status, json } = await ann.request('POST', '/me/email/confirm', { secret })
      assert.deepEqual([status, json.person.email, json.isEmailConfirmed], [200, 'new@example.org', true])
      const [notice] = await newMails()
      assert.deepEqual(
        [notice!.recipients, notice!.subject],
        [[email], 'The address of your account was changed'],
      )
      const sign = async (address: string) =>
        (await open().request('POST', '/sign-in', { email: address, password: PASSWORD })).status
      assert.deepEqual([await sign(email), await sign('new@example.org')], [401, 200])
      const late = { secret: reset, password: 'a new password' }
      assert.equal((await open().request('POST', '/password-reset/finish', late)).status, 410)
    })

    test('[SIGN-26] given members, when an owner changes a role or removes somebody, then they get a notice, and the owner gets none', async (t) => {
      const { signIn, team, newMails } = await startWithMail(t, kind)
      const [ann, ben] = [await signIn('Ann', 'owner'), await signIn('Ben', 'member')]
      const path = `/teams/${team.id}/members/${ben.userId}`
      await ann.request('PATCH', path, { role: 'viewer' })
      await ann.request('PATCH', path, { role: 'viewer' })
      await ann.request('DELETE', path)
      const mails = await newMails()
      assert.deepEqual(mails.map(({ recipients, subject }) => [recipients[0], subject]).sort(), [
        [ben.email, 'You are no longer in a team'],
        [ben.email, 'Your role in a team was changed'],
      ])
      assert.match(
        mails.find(({ subject }) => subject?.startsWith('Your'))!.text!,
        /"Acme" you are viewer now\. You were member\./,
      )
    })

    test('[SIGN-24] given no mail server, when mails are asked for, then a sentence says so, and the operator confirms addresses and prints links', async (t) => {
      const { createPerson, open, database, dataDir, databaseUrl } = await startWebApp(t, kind)
      const { email, id } = await createPerson('Ann')
      const ann = open()
      await ann.request('POST', '/sign-in', { email, password: PASSWORD })
      assert.equal((await open().get('/sign-in')).json.mail, false)
      for (const [who, path, body] of [
        [open(), '/password-reset', { email }],
        [ann, '/me/email/confirmation', undefined],
        [ann, '/me/email', { email: 'new@example.org' }],
      ] as const) {
        const { status, json } = await who.request('POST', path, body)
        assert.deepEqual(
          [status, json.error],
          [409, 'No mails are sent here. Ask the operator of this server for help.'],
        )
      }
      await database.transaction((write) =>
        write.updateTable('user').set({ emailVerified: 0 }).where('id', '=', id).execute(),
      )
      const { json, run } = await createCommandLine(t, {
        MEADOW_DATA_DIR: dataDir,
        ...(databaseUrl && { DATABASE_URL: databaseUrl }),
      })
      assert.equal((await json('user', 'confirm', email)).confirmed, true)
      assert.equal((await ann.get('/me')).json.isEmailConfirmed, true)
      assert.match((await run('user', 'confirm', email)).stderr, /was confirmed before/)
      const { url } = await json('user', 'reset-password', email)
      const [page, secret] = url.split('#')
      assert.equal(page, 'http://127.0.0.1:4000/reset-password')
      assert.equal((await ann.get('/me')).status, 200)
      const body = { secret, password: 'a new password' }
      assert.equal((await open().request('POST', '/password-reset/finish', body)).status, 204)
      assert.equal((await ann.get('/me')).status, 401)
      assert.equal((await run('user', 'reset-password', 'nobody@example.org')).code, 1)
    })
  })
}
