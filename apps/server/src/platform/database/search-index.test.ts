import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { DocumentId } from '@meadow/contract'
import fc from 'fast-check'
import { sql } from 'kysely'
import pg from 'pg'
import { atEnd, type TestScope } from '../../testing/at-end.ts'
import { DATABASES } from '../../testing/databases.ts'
import { givenTeam } from '../../testing/given-team.ts'
import type { Database, Write } from './database.ts'
import { foldName } from './names.ts'
import { type DatabaseLocation, openDatabase } from './open-database.ts'
import { openPostgresPool } from './postgres/postgres-pool.ts'
import { createPostgresSearchIndex } from './postgres/postgres-search-index.ts'
import type { IndexedDocument, IndexQuery } from './search-index.ts'
import type { DocumentKey, FolderKey, TeamKey } from './tables.ts'
import { MAX_TIME } from './times.ts'

/** What can happen to a document: made as `first`, then perhaps changed. */
interface Facts {
  name: string
  updatedAt: number
  /** One of the folders that `givenFolders` makes. */
  branch: number
}

/** Characters that are special somewhere: to SQL, to FTS5, to Unicode, to the index itself. */
const character = fc.constantFrom(
  ...['a', 'A', 'b', '%', '_', '"', "'", ' ', '\t', '*', '^', '.', '/', '\\', '-', '0', 'ß', 'ẞ', 'SS'],
  ...['é', 'e\u0301', 'İ', 'i', 'ı', 'Σ', 'ς', 'ﬁ', '😀', '𝒳', '\ue020', '\u00a0', '\u0301'],
)
/** Two characters only: names that share most of their grams. */
const sameness = fc.constantFrom('a', 'b')
const facts: fc.Arbitrary<Facts> = fc.record({
  name: fc.oneof(
    fc.string({ unit: sameness, minLength: 1, maxLength: 16 }),
    fc.string({ unit: character, minLength: 1, maxLength: 8 }),
  ),
  // Few times, and below few beginnings of ids, so that many documents share one position in the order.
  updatedAt: fc.constantFrom(0, 1, 2, Date.UTC(2026, 0, 1), MAX_TIME),
  branch: fc.nat(3),
})
const document = fc.record({
  idStart: fc.constantFrom('0000', '0001', 'zzzz'),
  first: facts,
  later: fc.option(facts, { nil: undefined }),
  /** Taken out of the index and put back, as by the bin. */
  isBinned: fc.boolean(),
})
const query = fc.record({
  text: fc.oneof(fc.string({ unit: sameness, maxLength: 12 }), fc.string({ unit: character, maxLength: 3 })),
  branch: fc.option(fc.nat(3), { nil: undefined }),
  limit: fc.integer({ min: 1, max: 9 }),
})

/** On PostgreSQL also with portions so small that every way of searching is taken. */
const KINDS = DATABASES.flatMap((kind) => [
  { ...kind, openIndex: async (_: TestScope, { searchIndex }: Database) => searchIndex },
  ...(kind.name === 'postgres'
    ? [{ ...kind, name: 'postgres, with few documents that are looked at', openIndex: openSmallPortions }]
    : []),
])

async function openSmallPortions(t: TestScope, _: Database, { databaseUrl }: DatabaseLocation) {
  const pool = openPostgresPool({ url: databaseUrl! }, { types: pg.types })
  atEnd(t, () => pool.end())
  return createPostgresSearchIndex(pool, { sample: 3, newest: 5 })
}

for (const kind of KINDS) {
  describe(`the search index on ${kind.name}`, kind.options, () => {
    test('given any documents, when they are added, changed, taken out and put back, then a search finds what looking at each one finds', async (t) => {
      const location = await kind.createLocation(t)
      const database = await openDatabase(location)
      atEnd(t, () => database.close())
      const index = await kind.openIndex(t, database, location)
      const scenario = fc.asyncProperty(
        fc.array(document, { maxLength: 40 }),
        fc.array(query, { minLength: 5, maxLength: 15 }),
        async (documents, queries) => {
          const { team, lineages } = await givenFolders(database)
          const indexed = await database.transaction(async (write) => {
            const added: IndexedDocument[] = []
            for (const { idStart, first } of documents) {
              added.push(await insertDocument(write, team, lineages[first.branch]!, idStart, first))
            }
            await index.apply(write, { remove: [], add: added })
            return added
          })
          const current = await database.transaction(async (write) => {
            const remove: IndexedDocument[] = []
            const add: IndexedDocument[] = []
            for (const [index, { later }] of documents.entries()) {
              if (!later) continue
              const before = indexed[index]!
              remove.push(before)
              add.push(await changeDocument(write, before, lineages[later.branch]!, later))
            }
            await index.apply(write, { remove, add })
            return [...indexed.filter((before) => !remove.includes(before)), ...add]
          })
          const binned = current.filter(
            ({ id }) => documents[indexed.findIndex((one) => one.id === id)]!.isBinned,
          )
          await database.transaction((write) => index.apply(write, { remove: binned, add: [] }))
          await database.transaction((write) => index.apply(write, { remove: [], add: binned }))
          for (const { text, branch, limit } of queries) {
            const folders = branch === undefined ? undefined : lineages[branch]!
            const wanted = { team, textFolded: foldName(text), folders, limit }
            assert.deepEqual(await index.find(wanted), findByLooking(current, wanted))
          }
        },
      )
      await fc.assert(scenario, { numRuns: 60 })
    })

    test('given documents, when the index is made again, then a search finds the same in the same order', async (t) => {
      const database = await kind.open(t)
      const { team, lineages } = await givenFolders(database)
      const names = ['Facade panels', 'Panel', 'Facade study', 'A facade panel', 'Truss']
      await database.transaction(async (write) => {
        const add: IndexedDocument[] = []
        for (const [index, name] of names.entries()) {
          const facts = { name, updatedAt: index % 3, branch: 1 }
          add.push(await insertDocument(write, team, lineages[1]!, '0000', facts))
        }
        await database.searchIndex.apply(write, { remove: [], add })
      })
      const find = (textFolded: string) => database.searchIndex.find({ team, textFolded, limit: 9 })
      const before = [await find(''), await find('A'), await find('FACADE PANEL')]
      await database.transaction((write) => database.searchIndex.rebuild(write))
      assert.deepEqual([await find(''), await find('A'), await find('FACADE PANEL')], before)
      assert.equal(before[0]!.length, names.length)
    })
  })
}

test('given many documents that come back between two whose slots have no room for them, then those after them are moved once', async (t) => {
  const database = await openDatabase(await DATABASES[0]!.createLocation(t))
  atEnd(t, () => database.close())
  const { team, lineages } = await givenFolders(database)
  const insert = (first: number, count: number) =>
    database.transaction(async (write) => {
      const add: IndexedDocument[] = []
      for (let at = first; at < first + count; at++) {
        add.push(
          await insertDocument(write, team, lineages[1]!, '0000', {
            name: 'Panel',
            updatedAt: at,
            branch: 1,
          }),
        )
      }
      await database.searchIndex.apply(write, { remove: [], add })
      return add
    })
  const old = await insert(0, 10)
  const binned = await insert(1000, 300)
  await database.transaction((write) => database.searchIndex.apply(write, { remove: binned, add: [] }))
  // These get the slots that the others had.
  const later = await insert(2000, 500)
  const { rows } = await database.transaction(async (write) => {
    await sql`create temporary table moved (slot integer)`.execute(write)
    await sql`create temporary trigger moved after update on search_slot begin
      insert into moved values (new.slot); end`.execute(write)
    await database.searchIndex.apply(write, { remove: [], add: binned })
    return sql<{ moved: number }>`select count(*) as moved from moved`.execute(write)
  })
  assert.ok(rows[0]!.moved < 100, `${rows[0]!.moved} were moved`)
  const wanted = { team, textFolded: 'PANEL', limit: 1000 }
  assert.deepEqual(
    await database.searchIndex.find(wanted),
    findByLooking([...old, ...binned, ...later], wanted),
  )
})

test('given a document that is changed while a search reads those before it, then it is found', async (t) => {
  const database = await openDatabase(await DATABASES[0]!.createLocation(t))
  atEnd(t, () => database.close())
  const { team, lineages } = await givenFolders(database)
  const facts = { name: 'abab baba', updatedAt: 1, branch: 1 }
  const wanted = await database.transaction(async (write) => {
    const wanted = await insertDocument(write, team, lineages[1]!, '0000', { ...facts, name: 'ababa' })
    const add = [wanted]
    // More than are compared at once: their names have the grams of the text.
    for (let updatedAt = 2; updatedAt < 200; updatedAt++)
      add.push(await insertDocument(write, team, lineages[1]!, '0000', { ...facts, updatedAt }))
    await database.searchIndex.apply(write, { remove: [], add })
    return wanted
  })
  const found = database.searchIndex.find({ team, textFolded: 'ABABA', limit: 9 })
  await database.transaction(async (write) => {
    const after = await changeDocument(write, wanted, lineages[1]!, {
      ...facts,
      name: 'ababa',
      updatedAt: 300,
    })
    await database.searchIndex.apply(write, { remove: [wanted], add: [after] })
  })
  assert.deepEqual(await found, [wanted.id])
})

/** The folders of four branches, each with those above it. */
async function givenFolders(database: Database): Promise<{ team: TeamKey; lineages: FolderKey[][] }> {
  const { team, root, folder } = await givenTeam(database)
  const towers = await folder('Towers')
  const deep = await folder('Deep', towers.key)
  const other = await folder('Other')
  const lineages = [[root], [root, towers], [root, towers, deep], [root, other]]
  return { team, lineages: lineages.map((lineage) => lineage.map(({ key }) => key)) }
}

let documents = 0

async function insertDocument(
  write: Write,
  team: TeamKey,
  folders: FolderKey[],
  idStart: string,
  { name, updatedAt }: Facts,
): Promise<IndexedDocument> {
  const publicId = `doc_${idStart}${String(++documents).padStart(12, '0')}` as DocumentId
  const nameFolded = foldName(name)
  const { id } = await write
    .insertInto('document')
    .values({
      public_id: publicId,
      team_id: team,
      folder_id: folders.at(-1)!,
      name,
      name_folded: nameFolded,
      visibility: 'private',
      created_at: 0,
      updated_at: updatedAt,
      seq: 1,
      name_order: '',
      content_bytes: 0,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, publicId, team, folders, nameFolded, updatedAt }
}

async function changeDocument(
  write: Write,
  before: IndexedDocument,
  folders: FolderKey[],
  { name, updatedAt }: Facts,
): Promise<IndexedDocument> {
  const nameFolded = foldName(name)
  await write
    .updateTable('document')
    .set({ folder_id: folders.at(-1)!, name, name_folded: nameFolded, updated_at: updatedAt })
    .where('id', '=', before.id)
    .execute()
  return { ...before, folders, nameFolded, updatedAt }
}

/** What `find` has to return: in order, with the first group before the second. */
function findByLooking(
  documents: IndexedDocument[],
  { textFolded, folders, limit }: IndexQuery,
): DocumentKey[] {
  const isFound = (document: IndexedDocument) =>
    document.nameFolded.includes(textFolded) && (!folders || document.folders.includes(folders.at(-1)!))
  const group = ({ nameFolded }: IndexedDocument) => (nameFolded.startsWith(textFolded) ? 0 : 1)
  return documents
    .filter(isFound)
    .sort((a, b) => group(a) - group(b) || b.updatedAt - a.updatedAt || (a.publicId < b.publicId ? -1 : 1))
    .slice(0, limit)
    .map(({ id }) => id)
}
