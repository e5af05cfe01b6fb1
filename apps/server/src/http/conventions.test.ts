import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readTeam } from '@meadow/contract'
import { describeContract } from '@meadow/contract/description'
import { describeApi } from '@meadow/contract/openapi'
import { readConfig } from '../config.ts'
import { createLog } from '../platform/log.ts'
import { createReadParts } from '../read-parts.ts'
import { startServer } from '../testing/start-server.ts'
import { createLimits, TeamActivity } from './admission.ts'
import { createApi } from './api/api.ts'
import { serve } from './api/route.ts'
import { createMetrics } from './metrics.ts'
import { RequestLog } from './request-log.ts'
import { startHttpServer } from './testing/start-http-server.ts'

test('[HTTP-48] given a contact, then security.txt names it, where it is, and an end within a year; without one it is 404', async (t) => {
  const contact = 'mailto:security@example.org'
  const { request } = await startServer(t, {
    MEADOW_SECURITY_CONTACT: contact,
    MEADOW_BASE_URL: 'https://meadow.example.org',
  })
  const { status, text, headers } = await request('/.well-known/security.txt')
  assert.deepEqual([status, headers.get('content-type')], [200, 'text/plain; charset=utf-8'])
  const fields = new Map(
    text
      .trim()
      .split('\n')
      .map((line) => line.split(': ', 2) as [string, string]),
  )
  assert.equal(fields.get('Contact'), contact)
  assert.equal(fields.get('Canonical'), 'https://meadow.example.org/.well-known/security.txt')
  const days = (Date.parse(fields.get('Expires')!) - Date.now()) / 86_400_000
  assert.ok(days > 30 && days < 365)
  const other = await startServer(t)
  assert.equal((await other.request('/.well-known/security.txt')).status, 404)
  await assert.rejects(startServer(t, { MEADOW_SECURITY_CONTACT: 'nobody' }), /MEADOW_SECURITY_CONTACT/)
})

test('[HTTP-49] given that the operator switched it on, then each response of the API says what it took, also repeated ones and errors; otherwise none does', async (t) => {
  const timed = await startServer(t, { MEADOW_SERVER_TIMING: 'on' })
  for (const [path, status] of [
    ['/team', 200],
    ['/team', 200],
    ['/folders/nothing', 404],
  ] as const) {
    const response = await timed.get(path)
    assert.equal(response.status, status)
    assert.match(response.headers.get('server-timing')!, /^queue;dur=\d+\.\d\d, app;dur=\d+\.\d\d$/)
  }
  const refused = await timed.get('/team', { token: null })
  assert.match(refused.headers.get('server-timing')!, /^queue;dur=\d+\.\d\d$/)
  const silent = await startServer(t)
  assert.equal((await silent.get('/team')).headers.get('server-timing'), null)
})

test('[HTTP-50] given an endpoint that is deprecated, then its responses say since when and until when, also repeated ones, and OpenAPI does', async (t) => {
  const deprecated = { since: '2027-01-31', sunset: '2028-01-31' }
  const contract = describeContract()
  const endpoints = contract.endpoints.map((each) =>
    each.name === readTeam.name ? { ...each, deprecated } : each,
  )
  const described = describeApi({ ...contract, endpoints }, undefined).paths
  for (const operation of Object.values(described['/team']!)) {
    assert.equal(operation.deprecated, true)
    const headers = Object.keys(operation.responses[200]!.headers)
    assert.ok(headers.includes('Deprecation') && headers.includes('Sunset'))
  }
  assert.equal(described['/documents']!.get.deprecated, undefined)

  const { database, secret } = await startServer(t)
  const [log, metrics, config] = [createLog('silent'), createMetrics(), readConfig({})]
  const limits = createLimits(config.admission, metrics, new TeamActivity())
  const { api } = createReadParts(config, {
    ...{ database, log, limits },
    blobs: undefined as never,
    contents: undefined as never,
    requestLog: new RequestLog(log, metrics),
    tokenUse: { note() {}, count() {} },
  })
  const routes = [
    serve({ ...readTeam, deprecated }, () => ({ team: { name: 'Acme', rootFolderId: 'fld_1' } }) as never),
  ]
  const { handle } = createApi({ ...api, routes, rateLimit: undefined })
  const { address } = await startHttpServer(t, () => {}, { handleApi: handle })
  for (let count = 0; count < 3; count++) {
    const response = await fetch(`${address}/api/v1/team`, { headers: { authorization: `Bearer ${secret}` } })
    assert.equal(response.headers.get('deprecation'), `@${Date.UTC(2027, 0, 31) / 1000}`)
    assert.equal(response.headers.get('sunset'), 'Mon, 31 Jan 2028 00:00:00 GMT')
    await response.text()
  }
})
