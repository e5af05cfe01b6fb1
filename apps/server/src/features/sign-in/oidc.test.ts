import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { describe, test } from 'node:test'
import { createCapturedLog } from '../../testing/captured-log.ts'
import { FEATURE_DATABASES } from '../../testing/databases.ts'
import { type Browser, PASSWORD, startWebApp } from '../../testing/start-web-app.ts'
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

    test('[SIGN-7] given a new person, when they come back in two browsers at once, then they have one account', async (t) => {
      const { provider, open, begin, database } = await startWithProvider(t, kind)
      provider.authorize(ANN)
      const browsers = [open(), open()]
      const paths = await Promise.all(browsers.map((browser) => begin(browser)))
      await Promise.all(browsers.map((browser, index) => browser.get(paths[index]!, { redirect: 'manual' })))
      const people = await Promise.all(browsers.map((browser) => browser.get('/me')))
      assert.equal(new Set(people.map(({ json }) => json.person.id)).size, 1)
      const accounts = await database.read.selectFrom('account').select('accountId').execute()
      assert.deepEqual(accounts, [{ accountId: ANN.sub }])
    })

    test('[SIGN-56] given an answer of the provider, when it comes twice, also at once, then it signs in once', async (t) => {
      const { provider, open, begin, database } = await startWithProvider(t, kind)
      provider.authorize(ANN)
      const browser = open()
      const path = await begin(browser)
      const { cookie } = browser
      const come = () => open().get(path, { redirect: 'manual', headers: { cookie } })
      const pages = [...(await Promise.all([come(), come(), come()])), await come()].map(({ headers }) =>
        new URL(headers.get('location')!).search.replace(/.*error=/, ''),
      )
      assert.deepEqual(pages.sort(), ['', ...Array(3).fill('state_mismatch')])
      const sessions = await database.read.selectFrom('session').select('id').execute()
      assert.equal(sessions.length, 1)
      const spent = await database.read.selectFrom('spent_challenge').select('until').execute()
      assert.equal(spent.length, 1)
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
    '/\t/evil.example/../..//evil.example',
    '/../\\evil.example',
    `/${'x'.repeat(3000)}`,
    '',
  ]) {
    assert.equal(await signIn(open(), to), '/', to)
  }
})

test('[SIGN-56] given a sign-in that has begun, then its cookie is sealed, for ten minutes, and for the callback that operators have registered', async (t) => {
  const { open, provider } = await startWithProvider(t, undefined, {
    env: { MEADOW_BASE_URL: 'https://meadow.example.org' },
  })
  const { headers } = await open().get('/sign-in/oidc?here=yes&to=/teams/x', { redirect: 'manual' })
  const url = new URL(headers.get('location')!)
  assert.equal(url.origin + url.pathname, `${provider.issuer}/authorize`)
  const { state, nonce, code_challenge, ...asked } = Object.fromEntries(url.searchParams)
  assert.deepEqual(asked, {
    client_id: 'meadow',
    code_challenge_method: 'S256',
    redirect_uri: 'https://meadow.example.org/app/v1/auth/callback/oidc',
    response_type: 'code',
    scope: 'openid email profile',
  })
  const lines = headers.getSetCookie()
  assert.equal(lines.length, 1)
  const [cookie, ...attributes] = lines[0]!.split('; ')
  assert.deepEqual(attributes.sort(), ['HttpOnly', 'Max-Age=600', 'Path=/', 'SameSite=Lax', 'Secure'])
  const [name, value] = cookie!.split('=')
  assert.equal(name, '__Host-better-auth.state')
  const text = `${value}${Buffer.from(value!, 'base64url').toString('latin1')}`
  for (const secret of [state, nonce, code_challenge, '/teams/x']) {
    assert.ok(secret!.length > 7)
    assert.ok(!text.includes(secret!))
  }
})

test('[SIGN-56] given a callback that is for another browser, late or changed, then it creates no session, and does not end what another browser or page has begun', async (t) => {
  const { provider, open, begin, database } = await startWithProvider(t)
  provider.authorize(ANN)
  const [ann, eve] = [open(), open()]
  const [forAnn, forEve] = [await begin(ann), await begin(eve)]
  const stateOf = (path: string) => new URLSearchParams(path.split('?')[1]).get('state')!
  // The first character counts with all of its bits; the last one of base64 does not.
  const changed = (cookie: string) => cookie.replace(/=(.)/, (_, first) => (first === 'A' ? '=B' : '=A'))
  for (const [browser, path, error] of [
    [ann, forEve, 'state_mismatch'],
    [open(), forAnn, 'state_mismatch'],
    [open(changed(ann.cookie)), forAnn, 'state_mismatch'],
    [open('better-auth.state=x'), forAnn, 'state_mismatch'],
    [open(`better-auth.state=${stateOf(forAnn)}`), forAnn, 'state_mismatch'],
    [ann, '/auth/callback/oidc', 'state_not_found'],
    [ann, '/auth/callback/oidc?code=y&state=', 'state_mismatch'],
    [ann, `${forAnn.replace(/state=/, 'state=x&state=')}`, 'state_mismatch'],
  ] as const) {
    const end = await browser.get(path, { redirect: 'manual' })
    assert.equal(new URL(end.headers.get('location')!).search, `?failed=oidc&error=${error}`, path)
    assert.deepEqual(end.headers.getSetCookie(), [], path)
  }
  assert.deepEqual(await database.read.selectFrom('spent_challenge').selectAll().execute(), [])
  const [now, late] = [Date.now, Date.now() + 10 * 60 * 1000 + 1000]
  const clock = t.mock.method(Date, 'now', () => late)
  const end = await eve.get(forEve, { redirect: 'manual' })
  clock.mock.restore()
  assert.equal(Date.now, now)
  assert.match(end.headers.get('location')!, /error=state_mismatch$/)
  assert.match((await ann.get(forAnn, { redirect: 'manual' })).headers.get('location')!, /\/$/)
  assert.equal((await ann.get('/me')).status, 200)
  assert.ok(!ann.cookie.includes('state'))
  assert.equal((await database.read.selectFrom('session').selectAll().execute()).length, 1)
})

test('[SIGN-57] given the code of another client or another person, when a browser brings it with its own state, then nobody is signed in, also where the provider ignores PKCE', async (t) => {
  const { provider, open, begin } = await startWithProvider(t)
  /** The code that the provider gives for what a browser was sent there with, with these changes. */
  const codeFor = async (changes: Record<string, string>) => {
    const start = await open().get('/sign-in/oidc', { redirect: 'manual' })
    const url = new URL(start.headers.get('location')!)
    for (const [name, value] of Object.entries(changes)) url.searchParams.set(name, value)
    const { headers } = await fetch(url, { redirect: 'manual' })
    return new URL(headers.get('location')!).searchParams.get('code')!
  }
  for (const isChecking of [true, false]) {
    provider.checkChallenge(isChecking)
    for (const changes of [{}, { client_id: 'another' }]) {
      provider.authorize({ ...ANN, sub: '2', email: 'eve@example.org' })
      const code = await codeFor(changes)
      provider.authorize(ANN)
      const ann = open()
      const path = (await begin(ann)).replace(/code=[^&]*/, `code=${code}`)
      const end = await ann.get(path, { redirect: 'manual' })
      assert.match(end.headers.get('location')!, /\?failed=oidc&error=invalid_code$/)
      assert.equal((await ann.get('/me')).status, 401)
    }
  }
})

test('[SIGN-57] given an ID token without a signature, with one by a secret, by no published key, or for several services, or an answer of another issuer, then nobody is signed in', async (t) => {
  const { log, lines } = createCapturedLog()
  const { provider, open, signIn, begin } = await startWithProvider(t, undefined, { log })
  provider.authorize(ANN)
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const unsigned = (header: object) => (payload: object) => `${part(header)}.${part(payload)}.`
  const byHmac = (key: string) => (payload: object) => {
    const text = `${part({ alg: 'HS256' })}.${part(payload)}`
    return `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`
  }
  const refuse = async (what: string) => {
    const browser = open()
    assert.equal(await signIn(browser), '/sign-in?failed=oidc&error=invalid_code', what)
    assert.equal((await browser.get('/me')).status, 401, what)
  }
  for (const [what, write] of Object.entries({
    none: unsigned({ alg: 'none' }),
    'none with a key': unsigned({ alg: 'none', kid: 'key' }),
    'no signature': unsigned({ alg: 'RS256', kid: 'key' }),
    'no algorithm': unsigned({}),
    'the secret of the client': byHmac('secret'),
    'the public key as a secret': byHmac(
      provider.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    ),
    'no JWT': () => 'x',
    'another key': unsigned({
      alg: 'RS256',
      kid: 'other',
      jwk: provider.publicKey.export({ format: 'jwk' }),
    }),
  })) {
    provider.forge(write)
    await refuse(what)
  }
  provider.forge(undefined)
  for (const lies of [
    { aud: ['meadow', 'another'] },
    { aud: ['meadow', 'another'], azp: 'another' },
    { aud: undefined },
    { iss: `${provider.issuer}/` },
    { exp: undefined },
    { nbf: Math.floor(Date.now() / 1000) + 3600 },
  ]) {
    provider.lie(lies)
    await refuse(JSON.stringify(lies))
  }
  provider.lie({})
  for (const answer of [
    { iss: 'https://evil.example' },
    { id_token: 'x' },
    { response: 'x' },
    { code: 'x' },
  ]) {
    provider.answer(answer as unknown as Record<string, string>)
    await refuse(JSON.stringify(answer))
  }
  provider.answer({ iss: provider.issuer })
  const browser = open()
  const callback = await begin(browser)
  const { headers } = await browser.get(callback, { redirect: 'manual' })
  assert.match(headers.get('location')!, /\/$/)
  const said = lines.filter(({ msg }) => msg.includes('came back from the OpenID provider'))
  assert.equal(said.length, 18)
  const text = JSON.stringify(lines)
  const [, code] = /code=([^&]*)/.exec(callback)!
  for (const secret of [code!, ANN.email, 'eyJ', browser.cookie]) assert.ok(!text.includes(secret), secret)
})

test('[SIGN-58] given a provider that answers with an error, then the page gets its code alone, the log its text, and the audit log the failure', async (t) => {
  const { log, lines } = createCapturedLog()
  const { provider, open, begin, database } = await startWithProvider(t, undefined, { log })
  provider.authorize(ANN)
  const text = '"><script>alert(1)</script>\r\nset-cookie: a=b'
  const cases: [string, string, Browser][] = [
    ['access_denied', 'access_denied', open()],
    [text, 'provider_error', open()],
    ['x'.repeat(100), 'provider_error', open()],
  ]
  for (const [error, code, browser] of cases) {
    provider.answer({ error, error_description: text })
    const end = await browser.get(await begin(browser), { redirect: 'manual' })
    assert.equal(end.status, 302)
    assert.equal(new URL(end.headers.get('location')!).search, `?failed=oidc&error=${code}`)
    assert.equal(end.text, '')
    // What has failed does not begin again with the same cookie.
    assert.equal(browser.cookie, '')
  }
  assert.deepEqual(
    lines.filter(({ level }) => level === 'warn').map(({ code }) => code),
    cases.map(([, code]) => code),
  )
  assert.ok(lines.some(({ reason }) => String(reason).includes('access_denied: "><script>')))
  const events = await database.read
    .selectFrom('audit_event')
    .where('action', '=', 'sign_in.failed')
    .select(['actor_kind', 'details', 'thing_name'])
    .execute()
  const event = { actor_kind: 'anonymous', details: '{"by":"oidc"}', thing_name: null }
  assert.deepEqual(events, Array(3).fill(event))
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
