import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { createFolder } from '../../../testing/definition-folder.ts'
import { startHttpServer } from '../../testing/start-http-server.ts'
import { describeClients, findClientFiles, mountClientFiles } from './client-files.ts'

const FILES = {
  'meadow.tgz': 'x'.repeat(2000),
  'meadow-client.tgz': 'the library',
  'meadow-1.2.3-py3-none-any.whl': 'the wheel',
}
const OPTIONS = {
  baseUrl: 'https://m.example/a',
  style: '/a/docs/style.css',
  contentSecurityPolicy: "default-src 'none'",
}
const ADDRESS = `${OPTIONS.baseUrl}/downloads`

async function startDownloads(t: TestContext, built: Record<string, string>) {
  const files = await findClientFiles(
    await createFolder(t, { ...built, 'notes.txt': 'nobody is to read this' }),
  )
  const { address } = await startHttpServer(t, (app) => mountClientFiles(app, files, OPTIONS))
  return { files, get: (path: string, init: RequestInit = {}) => fetch(address + path, init) }
}

test('[HTTP-52] given files for clients, when they are requested, then each is sent as it is with its type, kept, and revalidated', async (t) => {
  const { get } = await startDownloads(t, FILES)
  for (const [name, text] of Object.entries(FILES)) {
    const headers = { 'accept-encoding': 'br, gzip' }
    const response = await get(`/downloads/${name}`, { headers })
    const type = name.endsWith('.whl') ? 'application/zip' : 'application/gzip'
    assert.deepEqual(
      ['content-type', 'cache-control', 'content-encoding', 'x-content-type-options'].map((header) =>
        response.headers.get(header),
      ),
      [type, 'public, no-cache', null, 'nosniff'],
    )
    assert.equal(await response.text(), text)
    const tag = response.headers.get('etag')!
    const again = await get(`/downloads/${name}`, { headers: { ...headers, 'if-none-match': tag } })
    assert.equal(again.status, 304)
    const head = await get(`/downloads/${name}`, { method: 'HEAD' })
    assert.deepEqual([head.headers.get('content-length'), await head.text()], [`${text.length}`, ''])
    const digest = await get(`/downloads/${name}.sha256`)
    assert.equal(await digest.text(), `${hash('sha256', text)}  ${name}\n`)
    const digits = hash('sha256', text).slice(0, 12)
    for (const [query, kept] of [
      [digits, 'public, max-age=31536000, immutable'],
      ['000000000000', 'public, no-cache'],
      ['', 'public, no-cache'],
    ])
      assert.equal((await get(`/downloads/${name}?${query}`)).headers.get('cache-control'), kept)
  }
  for (const path of ['notes.txt', 'notes.txt.sha256', 'nothing.tgz', '..%2fnotes.txt', 'meadow.tgz/'])
    assert.equal((await get(`/downloads/${path}`)).status, 404, path)
})

test('[HTTP-53] given files for clients, when the list is requested, then it has the lines for the address of the server, the digests and sizes', async (t) => {
  const { get, files } = await startDownloads(t, FILES)
  const page = await get('/downloads/', { headers: { accept: 'text/html,*/*' } })
  assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8')
  const html = await page.text()
  assert.match(html, /href="\/a\/docs\/style\.css"/)
  const json = await get('/downloads', { headers: { accept: 'application/json' } })
  assert.equal(json.headers.get('vary'), 'Accept')
  const listed = (await json.json()) as { files: { name: string; lines: { line: string }[] }[] }
  assert.deepEqual(
    listed.files.map(({ lines: _, ...file }) => file),
    Object.entries(FILES).map(([name, text]) => ({
      ...{ name, url: `${ADDRESS}/${name}` },
      ...{ bytes: text.length, sha256: hash('sha256', text) },
    })),
  )
  const lines = listed.files.flatMap(({ lines }) => lines.map(({ line }) => line))
  assert.deepEqual(
    lines.map((line) => line.replace(/^claude .* -- /, '')),
    [
      `npx -y ${ADDRESS}/meadow.tgz tree`,
      `npm install --global ${ADDRESS}/meadow.tgz`,
      `npx -y ${ADDRESS}/meadow.tgz mcp`,
      `npm install ${ADDRESS}/meadow-client.tgz`,
      `pip install ${ADDRESS}/meadow-1.2.3-py3-none-any.whl`,
    ],
  )
  const markdown = describeClients(files, OPTIONS.baseUrl)
  for (const line of lines) {
    assert.ok(html.includes(`<code>${line}</code>`), line)
    assert.ok(markdown.includes(`: \`${line}\``), line)
  }
})

test('[HTTP-53] given a server without files for clients, when the list is requested, then the response says how to build them', async (t) => {
  const { get, files } = await startDownloads(t, {})
  const response = await get('/downloads/')
  assert.equal(response.status, 404)
  assert.match(((await response.json()) as { error: string }).error, /not built\. Run "npm ci"/)
  assert.equal(describeClients(files, OPTIONS.baseUrl), '')
  assert.deepEqual((await findClientFiles('/nowhere/at/all')).names, [])
})
