import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTokenSecret, hashToken, looksLikeToken, tokenHint } from './tokens.ts'

test('given new secrets, then a scanner can spot each one by prefix, form and checksum', () => {
  const secrets = Array.from({ length: 1_000 }, createTokenSecret)
  assert.equal(new Set(secrets).size, secrets.length)
  for (const secret of secrets) {
    assert.match(secret, /^mdw_[0-9a-hjkmnp-tv-z]{39}$/)
    assert.ok(looksLikeToken(secret))
  }
})

test('given a secret with any one character changed, then it does not look like a token', () => {
  const secret = createTokenSecret()
  for (let at = 0; at < secret.length; at++) {
    const character = secret[at] === '0' ? '1' : '0'
    assert.ok(!looksLikeToken(secret.slice(0, at) + character + secret.slice(at + 1)), `letter ${at}`)
  }
})

test('given another text, then it does not look like one', () => {
  const secret = createTokenSecret()
  const withMoreInside = `${secret.slice(0, 36)}0${secret.slice(36)}`
  const others = ['', 'mdw_', secret.toUpperCase(), `${secret}0`, secret.slice(0, -1), '\0'.repeat(43)]
  for (const text of [...others, withMoreInside]) {
    assert.ok(!looksLikeToken(text))
  }
})

test('given a secret, then its hash is SHA-256 and its hint reveals little', () => {
  assert.equal(
    Buffer.from(hashToken('abc')).toString('hex'),
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  )
  assert.match(tokenHint(createTokenSecret()), /^mdw_.{4}$/)
})
