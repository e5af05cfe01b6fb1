import assert from 'node:assert/strict'
import { readdir, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { createFolder } from '../../../../apps/server/src/testing/definition-folder.ts'
import { createMemoryCache } from '../api/index.ts'
import { createFileCache } from './index.ts'

const answer = (tag: string, length: number) => ({ tag, body: '-'.repeat(length) })

describe('caches', () => {
  test('[SDK-50] given more answers than fit in memory, when others are added, then those go that were used longest ago', async () => {
    const cache = createMemoryCache({ maxBytes: 700 })
    for (const address of ['a', 'b', 'c']) await cache.set(address, answer(address, 100))
    assert.ok(await cache.get('a'))
    await cache.set('d', answer('d', 100))
    assert.equal(await cache.get('b'), undefined)
    for (const address of ['c', 'd', 'a']) assert.equal((await cache.get(address))?.tag, address)
    await cache.set('huge', answer('huge', 1000))
    assert.equal(await cache.get('huge'), undefined)
    await cache.set('a', answer('newer', 1))
    assert.deepEqual(await cache.get('a'), { tag: 'newer', body: '-' })
    assert.ok((await cache.get('c')) && (await cache.get('d')))
  })

  test('[SDK-51] given more answers than the folder may have, when another one is added, then those go that were used longest ago', async (t) => {
    const folder = await createFolder(t)
    const cache = createFileCache(folder, { maxBytes: 3500 })
    const names: Record<string, string> = {}
    for (const [age, address] of ['c', 'b', 'a'].entries()) {
      const before = new Set(await readdir(folder))
      await cache.set(address, answer(address, 1000))
      names[address] = (await readdir(folder)).find((name) => !before.has(name))!
      const usedAt = new Date(Date.UTC(2026, 0, 1 + age))
      await utimes(join(folder, names[address]), usedAt, usedAt)
    }
    assert.ok(await cache.get('c'))
    await createFileCache(folder, { maxBytes: 3500 }).set('d', answer('d', 1000))
    const kept = await Promise.all(
      ['a', 'b', 'c', 'd'].map(async (address) => (await cache.get(address)) && address),
    )
    assert.deepEqual(kept, ['a', undefined, 'c', 'd'])
  })
})
