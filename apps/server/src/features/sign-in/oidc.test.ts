import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { FEATURE_DATABASES } from '../../testing/databases.ts'
import { PASSWORD, startWebApp } from '../../testing/start-web-app.ts'
import { codeOf, enrol, NEXT_MS } from './testing/enrol.ts'
import { startWithProvider } from './testing/start-with-provider.ts'

const ANN = { sub: '1', email: 'ann@example.org', email_verified: true, name: 'Ann' }

for (const kind of FEATURE_DATABASES) {
  describe(`signing in through a provider on ${kind.name}`, kind.options, () => {
    test('[SIGN-7, SIGN-9] given a person whom only the provider knows, when they return from there, then they have an account, and are signed in at the requested page', async (t) => {
      const { provider, open, signIn } = await startWithProvider(t, kind)
      provider.authorize(ANN)
      const browser = open()
      assert.equal(await signIn(browser, '/teams/x?y=1#z'), '/teams/x?y=1#z')
      const { json } = await browser.get('/me')
      assert.deepEqual(json.person.email, 'ann@example.org')
      assert.match(json.person.id, /^usr_[0-9a-z]{16}$/)
      assert.deepEqual([json.teams, json.hasPassword], [[], false])
      const again = open()
      await signIn(again)
      assert.equal((await again.get('/me')).json.person.id, json.person.id)
    })

    test('[SIGN-7] given existing accounts, when the provider knows their addresses, then those that both sides have verified are linked, and no others', async (t) => {
      const { provider, open, signIn, createPerson, database } = await startWithProvider(t, kind)
      const [vouched, not] = [await createPerson('Vouched'), await createPerson('Not')]
      await database.transaction((write) =>
        write.updateTable('user').set({ emailVerified: 0 }).where('id', '=', not.id).execute(),
      )
      const tryAs = async (email: string, verified: boolean) => {
        provider.authorize({ sub: email + verified, email, email_verified: verified, name: 'X' })
        const browser = open()
        const page = await signIn(browser)
        return [page.split('?')[0], (await browser.get('/me')).json.person?.id]
      }
      assert.deepEqual(await tryAs(vouched.email, false), ['/sign-in', undefined])
      assert.deepEqual(await tryAs(not.email, true), ['/sign-in', undefined])
      assert.deepEqual(await tryAs(vouched.email, true), ['/', vouched.id])
      const withPassword = await open().request('POST', '/sign-in', {
        email: vouched.email,
        password: PASSWORD,
      })
      assert.equal(withPassword.status, 200)
    })

    test('[SIGN-31] given a person with a second factor, when they sign in through the provider, then their session opens nothing until they give it', async (t) => {
      const { provider, open, signIn } = await startWithProvider(t, kind)
      provider.authorize(ANN)
      const ann = open()
      await signIn(ann)
      const { status, secret, recoveryCodes } = await enrol(ann)
      assert.equal(status, 201)
      assert.equal((await ann.get('/me')).status, 200)
      const proofs = [codeOf(secret, NEXT_MS), recoveryCodes[0]]
      for (const code of proofs) {
        const browser = open()
        assert.equal(await signIn(browser, '/account'), '/account')
        assert.equal((await browser.get('/me')).status, 401)
        assert.deepEqual((await browser.get('/sign-in')).json.awaits, { codes: true, passkeys: false })
        assert.equal((await browser.request('POST', '/sign-in/factor', { code: '000000' })).status, 403)
        assert.equal((await browser.get('/me')).status, 401)
        const given = await browser.request('POST', '/sign-in/factor', { code })
        assert.deepEqual([given.status, given.json.person.email], [200, ANN.email])
        assert.equal((await browser.get('/me')).status, 200)
      }
    })
  })
}

test('[SIGN-9] given addresses of other sites, when they are requested as the page after sign-in, then the first page is shown', async (t) => {
  const { provider, open, signIn } = await startWithProvider(t)
  provider.authorize(ANN)
  for (const to of [
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example',
    '@evil.example',
    'javascript:alert(1)',
    '',
  ]) {
    assert.equal(await signIn(open(), to), '/', to)
  }
})

test('[SIGN-7] given a callback that is forged, or for another browser, then no session is created', async (t) => {
  const { provider, open, begin } = await startWithProvider(t)
  provider.authorize(ANN)
  const [ann, eve] = [open(), open()]
  const [forAnn, forEve] = [await begin(ann), await begin(eve)]
  for (const [browser, path] of [
    [ann, forEve],
    [open(), forAnn],
    [eve, forEve.replace(/code=[^&]*/, 'code=made-up')],
    [eve, '/auth/callback/oidc'],
    [eve, '/auth/callback/oidc?state=x&code=y'],
  ] as const) {
    const end = await browser.get(path, { redirect: 'manual' })
    assert.ok(end.status < 500, path)
    assert.equal((await browser.get('/me')).status, 401, path)
  }
})

test('[SIGN-7] given tokens of another issuer, for another service, with another nonce, expired, or signed with another key, then no session is created', async (t) => {
  const { provider, open, signIn } = await startWithProvider(t)
  provider.authorize(ANN)
  for (const [lies, isSigned] of [
    [{ iss: 'https://evil.example' }, true],
    [{ aud: 'another service' }, true],
    [{ nonce: 'another nonce' }, true],
    [{ nonce: undefined }, true],
    [{ exp: Math.floor(Date.now() / 1000) - 3600 }, true],
    [{}, false],
  ] as const) {
    provider.lie(lies, isSigned)
    const browser = open()
    assert.match(await signIn(browser), /^\/sign-in\?failed=oidc&/, JSON.stringify(lies))
    assert.equal((await browser.get('/me')).status, 401, JSON.stringify(lies))
  }
  provider.lie({})
  assert.equal(await signIn(open()), '/')
})

test('[SIGN-7] given an address that the provider has not verified, when a new person has it, then no account is created', async (t) => {
  const { provider, open, signIn, users } = await startWithProvider(t)
  for (const email_verified of [false, undefined, 'false', 1]) {
    provider.authorize({ ...ANN, email_verified: email_verified as boolean })
    const browser = open()
    assert.equal(await signIn(browser), '/sign-in?failed=oidc&error=email_not_verified')
    assert.equal((await browser.get('/me')).status, 401)
  }
  assert.equal(await users.findUser(ANN.email), undefined)
  provider.authorize(ANN)
  assert.equal(await signIn(open()), '/')
})

test('[SIGN-7] given an account that is linked to one person at the provider, when another person there has the same address, then they are not signed in', async (t) => {
  const { provider, open, signIn } = await startWithProvider(t)
  provider.authorize(ANN)
  await signIn(open())
  provider.authorize({ ...ANN, sub: '2', email_verified: false })
  const browser = open()
  assert.equal(await signIn(browser), '/sign-in?failed=oidc&error=account_not_linked')
  assert.equal((await browser.get('/me')).status, 401)
})

test('[SIGN-11] given the host name of a team, when a person signs in through the provider there, then they are signed in at the address of the service', async (t) => {
  const { fixtures, provider, address } = await startWithProvider(t)
  await fixtures.team('Beta', 'localhost')
  provider.authorize(ANN)
  const start = `${address.replace('127.0.0.1', 'localhost')}/app/v1/sign-in/oidc?to=${encodeURIComponent('/teams/x?y=1')}`
  const first = await fetch(start, { redirect: 'manual' })
  const own = new URL(first.headers.get('location')!)
  assert.deepEqual([first.status, own.origin, first.headers.getSetCookie()], [302, address, []])
  assert.equal(own.searchParams.get('to'), '/teams/x?y=1')
  // A proxy may have changed the host header: there must be no redirect loop.
  own.hostname = 'localhost'
  const second = await fetch(own, { redirect: 'manual' })
  assert.equal(new URL(second.headers.get('location')!).origin, provider.issuer)
})

test('[SIGN-8] given a provider that is down, when it is up again, then people can sign in without a restart of the server', async (t) => {
  const { provider, open, signIn } = await startWithProvider(t)
  assert.deepEqual((await open().get('/sign-in')).json, {
    password: true,
    mail: false,
    oidc: { name: 'Acme login' },
    awaits: null,
  })
  provider.authorize(ANN)
  provider.setUp(false)
  assert.equal((await open().get('/sign-in/oidc', { redirect: 'manual' })).status, 502)
  provider.setUp(true)
  assert.equal(await signIn(open()), '/')
})

test('[SIGN-55] given metadata of another issuer than the configured one, when a person signs in, then they are not sent there; a slash at its end is no difference', async (t) => {
  const { provider, open } = await startWithProvider(t)
  provider.authorize(ANN)
  const { issuer } = provider
  const start = () => open().get('/sign-in/oidc', { redirect: 'manual' })
  for (const other of ['https://evil.example', `${issuer}/tenant`, `${issuer}//`, issuer.toUpperCase()]) {
    provider.publishIssuer(other)
    const { status, json } = await start()
    assert.equal(status, 502, other)
    assert.match(json.error, /calls itself another one than MEADOW_OIDC_ISSUER/)
  }
  provider.publishIssuer(`${issuer}/`)
  assert.equal((await start()).status, 302)
})

test('[SIGN-7] given no provider, when sign-in through it is requested, then it is rejected', async (t) => {
  const { open } = await startWebApp(t)
  assert.deepEqual((await open().get('/sign-in')).json, {
    password: true,
    mail: false,
    oidc: null,
    awaits: null,
  })
  assert.equal((await open().get('/sign-in/oidc')).status, 404)
})
