import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeAgent } from './describe-agent.ts'

test('[WEB-105] given user agents, then the browser and system are named as far as they are known', () => {
  const mac = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko)'
  for (const [agent, expected] of [
    [`${mac} Chrome/153.0.0.0 Safari/537.36`, 'Chrome on macOS'],
    [`${mac} Chrome/153.0.0.0 Safari/537.36 Edg/153.0.0.0`, 'Edge on macOS'],
    [`${mac} Version/26.0 Safari/605.1.15`, 'Safari on macOS'],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0', 'Firefox on Linux'],
    ['Mozilla/5.0 (Linux; Android 16) Chrome/153.0.0.0 Mobile Safari/537.36', 'Chrome on Android'],
    ['meadow-server', 'Command of the operator'],
    ['curl/8.5.0', 'curl/8.5.0'],
    ['', 'Unknown device'],
  ] as const)
    assert.equal(describeAgent(agent), expected)
})
