import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, type TestContext, test } from 'node:test'
import { APP_ERRORS } from '@meadow/contract/web'
import { setMember } from '../../access/members.ts'
import { createLog, type Log } from '../../platform/log.ts'
import { changeTeam } from '../../team/team-transaction.ts'
import { startClientDocument, trustClientDocuments } from '../../testing/client-document.ts'
import { DATABASES, FEATURE_DATABASES, type TestDatabase } from '../../testing/databases.ts'
import { type Signed, startWebApp } from '../../testing/start-web-app.ts'
import { redirectOf } from './authorization-request.ts'
import { createGetClient, isRedirectOf } from './client-document.ts'

const REDIRECT = 'https://assistant.example/callback'
const LOCAL = 'http://127.0.0.1:3000/callback'
const VERIFIER = 'a-verifier-of-43-characters-at-least-0123456789'
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url')

type Form = Record<string, string | undefined>

const parametersOf = (form: Form) =>
  new URLSearchParams(
    Object.entries(form).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )

/** A server, and a program that gets its answer in a browser. */
async function startAuthorize(
  t: TestContext,
  kind: TestDatabase,
  env: Record<string, string> = {},
  log?: Log,
) {
  trustClientDocuments(t)
  const app = await startWebApp(t, kind, { MEADOW_OAUTH_ALLOW: '127.0.0.1', ...env }, log)
  const client = await startClientDocument(t, [REDIRECT, LOCAL])
  const resource = `${app.address}/mcp`
  /** Goes to where the program sends its person. */
  const authorize = (more: Form = {}, init: RequestInit = {}) => {
    const form = {
      ...{ response_type: 'code', client_id: client.id, redirect_uri: REDIRECT, resource, state: 's 1' },
      ...{ code_challenge: CHALLENGE, code_challenge_method: 'S256', ...more },
    }
    return app.request(`/oauth/authorize?${parametersOf(form)}`, init)
  }
  const begin = async (more: Form = {}) => {
    const { status, headers, text } = await authorize(more)
    assert.equal(status, 303, text)
    const page = new URL(headers.get('location')!)
    assert.equal(page.origin + page.pathname, `${app.address}/device`)
    return page.searchParams.get('code')!
  }
  const look = (who: Signed, code: string) => who.request('POST', '/device/look', { code })
  const refuse = (who: Signed, code: string) => who.request('POST', '/device/refuse', { code })
  const confirm = (who: Signed, code: string, token: object = {}) =>
    who.request('POST', `/teams/${app.team.id}/device`, { code, token: { name: 'Assistant', ...token } })
  /** Confirms, and gives what the browser brings the program. */
  const bring = async (who: Signed, more: Form = {}) => {
    const { status, json, text } = await confirm(who, await begin(more))
    assert.equal(status, 200, text)
    return new URL(json.redirect)
  }
  const redeem = (code: string, more: Form = {}) => {
    const form = { grant_type: 'authorization_code', code, client_id: client.id, redirect_uri: REDIRECT }
    const body = parametersOf({ ...form, code_verifier: VERIFIER, resource, ...more })
    return app.request('/oauth/token', { method: 'POST', body })
  }
  const listTokens = async (who: Signed) => (await who.get(`/teams/${app.team.id}/tokens`)).json.tokens
  return { ...app, client, resource, authorize, begin, look, refuse, confirm, bring, redeem, listTokens }
}

for (const kind of DATABASES) {
  describe(`authorization codes on ${kind.name}`, kind.options, () => {
    test('[TOK-40, TOK-42] given a program that sends its person here, when they confirm, then the browser brings it a code, with which it fetches a token as they chose, once', async (t) => {
      const app = await startAuthorize(t, kind)
      const { begin, look, confirm, redeem, listTokens, client, database } = app
      const ann = await app.signIn('Ann', 'member')
      const folder = await app.fixtures.folder(app.team, 'Tower')
      const code = await begin({ scope: 'folders:read everything documents:read' })
      const found = (await look(ann, code)).json
      assert.equal(found.program, `Assistant (${new URL(client.id).host})`)
      assert.deepEqual(found.client, {
        ...{ id: client.id, redirectUri: REDIRECT, resource: app.resource },
        scopes: ['folders:read', 'documents:read'],
      })
      const chosen = { scopes: ['folders:read'], folders: [folder.id] }
      const answer = new URL((await confirm(ann, code, chosen)).json.redirect)
      assert.equal(answer.origin + answer.pathname, REDIRECT)
      assert.deepEqual(
        [answer.searchParams.get('state'), answer.searchParams.get('iss')],
        ['s 1', app.address],
      )
      const secret = answer.searchParams.get('code')!
      const rows = await database.read.selectFrom('device_authorization').selectAll().execute()
      assert.ok(!JSON.stringify(rows).includes(secret))
      assert.deepEqual(await listTokens(ann), [])
      const { status, json: token, headers } = await redeem(secret)
      assert.deepEqual(
        [status, token.token_type, token.scope, headers.get('cache-control')],
        [200, 'Bearer', 'folders:read', 'no-store'],
      )
      assert.equal('refresh_token' in token, false)
      const { folder: root } = (await app.get('/folders/root', { token: token.access_token })).json
      assert.deepEqual(root.folders, [{ id: folder.id, name: 'Tower' }])
      const [listed] = await listTokens(ann)
      assert.deepEqual([listed.kind, listed.createdBy.name, listed.state], ['personal', 'Ann', 'valid'])
      const event = await database.read
        .selectFrom('audit_event')
        .where('thing_id', '=', listed.id)
        .where('action', '=', 'token.created')
        .select(['actor_id', 'details'])
        .executeTakeFirstOrThrow()
      assert.deepEqual([event.actor_id, JSON.parse(event.details!).program], [ann.userId, found.program])
      assert.equal((await look(ann, code)).status, 404)
    })

    test('[TOK-42] given a code that comes again, then nothing is given, and the token of the first time ends; given two at once, then there is one token, which ends as well', async (t) => {
      const app = await startAuthorize(t, kind)
      const { bring, redeem, signIn, get, listTokens, database, team } = app
      const ann = await signIn('Ann', 'member')
      const code = (await bring(ann)).searchParams.get('code')!
      const { access_token: token } = (await redeem(code)).json
      assert.equal((await get('/team', { token })).status, 200)
      // Whoever lacks the verifier cannot end it.
      assert.equal(
        (await redeem(code, { code_verifier: VERIFIER.toUpperCase() })).json.error,
        'invalid_grant',
      )
      assert.equal((await get('/team', { token })).status, 200)
      assert.equal((await redeem(code)).json.error, 'invalid_grant')
      assert.equal((await get('/team', { token })).status, 401)
      assert.deepEqual(
        (await listTokens(ann)).map(({ state, endReason }: Form) => [state, endReason]),
        [['revoked', 'leaked']],
      )
      const second = (await bring(ann)).searchParams.get('code')!
      const answers = await Promise.all([redeem(second), redeem(second)])
      const given = answers.filter(({ status }) => status === 200)
      assert.equal(given.length, 1)
      assert.equal((await get('/team', { token: given[0]!.json.access_token })).status, 401)
      assert.equal((await listTokens(ann)).length, 2)
      const third = (await bring(ann)).searchParams.get('code')!
      assert.equal((await redeem(third)).status, 200)
      await database.transaction((write) =>
        write.updateTable('team').set({ deleted_at: Date.now() }).where('id', '=', team.key).execute(),
      )
      assert.equal((await redeem(third)).json.error, 'invalid_grant')
    })
  })
}

for (const kind of FEATURE_DATABASES) {
  describe(`authorization codes, and who may have them, on ${kind.name}`, kind.options, () => {
    test('[TOK-40] given a request that is not right, then the person sees a page that says so, nobody is redirected, and nothing is kept', async (t) => {
      const app = await startAuthorize(t, kind, { MEADOW_TRUSTED_PROXIES: '127.0.0.1' })
      const { authorize, client, database } = app
      const cases: [Form, RegExp][] = [
        [{ client_id: undefined }, /client_id is missing/],
        [{ redirect_uri: undefined }, /redirect_uri is missing/],
        [{ response_type: 'token' }, /has to be code/],
        [{ code_challenge: undefined }, /code_challenge is missing/],
        [{ code_challenge_method: undefined }, /code_challenge_method is missing/],
        [{ code_challenge_method: 'plain' }, /method S256/],
        [{ code_challenge: VERIFIER }, /method S256/],
        [{ resource: undefined }, /resource is missing/],
        [{ state: 'x'.repeat(1001) }, /state is there twice, or too long/],
        [{ client_id: 'meadow login' }, /has to be the https address/],
        [{ client_id: client.id.replace('https', 'http') }, /has to be the https address/],
        [{ client_id: new URL('/', client.id).href }, /has to be the https address/],
        [{ client_id: `${client.id}#me` }, /has to be the https address/],
        [{ client_id: client.id.replace('//', '//me@') }, /user or password/],
        [{ client_id: client.id.replace('oauth', 'x/../oauth') }, /has to be the https address/],
        [{ redirect_uri: 'https://evil.example/' }, /does not list https:\/\/evil.example\/ as/],
        [{ redirect_uri: `${REDIRECT}/more` }, /does not list/],
        [{ redirect_uri: `${REDIRECT}?more` }, /does not list/],
        [{ redirect_uri: '<script>alert(1)</script>' }, /&lt;script&gt;/],
      ]
      for (const [form, sentence] of cases) {
        const { status, text, headers } = await authorize(form)
        assert.deepEqual([status, headers.get('location')], [400, null], JSON.stringify(form))
        assert.match(text, sentence)
        assert.ok(!text.includes('<script'))
        assert.match(headers.get('content-security-policy')!, /default-src 'none'.*frame-ancestors 'none'/)
      }
      const twice = await app.request(`/oauth/authorize?client_id=${client.id}&client_id=${client.id}`)
      assert.match(twice.text, /client_id is there twice/)
      for (const dest of ['image', 'iframe', 'empty'])
        assert.equal((await authorize({}, { headers: { 'sec-fetch-dest': dest } })).status, 403)
      assert.deepEqual(await database.read.selectFrom('device_authorization').selectAll().execute(), [])
      const page = await app.request('/device')
      assert.match(page.headers.get('content-security-policy')!, /frame-ancestors 'none'/)
      const from = { headers: { 'x-forwarded-for': '198.51.100.1' } }
      for (let count = 0; count < 100; count++) await authorize({ response_type: 'token' }, from)
      assert.equal((await authorize({}, from)).status, 429)
    })

    test('[TOK-41] given documents of programs of any form, then only a right one at its own address counts, and it is read again when it may be', async (t) => {
      const { authorize, begin, client } = await startAuthorize(t, kind)
      const right = { ...client.document }
      const send = client.answer
      const says = async (sentence: RegExp) => {
        const { status, text } = await authorize()
        assert.equal(status, 400)
        assert.match(text, sentence)
      }
      const documents: [object, RegExp][] = [
        [{ client_id: `${client.id}?` }, /describes another program/],
        [{ client_name: '' }, /has no client_name/],
        [{ redirect_uris: REDIRECT }, /no list redirect_uris/],
        [{ redirect_uris: [1] }, /no list redirect_uris/],
        [{ client_secret: 'x' }, /has a client_secret/],
        [{ token_endpoint_auth_method: 'private_key_jwt' }, /token_endpoint_auth_method/],
        [{ redirect_uris: [] }, /does not list/],
        [{ filler: 'x'.repeat(11_000) }, /more than 10240 bytes/],
      ]
      for (const [change, sentence] of documents) {
        client.document = { ...right, ...change }
        client.answer = (request, response) => {
          response.setHeader('cache-control', 'no-store')
          send(request, response)
        }
        await says(sentence)
      }
      client.document = right
      client.answer = (_, response) => void response.writeHead(302, { location: `${client.id}?moved` }).end()
      await says(/answered with 302/)
      client.answer = (_, response) => void response.end('nonsense')
      await says(/not a JSON object/)
      client.answer = (_, response) => void response.socket!.destroy()
      await says(/cannot be read from here/)
      client.answer = (request, response) => {
        response.setHeader('cache-control', 'max-age=600')
        send(request, response)
      }
      await begin()
      const { requests } = client
      await begin()
      assert.equal(client.requests, requests)
    })

    test('[TOK-41] given an address of a private network, or a name that leads there, then the server reads nothing, and logs why', async (t) => {
      const causes: string[] = []
      const log: Log = Object.assign(createLog('silent'), {
        warn: ({ err }: { err?: Error }) => void causes.push(err?.message ?? ''),
      })
      const { authorize, client } = await startAuthorize(t, kind, { MEADOW_OAUTH_ALLOW: '192.0.2.1' }, log)
      const hosts = ['127.0.0.1', 'localhost', '10.0.0.1', '169.254.169.254', '[::1]', '[::ffff:127.0.0.1]']
      for (const host of hosts) {
        const id = new URL(client.id.replace('127.0.0.1', host)).href
        const { status, text } = await authorize({ client_id: id })
        assert.equal(status, 400)
        assert.match(text, /cannot be read from here/)
      }
      assert.equal(client.requests, 0)
      const refused = causes.filter((cause) => /is not public.*\(MEADOW_OAUTH_ALLOW\)/.test(cause))
      assert.equal(refused.length, hosts.length, causes.join('\n'))
    })

    test('[TOK-42] given another verifier, program, address or resource, or a code that is over, then there is no token', async (t) => {
      const { bring, begin, redeem, signIn, listTokens, database, post } = await startWithPost(t, kind)
      const ann = await signIn('Ann', 'member')
      const answer = await bring(ann)
      const code = answer.searchParams.get('code')!
      const wrong: Form[] = [
        { code_verifier: CHALLENGE },
        { client_id: 'https://assistant.example/oauth/client.json' },
        { redirect_uri: LOCAL },
        { resource: 'https://evil.example/mcp' },
        { code: `${code}x` },
        { code: undefined, device_code: code, grant_type: 'urn:ietf:params:oauth:grant-type:device_code' },
      ]
      for (const more of wrong) {
        const { status, json } = await redeem(code, more)
        assert.deepEqual([status, json.error], [400, 'invalid_grant'], JSON.stringify(more))
      }
      for (const missing of ['code_verifier', 'client_id', 'code'])
        assert.equal((await redeem(code, { [missing]: undefined })).json.error, 'invalid_request')
      const { json } = await post('device_authorization', { client_id: 'x' })
      assert.equal((await redeem(json.device_code)).json.error, 'invalid_grant')
      assert.equal((await redeem(await begin())).json.error, 'invalid_grant')
      const row = await database.read
        .selectFrom('device_authorization')
        .where('state', '=', 'confirmed')
        .select('expires_at')
        .executeTakeFirstOrThrow()
      assert.ok(row.expires_at <= Date.now() + 60_000)
      await database.transaction((write) =>
        write
          .updateTable('device_authorization')
          .set({ expires_at: Date.now() - 1 })
          .execute(),
      )
      assert.equal((await redeem(code)).json.error, 'invalid_grant')
      assert.deepEqual(await listTokens(ann), [])
      // Programs of OAuth 2.1 repeat neither the address nor the resource.
      const next = (await bring(ann)).searchParams.get('code')!
      assert.equal((await redeem(next, { redirect_uri: undefined, resource: undefined })).status, 200)
    })

    test('[TOK-42] given rights that are lost before the program fetches its token, and people without them, then there is none; pages of other sites confirm nothing', async (t) => {
      const app = await startAuthorize(t, kind)
      const { bring, begin, confirm, refuse, redeem, signIn, database, team } = app
      const ann = await signIn('Ann', 'member')
      const code = (await bring(ann)).searchParams.get('code')!
      await changeTeam(database, team.key, (change) => setMember(change, ann.userId, 'viewer'))
      assert.equal((await redeem(code)).json.error, 'invalid_grant')
      await changeTeam(database, team.key, (change) => setMember(change, ann.userId, 'member'))
      assert.equal((await redeem(code)).json.error, 'invalid_grant')

      const waiting = await begin()
      assert.equal((await confirm(await signIn('Vera', 'viewer'), waiting)).status, 403)
      const body = { code: waiting, token: { name: 'Assistant' } }
      for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }])
        for (const path of [`/teams/${team.id}/device`, '/device/refuse'])
          assert.equal((await ann.request('POST', path, body, { headers })).status, 403)
      const createdAt = new Date(Date.now() - 3_600_000).toISOString()
      await database.transaction((write) =>
        write.updateTable('session').set({ createdAt, provedAt: null }).execute(),
      )
      assert.equal((await confirm(ann, waiting)).json.error, APP_ERRORS.fresh_sign_in_needed.sentence)
      const answer = new URL((await refuse(ann, waiting)).json.redirect)
      assert.deepEqual(Object.fromEntries(answer.searchParams), {
        ...{ error: 'access_denied', state: 's 1', iss: app.address },
      })
      assert.equal((await refuse(ann, waiting)).status, 404)
    })

    test('[TOK-43] given where a program uses its token, then it is below an address of the service, or on the computer of the person', async (t) => {
      const { authorize, address } = await startAuthorize(t, kind, {
        MEADOW_BASE_URL: 'https://meadow.example.org/design',
        MEADOW_MCP_URL: 'https://mcp.example.org/mcp',
      })
      const statusOf = async (resource: string) => (await authorize({ resource })).status
      for (const resource of [
        'https://meadow.example.org/design',
        'https://meadow.example.org/design/mcp',
        'https://mcp.example.org/mcp',
        'http://127.0.0.1:4001/mcp',
        'http://localhost:4001/mcp',
        'http://[::1]:4001/mcp',
      ])
        assert.equal(await statusOf(resource), 303, resource)
      for (const resource of [
        'https://evil.example/mcp',
        'https://mcp.example.org.evil.example/mcp',
        'https://mcp.example.org@evil.example/mcp',
        'https://mcp.example.org/mcp2',
        'https://mcp.example.org/mcp/../other',
        'https://meadow.example.org/designs',
        'http://mcp.example.org/mcp',
        'http://127.0.0.1.evil.example/mcp',
        'https://mcp.example.org/mcp#x',
        'javascript:alert(1)//mcp.example.org/mcp',
        'mcp',
        address.replace('127.0.0.1', '10.0.0.1'),
      ])
        assert.equal(await statusOf(resource), 400, resource)
    })
  })
}

async function startWithPost(t: TestContext, kind: TestDatabase) {
  const app = await startAuthorize(t, kind)
  const post = (path: string, form: Form) =>
    app.request(`/oauth/${path}`, { method: 'POST', body: parametersOf(form) })
  return { ...app, post }
}

test('[TOK-41] given addresses for the answer, then one of https is as it is listed, one of a loopback address has any port, and no other counts', () => {
  const hostile = ['javascript:alert(1)', 'data:text/html,x', 'http://intranet/callback', 'app://callback']
  const client = {
    name: 'Assistant',
    redirectUris: [REDIRECT, LOCAL, 'http://localhost/callback', ...hostile],
  }
  for (const uri of [REDIRECT, LOCAL, 'http://127.0.0.1/callback', 'http://localhost:9/callback'])
    assert.ok(isRedirectOf(client, uri), uri)
  for (const uri of [
    ...hostile,
    'https://assistant.example:444/callback',
    'https://assistant.example/callback#x',
    'https://me@assistant.example/callback',
    'https://assistant.example/callback/',
    'http://assistant.example/callback',
    'http://127.0.0.1:9/other',
    'http://127.0.0.2/callback',
    'http://me@127.0.0.1/callback',
    'http://[::1]/callback',
    '',
  ])
    assert.ok(!isRedirectOf(client, uri), uri)
})

test('[TOK-41] given an address with a query, when the answer goes there, then its own part is as it is listed', () => {
  const asked = {
    ...{
      client: 'https://assistant.example/client.json',
      resource: 'https://m.example',
      challenge: '',
      scopes: [],
    },
    ...{ issuer: 'https://m.example', state: 'a b' },
  }
  for (const [uri, joint] of [
    [REDIRECT, '?'],
    [`${REDIRECT}?x=a%20b&y=%7E~`, '&'],
  ] as const)
    assert.equal(
      redirectOf({ ...asked, redirectUri: uri }, { code: 'c' }),
      `${uri}${joint}code=c&state=a+b&iss=https%3A%2F%2Fm.example`,
    )
})

test('[TOK-41] given a name that leads nowhere, or to what may not be reached, then the sentence tells nothing of the network', async () => {
  const getClient = createGetClient(async () => {
    throw new Error('10.0.0.7')
  })
  await assert.rejects(getClient('https://assistant.example/oauth/client.json'), {
    message: 'The document of the program at assistant.example cannot be read from here.',
  })
})
