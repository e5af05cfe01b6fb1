import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startServer } from '../../testing/start-server.ts'

test('[HTTP-12] given the reference page, then it may load nothing from elsewhere, has no inline script, and does not ask for HTTPS', async (t) => {
  const { request } = await startServer(t)
  for (const path of ['/docs', '/docs/', '/docs/static/index.css', '/docs/json', '/docs/static/nothing']) {
    const { headers } = await request(path)
    const policy = headers.get('content-security-policy')!
    for (const directive of ["default-src 'none';", "script-src 'self';", "frame-ancestors 'none';"]) {
      assert.ok(policy.includes(directive), policy)
    }
    assert.match(policy, /^([a-z-]+ ('none'|'self'( data:)?);\s*)+$/)
  }
  const { text } = await request('/docs/')
  for (const [script] of text.matchAll(/<script[^>]*>[^<]*/g)) {
    assert.match(script, /^<script src="\.\/static\/[^"]+"[^>]*>\s*$/)
  }
  assert.doesNotMatch(text, /https?:\/\//)
})
