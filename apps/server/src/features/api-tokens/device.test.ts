import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { ALL_SCOPES } from '@meadow/contract'
import { APP_ERRORS } from '@meadow/contract/web'
import fc from 'fast-check'
import { setMember } from '../../access/members.ts'
import { openSessionSecret } from '../../access/session-cookie.ts'
import type { Database } from '../../platform/database/database.ts'
import { openDatabase } from '../../platform/database/open-database.ts'
import { changeTeam } from '../../team/team-transaction.ts'
import { setHost } from '../../team/teams.ts'
import { atEnd } from '../../testing/at-end.ts'
import { DATABASES, FEATURE_DATABASES, type TestDatabase } from '../../testing/databases.ts'
import { requestRawOnce } from '../../testing/raw-answers.ts'
import { type Signed, startWebApp } from '../../testing/start-web-app.ts'
import { createDeviceAuthorizations } from './device-authorization.store.ts'

const GRANT_TYPE = 'urn:ietf:params:oauth:grant-type:device_code'

type Form = Record<string, string> | [string, string][]

/** A server, and a program that gets a token by device authorization. */
async function startDevices(t: TestContext, kind: TestDatabase, env: Record<string, string> = {}) {
  const app = await startWebApp(t, kind, env)
  const post = (path: string, form: Form, init: RequestInit = {}) =>
    app.request(`/oauth/${path}`, { method: 'POST', body: new URLSearchParams(form), ...init })
  const begin = async (device_name = 'studio-7') => {
    const { status, json } = await post('device_authorization', { client_id: 'meadow login', device_name })
    assert.equal(status, 200)
    return { device: json.device_code as string, code: json.user_code as string, json }
  }
  const poll = (device: string) => post('token', { grant_type: GRANT_TYPE, device_code: device })
  const errorOf = async (device: string) => (await poll(device)).json.error
  const confirm = (who: Signed, code: string, token: object = {}, team = app.team) =>
    who.request('POST', `/teams/${team.id}/device`, { code, token: { name: 'Studio', ...token } })
  const look = (who: Signed, code: string) => who.request('POST', '/device/look', { code })
  const refuse = (who: Signed, code: string) => who.request('POST', '/device/refuse', { code })
  return { ...app, post, begin, poll, errorOf, confirm, look, refuse }
}

const listTokens = async (database: Database) =>
  (await database.read.selectFrom('token').where('kind', '=', 'personal').select('public_id').execute())
    .length

const expire = (database: Database, name: string) =>
  database.transaction((write) =>
    write
      .updateTable('device_authorization')
      .set({ expires_at: Date.now() - 1 })
      .where('program', '=', `meadow login on ${name}`)
      .execute(),
  )

for (const kind of DATABASES) {
  describe(`device authorization on ${kind.name}`, kind.options, () => {
    test('[TOK-30, TOK-31] given a program, when a person finds it by its code and confirms, then it fetches a token as they chose, once, which is listed, limited, in the audit log and revoked like any other', async (t) => {
      const app = await startDevices(t, kind)
      const { begin, poll, errorOf, look, confirm, signIn, fixtures, team, get, database } = app
      const ann = await signIn('Ann', 'member')
      const folder = await fixtures.folder(team, 'Tower')
      const { device, code, json } = await begin()
      assert.match(code, /^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/)
      assert.deepEqual(
        [json.verification_uri, json.verification_uri_complete, json.expires_in, json.interval],
        [`${app.address}/device`, `${app.address}/device?code=${code}`, 600, 5],
      )
      assert.equal(await errorOf(device), 'authorization_pending')
      assert.equal(await errorOf(device), 'slow_down')
      const found = await look(ann, ` ${code.toLowerCase().replace('-', ' ')}`)
      assert.equal(found.json.program, 'meadow login on studio-7')
      assert.equal(found.json.address, '127.0.0.1')
      const rows = await database.read.selectFrom('device_authorization').selectAll().execute()
      for (const secret of [device, code]) assert.ok(!JSON.stringify(rows).includes(secret))
      const expiresAt = new Date(Date.now() + 3_600_000).toISOString()
      const chosen = { scopes: ['team:read', 'folders:read'], folders: [folder.id], expiresAt }
      assert.equal((await confirm(ann, code, chosen)).status, 200)
      assert.equal(await listTokens(database), 0)
      const { status, json: token, headers } = await poll(device)
      assert.deepEqual(
        [status, token.token_type, token.scope, headers.get('cache-control')],
        [200, 'Bearer', 'team:read folders:read', 'no-store'],
      )
      assert.ok(token.expires_in > 3500 && token.expires_in <= 3600)
      const { folder: root } = (await get('/folders/root', { token: token.access_token })).json
      assert.deepEqual(root.folders, [{ id: folder.id, name: 'Tower' }])
      assert.equal((await get('/documents', { token: token.access_token })).status, 403)
      assert.equal(await errorOf(device), 'invalid_grant')

      const path = `/teams/${team.id}/tokens`
      const [listed] = (await ann.get(path)).json.tokens
      assert.deepEqual(
        [listed.name, listed.kind, listed.folders, listed.createdBy],
        ['Studio', 'personal', [{ id: folder.id, name: 'Tower' }], { id: ann.userId, name: 'Ann' }],
      )
      const event = await database.read
        .selectFrom('audit_event')
        .where('thing_id', '=', listed.id)
        .selectAll()
        .executeTakeFirstOrThrow()
      assert.deepEqual(
        [event.action, event.actor_id, event.actor_name, event.address, event.session !== null],
        ['token.created', ann.userId, ann.email, '127.0.0.1', true],
      )
      assert.equal(JSON.parse(event.details!).program, 'meadow login on studio-7')
      assert.equal((await ann.request('DELETE', `${path}/${listed.id}`)).status, 204)
      assert.equal((await get('/team', { token: token.access_token })).status, 401)
    })

    test('[TOK-31] given any order of questions, decisions, expiry and lost rights, then the program gets what the order says: one token at most, and only with its own device code', async (t) => {
      const app = await startDevices(t, kind)
      const { begin, poll, confirm, refuse, signIn, team, database } = app
      const [cem, dan] = [await signIn('Cem', 'viewer'), await signIn('Dan')]
      const other = await begin()
      let runs = 0
      const STEPS = [
        'poll',
        'two polls',
        'confirm',
        'others',
        'refuse',
        'expire',
        'demote',
        'sign out',
      ] as const
      const run = async (steps: readonly (typeof STEPS)[number][]) => {
        const [ann, ben] = [await signIn('Ann', 'member'), await signIn('Ben')]
        const name = `run ${++runs}`
        const { device, code } = await begin(name)
        const before = await listTokens(database)
        let state = 'pending' as 'pending' | 'confirmed' | 'refused' | 'fetched'
        let [isExpired, mayCreate, isSignedIn, tokens] = [false, true, true, 0]
        const expectPoll = (): string[] => {
          if (state === 'fetched') return ['invalid_grant']
          if (isExpired) return ['expired_token']
          if (state === 'refused') return ['access_denied']
          if (state === 'pending') return ['authorization_pending', 'slow_down']
          if (!mayCreate || !isSignedIn) {
            state = 'refused'
            return ['access_denied']
          }
          state = 'fetched'
          tokens++
          return ['token']
        }
        const readPoll = async () => {
          const { status, json } = await poll(device)
          return status === 200 ? 'token' : json.error
        }
        for (const step of steps) {
          const isOpen = state === 'pending' && !isExpired
          if (step === 'poll') {
            const answer = await readPoll()
            const expected = expectPoll()
            assert.ok(expected.includes(answer), `${steps.join(', ')}: ${answer}`)
          } else if (step === 'two polls') {
            const answers = await Promise.all([readPoll(), readPoll()])
            const expected = [...expectPoll(), ...expectPoll()]
            for (const answer of answers)
              assert.ok(expected.includes(answer), `${steps.join(', ')}: ${answer}`)
            assert.equal(
              answers.filter((answer) => answer === 'token').length,
              expected.filter((answer) => answer === 'token').length,
            )
          } else if (step === 'confirm') {
            const { status } = await confirm(ann, code)
            assert.equal(status, !isSignedIn ? 401 : !mayCreate ? 403 : isOpen ? 200 : 404)
            if (status === 200) state = 'confirmed'
          } else if (step === 'others') {
            const statuses = [await confirm(cem, code), await confirm(dan, code)].map(({ status }) => status)
            assert.deepEqual(statuses, [403, 404])
            assert.notEqual((await poll(other.device)).status, 200)
          } else if (step === 'refuse') {
            assert.equal((await refuse(ben, code)).status, isOpen ? 200 : 404)
            if (isOpen) state = 'refused'
          } else if (step === 'expire') {
            isExpired = true
            await expire(database, name)
          } else if (step === 'demote') {
            await changeTeam(database, team.key, (change) => setMember(change, ann.userId, 'viewer'))
            mayCreate = false
          } else {
            await ann.request('POST', '/sign-out')
            isSignedIn = false
          }
        }
        assert.equal((await listTokens(database)) - before, tokens)
        assert.ok(tokens <= 1)
      }
      await fc.assert(fc.asyncProperty(fc.array(fc.constantFrom(...STEPS), { maxLength: 8 }), run), {
        numRuns: 12,
        examples: [
          [['poll', 'confirm', 'confirm', 'refuse', 'two polls', 'poll']],
          [['confirm', 'demote', 'poll', 'poll']],
          [['confirm', 'sign out', 'two polls']],
          [['refuse', 'confirm', 'poll']],
          [['confirm', 'expire', 'poll', 'refuse']],
        ],
      })
    })

    test('[TOK-31] given two processes, when both are asked for the token of one program at once, then one of them creates it', async (t) => {
      const app = await startDevices(t, kind)
      const secret = await openSessionSecret(app.dataDir, undefined)
      const { databaseUrl, dataDir } = app
      const second = await openDatabase({ dataDir, databaseUrl })
      atEnd(t, () => second.close())
      const store = createDeviceAuthorizations(second, secret)
      const ann = await app.signIn('Ann', 'member')
      const { deviceCode, userCode } = await store.begin('meadow login on studio-7', '203.0.113.9')
      assert.equal((await app.look(ann, userCode)).json.address, '203.0.113.9')
      assert.equal((await app.confirm(ann, userCode)).status, 200)
      const [there, here] = await Promise.all([
        store.redeem(deviceCode, { address: '203.0.113.9', request: 'there' }),
        app.poll(deviceCode),
      ])
      assert.equal([typeof there === 'object', here.status === 200].filter(Boolean).length, 1)
      assert.equal(await listTokens(app.database), 1)
    })

    test('[TOK-32] given a clock, when the codes are over, then they are deleted, and only they', async (t) => {
      const database = await kind.open(t)
      let now = 1_000_000
      const store = createDeviceAuthorizations(database, 'secret', () => now)
      const { deviceCode, userCode } = await store.begin('meadow login', '127.0.0.1')
      const redeem = () => store.redeem(deviceCode, { address: '127.0.0.1', request: 'one' })
      now += 597_000
      await store.deleteExpired()
      assert.equal(await redeem(), 'authorization_pending')
      now += 2999
      assert.equal(await redeem(), 'slow_down')
      now += 1
      assert.deepEqual([await redeem(), await store.find(userCode)], ['expired_token', undefined])
      await store.deleteExpired()
      assert.equal(await redeem(), 'invalid_grant')
    })
  })
}

for (const kind of FEATURE_DATABASES) {
  describe(`device authorization, by whom, on ${kind.name}`, kind.options, () => {
    test('[TOK-33] given what may change between the confirmation and the next question, when the token is not allowed any more, then it is denied for good', async (t) => {
      const app = await startDevices(t, kind)
      const { begin, errorOf, confirm, signIn, fixtures, team } = app
      const [ann, olga] = [await signIn('Ann', 'owner'), await signIn('Olga', 'owner')]
      const path = `/teams/${team.id}`
      const folder = await fixtures.folder(team, 'Tower')
      const cases: [object, () => Promise<{ status: number }>][] = [
        [{ folders: [folder.id] }, () => olga.request('DELETE', `/folders/${folder.id}`)],
        [{ expiresAt: null }, () => olga.request('PATCH', `${path}/token-policy`, { longestDays: 7 })],
        [
          { kind: 'service' },
          () => olga.request('PATCH', `${path}/members/${ann.userId}`, { role: 'member' }),
        ],
        [{}, () => olga.request('DELETE', `${path}/members/${ann.userId}`)],
      ]
      for (const [token, change] of cases) {
        const { device, code } = await begin()
        assert.equal((await confirm(ann, code, token)).status, 200, JSON.stringify(token))
        assert.ok((await change()).status < 300)
        assert.deepEqual([await errorOf(device), await errorOf(device)], ['access_denied', 'access_denied'])
      }
      assert.equal(await listTokens(app.database), 0)
    })

    test('[TOK-33] given people who may not create such a token, and pages of other sites, when they confirm, then nothing is confirmed', async (t) => {
      const app = await startDevices(t, kind)
      const { begin, errorOf, confirm, signIn, fixtures, team, database, open, address } = app
      const elsewhere = await fixtures.team('Other')
      const { device, code } = await begin()
      const ann = await signIn('Ann', 'member')
      const statusOf = async (who: Signed, token: object = {}) => (await confirm(who, code, token)).status
      assert.equal(await statusOf(await signIn('Vera', 'viewer')), 403)
      assert.equal(await statusOf(await signIn('Dan', 'owner', elsewhere)), 404)
      assert.equal(await statusOf(open() as Signed), 401)
      assert.equal(await statusOf(ann, { kind: 'service' }), 403)
      assert.equal(await statusOf(ann, { scopes: ['everything'] }), 400)
      assert.equal(await statusOf(ann, { folders: ['fld_0000000000000000'] }), 404)
      assert.equal(await statusOf(ann, { name: '' }), 400)
      const body = { code, token: { name: 'Studio' } }
      for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }]) {
        for (const path of [`/teams/${team.id}/device`, '/device/refuse'])
          assert.equal((await ann.request('POST', path, body, { headers })).status, 403)
      }
      const form = { headers: { 'content-type': 'application/x-www-form-urlencoded' } }
      assert.equal((await ann.request('POST', '/device/refuse', `code=${code}`, form)).status, 415)
      await changeTeam(database, elsewhere.key, (change) => setHost(change, 'other.example.org'))
      const text = JSON.stringify(body)
      const head = `POST /app/v1/teams/${team.id}/device HTTP/1.1\r\nHost: other.example.org\r\nConnection: close`
      const type = `Content-Type: application/json\r\nContent-Length: ${text.length}`
      const raw = `${head}\r\nCookie: ${ann.cookie}\r\n${type}\r\n\r\n${text}`
      const elsewhereAnswer = JSON.parse((await requestRawOnce(address, raw)).text)
      assert.equal(elsewhereAnswer.error, APP_ERRORS.team_not_found.sentence)
      const createdAt = new Date(Date.now() - 3_600_000).toISOString()
      await database.transaction((write) =>
        write.updateTable('session').set({ createdAt, provedAt: null }).execute(),
      )
      assert.equal((await confirm(ann, code)).json.error, APP_ERRORS.fresh_sign_in_needed.sentence)
      assert.equal(await errorOf(device), 'authorization_pending')
    })

    test('[TOK-34] given wrong codes of one person, or of one address, when there are many, then the right one is not looked at either; programs that ask too often wait, and pages of other sites do not ask', async (t) => {
      const app = await startDevices(t, kind, { MEADOW_TRUSTED_PROXIES: '127.0.0.1' })
      const { begin, signIn, post } = app
      const ann = await signIn('Ann', 'member')
      const { code } = await begin()
      let guesser = ann
      const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })
      const look = async (who: Signed, tried: string, address: string) =>
        (await who.request('POST', '/device/look', { code: tried }, from(address))).status
      for (let guess = 0; guess < 10; guess++)
        assert.equal(await look(ann, 'BBBB-BBBB', `203.0.113.${guess}`), 404)
      assert.equal(await look(ann, code, '203.0.113.99'), 429)
      for (let guess = 0; guess < 100; guess++) {
        if (guess % 10 === 0) guesser = await signIn('Guest')
        assert.equal(await look(guesser, 'CCCC-CCCC', '203.0.113.100'), 404)
      }
      guesser = await signIn('Guest')
      assert.equal(await look(guesser, code, '203.0.113.100'), 429)
      const ben = await signIn('Ben', 'member')
      assert.equal(await look(ben, code, '203.0.113.7'), 200)
      const ask = async (address: string, more = {}) => {
        const headers = { ...from(address).headers, ...more }
        return (await post('device_authorization', { client_id: 'x' }, { headers })).status
      }
      for (const page of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }])
        assert.equal(await ask('198.51.100.1', page), 403)
      for (let count = 0; count < 100; count++) assert.equal(await ask('198.51.100.1'), 200)
      assert.deepEqual([await ask('198.51.100.1'), await ask('198.51.100.2')], [429, 200])
    })

    test('[TOK-35] given requests of any form, then errors are those of RFC 6749, names are cleaned, and the metadata name the endpoints', async (t) => {
      const app = await startDevices(t, kind)
      const { post, request, look, signIn, secret, address } = app
      const failed = async (path: string, form: Form, init?: RequestInit) => {
        const { status, json } = await post(path, form, init)
        assert.equal(typeof json.error_description, 'string')
        return [status, json.error]
      }
      const device = { device_code: 'mdd_x' }
      assert.deepEqual(await failed('device_authorization', {}), [400, 'invalid_request'])
      assert.deepEqual(await failed('device_authorization', { client_id: 'x'.repeat(101) }), [
        400,
        'invalid_request',
      ])
      assert.deepEqual(
        await failed('device_authorization', [
          ['client_id', 'x'],
          ['client_id', 'y'],
        ]),
        [400, 'invalid_request'],
      )
      assert.deepEqual(await failed('token', device), [400, 'invalid_request'])
      assert.deepEqual(await failed('token', { grant_type: GRANT_TYPE }), [400, 'invalid_request'])
      assert.deepEqual(await failed('token', { grant_type: 'password', ...device }), [
        400,
        'unsupported_grant_type',
      ])
      assert.deepEqual(await failed('token', { grant_type: GRANT_TYPE, ...device }), [400, 'invalid_grant'])
      const json = { headers: { 'content-type': 'application/json' }, body: '{}' }
      assert.deepEqual(await failed('token', {}, json), [400, 'invalid_request'])
      assert.equal((await request('/oauth/token')).status, 404)
      assert.equal((await post('token', {}, { headers: { authorization: `Bearer ${secret}` } })).status, 403)
      const large = await post('token', { device_code: 'x'.repeat(10_000) })
      assert.equal(large.status, 413)

      const named = await post('device_authorization', { client_id: 'me\u202e\nadow', device_name: ' a ' })
      const ann = await signIn('Ann')
      assert.equal((await look(ann, named.json.user_code)).json.program, 'me adow on a')
      const metadata = (await request('/.well-known/oauth-authorization-server')).json
      assert.deepEqual(metadata, {
        issuer: address,
        authorization_endpoint: `${address}/oauth/authorize`,
        device_authorization_endpoint: `${address}/oauth/device_authorization`,
        token_endpoint: `${address}/oauth/token`,
        token_endpoint_auth_methods_supported: ['none'],
        grant_types_supported: ['authorization_code', GRANT_TYPE],
        response_types_supported: ['code'],
        response_modes_supported: ['query'],
        code_challenge_methods_supported: ['S256'],
        client_id_metadata_document_supported: true,
        authorization_response_iss_parameter_supported: true,
        scopes_supported: ALL_SCOPES,
      })
    })
  })
}
