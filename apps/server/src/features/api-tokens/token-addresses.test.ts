import assert from 'node:assert/strict'
import { Agent, get as httpGet } from 'node:http'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { createCapturedLog } from '../../testing/captured-log.ts'
import { startWebApp } from '../../testing/start-web-app.ts'

/** A server, its owner, and requests from chosen addresses of this machine on connections that are kept open. */
async function start(t: TestContext, env: Record<string, string> = {}) {
  const { log, lines } = createCapturedLog()
  const app = await startWebApp(t, undefined, env, log)
  const ann = await app.signIn('Ann', 'owner')
  const path = `/teams/${app.team.id}/tokens`
  const create = async (addresses: string[] = []) =>
    (await ann.request('POST', path, { name: 'CI', addresses })).json
  const agents = new Map<string, Agent>()
  t.after(() => {
    for (const agent of agents.values()) agent.destroy()
  })
  function read(token: string, from: string, headers: Record<string, string> = {}) {
    const agent = agents.get(from) ?? new Agent({ keepAlive: true, maxSockets: 1 })
    agents.set(from, agent)
    const options = { agent, localAddress: from, headers: { authorization: `Bearer ${token}`, ...headers } }
    return new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
      httpGet(`${app.service.address}/api/v1/team`, options, async (response) =>
        resolve({ status: response.statusCode, body: await text(response) }),
      ).on('error', reject)
    })
  }
  const lastUse = async (id: string) =>
    (await ann.get(path)).json.tokens.find((token: { id: string }) => token.id === id).lastUsedFrom
  return { ...app, ann, create, read, lastUse, lines }
}

const HERE = '127.0.0.2'
const ELSEWHERE = '127.0.0.3'
const SENTENCE = (address: string) =>
  `That API token works from certain network addresses only, and not from ${address}.`

test('[TOK-9, TOK-10] given a token for an address, when it is used from there and from elsewhere, again and again, then only the first is answered, also from a cache', async (t) => {
  const { create, read, lastUse, lines } = await start(t)
  const { token, secret } = await create([`${HERE}/32`, '2001:db8::/32'])
  assert.deepEqual(token.addresses, [`${HERE}/32`, '2001:db8::/32'])
  const { secret: unlimited, token: anywhere } = await create()
  for (let round = 0; round < 4; round++) {
    assert.equal((await read(secret, HERE)).status, 200)
    assert.deepEqual(await read(secret, ELSEWHERE), {
      status: 403,
      body: JSON.stringify({ error: SENTENCE(ELSEWHERE) }),
    })
    assert.equal((await read(unlimited, HERE)).status, 200)
    assert.equal((await read(unlimited, ELSEWHERE)).status, 200)
  }
  const logged = lines.filter(({ refusal }) => refusal === 'address_not_allowed')
  assert.deepEqual(new Set(logged.map(({ token }) => token)), new Set([token.id]))
  assert.deepEqual([await lastUse(token.id), await lastUse(anywhere.id)], [HERE, ELSEWHERE])
})

test('[TOK-10] given addresses of the team and of a token, then both have to allow a request, at once when they change', async (t) => {
  const { ann, team, create, read } = await start(t)
  const { secret } = await create([HERE, ELSEWHERE])
  const { secret: unlimited } = await create()
  const statuses = () =>
    Promise.all(
      [
        [secret, HERE],
        [secret, ELSEWHERE],
        [unlimited, HERE],
        [unlimited, ELSEWHERE],
      ].map(async ([token, from]) => (await read(token!, from!)).status),
    )
  const allow = (addresses: string[]) => ann.request('PATCH', `/teams/${team.id}/token-policy`, { addresses })
  assert.deepEqual(await statuses(), [200, 200, 200, 200])
  assert.deepEqual((await allow([ELSEWHERE, '10.0.0.0/8'])).json.policy.addresses, [ELSEWHERE, '10.0.0.0/8'])
  assert.deepEqual(await statuses(), [403, 200, 403, 200])
  assert.equal((await allow(['10.0.0.0/33'])).status, 400)
  assert.deepEqual(await statuses(), [403, 200, 403, 200])
  await allow([])
  assert.deepEqual(await statuses(), [200, 200, 200, 200])
})

test('[TOK-9, TOK-10] given X-Forwarded-For, when a trusted proxy sends it, then it is the address of the client; from anyone else it opens nothing', async (t) => {
  const { create, read, lastUse } = await start(t, { MEADOW_TRUSTED_PROXIES: '127.0.0.2, 10.0.0.0/8' })
  const { token, secret } = await create(['203.0.113.7', '2001:db8::/32'])
  const statusOf = async (from: string, forwarded: string) =>
    (await read(secret, from, { 'x-forwarded-for': forwarded })).status
  const proxy = '127.0.0.2'
  const cases = [
    [proxy, '203.0.113.7', 200],
    [proxy, '203.0.113.8', 403],
    [proxy, '203.0.113.7, 10.1.2.3', 200],
    // The client itself wrote the first one.
    [proxy, '203.0.113.7, 198.51.100.1', 403],
    [proxy, '2001:db8::1', 200],
    [proxy, '::ffff:203.0.113.7', 200],
    [proxy, 'nonsense', 403],
    [proxy, '', 403],
    [ELSEWHERE, '203.0.113.7', 403],
  ] as const
  for (const [from, forwarded, status] of [...cases, ...cases])
    assert.equal(await statusOf(from, forwarded), status, `${forwarded} by ${from}`)
  assert.equal(await statusOf(proxy, '2001:db8::9'), 200)
  assert.equal(await lastUse(token.id), '2001:db8::9')
})

test('[TOK-10] given text that is no address, when a token is made with it, then that is rejected with a sentence', async (t) => {
  const { ann, team } = await start(t)
  for (const wrong of [
    'localhost',
    '10.0.0.0/33',
    '10.0.0.256',
    '2001:db8::/129',
    'fe80::1%eth0',
    '1.2.3.4 5.6.7.8',
    '',
  ])
    assert.equal(
      (await ann.request('POST', `/teams/${team.id}/tokens`, { name: 'CI', addresses: [wrong] })).status,
      400,
      wrong,
    )
})
