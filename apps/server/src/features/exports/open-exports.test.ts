import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findFolder } from '../../library/folders.ts'
import { lengthOf } from '../../platform/database/time-columns.ts'
import { FEATURE_DATABASES } from '../../testing/databases.ts'
import { EMPTY_CONTENT } from '../../testing/given-team.ts'
import { removeDiscardedBlobs } from '../housekeeping/garbage-collection.ts'
import { deleteObsoleteExports } from './open-exports.ts'
import { givenExports, NEVER_ABORTED } from './testing/given-maker.ts'

const HOUR_MS = 60 * 60 * 1000
const DAY_MS = 24 * HOUR_MS

for (const kind of FEATURE_DATABASES) {
  describe(`obsolete exports on ${kind.name}`, kind.options, () => {
    test('[EXP-23] given files of documents that were edited or solved again, then they are deleted a day after their last link, and the others stay', async (t) => {
      const database = await kind.open(t)
      const { solved, solve, requestFor, openMaker, makeAnything, edit, readFiles, blobs, store } =
        await givenExports(t, database)
      const { maker } = openMaker(makeAnything)
      const [edited, solvedAgain, unchanged] = [await solved('A'), await solved('B'), await solved('C')]
      const start = Date.now()
      const old = [
        await maker.get(requestFor(edited, '.gh'), NEVER_ABORTED),
        await maker.get(requestFor(solvedAgain), NEVER_ABORTED),
      ]
      const current = [
        await maker.get(requestFor(edited), NEVER_ABORTED),
        await maker.get(requestFor(solvedAgain, '.gh'), NEVER_ABORTED),
        await maker.get(requestFor(unchanged), NEVER_ABORTED),
      ]
      await edit(edited, { edit: 1 })
      await solve(solvedAgain)
      const exist = (files: typeof old) => Promise.all(files.map(({ digest }) => blobs.has(digest)))
      const now = Date.now()
      assert.equal(await deleteObsoleteExports(store, now), 0)
      assert.equal(await deleteObsoleteExports(store, start + DAY_MS - 1), 0)
      assert.equal(await deleteObsoleteExports(store, now + DAY_MS + HOUR_MS), 2)
      assert.deepEqual(await exist(old), [true, true])
      await removeDiscardedBlobs(database, blobs, Date.now() + HOUR_MS)
      assert.deepEqual(await exist(old), [false, false])
      assert.deepEqual(await exist(current), [true, true, true])
      assert.equal((await readFiles()).length, 3)
      assert.equal(await deleteObsoleteExports(store, now + 100 * DAY_MS), 0)
    })

    test('[EXP-23] given a link that is created shortly before the retention ends, then the file is retained for longer than the link is valid', {
      skip: kind.name === 'postgres' && 'a test cannot move the clock of PostgreSQL',
    }, async (t) => {
      const { solved, solve, requestFor, openMaker, makeAnything, store, readFiles } = await givenExports(
        t,
        await kind.open(t),
      )
      const { maker } = openMaker(makeAnything)
      const id = await solved()
      const requested = requestFor(id)
      await maker.get(requested, NEVER_ABORTED)
      t.mock.timers.enable({ apis: ['Date'], now: Date.now() + DAY_MS - 30 * 60_000 })
      await maker.get(requested, NEVER_ABORTED)
      await solve(id)
      assert.equal(await deleteObsoleteExports(store, Date.now() + HOUR_MS), 0)
      assert.equal((await readFiles()).length, 1)
    })

    test('[EXP-23] given a deleted document, then its files are deleted too', async (t) => {
      const database = await kind.open(t)
      const { solved, requestFor, openMaker, makeAnything, store, readFiles } = await givenExports(
        t,
        database,
      )
      const { maker } = openMaker(makeAnything)
      const id = await solved()
      await maker.get(requestFor(id), NEVER_ABORTED)
      await maker.get(requestFor(id, '.gh'), NEVER_ABORTED)
      await database.transaction((write) =>
        write.deleteFrom('document').where('public_id', '=', id).execute(),
      )
      assert.equal(await deleteObsoleteExports(store, Date.now() + 2 * DAY_MS), 2)
      assert.deepEqual(await readFiles(), [])
    })

    test('[EXP-23] given a file with the bytes of another export, or of one that was imported since, then its blob stays', async (t) => {
      const database = await kind.open(t)
      const { solved, solve, requestFor, openMaker, blobs, store, createDocument, team } = await givenExports(
        t,
        database,
      )
      const texts = ['shared', 'shared', 'imported', 'alone']
      let count = 0
      const { maker } = openMaker(async () => {
        const { digest, size } = await blobs.put(Buffer.from(texts[count++]!))
        return { digest, bytes: size, warnings: [] }
      })
      const ids = [await solved('A'), await solved('B'), await solved('C'), await solved('D')]
      const files = []
      for (const id of ids) files.push(await maker.get(requestFor(id), NEVER_ABORTED))
      const { key: root } = (await findFolder(database.read, team, 'root'))!
      const sha256 = files[2]!.digest
      const source = { root, from: '/', path: 'c.gh', sha256, sizeBytes: 8, mtimeMs: 0, blob: sha256 }
      await createDocument({ content: EMPTY_CONTENT, source })
      // All but B.
      for (const id of [ids[0]!, ids[2]!, ids[3]!]) await solve(id)
      assert.equal(await deleteObsoleteExports(store, Date.now() + 2 * DAY_MS), 3)
      await removeDiscardedBlobs(database, blobs, Date.now() + HOUR_MS)
      assert.deepEqual(await Promise.all(files.map(({ digest }) => blobs.has(digest))), [
        true,
        true,
        true,
        false,
      ])
    })

    test('[EXP-8, EXP-23] given an expired lease of an obsolete file, then its row is deleted', async (t) => {
      const { solved, solve, team, store, readFiles } = await givenExports(t, await kind.open(t))
      const id = await solved()
      const { document, solution } = (await store.find(team, id, '.3dm'))!
      await store.lease({ cacheKey: 'x', document, seq: null, solve: solution!.key })
      await solve(id)
      assert.equal(await deleteObsoleteExports(store, Date.now()), 0)
      assert.equal(
        await deleteObsoleteExports(store, Date.now() + lengthOf('export_file.lease_until') + 1000),
        1,
      )
      assert.deepEqual(await readFiles(), [])
    })
  })
}
