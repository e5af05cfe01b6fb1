import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { createDocument } from '../library/documents.ts'
import { findFolder } from '../library/folders.ts'
import { DATABASES } from '../testing/databases.ts'
import { BLOB_COLUMNS, type BlobReference, listBlobReferences } from './blob-references.ts'
import { changeTeam } from './team-transaction.ts'
import { createTeam } from './teams.ts'

const digestOf = (text: string) => createHash('sha256').update(text).digest('hex')

/** Names of columns that hold digests, or once might. */
const LOOKS_LIKE_A_BLOB = /blob|digest|thumbnail|_gzip$|_zstd$|^model$|^summary$/
/** Digests of other things, of blobs that may be gone, and the id of a store. */
const OTHERS = ['document_facts.digest', 'discarded_blob.digest', 'process.blob_store']

for (const kind of DATABASES) {
  describe(kind.name, kind.options, () => {
    test('[DR-9] given every kind of row that refers to a blob, when references are listed in pages of two, then each is listed once with its row', async (t) => {
      const database = await kind.open(t)

      const team = await createTeam(database, { name: 'Acme' })
      const root = (await findFolder(database.read, team.key, 'root'))!
      const expected: Omit<BlobReference, 'key'>[] = []
      const keys: number[] = []
      for (let number = 0; number < 3; number++) {
        const content = { kind: 'blob', digest: digestOf(`content ${number}`), size: 9 } as const
        const properties = { name: 'Tower', createdAt: 0, updatedAt: 0, folder: root.key }
        const { id } = await changeTeam(database, team.key, (change) =>
          createDocument(change, { ...properties, content }),
        )
        const { key } = await database.read
          .selectFrom('document')
          .where('public_id', '=', id)
          .select('id as key')
          .executeTakeFirstOrThrow()
        keys.push(key)
        expected.push({ digest: content.digest, column: indexOf('document_snapshot', 'blob') })
        await database.transaction(async (write) => {
          for (const value of ['a', 'b', 'c']) {
            const digest = digestOf(`${value} ${number}`)
            await write
              .insertInto('document_value')
              .values({ document_id: key, digest, bytes: 1, is_tree: 0, unused_at: null })
              .execute()
            expected.push({ digest, column: indexOf('document_value', 'digest') })
          }
          const file = digestOf(`file ${number}`)
          await sql`update document set source_root_id = ${root.key}, source_from = 'x', source_sha256 = 'x',
            source_path = ${String(number)}, source_size = 1, source_blob = ${file} where id = ${key}`.execute(
            write,
          )
          expected.push({ digest: file, column: indexOf('document', 'source_blob') })
        })
      }
      const listed: BlobReference[] = []
      for await (const page of listBlobReferences(database.read, 2)) {
        assert.ok(page.length <= 2)
        listed.push(...page)
      }
      assert.ok(listed.every(({ key }) => keys.includes(key)))
      const sorted = (references: readonly Omit<BlobReference, 'key'>[]) =>
        references.map(({ digest, column }) => `${column} ${digest}`).toSorted()
      assert.deepEqual(sorted(listed), sorted(expected))
    })
  })
}

const indexOf = (table: string, column: string) =>
  BLOB_COLUMNS.findIndex((known) => known.table === table && known.column === column)

test('[DR-9] given the tables, then every column that looks as if it refers to blobs is known', async (t) => {
  const database = await DATABASES[0]!.open(t)
  const { rows } = await database.transaction((write) =>
    sql<{ name: string }>`
      select t.name || '.' || c.name as name from sqlite_schema t join pragma_table_info(t.name) c
      where t.type = 'table' and t.sql like '%strict%'`.execute(write),
  )
  const found = rows
    .map(({ name }) => name)
    .filter((name) => LOOKS_LIKE_A_BLOB.test(name.split('.')[1]!) && !OTHERS.includes(name))
  assert.deepEqual(found.toSorted(), BLOB_COLUMNS.map(({ table, column }) => `${table}.${column}`).toSorted())
})
