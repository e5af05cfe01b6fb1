import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { DATABASES } from '../testing/databases.ts'
import { discardBlobs } from './content-blobs.ts'

/** More than fit into one statement: PostgreSQL takes 65,535 parameters, and SQLite half of that. */
const MANY = 40_000

for (const kind of DATABASES) {
  describe(`blobs that are discarded on ${kind.name}`, kind.options, () => {
    test('[BIN-6] given very many blobs, when they are discarded at once, then each is noted', async (t) => {
      const { read, transaction } = await kind.open(t)
      const digests = Array.from({ length: MANY }, (_, i) => i.toString(16).padStart(64, '0'))
      await transaction((write) => discardBlobs(write, digests))
      const [row] = await read
        .selectFrom('discarded_blob')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .execute()
      assert.equal(Number(row!.count), MANY)
    })
  })
}
