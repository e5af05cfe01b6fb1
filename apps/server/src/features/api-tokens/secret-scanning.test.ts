import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { createTokenSecret, looksLikeToken } from '../../access/tokens.ts'

test('[TOK-12] given the published form of tokens, then every token has it, and the example has the right checksum', async () => {
  const page = await readFile(new URL('../../../../../docs/secret-scanning.md', import.meta.url), 'utf8')
  const patterns = [...page.matchAll(/mdw_\[0-9[^`'"\s]*\}/g)].map(([pattern]) => pattern)
  assert.ok(patterns.length >= 3)
  for (let count = 0; count < 200; count++) {
    const secret = createTokenSecret()
    for (const pattern of patterns) assert.match(secret, new RegExp(`^${pattern}$`))
  }
  const [example] = /mdw_[0-9a-z]{39}/.exec(page) ?? []
  assert.ok(example !== undefined && looksLikeToken(example))
})
