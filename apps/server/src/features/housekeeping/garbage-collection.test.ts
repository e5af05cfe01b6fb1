import assert from 'node:assert/strict'
import { utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { DATABASES } from '../../testing/databases.ts'
import { givenTeam } from '../../testing/given-team.ts'
import { openTestBlobs } from '../../testing/open-test-blobs.ts'
import { collectGarbage, discardUnnamedBlobs } from './garbage-collection.ts'

const DAY_MS = 24 * 3_600_000

for (const kind of DATABASES) {
  describe(`blobs that no row names, on ${kind.name}`, kind.options, () => {
    test('[KEEP-1] given old blobs of which a document names one, and a new one, when the store is searched, then the old one that no row names is removed a day later, and the next search comes after a week', async (t) => {
      const database = await kind.open(t)
      const { blobs, folder } = await openTestBlobs(t)
      const { document } = await givenTeam(database)
      const now = Date.now()
      const put = async (text: string, ageDays: number) => {
        const stored = await blobs.put(Buffer.from(text))
        const at = (now - ageDays * DAY_MS) / 1000
        await utimes(join(folder, stored.digest.slice(0, 2), stored.digest), at, at)
        return stored
      }
      const named = await put('{"nodes":{}}', 3)
      await document({ content: { kind: 'blob', ...named } })
      const left = await put('what a killed process has left', 3)
      const fresh = await put('what a process is about to name', 0)
      const list = async () => (await Array.fromAsync(blobs.list(), ({ digest }) => digest)).toSorted()

      assert.equal(await discardUnnamedBlobs(database, blobs, now), 1)
      await collectGarbage(database, blobs, now + DAY_MS / 2)
      assert.equal((await list()).length, 3)
      await collectGarbage(database, blobs, now + 2 * DAY_MS)
      assert.deepEqual(await list(), [named.digest, fresh.digest].toSorted())
      assert.ok(!(await blobs.has(left.digest)))

      assert.equal(await discardUnnamedBlobs(database, blobs, now + 6 * DAY_MS), 0)
      assert.equal(await discardUnnamedBlobs(database, blobs, now + 8 * DAY_MS), 1)
    })
  })
}
