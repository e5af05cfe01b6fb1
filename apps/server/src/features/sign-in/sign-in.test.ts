import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setMember } from '../../access/members.ts'
import { changeTeam } from '../../team/team-transaction.ts'
import { FEATURE_DATABASES } from '../../testing/databases.ts'
import { PASSWORD, startWebApp } from '../../testing/start-web-app.ts'

for (const kind of FEATURE_DATABASES) {
  describe(`sign-in on ${kind.name}`, kind.options, () => {
    test('[SIGN-1, SIGN-6] given a person in two teams, when they sign in, then they get a session, and the response has their account and teams', async (t) => {
      const { open, createPerson, fixtures, database, team } = await startWebApp(t, kind)
      const { id: userId, email } = await createPerson('Ann')
      await changeTeam(database, team.key, (change) => setMember(change, userId, 'owner'))
      const ann = Object.assign(open(), { userId, email })
      const signed = await ann.request('POST', '/sign-in', { email: email.toUpperCase(), password: PASSWORD })
      const other = await fixtures.team('Beta', 'beta.example.org')
      await changeTeam(database, other.key, (change) => setMember(change, ann.userId, 'viewer'))
      const { status, json } = await ann.get('/me')
      assert.deepEqual([signed.status, status], [200, 200])
      assert.deepEqual(json.person, { id: ann.userId, name: 'Ann', email: ann.email })
      assert.equal(json.hasPassword, true)
      assert.deepEqual(
        json.teams.map(({ id, role, hostName }: Record<string, unknown>) => [id, role, hostName]),
        [
          [team.id, 'owner', null],
          [other.id, 'viewer', 'beta.example.org'],
        ],
      )
    })

    test('[SIGN-4] given a session, when the person signs out, then its cookie is no longer accepted', async (t) => {
      const { signIn, open } = await startWebApp(t, kind)
      const ann = await signIn('Ann')
      const { cookie } = ann
      const signedOut = await ann.request('POST', '/sign-out')
      assert.deepEqual([signedOut.status, signedOut.headers.get('clear-site-data')], [204, '"cache"'])
      assert.equal(ann.cookie, '')
      assert.equal((await open().get('/me', { headers: { cookie } })).status, 401)
    })

    test('[SIGN-10] given a session that was not used for two days, when it is used, then it is valid for seven days again; an expired one stays expired', async (t) => {
      const { signIn, database } = await startWebApp(t, kind)
      const ann = await signIn('Ann')
      const inDays = (days: number) => new Date(Date.now() + days * 24 * 3600 * 1000).toISOString()
      const expireIn = (days: number) =>
        database.transaction((write) =>
          write
            .updateTable('session')
            .set({ expiresAt: inDays(days) })
            .execute(),
        )
      await expireIn(5)
      const used = await ann.get('/me')
      assert.match(used.headers.getSetCookie()[0]!, /^better-auth\.session_token=.+Max-Age=604800/)
      const [session] = await database.read.selectFrom('session').select('expiresAt').execute()
      assert.ok(new Date(session!.expiresAt) > new Date(inDays(6.9)))
      assert.deepEqual((await ann.get('/me')).headers.getSetCookie(), [])
      await expireIn(-0.001)
      assert.equal((await ann.get('/me')).status, 401)
    })

    test('[SIGN-5] given two sessions, when the password is changed in one, then the other ends, and only the new password works', async (t) => {
      const { createPerson, open } = await startWebApp(t, kind)
      const [ann, elsewhere] = [Object.assign(open(), await createPerson('Ann')), open()]
      await ann.request('POST', '/sign-in', { email: ann.email, password: PASSWORD })
      await elsewhere.request('POST', '/sign-in', { email: ann.email, password: PASSWORD })
      assert.equal((await elsewhere.get('/me')).status, 200)
      const wrong = await ann.request('POST', '/me/password', {
        current: 'something',
        next: 'another password',
      })
      assert.equal(wrong.status, 403)
      const short = await ann.request('POST', '/me/password', { current: PASSWORD, next: 'short' })
      assert.equal(short.status, 400)
      const before = ann.cookie
      const changed = await ann.request('POST', '/me/password', {
        current: PASSWORD,
        next: 'another password',
      })
      assert.equal(changed.status, 204)
      assert.equal((await ann.get('/me')).status, 200)
      assert.equal((await elsewhere.get('/me')).status, 401)
      assert.equal((await open().get('/me', { headers: { cookie: before } })).status, 401)
      const sign = (password: string) => open().request('POST', '/sign-in', { email: ann.email, password })
      assert.deepEqual([(await sign(PASSWORD)).status, (await sign('another password')).status], [401, 200])
    })
  })
}

test('[SIGN-1] given a service with an https address, when a person signs in, then the cookie is only for that address and not for scripts', async (t) => {
  for (const [path, cookiePath, prefix] of [
    ['', '/', '__Host-'],
    ['/tools/meadow/', '/tools/meadow', '__Secure-'],
  ]) {
    const { open, createPerson, signIn, team } = await startWebApp(t, undefined, {
      MEADOW_BASE_URL: `https://meadow.example.org${path}`,
    })
    const { email } = await createPerson('Ann')
    const invitation = await (await signIn('Ben', 'owner')).request('POST', `/teams/${team.id}/invitations`, {
      role: 'member',
    })
    const secret = invitation.json.url.split('#')[1]
    const account = { name: 'Cem', email: 'cem@example.org', password: PASSWORD }
    const responses = [
      await open().request('POST', '/sign-in', { email, password: PASSWORD }),
      await open().request('POST', '/invitations/accept', { secret, account }),
    ]
    for (const { headers } of responses) {
      const [line] = headers.getSetCookie()
      const [cookie, ...attributes] = line!.split('; ')
      assert.equal(cookie!.split('=')[0], `${prefix}better-auth.session_token`)
      assert.deepEqual(
        attributes.sort(),
        ['HttpOnly', 'Max-Age=604800', `Path=${cookiePath}`, 'SameSite=Lax', 'Secure'].sort(),
      )
    }
  }
})

test('[SIGN-1] given sessions whose cookies have older names, then they go on under the new name, lose to one that has it, prove a password, and end with a sign-out', async (t) => {
  const { open, createPerson } = await startWebApp(t, undefined, {
    MEADOW_BASE_URL: 'https://meadow.example.org',
  })
  const [NEW, ...OLD] = ['__Host-', '__Secure-', ''].map((prefix) => `${prefix}better-auth.session_token`)
  const [ann, ben] = [await createPerson('Ann'), await createPerson('Ben')]
  const signIn = async (email: string) => {
    const browser = open()
    await browser.request('POST', '/sign-in', { email, password: PASSWORD })
    return browser.cookie.slice(NEW!.length)
  }
  for (const name of OLD) {
    const value = await signIn(ann.email)
    const older = open(name + value)
    const me = await older.get('/me')
    assert.deepEqual([me.status, me.json.person.email], [200, ann.email])
    const lines = me.headers.getSetCookie()
    assert.match(lines[0]!, /^__Host-better-auth\.session_token=.+; Max-Age=6\d{5}; Path=\/; .*Secure$/)
    assert.match(lines[1]!, new RegExp(`^${name}=; Max-Age=0; Path=/`))
    assert.equal(older.cookie, NEW + value)
    assert.deepEqual((await older.get('/me')).headers.getSetCookie(), [])

    const planted = `${name}${await signIn(ben.email)}; ${NEW}${value}`
    assert.equal((await open().get('/me', { headers: { cookie: planted } })).json.person.email, ann.email)

    const alone = open(name + value)
    assert.equal((await alone.request('POST', '/me/proof', { password: PASSWORD })).status, 204)
    assert.equal((await alone.request('POST', '/sign-out')).status, 204)
    assert.equal(alone.cookie, '')
    assert.equal((await open(NEW + value).get('/me')).status, 401)
  }
})

test('[SIGN-2] given a wrong password and an unknown address, then both get the same response', async (t) => {
  const { open, createPerson } = await startWebApp(t)
  const { email } = await createPerson('Ann')
  const tries = await Promise.all(
    [email, 'nobody@example.org'].map((address) =>
      open().request('POST', '/sign-in', { email: address, password: 'wrong password' }),
    ),
  )
  assert.deepEqual(
    tries.map(({ status, text }) => [status, text]),
    Array(2).fill([401, '{"error":"The e-mail address or the password is wrong."}']),
  )
  assert.deepEqual(tries[0]!.headers.getSetCookie(), [])
})

test('[SIGN-3] given ten failures, when the right password follows, then it is rejected too, while others sign in', async (t) => {
  const { open, createPerson } = await startWebApp(t)
  const [ann, ben] = [await createPerson('Ann'), await createPerson('Ben')]
  const sign = (email: string, password: string) => open().request('POST', '/sign-in', { email, password })
  const tries = await Promise.all(Array.from({ length: 12 }, () => sign(ann.email, 'wrong password')))
  const statuses = tries.map(({ status }) => status).sort()
  assert.deepEqual(statuses, [...Array(10).fill(401), 429, 429])
  const rejected = await sign(ann.email, PASSWORD)
  assert.equal(rejected.status, 429)
  assert.ok(Number(rejected.headers.get('retry-after')) > 0)
  assert.equal((await sign(ben.email, PASSWORD)).status, 200)
})
