import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get } from 'node:http'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import type { JsonSchema } from '@meadow/contract/description'
import { EXAMPLE_LANGUAGES } from '@meadow/contract/examples'
import type { OpenApi } from '@meadow/contract/openapi'
import { startServer } from '../../../testing/start-server.ts'
import { html } from './html.ts'

const FILE = /(?:src|href)="(\/docs\/[^"#]+)"/g
const listFiles = (page: string) => [...page.matchAll(FILE)].map(([, path]) => path!)

test('[HTTP-12] given the reference page, then it may load nothing from elsewhere, has no inline script or style, and does not ask for HTTPS', async (t) => {
  const { request, address } = await startServer(t)
  for (const path of ['/docs', '/docs/']) {
    const { headers, text } = await request(path)
    const policy = headers.get('content-security-policy')!.split('; ')
    for (const directive of ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'"]) {
      assert.ok(policy.includes(directive), directive)
    }
    for (const directive of policy) assert.match(directive, /^[a-z-]+ ('none'|'self')$/)
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    assert.doesNotMatch(text, /<style|style=|\son[a-z]+=|<script(?! src="\/docs\/)/)
    assert.doesNotMatch(text.replaceAll(address, ''), /https?:\/\//)
  }
})

/** The names of all fields in a schema, those of named schemas left out. */
const listFields = ({ properties = {}, items, anyOf = [], ...schema }: JsonSchema): string[] => [
  ...Object.entries(properties).flatMap(([name, field]) => [name, ...listFields(field)]),
  ...[items, ...anyOf, schema.additionalProperties].flatMap((part) =>
    typeof part === 'object' ? listFields(part) : [],
  ),
]

test('[HTTP-23] given the description, then the page has every endpoint, parameter, response, header, schema and field of it, and all its links lead somewhere', async (t) => {
  const { request, address } = await startServer(t)
  const { json } = await request('/openapi.json')
  const { text: page } = await request('/docs')
  const { paths, components } = json as OpenApi
  const ids = new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!))
  const sectionOf = (id: string) =>
    page.slice(page.indexOf(`<section class="endpoint" id="${id}"`)).split('</section>')[0]!
  for (const [path, { get }] of Object.entries(paths)) {
    const section = sectionOf(get.operationId)
    assert.ok(ids.has(get.operationId) && section.includes(path), path)
    for (const { name } of get.parameters) assert.ok(ids.has(`${get.operationId}.${name}`), name)
    for (const [status, { headers = {}, content }] of Object.entries(get.responses)) {
      assert.ok(ids.has(`${get.operationId}-${status}`), status)
      for (const name of Object.keys(headers))
        assert.ok(section.includes(`<code class="name">${name}</code>`), name)
      for (const { value } of Object.values(content?.['application/json'].examples ?? {}))
        assert.ok(section.includes(html`${value.error}`.text), value.error)
    }
    for (const { id } of EXAMPLE_LANGUAGES) assert.ok(section.includes(`data-language="${id}"`), id)
    assert.ok(section.includes(`${address}/api/v1`))
  }
  for (const [name, schema] of Object.entries(components.schemas)) {
    assert.ok(ids.has(`schema-${name}`), name)
    const section = page.slice(page.indexOf(`id="schema-${name}"`)).split('</section>')[0]!
    for (const field of listFields(schema))
      assert.ok(section.includes(`<code class="name">${field}</code>`), field)
  }
  for (const [, id] of page.matchAll(/href="#([^"]+)"/g)) assert.ok(ids.has(id!), id)
})

test('[HTTP-23] given several names of this machine and an unknown one, when the page is requested, then its examples have an address of the server', async (t) => {
  const { address } = await startServer(t)
  const own = new URL(address).host
  for (const [host, expected] of [
    ['localhost:8080', 'localhost:8080'],
    ['127.0.0.1:81', '127.0.0.1:81'],
    ['facades.example.org', own],
  ]) {
    const [response] = await once(get(`${address}/docs`, { headers: { host } }), 'response')
    const page = await text(response)
    assert.ok(page.includes(`API = &quot;http://${expected}/api/v1&quot;`), host)
  }
})

test('[HTTP-24] given a first visit, then it takes less than 60 KB; given another one, then nothing is sent again', async (t) => {
  const { request } = await startServer(t)
  const read = (path: string, init: RequestInit = {}) =>
    request(path, { ...init, headers: { 'accept-encoding': 'br', ...init.headers } })
  const page = await read('/docs')
  const files = listFiles(page.text)
  assert.equal(files.length, 2)
  let bytes = 0
  for (const path of ['/docs', ...files, '/openapi.json']) {
    const { headers } = await read(path)
    assert.equal(headers.get('content-encoding'), 'br', path)
    assert.equal(headers.get('vary'), 'Accept-Encoding')
    const isFile = files.includes(path)
    assert.equal(
      headers.get('cache-control'),
      isFile ? 'public, max-age=31536000, immutable' : 'public, no-cache',
    )
    if (isFile) assert.match(path, /^\/docs\/reference-[\w-]{12}\.(css|js)$/)
    const head = await read(path, { method: 'HEAD' })
    assert.deepEqual([head.status, head.text, head.headers.get('etag')], [200, '', headers.get('etag')])
    for (const method of ['GET', 'HEAD']) {
      const again = await read(path, { method, headers: { 'if-none-match': headers.get('etag')! } })
      assert.deepEqual([again.status, again.text], [304, ''], path)
    }
    if (path !== '/openapi.json') bytes += Number(headers.get('content-length'))
  }
  assert.ok(bytes > 5_000 && bytes < 60_000, String(bytes))
})

test('given text with the letters of HTML, when it is put into a template, then they are escaped, once', () => {
  const part = html`<b>${'<script>"&\''}</b>`
  assert.equal(
    html`${part}${[1, 'a&b']}${undefined}${false}`.text,
    '<b>&lt;script&gt;&quot;&amp;&#39;</b>1a&amp;b',
  )
})
