import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { createUserStore } from '../access/users.store.ts'
import type { TeamFileKey } from '../platform/database/tables.ts'
import { getQuota, QuotaError } from '../team/quotas.ts'
import { changeTeam, type TeamTransaction } from '../team/team-transaction.ts'
import { setLimits } from '../team/teams.ts'
import { DATABASES, type TestDatabase } from '../testing/databases.ts'
import { givenTeam } from '../testing/given-team.ts'
import { putFileIntoBin, putFolderIntoBin, putGoneIntoBin, restoreFromBin } from './bin.ts'
import { findImported } from './imported.ts'
import { setGone } from './sources.ts'
import { createFile, moveFile, type NewTeamFile, renameFile, updateFile } from './team-files.ts'

const ID = '6e6f9f5c-0000-4000-8000-000000000001'

/** A team with functions that change and read its files. */
async function start(t: TestContext, kind: TestDatabase) {
  const database = await kind.open(t)
  const given = await givenTeam(database)
  const { team, root } = given
  const { id: user } = await createUserStore(database).createUser({ name: 'Ann', email: 'ann@example.org' })
  const source = (sizeBytes: number, path = 'site.3dm') => ({
    ...{ root: root.key, from: '/files', path, sha256: `sha-${sizeBytes}`, blob: `blob-${sizeBytes}` },
    ...{ sizeBytes, mtimeMs: 5, times: { created: 4, modified: 5 } },
  })
  const change = <T>(work: (change: TeamTransaction) => Promise<T>) => changeTeam(database, team, work)
  return {
    ...given,
    database,
    user,
    source,
    change,
    create: (facts: Partial<NewTeamFile> = {}) =>
      change((team) =>
        createFile(team, {
          ...{
            folder: root.key,
            name: 'site.3dm',
            kind: 'model',
            source: source(100),
            facts: '{"units":"m"}',
          },
          ...{ thumbnail: 'picture', objectIds: [ID] },
          ...facts,
        }),
      ),
    read: (key: TeamFileKey) =>
      database.read.selectFrom('team_file').where('id', '=', key).selectAll().executeTakeFirst(),
    objects: () => database.read.selectFrom('model_object').selectAll().execute(),
    discarded: async () =>
      (await database.read.selectFrom('discarded_blob').select('digest').execute()).map(
        ({ digest }) => digest,
      ),
  }
}

for (const kind of DATABASES) {
  describe(`files of a team on ${kind.name}`, kind.options, () => {
    test('given a model, when it is changed, renamed and moved, then it keeps its id, its times never go back, and what was replaced is discarded', async (t) => {
      const { create, read, change, source, folder, objects, discarded, root } = await start(t, kind)
      const { key, id } = await create()
      assert.match(id, /^fil_/)
      const made = (await read(key))!
      assert.deepEqual(
        [made.source_modified, made.blob, made.thumbnail, made.bin_id],
        [5, 'blob-100', 'picture', null],
      )
      assert.deepEqual(await objects(), [{ object_id: ID, file_id: key }])

      const towers = await folder('Towers')
      await change((team) => renameFile(team, key, 'Plot.3dm'))
      await change((team) => moveFile(team, key, towers.key))
      await change((team) => updateFile(team, key, { source: source(200), facts: '{}', objectIds: [] }))
      const changed = (await read(key))!
      assert.deepEqual(
        [changed.name, changed.name_folded, changed.folder_id, changed.source_size, changed.thumbnail],
        ['Plot.3dm', 'PLOT.3DM', towers.key, 200, null],
      )
      assert.ok(changed.updated_at > made.updated_at && changed.created_at === made.created_at)
      assert.deepEqual(await objects(), [])
      assert.deepEqual((await discarded()).sort(), ['blob-100', 'picture'])
      assert.equal((await change((team) => findImported(team.write, root.key, ['site.3dm'])))[0]!.id, id)
    })

    test('[QUO-1] [QUO-3] given a limit on bytes, when files are stored, replaced and deleted, then their bytes count, and too many are rejected', async (t) => {
      const { create, change, source, database, team } = await start(t, kind)
      await change((team) => setLimits(team, { bytes: 250, documents: null }))
      const { key } = await create()
      await assert.rejects(create({ source: source(200, 'b.3dm') }), QuotaError)
      await create({ source: source(150, 'b.3dm') })
      assert.equal((await getQuota(database.read, team)).use.bytes, 250)
      const bigger = change((team) =>
        updateFile(team, key, { source: source(101), facts: '{}', objectIds: [] }),
      )
      await assert.rejects(bigger, QuotaError)
      await change((team) => updateFile(team, key, { source: source(50), facts: '{}', objectIds: [] }))
      assert.deepEqual((await getQuota(database.read, team)).use, { bytes: 200, documents: 0 })
      await database.transaction((write) => write.deleteFrom('team_file').where('id', '=', key).execute())
      assert.equal((await getQuota(database.read, team)).use.bytes, 150)
    })

    test('[BIN-1, BIN-3] given a folder with a model, when it is deleted and restored, and the model alone, then the model is where it was', async (t) => {
      const { create, change, read, folder, user, database } = await start(t, kind)
      const towers = await folder('Towers')
      const { key, id } = await create({ folder: towers.key })
      await change((team) => putFolderIntoBin(team, towers.key, user))
      const { bin_id: item } = (await read(key))!
      await assert.rejects(
        change((team) => renameFile(team, key, 'x.3dm')),
        /no file/,
      )
      await change((team) => restoreFromBin(team, item!))
      assert.equal((await read(key))!.bin_id, null)

      await change((team) => putFileIntoBin(team, key, user))
      const alone = (await read(key))!.bin_id!
      await assert.rejects(
        change((team) => putFileIntoBin(team, key, user)),
        /no file/,
      )
      const restored = await change((team) => restoreFromBin(team, alone))
      assert.deepEqual([restored.kind, restored.id, restored.folder.key], ['file', id, towers.key])
      assert.equal((await read(key))!.source_gone, null)
      assert.deepEqual(await database.read.selectFrom('bin_item').selectAll().execute(), [])
    })

    test('given a file and a document that are gone, when an import deletes them and a person restores them, then they are marked to be kept', async (t) => {
      const { create, change, read, document, source, database } = await start(t, kind)
      const file = await create()
      const { key } = await document({ source: source(8, 'a.gh') })
      for (const item of [{ kind: 'model', key: file.key } as const, { kind: 'document', key } as const]) {
        await change((team) => setGone(team, [item]))
        await change((team) => putGoneIntoBin(team, [item]))
      }
      const items = await database.read.selectFrom('bin_item').selectAll().execute()
      assert.deepEqual(
        items.map(({ deleted_by, file_is_gone }) => [deleted_by, file_is_gone]),
        [
          [null, 1],
          [null, 1],
        ],
      )
      for (const item of items) await change((team) => restoreFromBin(team, item.id))
      assert.equal((await read(file.key))!.source_gone, 'kept')
      const row = await database.read.selectFrom('document').select('source_gone').executeTakeFirstOrThrow()
      assert.equal(row.source_gone, 'kept')
    })
  })
}
