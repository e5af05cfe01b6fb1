import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startServer } from '../../../testing/start-server.ts'

test('[HTTP-51, HTTP-53] given llms.txt, when its links and those of its pages are followed, then each is a page, without a token', async (t) => {
  const { address, request } = await startServer(t)
  const { status, text, headers } = await request('/llms.txt')
  assert.deepEqual([status, headers.get('content-type')], [200, 'text/plain; charset=utf-8'])
  assert.match(text, /^# Meadow\n\n> /)
  const todo = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, link]) => link!)
  const seen = new Set<string>()
  assert.ok(todo.length >= 20)
  for (const link of todo) {
    const url = new URL(link)
    if (seen.has(url.pathname)) continue
    seen.add(url.pathname)
    assert.equal(url.origin, address)
    const page = await request(url.pathname)
    assert.deepEqual(
      [page.status, page.headers.get('content-type')],
      [200, 'text/markdown; charset=utf-8'],
      link,
    )
    assert.match(page.text, /^(# |---\nname: |<!-- )/)
    assert.doesNotMatch(page.text, /https:\/\/meadow\.example\.org/, link)
    for (const [, inner] of page.text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g))
      todo.push(new URL(inner!, url).href)
  }
  const tag = headers.get('etag')!
  assert.equal((await request('/llms.txt', { headers: { 'if-none-match': tag } })).status, 304)
  assert.equal((await request('/docs/threat-model.md')).status, 404)
})
