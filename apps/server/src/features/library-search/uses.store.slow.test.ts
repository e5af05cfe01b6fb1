import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import type { GraphContent, Node } from '@meadow/contract'
import { addNodes, moveNodesBy, removeNodes } from '@meadow/document/live'
import { readClusters, readDefinition } from '@meadow/grasshopper'
import fc from 'fast-check'
import { sql } from 'kysely'
import * as Y from 'yjs'
import { createDocumentContents } from '../../content/document-contents.ts'
import { givenContent } from '../../content/testing/given-content.ts'
import { putDocumentIntoBin, restoreFromBin } from '../../library/bin.ts'
import { updateDocument } from '../../library/documents.ts'
import type { Write } from '../../platform/database/database.ts'
import type { BinKey, DocumentKey, TeamKey } from '../../platform/database/tables.ts'
import { raiseVersion } from '../../team/raise-version.ts'
import { changeTeam } from '../../team/team-transaction.ts'
import { atEnd } from '../../testing/at-end.ts'
import { createClusteredFile } from '../../testing/clustered-file.ts'
import { DATABASES, type TestDatabase } from '../../testing/databases.ts'
import { until } from '../../testing/until.ts'
import { createFindUsesStore } from './find-uses.store.ts'
import { indexDocuments } from './indexer.ts'
import { listDocumentUses } from './reading/document-uses.ts'
import { openUsesReader } from './reading/uses-reader.ts'
import { addition, graphOf, kangaroo, panel, reference, script, slider } from './testing/library-nodes.ts'
import { createUsesStore, type ReadDocument } from './uses.store.ts'

const OBJECT = 'cccccccc-0000-4000-8000-00000000000'
/** What documents and edits are made of. */
const MAKERS: readonly (() => Node)[] = [
  slider,
  panel,
  addition,
  () => kangaroo('2.42'),
  () => kangaroo('2.5'),
  () => script('import numpy'),
  () => script('using Rhino;', 'csharp'),
  () => reference(`${OBJECT}1`),
  () => reference(`${OBJECT}2`),
]
const FILES = [createClusteredFile(3), createClusteredFile(4)]

async function givenLibrary(t: TestContext, kind: TestDatabase) {
  const fixtures = await givenContent(t, kind)
  const { database, blobs, blobsLocation } = fixtures
  const contents = createDocumentContents(database, blobs)
  const reader = openUsesReader(contents, blobsLocation)
  atEnd(t, async () => reader[Symbol.asyncDispose]())
  const store = createUsesStore(database)
  const search = createFindUsesStore(database)

  async function importFile(index: number) {
    const bytes = FILES[index]!
    const { digest } = await blobs.put(bytes)
    const { content } = readDefinition(bytes)
    return {
      content,
      source: {
        root: fixtures.root.key,
        from: '/files',
        path: `${Math.random()}.gh`,
        sha256: digest,
        blob: digest,
        sizeBytes: bytes.length,
        mtimeMs: null,
      },
    }
  }

  /** What a full scan of the documents says, as rows that can be compared. */
  async function scan(): Promise<string[]> {
    const rows: string[] = []
    const documents = database.read.selectFrom('document').where('bin_id', 'is', null)
    for (const { id, blob } of await documents.select(['id', 'source_blob as blob']).execute()) {
      const bytes = (await contents.read(id))!.value
      const content: GraphContent = JSON.parse(new TextDecoder().decode(bytes))
      const file = blob === null ? undefined : await blobs.read(blob)
      const { uses } = listDocumentUses(content, file ? readClusters(file) : new Map())
      for (const use of uses)
        rows.push(`${id} ${use.kind} ${use.key} ${use.version} ${use.nodes} ${use.nested}`)
    }
    return rows.sort()
  }

  async function readIndex(): Promise<string[]> {
    const rows = await database.read
      .selectFrom('document_use')
      .innerJoin('used_thing', 'used_thing.id', 'document_use.thing_id')
      .innerJoin('document', 'document.id', 'document_use.document_id')
      .where('document.bin_id', 'is', null)
      .select(['document.id', 'kind', 'key', 'version', 'nodes', 'nested'])
      .execute()
    return rows
      .map(
        ({ id, kind, key, version, nodes, nested }) => `${id} ${kind} ${key} ${version} ${nodes} ${nested}`,
      )
      .sort()
  }

  async function edit(document: DocumentKey, work: (doc: Y.Doc, nodes: string[]) => void) {
    const replica = await fixtures.open(document)
    const copy = new Y.Doc()
    Y.applyUpdate(copy, Y.encodeStateAsUpdate(replica.doc))
    const made: Uint8Array[] = []
    copy.on('update', (update: Uint8Array) => made.push(update))
    const nodes = Object.keys(
      JSON.parse(new TextDecoder().decode((await contents.read(document))!.value)).nodes,
    )
    work(copy, nodes)
    if (made.length > 0)
      await fixtures.changes.append({ document, team: fixtures.team, update: Y.mergeUpdates(made) })
    replica.close()
  }

  async function compact(document: DocumentKey) {
    const replica = await fixtures.open(document)
    await replica.catchUp()
    await replica.compact()
    replica.close()
  }

  return {
    ...fixtures,
    contents,
    reader,
    indexed: { store, reader },
    search,
    importFile,
    scan,
    readIndex,
    edit,
    compact,
  }
}

const steps = fc.array(
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constant('create' as const),
        makers: fc.array(fc.nat(8), { maxLength: 5 }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('import' as const), file: fc.nat(1) }) },
    {
      weight: 1,
      arbitrary: fc.record({ do: fc.constant('replace' as const), which: fc.nat(20), file: fc.nat(1) }),
    },
    {
      weight: 4,
      arbitrary: fc.record({ do: fc.constant('add' as const), which: fc.nat(20), maker: fc.nat(8) }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ do: fc.constant('remove' as const), which: fc.nat(20), node: fc.nat(5) }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('move' as const), which: fc.nat(20) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('compact' as const), which: fc.nat(20) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('bin' as const), which: fc.nat(20) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('restore' as const), which: fc.nat(20) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), which: fc.nat(20) }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('index' as const) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('kill' as const), after: fc.nat(3) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('clean' as const) }) },
  ),
  { minLength: 10, maxLength: 30, size: 'max' },
)
type Step = typeof steps extends fc.Arbitrary<(infer One)[]> ? One : never

for (const kind of DATABASES) {
  describe(`the index of uses on ${kind.name}`, kind.options, () => {
    test('[USE-7] given any edits, imports, deletions and indexers that are killed, when the rest is indexed, then the index is what a scan of all documents finds', async (t) => {
      const library = await givenLibrary(t, kind)
      const { database, team, indexed } = library
      const live = async () =>
        (
          await database.read
            .selectFrom('document')
            .where('bin_id', 'is', null)
            .select('id')
            .orderBy('id')
            .execute()
        ).map(({ id }) => id)
      const binned = () => database.read.selectFrom('bin_item').selectAll().orderBy('id').execute()

      async function take(step: Step): Promise<void> {
        const documents = await live()
        const chosen = 'which' in step ? documents[step.which % Math.max(1, documents.length)] : undefined
        switch (step.do) {
          case 'create':
            await library.live(graphOf(...step.makers.map((maker) => MAKERS[maker]!())))
            return
          case 'import': {
            const { content, source } = await library.importFile(step.file)
            await library.live(content, { source })
            return
          }
          case 'replace': {
            if (chosen === undefined) return
            const { content, source } = await library.importFile(step.file)
            const bytes = Buffer.from(JSON.stringify(content))
            await changeTeam(database, team, (change) =>
              updateDocument(change, chosen, {
                blobs: library.blobs,
                updatedAt: Date.now(),
                content: { kind: 'inline', bytes },
                readContent: async () => content,
                source,
              }),
            )
            return
          }
          case 'add':
            if (chosen !== undefined)
              await library.edit(chosen, (doc) => addNodes(doc, [MAKERS[step.maker]!()]))
            return
          case 'remove':
            if (chosen !== undefined)
              await library.edit(chosen, (doc, nodes) =>
                removeNodes(doc, nodes.slice(step.node, step.node + 1)),
              )
            return
          case 'move':
            if (chosen !== undefined)
              await library.edit(chosen, (doc, nodes) => moveNodesBy(doc, nodes.slice(0, 1), { x: 1, y: 1 }))
            return
          case 'compact':
            if (chosen !== undefined) await library.compact(chosen)
            return
          case 'bin':
            if (chosen !== undefined)
              await changeTeam(database, team, (change) => putDocumentIntoBin(change, chosen, null as never))
            return
          case 'restore': {
            const items = await binned()
            const item = items[step.which % Math.max(1, items.length)]
            if (item) await changeTeam(database, team, (change) => restoreFromBin(change, item.id))
            return
          }
          case 'delete': {
            const items = await binned()
            const item = items[step.which % Math.max(1, items.length)]
            if (item) await database.transaction((write) => deleteItem(write, team, item.id))
            return
          }
          case 'index':
            await indexDocuments(indexed)
            return
          case 'kill': {
            // Reads a few documents, writes the first of them, and is gone.
            const unindexed = (await indexed.store.listUnindexed({ limit: 10 })).slice(0, step.after + 1)
            const results: ReadDocument[] = []
            for (const document of unindexed) {
              const read = await indexed.reader.read(document)
              if (read) results.push({ ...document, ...read })
            }
            await indexed.store.put(results.slice(0, step.after))
            return
          }
          case 'clean':
            await indexed.store.deleteUnused()
        }
      }

      await fc.assert(
        fc
          .asyncProperty(steps, async (run) => {
            for (const step of run) await take(step)
            await indexDocuments(indexed)
            assert.deepEqual(await library.readIndex(), await library.scan())
            const { pending, unread } = await library.search.readIndexState(team)
            assert.deepEqual([pending, unread], [0, 0])
          })
          .afterEach(async () => {
            await database.transaction(async (write) => {
              // The lock that every change of a team takes: a replica may be compacted meanwhile.
              await raiseVersion(write, team)
              await write.deleteFrom('document').execute()
              await write.deleteFrom('bin_item').execute()
            })
          }),
        { numRuns: 8, endOnFailure: true },
      )
    })

    test('[USE-8] given a document that changes after it was read and before the index is written, then it is still not indexed', async (t) => {
      const { indexed, live, edit, readIndex, scan } = await givenLibrary(t, kind)
      const { key } = await live(graphOf(slider()))
      const [unindexed] = await indexed.store.listUnindexed({ limit: 1 })
      const read = await indexed.reader.read(unindexed!)
      await edit(key, (doc) => addNodes(doc, [panel()]))
      await indexed.store.put([{ ...unindexed!, ...read! }])
      assert.equal(await indexed.store.countUnindexed(), 1)
      await indexDocuments(indexed)
      assert.deepEqual(await readIndex(), await scan())
    })

    if (kind.name === 'postgres') {
      test('[USE-8] given a document that another transaction is changing, when the index is written, then it does not wait for that, and the document is still not indexed', async (t) => {
        const { indexed, live, database } = await givenLibrary(t, kind)
        const documents = [await live(graphOf(slider())), await live(graphOf(panel()))]
        const results: ReadDocument[] = []
        for (const document of await indexed.store.listUnindexed({ limit: 2 }))
          results.push({ ...document, ...(await indexed.reader.read(document))! })
        const changed = documents[1]!.key
        const writing = await database.transaction(async (write) => {
          await write.updateTable('document').set({ name: 'Other' }).where('id', '=', changed).execute()
          const writing = indexed.store.put(results)
          const waits = until('the index waits for a lock', async () => {
            const { rows } = await sql`select 1 from pg_locks where not granted
              and pid in (select pid from pg_stat_activity where datname = current_database())`.execute(write)
            return rows.length > 0
          })
          await Promise.race([writing, waits.then(() => assert.fail('The index waits for a lock.'))])
          return writing
        })
        await writing
        assert.deepEqual(
          (await indexed.store.listUnindexed({ limit: 2 })).map(({ key }) => key),
          [changed],
        )
      })
    }

    test('[USE-9] given an index that another version made, when the indexer starts, then every document counts as not indexed once, with its old uses until then', async (t) => {
      const { indexed, live, readIndex } = await givenLibrary(t, kind)
      await indexed.store.startVersion('1')
      await live(graphOf(slider()))
      await indexDocuments(indexed)
      await indexed.store.startVersion('1')
      assert.equal(await indexed.store.countUnindexed(), 0)
      const before = await readIndex()
      await indexed.store.startVersion('2')
      assert.equal(await indexed.store.countUnindexed(), 1)
      assert.deepEqual(await readIndex(), before)
    })

    test('[USE-10] given documents of which one cannot be read and one takes too much, then the others are indexed, and the answers count both', async (t) => {
      const { indexed, live, search, team, database } = await givenLibrary(t, kind)
      const [bad, large, good] = [
        await live(graphOf(slider())),
        await live(graphOf(slider())),
        await live(graphOf(slider())),
      ]
      const reader = {
        read: async (document: { key: DocumentKey; source: string | null }) => {
          if (document.key === bad.key) throw new Error('The blob is missing.')
          if (document.key === large.key)
            return { seq: 1, uses: { gap: 'It cannot be read: it takes too much memory' } }
          return indexed.reader.read(document)
        },
      }
      const failures = await indexDocuments({ ...indexed, reader })
      assert.deepEqual([...failures.keys()], [bad.key])
      assert.deepEqual(await search.readIndexState(team), { pending: 1, unread: 1, partial: 0 })
      const uses = await database.read.selectFrom('document_use').select('document_id').distinct().execute()
      assert.deepEqual(
        uses.map(({ document_id }) => document_id),
        [good.key],
      )
    })

    test('[USE-11] given a large library, when documents that are not indexed are looked for, then only the index of these is read', async (t) => {
      const { database } = await givenLibrary(t, kind)
      const plan = await database.transaction(async (write) => {
        if (kind.name === 'postgres') await sql`set local enable_seqscan = off`.execute(write)
        const { rows } =
          await sql<object>`${sql.raw(kind.name === 'postgres' ? 'explain' : 'explain query plan')}
          select id from document where document.bin_id is null and
          (document.uses_seq is distinct from document.seq or document.uses_source is distinct from document.source_blob)
          and team_id = 1 order by team_id, id limit 50`.execute(write)
        return JSON.stringify(rows)
      })
      assert.match(plan, /document_uses_pending/)
    })
  })
}

async function deleteItem(write: Write, team: TeamKey, item: BinKey): Promise<void> {
  await raiseVersion(write, team)
  await write.deleteFrom('document').where('bin_id', '=', item).execute()
  await write.deleteFrom('bin_item').where('id', '=', item).execute()
}
