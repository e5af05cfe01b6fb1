import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { attachment } from './send-file.ts'

/** As a client reads it that knows RFC 8187: the extended name before the plain one. */
function readName(header: string): string {
  const extended = /; filename\*=UTF-8''([\w!#$&+.^`|~%-]+)$/.exec(header)?.[1]
  if (extended !== undefined) return decodeURIComponent(extended)
  const quoted = /^attachment; filename="([^"\\]*)"$/.exec(header)?.[1]
  assert.ok(quoted !== undefined, header)
  return quoted
}

test('[EXP-19] given names, then both ways in which clients read them', () => {
  assert.equal(attachment('Tower 7.3dm'), 'attachment; filename="Tower 7.3dm"')
  assert.equal(
    attachment('Türme (Ost).gh'),
    'attachment; filename="Turme (Ost).gh"; filename*=UTF-8\'\'T%C3%BCrme%20%28Ost%29.gh',
  )
  assert.equal(
    attachment('塔🗼.gh'),
    'attachment; filename="_.gh"; filename*=UTF-8\'\'%E5%A1%94%F0%9F%97%BC.gh',
  )
  assert.equal(
    attachment('50% "a".gh'),
    'attachment; filename="50_ _a_.gh"; filename*=UTF-8\'\'50%25%20%22a%22.gh',
  )
})

test('[EXP-19] given any name, then a header in plain characters from which a client reads it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1 }), (name) => {
      const header = attachment(name)
      assert.match(header, /^[ -~]+$/)
      assert.equal(readName(header), name.toWellFormed())
    }),
  )
})
