import assert from 'node:assert/strict'
import { readdirSync, statSync } from 'node:fs'
import { extname, join, relative } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { APP_PAGES, EMBED_PAGE, EMBED_PLAYER_PAGE, PLAYER_PAGE } from '@meadow/contract/web'
import { startHttpServer } from '../../http/testing/start-http-server.ts'
import { createFolder } from '../../testing/definition-folder.ts'
import { startServer } from '../../testing/start-server.ts'
import { readBuild } from './web-build.ts'
import { createUnknownPage, mountPages } from './web-pages.routes.ts'

const HTML = '<!doctype html><html><head><title>Meadow</title></head><body></body></html>'
const PLAYER_HTML = HTML.replace('Meadow', 'Player')
const SCRIPT = `export const text = '${'meadow '.repeat(500)}'`
const FILES = {
  'dist/index.html': HTML,
  'dist/player.html': PLAYER_HTML,
  'dist/favicon.svg': '<svg/>',
  'dist/assets/index-abc.js': SCRIPT,
  'dist/assets/photo-abc.png': 'x'.repeat(2000),
  'dist/assets/index-abc.js.map': '{}',
  secret: 'nobody is to read this',
}

async function startPages(t: TestContext, files: Record<string, string> = FILES) {
  const build = await readBuild(join(await createFolder(t, files), 'dist'))
  const sendUnknownPage = createUnknownPage(build)
  const { address } = await startHttpServer(t, (app) => mountPages(app, build), { sendUnknownPage })
  return (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    fetch(address + path, { headers, method, redirect: 'manual' })
}

const BUILD = fileURLToPath(new URL('../../../../web/dist', import.meta.url))
/** What browsers need to run a script, use a style, or compile WebAssembly while it arrives. */
const BUILD_TYPES: Record<string, RegExp> = {
  '.js': /^text\/javascript;/,
  '.css': /^text\/css;/,
  '.svg': /^image\/svg\+xml$/,
  '.wasm': /^application\/wasm$/,
}

const toPath = (page: string) => page.replaceAll(/:\w+/g, 'something')

test('[WEB-1, WEB-3, WEB-8] given every page of the app, when a browser goes there, then it gets the app, with a policy that allows nothing else', async (t) => {
  const get = await startPages(t)
  const nonces = new Set<string>()
  for (const page of APP_PAGES) {
    const response = await get(toPath(page))
    assert.equal(response.status, 200, page)
    const html = await response.text()
    const policy = response.headers.get('content-security-policy')!
    const nonce = /'nonce-([^']+)'/.exec(policy)![1]!
    nonces.add(nonce)
    assert.ok(html.includes(`<meta property="csp-nonce" nonce="${nonce}">`))
    assert.equal(html.replaceAll(/<meta[^>]*>/g, ''), page === PLAYER_PAGE ? PLAYER_HTML : HTML)
    for (const part of [
      "default-src 'none'",
      "script-src 'self'",
      "connect-src 'self'",
      "frame-ancestors 'none'",
    ]) {
      assert.ok(policy.split('; ').includes(part), part)
    }
    assert.doesNotMatch(policy, /https?:|\*|unsafe-eval/)
    assert.deepEqual(
      ['cache-control', 'x-content-type-options', 'referrer-policy', 'x-frame-options', 'x-robots-tag'].map(
        (name) => response.headers.get(name),
      ),
      ['no-cache', 'nosniff', 'same-origin', 'DENY', 'noindex'],
    )
  }
  assert.equal(nonces.size, APP_PAGES.length)
  const head = await get('/', {}, 'HEAD')
  assert.deepEqual([head.status, await head.text()], [200, ''])
})

test('[WEB-3, WEB-7, WEB-8] given the page for frames, when it is requested, then any origin may frame it, under a policy that is otherwise that of all pages', async (t) => {
  const get = await startPages(t)
  const policyOf = ({ headers }: Response) =>
    headers
      .get('content-security-policy')!
      .replace(/'nonce-[^']+'/, '')
      .split('; ')
  const [page, embedded] = [await get('/'), await get(toPath(EMBED_PAGE))]
  const { status, headers } = embedded
  assert.deepEqual(
    [status, headers.get('x-frame-options'), headers.get('x-robots-tag')],
    [200, null, 'noindex'],
  )
  const [closed, open] = [policyOf(page), policyOf(embedded)]
  assert.deepEqual(
    open.filter((part) => !closed.includes(part)),
    ['frame-ancestors * file:'],
  )
  assert.equal(open.length, closed.length)
  for (const path of [
    '/',
    '/embed',
    '/EMBED/a',
    '/embed/a/b',
    '/embed/a/play/b',
    toPath(PLAYER_PAGE),
    '/documents/a?embed',
  ]) {
    const response = await get(path, { accept: 'text/html' })
    assert.equal(response.headers.get('x-frame-options'), 'DENY', path)
    assert.match(response.headers.get('content-security-policy')!, /frame-ancestors 'none'/, path)
    assert.doesNotMatch(await response.text(), /embedded/, path)
  }
  // The app must know that it may be framed, however the address is written.
  for (const path of [
    toPath(EMBED_PAGE),
    toPath(EMBED_PLAYER_PAGE),
    '/%65mbed/a/play?x',
    '/%65mbed/a',
    '/embed/a%2Fb',
    '/embed/',
    '/embed/a?x',
  ]) {
    const response = await get(path, { accept: 'text/html' })
    assert.match(response.headers.get('content-security-policy')!, /frame-ancestors \*/, path)
    assert.match(await response.text(), /<meta name="embedded">/, path)
  }
})

test('[WEB-1] given a service whose address has a path, when a page is shown, then it contains the path, and its files are below it', async (t) => {
  const html = `<html><head><link href="./favicon.svg"><script src="./assets/index-abc.js"></script></head></html>`
  const folder = join(await createFolder(t, { ...FILES, 'dist/index.html': html }), 'dist')
  assert.equal(
    (await readBuild(folder, '/a&b'))!.html,
    html
      .replace('<head>', '<head><meta name="public-path" content="/a&amp;b">')
      .replaceAll('"./', '"/a&amp;b/'),
  )
})

test('[WEB-1] given an unknown address, when a browser goes there, then it gets the app with 404, and a script the usual error', async (t) => {
  const get = await startPages(t)
  const page = await get('/nothing/here', { accept: 'text/html,*/*' })
  assert.equal(page.status, 404)
  assert.match(await page.text(), /<title>Meadow/)
  for (const [headers, method] of [
    [{}, 'GET'],
    [{ accept: '*/*' }, 'GET'],
    [{ accept: 'text/html' }, 'POST'],
  ] as const) {
    const response = await get('/nothing/here', headers, method)
    assert.deepEqual([response.status, Object.keys((await response.json()) as object)], [404, ['error']])
  }
})

test('[WEB-2, WEB-4] given the files of the build, when they are requested, then hashed ones are cached for a year, and all are compressed as the caller accepts', async (t) => {
  const get = await startPages(t)
  const script = '/assets/index-abc.js'
  for (const [accepted, encoding] of [
    ['br, gzip', 'br'],
    ['gzip', 'gzip'],
    ['identity', null],
  ] as const) {
    const response = await get(script, { 'accept-encoding': accepted })
    assert.equal(response.headers.get('content-encoding'), encoding)
    assert.equal(response.headers.get('cache-control'), 'public, max-age=31536000, immutable')
    assert.equal(response.headers.get('vary'), 'Accept-Encoding')
    assert.match(response.headers.get('content-type')!, /^text\/javascript/)
    assert.equal(await response.text(), SCRIPT)
    const tag = response.headers.get('etag')!
    const again = await get(script, { 'accept-encoding': accepted, 'if-none-match': tag })
    assert.equal(again.status, 304)
  }
  const icon = await get('/favicon.svg')
  assert.equal(icon.headers.get('cache-control'), 'public, no-cache')
  const photo = await get('/assets/photo-abc.png', { 'accept-encoding': 'br' })
  assert.deepEqual(
    [photo.headers.get('content-encoding'), photo.headers.get('content-type')],
    [null, 'image/png'],
  )
})

test('[WEB-2, WEB-4] given the web app as it is built, when each of its files is requested, then it is sent whole, with its type, and cached as its name allows', async (t) => {
  const { address } = await startServer(t)
  const paths = readdirSync(BUILD, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !['.html', '.br'].includes(extname(entry.name)))
    .map(({ parentPath, name }) => join(parentPath, name))
  assert.ok(paths.some((path) => path.endsWith('.wasm')))
  for (const path of paths) {
    const name = relative(BUILD, path).replaceAll('\\', '/')
    const response = await fetch(`${address}/${name}`, { headers: { 'accept-encoding': 'identity' } })
    assert.equal(response.status, 200, name)
    assert.match(response.headers.get('content-type')!, BUILD_TYPES[extname(name)]!, name)
    const isImmutable = response.headers.get('cache-control')!.includes('immutable')
    assert.equal(isImmutable, name.startsWith('assets/'), name)
    assert.equal((await response.arrayBuffer()).byteLength, statSync(path).size, name)
    const packed = statSync(`${path}.br`, { throwIfNoEntry: false })
    const shorter = packed && (await fetch(`${address}/${name}`, { headers: { 'accept-encoding': 'br' } }))
    if (shorter?.headers.has('content-encoding'))
      assert.equal(Number(shorter.headers.get('content-length')), packed!.size, name)
    assert.ok(packed || !isImmutable, name)
  }
})

test('[WEB-6] given names outside of the build, when they are requested, then 404', async (t) => {
  const get = await startPages(t)
  for (const path of [
    '/secret',
    '/../secret',
    '/%2e%2e/secret',
    '/assets/../../secret',
    '/assets/..%2f..%2fsecret',
    '/assets/',
    '/assets',
    '/index.html',
    '/player.html',
    '/assets/index-abc.js.map',
    '/assets/%00',
  ]) {
    const response = await get(path)
    assert.equal(response.status, 404, path)
    assert.doesNotMatch(await response.text(), /nobody is to read/)
  }
})

test('[WEB-5] given no build, when a browser goes to the app, then the page states it, and how to build it', async (t) => {
  const get = await startPages(t, { secret: '' })
  for (const page of APP_PAGES) {
    const response = await get(toPath(page))
    assert.equal(response.status, 503)
    assert.match(await response.text(), /is not built.*npm ci/s)
  }
})

test('[D12, WEB-1] given an API token, when it comes to the pages of a whole server, then it is rejected, and the API and its reference are still there', async (t) => {
  const { request, secret, get } = await startServer(t)
  const { status, json } = await request('/', { token: secret })
  assert.deepEqual([status, Object.keys(json)], [403, ['error']])
  assert.equal((await get('/team')).status, 200)
  assert.equal((await request('/docs/')).status, 200)
  assert.equal((await get('/nothing', { headers: { accept: 'text/html' } })).status, 404)
})
