import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import type { UserId } from '@meadow/contract'
import { APP_ERRORS } from '@meadow/contract/web'
import { FEATURE_DATABASES, type TestDatabase } from '../../testing/databases.ts'
import { type Browser, PASSWORD, startWebApp } from '../../testing/start-web-app.ts'
import { startWithMail } from '../../testing/start-with-mail.ts'
import { createPasskeys } from './passkeys.ts'
import { resetSecondFactors } from './second-factors.store.ts'
import {
  createSoftwarePasskey,
  type Deviations,
  type SoftwarePasskey,
  type StartedCeremony,
} from './testing/software-passkey.ts'

const REJECTED = [403, { error: APP_ERRORS.passkey_not_right.sentence }]

/** Ann, who is signed in, and her passkey, which is not added yet. */
async function startAnn(t: TestContext, kind?: TestDatabase, env?: Record<string, string>) {
  const app = await startWebApp(t, kind, env)
  const { open, createPerson, address: origin } = app
  const headers = { origin }
  const start = async (browser: Browser, path: string): Promise<StartedCeremony> =>
    (await browser.request('POST', path, undefined, { headers })).json
  const startAdding = (browser: Browser) => start(browser, '/me/factors/passkey')
  const startUse = (browser: Browser) => start(browser, '/sign-in/factor/passkey')
  const confirm = (browser: Browser, passkey: unknown, name = 'Laptop') =>
    browser.request('POST', '/me/factors/passkey/confirm', { name, passkey })
  const add = async (browser: Browser, passkey: SoftwarePasskey) =>
    confirm(browser, passkey.create(await startAdding(browser)))
  const give = (browser: Browser, passkey: unknown) => browser.request('POST', '/sign-in/factor', { passkey })

  async function createBrowserOf(name: string) {
    const { id, email } = await createPerson(name)
    const enter = async (): Promise<Browser> => {
      const browser = open()
      const entered = await browser.request('POST', '/sign-in', { email, password: PASSWORD })
      assert.equal(entered.status, 200)
      return browser
    }
    return { userId: id, enter, browser: await enter(), passkey: createSoftwarePasskey(origin) }
  }
  const ann = await createBrowserOf('Ann')
  /** A browser in which Ann has given her password, and the response to a proof that deviates from a right one. */
  const giveWith = async (deviations: Deviations, passkey = ann.passkey) => {
    const browser = await ann.enter()
    const { status, json } = await give(browser, passkey.get(await startUse(browser), deviations))
    return { browser, response: [status, status === 200 ? json.person.name : json] }
  }
  return { ...app, ann, createBrowserOf, origin, startAdding, startUse, confirm, add, give, giveWith }
}

for (const kind of FEATURE_DATABASES) {
  describe(`passkeys on ${kind.name}`, kind.options, () => {
    test('[SIGN-31, SIGN-33, SIGN-35] given a person, when they add a passkey, then they get recovery codes, and sign in with the password and the passkey', async (t) => {
      const { ann, add, give, startUse, open, origin } = await startAnn(t, kind)
      const added = await add(ann.browser, ann.passkey)
      assert.deepEqual([added.status, added.json.factor.name], [201, 'Laptop'])
      assert.equal(added.json.recoveryCodes.length, 10)
      const awaits = { codes: false, passkeys: true }
      assert.deepEqual((await ann.browser.get('/me')).json.secondFactors, awaits)

      const browser = await ann.enter()
      assert.deepEqual((await browser.get('/sign-in')).json.awaits, awaits)
      assert.equal((await browser.get('/me')).status, 401)
      const started = await startUse(browser)
      assert.deepEqual(started.options.allowCredentials, [
        { id: ann.passkey.id, type: 'public-key', transports: ['internal'] },
      ])
      const given = await give(browser, ann.passkey.get(started))
      assert.deepEqual([given.status, given.json.person.name], [200, 'Ann'])
      assert.equal((await browser.get('/me')).status, 200)
      const [factor] = (await browser.get('/me/security')).json.factors
      assert.ok(Date.now() - Date.parse(factor.lastUsedAt) < 60_000)

      const second = createSoftwarePasskey(origin, { counts: false })
      assert.equal((await add(browser, second)).json.recoveryCodes, null)
      for (const passkey of [second, second, ann.passkey]) {
        const other = await ann.enter()
        assert.equal((await give(other, passkey.get(await startUse(other)))).status, 200)
      }
      const stranger = await open().request('POST', '/sign-in/factor/passkey', undefined, {
        headers: { origin },
      })
      assert.equal(stranger.status, 401)
    })

    test('[SIGN-35] given a proof that was used, when it is given again, then it is rejected, also simultaneously', async (t) => {
      const { ann, add, give, startUse, origin } = await startAnn(t, kind)
      // It does not count, so that nothing but the challenge tells its uses apart.
      const passkey = createSoftwarePasskey(origin, { counts: false })
      await add(ann.browser, passkey)
      const first = await ann.enter()
      const proof = passkey.get(await startUse(first))
      assert.equal((await give(first, proof)).status, 200)
      const second = await ann.enter()
      const again = await give(second, proof)
      assert.deepEqual([again.status, again.json], REJECTED)
      const fresh = passkey.get(await startUse(second))
      const browsers = [second, await ann.enter(), await ann.enter(), await ann.enter()]
      const results = await Promise.all(browsers.map((browser) => give(browser, fresh)))
      assert.deepEqual(results.map(({ status }) => status).sort(), [200, 403, 403, 403])
    })

    test('[SIGN-35] given the passkeys of two people, when one of them uses the passkey, the challenge or the proof of the other, then it is rejected', async (t) => {
      const { ann, createBrowserOf, add, confirm, give, startAdding, startUse } = await startAnn(t, kind)
      const ben = await createBrowserOf('Ben')
      const forAnn = await startAdding(ann.browser)
      const stolen = await confirm(ben.browser, ben.passkey.create(forAnn))
      assert.deepEqual([stolen.status, stolen.json], REJECTED)
      for (const { browser, passkey } of [ann, ben]) assert.equal((await add(browser, passkey)).status, 201)
      const [atAnn, atBen] = [await ann.enter(), await ben.enter()]
      for (const [browser, started, passkey] of [
        [atAnn, await startUse(atAnn), ben.passkey],
        [atBen, await startUse(atAnn), ben.passkey],
        [atBen, await startUse(atAnn), ann.passkey],
        [atAnn, await startAdding(ann.browser), ann.passkey],
        [atAnn, { ...(await startUse(atAnn)), ceremony: 'A'.repeat(200) }, ann.passkey],
      ] as const) {
        const { status, json } = await give(browser, passkey.get(started))
        assert.deepEqual([status, json], REJECTED)
      }
      // A challenge that the server did not make, in a ceremony that it did.
      const started = await startUse(atAnn)
      const made = { ...started, options: { challenge: Buffer.alloc(32, 1).toString('base64url') } }
      assert.deepEqual((await give(atAnn, ann.passkey.get(made))).json, REJECTED[1])
      assert.equal((await give(atAnn, ann.passkey.get(started))).status, 200)
    })

    test('[SIGN-35] given a passkey, when it answers at another page, for another host or operation, without its user or with a counter that went back, then it is rejected', async (t) => {
      const { ann, add, confirm, startAdding, giveWith, origin } = await startAnn(t, kind)
      const elsewhere: Deviations[] = [
        { origin: 'https://evil.example' },
        { origin: origin.replace('http:', 'https:') },
        { origin: `${origin}0` },
        { host: 'evil.example' },
        { user: 'absent' },
      ]
      for (const deviations of [...elsewhere, { type: 'webauthn.get' }]) {
        const proof = ann.passkey.create(await startAdding(ann.browser), deviations)
        const { status, json } = await confirm(ann.browser, proof)
        assert.deepEqual([status, json], REJECTED, JSON.stringify(deviations))
      }
      await add(ann.browser, ann.passkey)
      assert.deepEqual((await giveWith({ count: 7 })).response, [200, 'Ann'])
      for (const deviations of [...elsewhere, { type: 'webauthn.create' }, { count: 7 }, { count: 2 }]) {
        const { browser, response } = await giveWith(deviations)
        assert.deepEqual(response, REJECTED, JSON.stringify(deviations))
        assert.equal((await browser.get('/me')).status, 401)
      }
      // It is a second factor: that it is there is sufficient, as with the code of an app.
      assert.deepEqual((await giveWith({ count: 8, user: 'present' })).response, [200, 'Ann'])
    })

    test('[SIGN-35] given a passkey that was added, when it is added again, also by another person or with an old proof, then it is rejected', async (t) => {
      const { ann, createBrowserOf, add, confirm, startAdding } = await startAnn(t, kind)
      const proof = ann.passkey.create(await startAdding(ann.browser))
      const { status, json } = await confirm(ann.browser, proof)
      assert.equal(status, 201)
      const { options } = await startAdding(ann.browser)
      assert.deepEqual(options.excludeCredentials, [
        { id: ann.passkey.id, type: 'public-key', transports: ['internal'] },
      ])
      const ben = await createBrowserOf('Ben')
      for (const browser of [ann.browser, ben.browser]) {
        const again = await add(browser, ann.passkey)
        assert.deepEqual([again.status, again.json], [409, { error: APP_ERRORS.passkey_exists.sentence }])
      }
      assert.equal((await ann.browser.request('DELETE', `/me/factors/${json.factor.id}`)).status, 204)
      assert.equal((await confirm(ann.browser, proof)).status, 409)
      assert.equal((await add(ann.browser, ann.passkey)).status, 201)
    })

    test('[SIGN-30, SIGN-39] given a sign-in of an hour ago, when the person uses their passkey, then it counts as a fresh one; without the last passkey the password is sufficient, and no recovery codes are left', async (t) => {
      const { ann, add, startUse, database } = await startAnn(t, kind)
      const elsewhere = await ann.enter()
      const { factor } = (await add(ann.browser, ann.passkey)).json
      assert.deepEqual(
        [(await ann.browser.get('/me')).status, (await elsewhere.get('/me')).status],
        [200, 401],
      )
      const createdAt = new Date(Date.now() - 3600_000).toISOString()
      await database.transaction((write) =>
        write.updateTable('session').set({ createdAt, provedAt: null }).execute(),
      )
      const remove = () => ann.browser.request('DELETE', `/me/factors/${factor.id}`)
      assert.equal((await ann.browser.request('POST', '/me/factors/passkey')).status, 403)
      assert.equal((await remove()).status, 403)
      const prove = (passkey: unknown) => ann.browser.request('POST', '/me/proof', { passkey })
      const wrong = await prove(ann.passkey.get(await startUse(ann.browser), { host: 'evil.example' }))
      assert.deepEqual([wrong.status, wrong.json], REJECTED)
      assert.equal((await remove()).status, 403)
      const proof = ann.passkey.get(await startUse(ann.browser))
      assert.equal((await prove(proof)).status, 204)
      assert.equal((await prove(proof)).status, 403)
      assert.equal((await remove()).status, 204)
      const { json } = await ann.browser.get('/me/security')
      assert.deepEqual([json.factors, json.recoveryCodes], [[], 0])
      assert.equal((await (await ann.enter()).get('/me')).json.person.name, 'Ann')
    })

    test('[SIGN-27, SIGN-34] given a person with a confirmed address, when their passkeys are added, removed and reset, then they get a mail each time, and nothing is left of them', async (t) => {
      const { open, createPerson, newMails, database } = await startWithMail(t, kind)
      const { id, email } = await createPerson('Ann')
      const ann = open()
      await ann.request('POST', '/sign-in', { email, password: PASSWORD })
      const origin = 'http://meadow.example.org'
      const add = async () => {
        const started = await ann.request('POST', '/me/factors/passkey', undefined, { headers: { origin } })
        const passkey = createSoftwarePasskey(origin).create(started.json)
        return (await ann.request('POST', '/me/factors/passkey/confirm', { name: 'Laptop', passkey })).json
      }
      const subjects = async () => (await newMails()).map(({ subject }) => subject)
      const { factor } = await add()
      assert.deepEqual(await subjects(), ['A second factor was added to your account'])
      assert.equal((await ann.request('DELETE', `/me/factors/${factor.id}`)).status, 204)
      assert.deepEqual(await subjects(), ['A second factor was removed from your account'])
      await add()
      await add()
      await subjects()
      assert.equal(await database.transaction((write) => resetSecondFactors(write, id)), 2)
      assert.deepEqual(await subjects(), ['The second factors of your account were removed'])
      const { json } = await ann.get('/me/security')
      assert.deepEqual([json.factors, json.recoveryCodes], [[], 0])
      assert.equal(
        (await open().request('POST', '/sign-in', { email, password: PASSWORD })).json.person.email,
        email,
      )
    })
  })
}

test('[SIGN-32, SIGN-35] given someone who has the password and no passkey, when ten proofs were wrong, then also a right one is rejected, with the time to wait', async (t) => {
  const { ann, add, give, startUse, origin } = await startAnn(t)
  await add(ann.browser, ann.passkey)
  const thief = await ann.enter()
  const other = createSoftwarePasskey(origin)
  for (let i = 0; i < 10; i++) assert.equal((await give(thief, other.get(await startUse(thief)))).status, 403)
  const { status, headers } = await give(thief, ann.passkey.get(await startUse(thief)))
  assert.equal(status, 429)
  assert.ok(Number(headers.get('retry-after')) > 0)
})

test('[SIGN-35] given responses that no browser makes, when they are sent, then they are rejected like wrong ones', async (t) => {
  const { ann, add, confirm, give, startAdding, startUse } = await startAnn(t)
  await add(ann.browser, ann.passkey)
  const { id } = ann.passkey
  const browser = await ann.enter()
  for (const response of [
    {},
    { id },
    { id, rawId: id, type: 'public-key' },
    { id, rawId: id, type: 'public-key', response: null },
    { id, rawId: id, type: 'public-key', response: { clientDataJSON: '!', authenticatorData: 'AA' } },
    { id: { toString: 1 }, rawId: [], response: 'x' },
  ]) {
    const used = await give(browser, { ceremony: (await startUse(browser)).ceremony, response })
    assert.deepEqual([used.status, used.json], REJECTED)
    const added = await confirm(ann.browser, {
      ceremony: (await startAdding(ann.browser)).ceremony,
      response,
    })
    assert.deepEqual([added.status, added.json], REJECTED)
  }
})

test('[SIGN-35] given a response in which a maker vouches for the authenticator, when a passkey is added with it, then it is rejected, since the certificates may name addresses of other services', async (t) => {
  const { ann, confirm, startAdding, origin } = await startAnn(t)
  const addWith = async (attestation: 'none' | 'self' | 'maker') => {
    const passkey = createSoftwarePasskey(origin)
    return confirm(ann.browser, passkey.create(await startAdding(ann.browser), {}, attestation))
  }
  assert.equal((await addWith('none')).status, 201)
  assert.equal((await addWith('self')).status, 201)
  assert.equal((await addWith('maker')).status, 403)
})

test('[SIGN-35] given a service with an address of its own, when a ceremony begins at another port of its host, at the host name of a team, or outside of a browser, then no passkey of the service is asked for', async (t) => {
  const own = 'http://127.0.0.1'
  const { ann, confirm, origin, fixtures } = await startAnn(t, undefined, { MEADOW_BASE_URL: own })
  await fixtures.team('Beta', 'localhost')
  const begin = (path: string, headers: Record<string, string>) =>
    ann.browser.request('POST', path, undefined, { headers })
  const started = await begin('/me/factors/passkey', { origin: own })
  assert.deepEqual(started.json.options.rp, { name: 'Meadow', id: '127.0.0.1' })
  assert.equal((await confirm(ann.browser, createSoftwarePasskey(own).create(started.json))).status, 201)
  for (const path of ['/me/factors/passkey', '/sign-in/factor/passkey']) {
    const without = await begin(path, {})
    assert.deepEqual([without.status, without.json.error], [400, APP_ERRORS.passkey_without_page.sentence])
    // Its host and port are those of the request, as a proxy may have changed them.
    for (const other of [origin, 'https://evil.example']) {
      const { status, json } = await begin(path, { origin: other })
      assert.deepEqual([status, json.error], [403, APP_ERRORS.request_from_another_site.sentence], other)
    }
    assert.equal((await begin(path, { origin: own })).status, 200)
  }
  const ofTeam = origin.replace('127.0.0.1', 'localhost')
  const elsewhere = await fetch(`${ofTeam}/app/v1/sign-in/factor/passkey`, {
    method: 'POST',
    headers: { origin: ofTeam, cookie: ann.browser.cookie },
  })
  const { error } = (await elsewhere.json()) as { error: string }
  assert.deepEqual([elsewhere.status, error], [409, APP_ERRORS.passkey_not_here.sentence])
})

test('[SIGN-35] given a ceremony, when five minutes have passed, then it is not accepted', async () => {
  let now = Date.now()
  const passkeys = createPasskeys('a secret', () => now)
  const [user, origin] = ['usr_x' as UserId, 'https://meadow.example.org']
  const software = createSoftwarePasskey(origin)
  const started = await passkeys.startAdding(
    { userId: user, email: 'ann@example.org', name: 'Ann' },
    origin,
    [],
  )
  const proof = software.create({ ...started })
  const made = await passkeys.finishAdding(user, proof)
  const { credential_id, relying_party, public_key, counter } = made!.passkey
  const stored = {
    id: 'fac_x',
    credentialId: credential_id!,
    relyingParty: relying_party!,
    publicKey: public_key!,
    counter: counter!,
    transports: [],
  }
  const use = software.get((await passkeys.startUse(user, origin, [stored]))!)
  now += 5 * 60_000 - 1
  assert.ok(await passkeys.finishAdding(user, proof))
  assert.ok(await passkeys.finishUse(user, use, [stored]))
  now += 1
  assert.equal(await passkeys.finishAdding(user, proof), undefined)
  assert.equal(await passkeys.finishUse(user, use, [stored]), undefined)
  now -= 60_000
  assert.equal(await createPasskeys('another secret', () => now).finishUse(user, use, [stored]), undefined)
})
