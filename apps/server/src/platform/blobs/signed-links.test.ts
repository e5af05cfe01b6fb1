import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import type { DocumentId, TokenId } from '@meadow/contract'
import fc from 'fast-check'
import { createSignedLinks, type LinkKey, type LinkKeys } from './signed-links.ts'

const HOUR_MS = 60 * 60 * 1000
const NOW = Date.UTC(2026, 10, 20)

const LINK = {
  digest: 'a1'.repeat(32),
  fileName: 'Tower.3dm',
  mediaType: 'model/vnd.3dm',
  expiresAt: NOW + HOUR_MS,
  token: 'tok_1' as TokenId,
  document: 'doc_1' as DocumentId,
}

const key = (id: number): LinkKey => ({ id, secret: randomBytes(32), retiredAt: null })

const keysOf = (...keys: LinkKey[]): LinkKeys => ({
  find: async (id) => keys.find((known) => known.id === id),
})

test('given any file name, when a link is made and read, then it says the same, and its path is plain characters', async () => {
  const signing = key(1)
  const links = createSignedLinks(keysOf(signing))
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 100 }), async (stem) => {
      const link = { ...LINK, fileName: `${stem}.gh` }
      const path = links.create(link, signing)
      assert.match(path, /^\/downloads\/[\w-]+\.[\w-]{43}\/[\w-]+\.gh$/)
      assert.deepEqual(await links.read(path, NOW), { link, state: 'good' })
    }),
  )
})

test('given a path that is no link, or one that another key signed, then it says nothing', async () => {
  const links = createSignedLinks(keysOf(key(1)))
  const foreign = links.create(LINK, key(1))
  const unknown = links.create(LINK, key(2))
  for (const path of [
    '',
    '/',
    '/downloads',
    '/downloads/x.y/z',
    foreign,
    unknown,
    `${foreign}/`,
    `/${foreign}`,
  ]) {
    assert.equal(await links.read(path, NOW), undefined, path)
  }
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary' }), async (text) => {
      assert.equal(await links.read(`/downloads/${text}`, NOW), undefined)
    }),
  )
})

test('given a key that was retired, then it is good for no link that lasts longer than the last one that it signed', async () => {
  const old = key(1)
  const path = createSignedLinks(keysOf(old)).create(LINK, old)
  const stateWhenRetiredAt = async (retiredAt: number) =>
    (await createSignedLinks(keysOf(key(2), { ...old, retiredAt })).read(path, NOW))?.state
  assert.equal(await stateWhenRetiredAt(NOW), 'good')
  assert.equal(await stateWhenRetiredAt(NOW + 1), 'good')
  assert.equal(await stateWhenRetiredAt(NOW - 1), 'ended')
  assert.equal(await stateWhenRetiredAt(0), 'ended')
})
