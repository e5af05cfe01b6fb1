import assert from 'node:assert/strict'
import { readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { createFolder } from '../../../../apps/server/src/testing/definition-folder.ts'
import { startServer } from '../../../../apps/server/src/testing/start-server.ts'
import { createMemoryCache, Meadow } from '../api/index.ts'
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

  test('[SDK-51] given a cache in a folder, when a program is started again, then what has not changed is not sent again', async (t) => {
    const { address, secret, team, fixtures } = await startServer(t)
    await fixtures.document(team, { name: 'Türme 塔' })
    const folder = join(await createFolder(t), 'cache')
    const statuses: number[] = []
    const fetch: typeof globalThis.fetch = async (input, init) => {
      const response = await globalThis.fetch(input, init)
      statuses.push(response.status)
      return response
    }
    const start = () => new Meadow({ baseUrl: address, token: secret, fetch, cache: createFileCache(folder) })
    const first = await start().searchDocuments()
    assert.deepEqual(await start().searchDocuments(), first)
    assert.deepEqual(statuses, [200, 304])
    const [file] = await readdir(folder)
    assert.equal((await stat(folder)).mode & 0o777, 0o700)
    assert.equal((await stat(join(folder, file!))).mode & 0o777, 0o600)

    const whole = await readFile(join(folder, file!))
    for (const broken of [
      whole.subarray(0, -3),
      whole.subarray(0, 10),
      Buffer.from('no JSON\n'),
      Buffer.alloc(0),
    ]) {
      await writeFile(join(folder, file!), broken)
      assert.deepEqual(await start().searchDocuments(), first)
      assert.equal(statuses.at(-1), 200)
    }
    assert.deepEqual(await readdir(folder), [file])
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
