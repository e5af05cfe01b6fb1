import assert from 'node:assert/strict'
import diagnostics from 'node:diagnostics_channel'
import { type TestContext, test } from 'node:test'
import { describeContract } from '@meadow/contract/description'
import { APP_PREFIX } from '@meadow/contract/web'
import type { FastifyInstance } from 'fastify'
import { atEnd } from '../../testing/at-end.ts'
import { requestRaw, requestRawOnce } from '../../testing/raw-answers.ts'
import { startServer } from '../../testing/start-server.ts'

const HTTPS = {
  MEADOW_BASE_URL: 'https://meadow.example.org',
  MEADOW_TRUSTED_PROXIES: '127.0.0.1',
  MEADOW_SOLVE_WORKERS: '0',
}

interface MountedRoute {
  method: string
  url: string
}

/** The routes that each Fastify server of this process mounts from now on, as Fastify itself reports them. */
function watchRoutes(t: TestContext): readonly MountedRoute[] {
  const routes: MountedRoute[] = []
  const watch = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance }
    fastify.addHook('onRoute', ({ method, url }) => {
      for (const one of [method].flat()) routes.push({ method: one, url })
    })
  }
  diagnostics.subscribe('fastify.initialization', watch)
  atEnd(t, () => void diagnostics.unsubscribe('fastify.initialization', watch))
  return routes
}

const toPath = (pattern: string) => pattern.replaceAll(/[:*]\w*|\{\w+\}/g, 'something')

/** Checks what a response must have, whatever it answers. */
function checkHeaders(headers: Headers, what: string): void {
  const expected = {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'strict-transport-security': 'max-age=31536000; includeSubDomains',
  }
  for (const [name, value] of Object.entries(expected))
    assert.equal(headers.get(name), value, `${name} of ${what}`)
  const policy = headers.get('content-security-policy')?.split('; ') ?? []
  const ancestors = what.includes('/embed/') ? '* file:' : "'none'"
  for (const part of ["default-src 'none'", "base-uri 'none'", `frame-ancestors ${ancestors}`])
    assert.ok(policy.includes(part), `${part} in the policy of ${what}: ${policy}`)
  assert.doesNotMatch(policy.join(), /unsafe-eval(?<!wasm-unsafe-eval)|https?:/, what)
  const isPage = headers.get('content-type')?.startsWith('text/html') ?? false
  assert.equal(headers.get('cross-origin-opener-policy'), isPage ? 'same-origin' : null, what)
  assert.equal(headers.has('permissions-policy'), isPage, what)
}

/** Responses of the APIs: nothing that is kept is used without asking, and no shared cache may keep it. */
const PRIVATE_CACHING = new Set(['no-store', 'private, no-cache'])

function checkCaching(headers: Headers, path: string): void {
  const caching = headers.get('cache-control')!
  if (path.startsWith('/api/') || path.startsWith(APP_PREFIX))
    assert.ok(PRIVATE_CACHING.has(caching), `${caching} of ${path}`)
  else assert.match(caching, /no-store|no-cache|immutable/, path)
}

test('[HTTP-40] given every route of the server, when anyone calls it with any method that it knows, then the response has the security headers', async (t) => {
  const routes = watchRoutes(t)
  const { address } = await startServer(t, { ...HTTPS, MEADOW_HSTS: 'subdomains' })
  assert.ok(routes.length > 150, `${routes.length} routes`)
  const statuses = new Set<number>()
  for (const { method, url } of routes) {
    const path = toPath(url)
    // `fetch` refuses some methods.
    const head = `${method} ${path} HTTP/1.1\r\nHost: a.example\r\nAccept: text/html\r\nConnection: close\r\n\r\n`
    const { status, headers } = await requestRawOnce(address, head)
    statuses.add(status)
    checkHeaders(headers, `${method} ${url}`)
    checkCaching(headers, path)
  }
  for (const status of [200, 401, 404]) assert.ok(statuses.has(status), `no response was ${status}`)
})

test('[HTTP-40] given the API, when its endpoints answer, also what they have kept, fail and do not exist, then each response has the security headers', async (t) => {
  const { get, fixtures, team } = await startServer(t, { ...HTTPS, MEADOW_HSTS: 'subdomains' })
  const documentId = await fixtures.document(team)
  const { endpoints } = describeContract()
  for (const { path: pattern } of endpoints) {
    const existing = pattern.replace('{documentId}', documentId).replace('{folderId}', 'root')
    // The first is made, the second is cached, and the third is sent again by its bytes.
    for (const path of [existing, toPath(pattern)])
      for (const token of [undefined, undefined, undefined, null]) {
        const { headers, status } = await get(path, token === null ? { token } : {})
        checkHeaders(headers, `GET ${path} (${status})`)
        checkCaching(headers, `/api/v1${path}`)
        const tag = headers.get('etag')
        if (tag === null) continue
        const unchanged = await get(path, { headers: { 'if-none-match': tag } })
        assert.equal(unchanged.status, 304)
        checkHeaders(unchanged.headers, `304 of ${path}`)
      }
  }
  checkHeaders((await get('/team', { method: 'POST' })).headers, 'POST /team')
})

test('[HTTP-40] given what is no request, and what wants to be another protocol, then the responses have the security headers', async (t) => {
  const { address, secret } = await startServer(t, { ...HTTPS, MEADOW_HSTS: 'subdomains' })
  const socket = 'Host: a.example\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n'
  const cases = [
    'nonsense\r\n\r\n',
    'BREW / HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\n\r\n',
    'CONNECT a.example:443 HTTP/1.1\r\nHost: a.example\r\n\r\n',
    'GET / HTTP/1.1\r\nConnection: close\r\n\r\n',
    `GET /${'a'.repeat(70_000)} HTTP/1.1\r\nHost: a.example\r\n\r\n`,
    `GET /live HTTP/1.1\r\n${socket}Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
    `GET /live HTTP/1.1\r\n${socket}Authorization: Bearer ${secret}\r\n\r\n`,
    `GET /healthz HTTP/1.1\r\n${socket}\r\n`,
    'GET /healthz HTTP/1.0\r\n\r\n',
  ]
  for (const bytes of cases) {
    const [response] = await requestRaw(address, bytes)
    assert.ok(response, bytes.slice(0, 60))
    checkHeaders(response.headers, bytes.slice(0, 60))
  }
})

test('[HTTP-41] given an https address, then browsers are told to keep to it for a year, unless MEADOW_HSTS is off; without one, they are not', async (t) => {
  const policyOf = async (env: Record<string, string>) => {
    const { request } = await startServer(t, { MEADOW_SOLVE_WORKERS: '0', ...env })
    return (await request('/docs')).headers.get('strict-transport-security')
  }
  assert.equal(await policyOf(HTTPS), 'max-age=31536000')
  assert.equal(await policyOf({ ...HTTPS, MEADOW_HSTS: 'off' }), null)
  assert.equal(
    await policyOf({ MEADOW_BASE_URL: 'http://meadow.example.org', MEADOW_HSTS: 'subdomains' }),
    null,
  )
  assert.equal(await policyOf({}), null)
})
