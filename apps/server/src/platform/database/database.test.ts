import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { atEnd } from '../../testing/at-end.ts'
import { DATABASES } from '../../testing/databases.ts'
import { givenTeam } from '../../testing/given-team.ts'
import type { Database } from './database.ts'
import { openDatabase } from './open-database.ts'
import type { TeamKey } from './tables.ts'

const readCredits = async (database: Database, team: TeamKey) =>
  (await database.read.selectFrom('team').where('id', '=', team).select('credit_tenths').executeTakeFirst())
    ?.credit_tenths

for (const kind of DATABASES) {
  describe(`a database on ${kind.name}`, kind.options, () => {
    const addCredits = (database: Database, team: TeamKey, credits: number) =>
      database.transaction((write) =>
        write
          .updateTable('team')
          .set(({ eb }) => ({ credit_tenths: eb('credit_tenths', '+', credits) }))
          .where('id', '=', team)
          .execute(),
      )

    test('given work that throws, then nothing of its transaction stays, and the next one runs', async (t) => {
      const database = await kind.open(t)
      const { team } = await givenTeam(database)
      const work = database.transaction(async (write) => {
        await write.updateTable('team').set({ credit_tenths: 5 }).where('id', '=', team).execute()
        throw new Error('changed my mind')
      })
      await assert.rejects(work, /changed my mind/)
      assert.equal(await readCredits(database, team), 0)
      await addCredits(database, team, 7)
      assert.equal(await readCredits(database, team), 7)
    })

    test('given many transactions at once, in two processes as it were, then none is lost', async (t) => {
      const location = await kind.createLocation(t)
      const [one, two] = [await openDatabase(location), await openDatabase(location)]
      atEnd(t, () => one.close())
      atEnd(t, () => two.close())
      const { team } = await givenTeam(one)
      await Promise.all(Array.from({ length: 40 }, (_, index) => addCredits(index % 2 ? one : two, team, 1)))
      assert.equal(await readCredits(two, team), 40)
    })

    test('given a writer elsewhere that holds its lock, then reads see what was before, and writes wait', async (t) => {
      const location = await kind.createLocation(t)
      const [here, elsewhere] = [await openDatabase(location), await openDatabase(location)]
      atEnd(t, () => here.close())
      atEnd(t, () => elsewhere.close())
      const { team } = await givenTeam(here)

      const locked = Promise.withResolvers<void>()
      const release = Promise.withResolvers<void>()
      const order: string[] = []
      const first = elsewhere.transaction(async (write) => {
        await write.updateTable('team').set({ credit_tenths: 1 }).where('id', '=', team).execute()
        locked.resolve()
        await release.promise
        order.push('first')
      })
      await locked.promise
      const second = addCredits(here, team, 10).then(() => order.push('second'))
      for (let reads = 0; reads < 20; reads++) assert.equal(await readCredits(here, team), 0)
      assert.deepEqual(order, [])
      release.resolve()
      await Promise.all([first, second])
      assert.deepEqual(order, ['first', 'second'])
      assert.equal(await readCredits(here, team), 11)
    })

    test('given a prepared read, then each run has its own parameters, and a name may stand twice', async (t) => {
      const database = await kind.open(t)
      const { team } = await givenTeam(database, 'Acme')
      const read = database.prepare((db, { name }: { name: string }) =>
        db
          .selectFrom('team')
          .where('name', '=', name)
          .where('name', '>=', name)
          .where('credit_tenths', '=', 0)
          .select(['id', 'name', 'created_at']),
      )
      const row = await read.first({ name: 'Acme' })
      assert.deepEqual([row?.id, row?.name, typeof row?.created_at], [team, 'Acme', 'number'])
      assert.deepEqual(await read.all({ name: 'Nobody' }), [])
      assert.equal(await read.first({ name: 'Nobody' }), undefined)
    })

    test('given what only the type forbids, then reads cannot write on SQLite', async (t) => {
      if (kind.name !== 'sqlite') return
      const database = await kind.open(t)
      const write = database.read as unknown as Parameters<Parameters<Database['transaction']>[0]>[0]
      await assert.rejects(write.deleteFrom('team').execute(), /readonly/)
    })
  })
}

test('given a database that cannot be opened, then a sentence states which and why, without the password', async (t) => {
  const databaseUrl = 'postgres://nobody:secret@127.0.0.1:1/none'
  const atNoServer =
    /^Error: Cannot open the PostgreSQL database at 127\.0\.0\.1:1: nothing answers at that address\.$/
  await assert.rejects(openDatabase({ databaseUrl, dataDir: '' }), atNoServer)

  const folder = await mkdtemp(join(tmpdir(), 'meadow-test-'))
  atEnd(t, () => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'meadow.sqlite'), 'this is no database, however long it may be'.repeat(99))
  await assert.rejects(
    openDatabase({ dataDir: folder }),
    /Cannot open the database in ".*": the file is not a database\.$/,
  )
  const inFile = join(folder, 'meadow.sqlite', 'data')
  await assert.rejects(openDatabase({ dataDir: inFile }), /a part of its path is not a folder/)
})
