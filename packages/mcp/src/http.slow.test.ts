import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { describe, test } from 'node:test'
import { revokeToken } from '../../../apps/server/src/access/team-tokens.ts'
import { numbers } from '../../../apps/server/src/features/solutions/testing/graphs.ts'
import { changeTeam } from '../../../apps/server/src/team/team-transaction.ts'
import { atEnd } from '../../../apps/server/src/testing/at-end.ts'
import { serveMcpOverHttp } from './http.ts'
import { CLIENTS } from './testing/clients.ts'
import { startHttp, startMcp } from './testing/start-mcp.ts'

const [current] = CLIENTS
const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' }

/** Sends a message as a client of the previous version of the protocol does, with any headers. */
async function post(url: string, headers: Record<string, string>, body: unknown = LIST) {
  const sent = httpRequest(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
  })
  sent.end(JSON.stringify(body))
  const [response] = await once(sent, 'response')
  const text = Buffer.concat(await response.toArray()).toString()
  return { status: response.statusCode as number, headers: response.headers, text }
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

describe('tokens', () => {
  test('[MCP-18] given no token, or one that is not valid, then 401 with a challenge and a sentence', async (t) => {
    const { url } = await startMcp(t)
    const none = await post(url, {})
    assert.equal(none.status, 401)
    assert.match(none.headers['www-authenticate'], /^Bearer /)
    assert.match(JSON.parse(none.text).error.message, /Authorization: Bearer/)
    const bad = await post(url, bearer('mdw_bad'))
    assert.equal(bad.status, 401)
    assert.match(bad.headers['www-authenticate'], /error="invalid_token"/)
  })

  test('[MCP-18] given what cannot be a token, then 401, and the server goes on', async (t) => {
    const { address, url, secret } = await startMcp(t)
    const shared = await startHttp(t, address, { sharedToken: secret })
    for (const authorization of ['Bearer caf\u00e9', 'Bearer a b', 'Basic Og==', 'Bearer'])
      for (const to of [url, shared.url])
        assert.equal((await post(to, { authorization })).status, 401, authorization)
    assert.equal((await post(url, bearer(secret))).status, 200)
    assert.equal((await post(shared.url, {})).status, 200)
    await assert.rejects(startHttp(t, address, { sharedToken: 'caf\u00e9' }), /token must be/)
  })

  test('[MCP-18] given tokens of two teams, then each caller sees the documents of its own', async (t) => {
    const { url, secret, document, fixtures } = await startMcp(t)
    await document(numbers(), 'Ours')
    const other = await fixtures.team('Other')
    await fixtures.document(other, { name: 'Theirs' })
    const theirs = await fixtures.token(other)
    const [a, b] = await Promise.all([secret, theirs.secret].map((token) => current.overHttp(t, url, token)))
    assert.match((await a!.call('search_documents')).text, /Ours/)
    const { text } = await b!.call('search_documents')
    assert.ok(text.includes('Theirs') && !text.includes('Ours'))
  })

  test('[MCP-18] given a token that was revoked, then it is refused, and what was read with it is not answered', async (t) => {
    const { url, document, fixtures, team, database } = await startMcp(t)
    const id = await document(numbers(), 'Numbers')
    const { id: tokenId, secret } = await fixtures.token(team)
    const client = await current.overHttp(t, url, secret)
    assert.ok(!(await client.call('outline_document', { document: id })).isError)
    await changeTeam(database, team.key, (change) => revokeToken(change, tokenId))
    const { text, isError } = await client.call('outline_document', { document: id })
    assert.ok(isError && /revoked/.test(text), text)
  })

  test('[MCP-19] given a shared token, then requests without one are those of it; only on a loopback address', async (t) => {
    const { address, secret, document } = await startMcp(t)
    await document(numbers(), 'Ours')
    const { url } = await startHttp(t, address, { sharedToken: secret })
    const client = await current.overHttp(t, url)
    assert.match((await client.call('search_documents')).text, /Ours/)
    assert.equal((await post(url, bearer('mdw_bad'))).status, 401)
    const everywhere = { baseUrl: address, port: 0, host: '0.0.0.0', sharedToken: secret, report: () => {} }
    await assert.rejects(serveMcpOverHttp(everywhere), /loopback/)
  })
})

describe('pages of browsers', () => {
  test('[MCP-20] given a Host or an Origin that is not allowed, then 403; given those that are, then an answer', async (t) => {
    const { address, url, secret } = await startMcp(t)
    const statusOf = async (to: string, headers: Record<string, string>) =>
      (await post(to, { ...bearer(secret), ...headers })).status
    assert.equal(await statusOf(url, { host: 'evil.example.org' }), 403)
    assert.equal(await statusOf(url, { origin: 'https://evil.example.org' }), 403)
    assert.equal(await statusOf(url, { origin: 'null' }), 403)
    for (const host of ['localhost:1', '127.0.0.1', '[::1]:80'])
      assert.equal(await statusOf(url, { host }), 200, host)
    assert.equal(await statusOf(url, { origin: 'http://localhost:3000' }), 200)
    const named = await startHttp(t, address, { allowedHosts: ['mcp.example.org'] })
    assert.equal(
      await statusOf(named.url, { host: 'mcp.example.org', origin: 'https://mcp.example.org' }),
      200,
    )
    assert.equal(await statusOf(named.url, { host: 'evil.example.org' }), 403)
  })

  test('[MCP-20] given a request of a page for permission, then no answer allows it', async (t) => {
    const { url } = await startMcp(t)
    const response = await fetch(url, {
      method: 'OPTIONS',
      headers: { origin: 'http://localhost:3000', 'access-control-request-method': 'POST' },
    })
    assert.equal(response.headers.get('access-control-allow-origin'), null)
    assert.ok(response.status >= 400)
  })

  test('[MCP-20] given another address or method, then 404 and 405', async (t) => {
    const { url, secret } = await startMcp(t)
    const headers = { ...bearer(secret), accept: 'text/event-stream' }
    assert.equal((await fetch(new URL('/', url), { headers })).status, 404)
    assert.equal((await fetch(url, { headers })).status, 405)
  })
})

describe('limits', () => {
  test('[MCP-21] given a request that is too long, then 413', async (t) => {
    const { url, secret } = await startMcp(t)
    const long = { ...LIST, params: { text: 'x'.repeat(300_000) } }
    assert.equal((await post(url, bearer(secret), long)).status, 413)
  })

  test('[MCP-21] given as many requests as there may be at once, then one more is refused with 503, and one works once they are gone', async (t) => {
    const sockets = new Set<Socket>()
    const silent = createServer((socket) => sockets.add(socket.on('error', () => {})))
    silent.listen(0, '127.0.0.1')
    await once(silent, 'listening')
    atEnd(t, () => {
      for (const socket of sockets) socket.destroy()
      silent.close()
    })
    const { url } = await startHttp(t, `http://127.0.0.1:${(silent.address() as AddressInfo).port}`)
    const stop = new AbortController()
    const calls = Array.from({ length: 33 }, () =>
      fetch(url, { method: 'POST', headers: bearer('mdw_any'), body: '{}', signal: stop.signal }),
    )
    // Those that are let in wait for a service that never answers.
    const first = await Promise.any(calls)
    assert.equal(first.status, 503)
    assert.equal(first.headers.get('retry-after'), '1')
    stop.abort()
    await Promise.allSettled(calls)
    for (const socket of sockets) socket.destroy()
    const again = await fetch(url, { method: 'POST', headers: { host: 'x' }, body: '{}' })
    assert.notEqual(again.status, 503)
  })
})
