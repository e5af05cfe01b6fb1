import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { DocumentId } from '@meadow/contract'
import fc from 'fast-check'
import { DATABASES } from '../../testing/databases.ts'
import { givenTeam } from '../../testing/given-team.ts'
import type { Database, Write } from './database.ts'
import { foldName } from './names.ts'
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
    fc.string({ unit: sameness, minLength: 1, maxLength: 12 }),
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
})
const query = fc.record({
  text: fc.oneof(fc.string({ unit: sameness, maxLength: 7 }), fc.string({ unit: character, maxLength: 3 })),
  branch: fc.option(fc.nat(3), { nil: undefined }),
  limit: fc.integer({ min: 1, max: 9 }),
})

for (const kind of DATABASES) {
  describe(`the search index on ${kind.name}`, kind.options, () => {
    test('given any documents, when they are added and changed, then a search finds what looking at each one finds', async (t) => {
      const database = await kind.open(t)
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
            await database.searchIndex.apply(write, { remove: [], add: added })
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
            await database.searchIndex.apply(write, { remove, add })
            return [...indexed.filter((before) => !remove.includes(before)), ...add]
          })
          for (const { text, branch, limit } of queries) {
            const folder = branch === undefined ? undefined : lineages[branch]!.at(-1)
            const wanted = { team, textFolded: foldName(text), folder, limit }
            assert.deepEqual(await database.searchIndex.find(wanted), findByLooking(current, wanted))
          }
        },
      )
      await fc.assert(scenario, { numRuns: 60 })
    })
  })
}

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
  { textFolded, folder, limit }: IndexQuery,
): DocumentKey[] {
  const isFound = ({ nameFolded, folders }: IndexedDocument) =>
    nameFolded.includes(textFolded) && (folder === undefined || folders.includes(folder))
  const group = ({ nameFolded }: IndexedDocument) => (nameFolded.startsWith(textFolded) ? 0 : 1)
  return documents
    .filter(isFound)
    .sort((a, b) => group(a) - group(b) || b.updatedAt - a.updatedAt || (a.publicId < b.publicId ? -1 : 1))
    .slice(0, limit)
    .map(({ id }) => id)
}
