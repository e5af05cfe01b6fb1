import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { moveFolder } from '../../../library/folders.ts'
import { changeTeam } from '../../../team/team-transaction.ts'
import { DATABASES } from '../../../testing/databases.ts'
import { givenTeam } from '../../../testing/given-team.ts'
import type { PortableValue } from '../columns.ts'
import type { Database } from '../database.ts'
import { foldName } from '../names.ts'
import { BACKED_UP } from './backed-up-tables.ts'
import { describeTable, readRows } from './read-table.ts'
import { type FilledTable, writeTables } from './write-tables.ts'

async function readAll(database: Database): Promise<FilledTable[]> {
  return database.snapshot(async (snapshot) => {
    const tables: FilledTable[] = []
    for (const name of BACKED_UP) {
      const table = await describeTable(database, name)
      assert.ok(table, name)
      const portions: PortableValue[][][] = []
      for await (const rows of readRows(snapshot, table)) portions.push(rows)
      const { keys: _, ...portable } = table
      tables.push({ ...portable, rows: () => portions.values() as never })
    }
    return tables
  })
}

/** All rows as a backup has them. */
const contents = (tables: readonly FilledTable[]) =>
  tables.map(({ name, columns, rows, lastKey }) => ({ name, columns, lastKey, rows: [...(rows() as never)] }))

async function fill(database: Database) {
  const { team, folder, document, root } = await givenTeam(database, 'Açme "7"')
  const parent = await folder('Höfe')
  const home = await folder('Inner', parent.key)
  await document({ name: 'Ünder', folder: home.key })
  const last = await document({ name: 'Tower' })
  // A folder whose parent has a higher key.
  const above = await folder('Above')
  await changeTeam(database, team, (change) => moveFolder(change, parent.key, above.key))
  await database.transaction(async (write) => {
    await write.deleteFrom('document').where('public_id', '=', last.id).execute()
    await write
      .insertInto('user')
      .values({
        id: 'usr_1' as never,
        name: 'Ann',
        email: 'ann@example.org',
        emailVerified: database.dialect === 'sqlite' ? 1 : (true as never),
        createdAt: '2026-01-02T03:04:05.678Z',
        updatedAt: '2026-01-02T03:04:05.678Z',
      })
      .execute()
  })
  return { team, folders: [root, above, parent, home].map(({ key }) => key) }
}

for (const from of DATABASES) {
  for (const to of DATABASES) {
    describe(`rows from ${from.name} to ${to.name}`, { skip: from.options.skip || to.options.skip }, () => {
      test('[BAK-5] given rows, when they are written to an empty database, then all are the same, found by search, and their keys are not given again', async (t) => {
        const source = await from.open(t)
        const { team, folders } = await fill(source)
        const tables = await readAll(source)
        const target = await to.open(t)
        await writeTables(target, tables)
        const copy = await readAll(target)
        const [expected, actual] = [contents(tables), contents(copy)]
        for (const [index, table] of expected.entries()) {
          // SQLite gives other keys than those of documents again.
          assert.deepEqual(omitKey(actual[index]!), omitKey(table))
          if (table.name === 'document') assert.equal(actual[index]!.lastKey, 2)
        }
        const found = await target.searchIndex.find({
          team,
          textFolded: foldName('Ünder'),
          folders,
          limit: 5,
        })
        assert.equal(found.length, 1)
        const made = await givenTeam(target, 'Second')
        const { key } = await made.document()
        assert.equal(key, 3)
      })

      test('[BAK-5] given rows that refer to a missing one, when they are written, then that fails and nothing is changed', async (t) => {
        const source = await from.open(t)
        await fill(source)
        const tables = (await readAll(source)).map((table) =>
          table.name === 'folder' ? { ...table, rows: () => [].values() as never } : table,
        )
        const target = await to.open(t)
        await assert.rejects(writeTables(target, tables), /document|team_file/)
        const [row] = await target.read
          .selectFrom('team')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .execute()
        assert.equal(Number(row!.count), 0)
        await givenTeam(target)
      })
    })
  }
}

const omitKey = ({ lastKey: _, ...rest }: ReturnType<typeof contents>[number]) => rest

for (const kind of DATABASES) {
  describe(`a snapshot of ${kind.name}`, kind.options, () => {
    test('[BAK-1] given a snapshot, when others write meanwhile, then it has none of it', async (t) => {
      const database = await kind.open(t)
      await givenTeam(database, 'Before')
      const names = await database.snapshot(async (snapshot) => {
        await givenTeam(database, 'After')
        const seen: unknown[] = []
        for await (const rows of snapshot.stream('select name from team order by id', 1)) seen.push(...rows)
        return seen
      })
      assert.deepEqual(names, [['Before']])
    })
  })
}
