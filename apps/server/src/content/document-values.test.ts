import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { GraphContent } from '@meadow/contract'
import {
  addNodes,
  createNode,
  createUndoManager,
  LIVE_LIMITS,
  listReferences,
  type Reference,
  readLiveDocument,
  removeNodes,
  setPanelText,
} from '@meadow/document/live'
import * as Y from 'yjs'
import { releaseUnusedValues, removeDiscardedBlobs } from '../features/housekeeping/garbage-collection.ts'
import { DATABASES } from '../testing/databases.ts'
import { givenTeam } from '../testing/given-team.ts'
import { ValueMissingError } from './change-log.ts'
import { addSlider, givenContent } from './testing/given-content.ts'

/** References of an update of 8 MiB: PostgreSQL takes 65,535 parameters in a statement, and SQLite half of that. */
const MANY = 70_000
const PANEL = '59e0b89a-e487-49f8-bab8-b5bab16be14c'

/** A content with a panel whose text is too large for a live document. */
function createLargeContent(character: string): { content: GraphContent; panel: string } {
  const node = createNode(PANEL, { position: { x: 0, y: 0 } })
  const doc = new Y.Doc()
  addNodes(doc, [node])
  setPanelText(doc, node.instanceId, character.repeat(LIVE_LIMITS.inlineBytes + 1))
  return { content: JSON.parse(JSON.stringify(readLiveDocument(doc))), panel: node.instanceId }
}

const referencesOf = (doc: Y.Doc) => listReferences(JSON.stringify(readLiveDocument(doc)))

/** The updates that `work` makes, in the document itself. */
function capture(doc: Y.Doc, work: () => void): Uint8Array {
  const made: Uint8Array[] = []
  const take = (update: Uint8Array) => made.push(update)
  doc.on('update', take)
  work()
  doc.off('update', take)
  return Y.mergeUpdates(made)
}

for (const kind of DATABASES) {
  describe(`large values of live documents, on ${kind.name}`, kind.options, () => {
    async function givenLarge(t: Parameters<typeof givenContent>[0]) {
      const fixtures = await givenContent(t, kind)
      const { content, panel } = createLargeContent('x')
      const { key } = await fixtures.live(content)
      const replica = await fixtures.open(key)
      const references = referencesOf(replica.doc)
      const rows = () => fixtures.database.read.selectFrom('document_value').selectAll().execute()
      /** As somebody edits who has the document open. */
      async function edit(work: (doc: Y.Doc) => void) {
        const copy = new Y.Doc()
        Y.applyUpdate(copy, Y.encodeStateAsUpdate(replica.doc))
        const update = capture(copy, () => work(copy))
        const values = listReferences(Buffer.from(update).toString('latin1'))
        const stored = await fixtures.changes.append({ document: key, team: fixtures.team, update, values })
        await replica.apply({ ...stored, update })
      }
      const collectGarbage = async (at: number) => {
        await releaseUnusedValues(fixtures.database, at)
        await removeDiscardedBlobs(fixtures.database, fixtures.blobs, Date.now() + 60_000)
      }
      return { ...fixtures, key, panel, replica, references, rows, edit, collectGarbage }
    }

    test('[LIV-15] given a large value that is taken away, when a day has gone by, then its blob is removed, and not before', async (t) => {
      const { replica, references, rows, edit, collectGarbage, blobs, panel } = await givenLarge(t)
      const digests = references.map(({ digest }) => digest)
      assert.ok(digests.length > 0)
      assert.deepEqual((await rows()).map(({ digest }) => digest).sort(), [...new Set(digests)].sort())
      await edit((doc) => addNodes(doc, [createNode(PANEL, { position: { x: 1, y: 1 } })]))
      await replica.compact()
      await collectGarbage(Date.now() + 60_000)
      for (const digest of digests) assert.ok(await blobs.has(digest), 'what a document refers to stays')

      await edit((doc) => removeNodes(doc, [panel]))
      await replica.compact()
      assert.ok((await rows()).every(({ unused_at }) => unused_at !== null))
      await collectGarbage(Date.now() - 60_000)
      for (const digest of digests) assert.ok(await blobs.has(digest), 'it may be taken back')
      await collectGarbage(Date.now() + 60_000)
      assert.deepEqual(await rows(), [])
      for (const digest of digests) assert.equal(await blobs.has(digest), false)
    })

    test('[LIV-15] given a large value that was taken away, when that is taken back, then it stays', async (t) => {
      const { replica, references, rows, collectGarbage, blobs, panel, key, team, changes } =
        await givenLarge(t)
      // A client that can undo the removal has the value in memory; the server does not.
      const editor = new Y.Doc()
      Y.applyUpdate(editor, Y.encodeStateAsUpdate(replica.doc))
      const undo = createUndoManager(editor, 'me')
      const removed = capture(editor, () => removeNodes(editor, [panel], 'me'))
      await replica.apply({
        ...(await changes.append({ document: key, team, update: removed })),
        update: removed,
      })
      await replica.compact()
      assert.ok((await rows()).every(({ unused_at }) => unused_at !== null))
      const update = capture(editor, () => undo.undo())
      const values = listReferences(Buffer.from(update).toString('latin1'))
      assert.equal(values.length, references.length)
      await changes.append({ document: key, team, update, values })
      assert.ok((await rows()).every(({ unused_at }) => unused_at === null))
      await collectGarbage(Date.now() + 60_000)
      for (const { digest } of references) assert.ok(await blobs.has(digest))
    })

    test('[LIV-15] given a value of another team, of no document, of another length or kind, when an edit refers to it, then it is rejected, and what else is written with it is stored', async (t) => {
      const { references, key, changes, team, blobs, open, database, replica } = await givenLarge(t)
      const own = references.find(({ isTree }) => !isTree)!
      const foreign = createLargeContent('y')
      const other = await givenTeam(database, 'Other')
      const theirs = await other.document({
        content: { kind: 'inline', bytes: Buffer.from(JSON.stringify(foreign.content)) },
      })
      const wrong: Reference[] = [
        referencesOf((await open(theirs.key)).doc)[0]!,
        { ...(await blobs.put(Buffer.from('"of nobody"'))), bytes: 11, isTree: false },
        { ...own, bytes: own.bytes + 1 },
        { ...own, isTree: true },
      ]
      const outcomes = await Promise.allSettled([
        ...wrong.map((value) =>
          changes.append({ document: key, team, update: addSlider(replica.doc).update, values: [value] }),
        ),
        changes.append({ document: key, team, update: addSlider(replica.doc).update, values: [own] }),
      ])
      for (const outcome of outcomes.slice(0, -1))
        assert.ok(outcome.status === 'rejected' && outcome.reason instanceof ValueMissingError)
      assert.deepEqual(outcomes.at(-1), { status: 'fulfilled', value: { seq: 2 } })
      const [{ seq }] = (await database.read
        .selectFrom('document')
        .where('id', '=', key)
        .select('seq')
        .execute()) as [{ seq: number }]
      assert.equal(seq, 2)
    })

    test('[LIV-15] given an edit that refers to more than fits into one statement, then it is rejected if one is not there, and stored if all are', async (t) => {
      const { references, key, changes, team, replica } = await givenLarge(t)
      const nowhere = Array.from({ length: MANY }, (_, i) => ({
        digest: i.toString(16).padStart(64, '0'),
        bytes: 0,
        isTree: false,
      }))
      const append = (values: Reference[]) =>
        changes.append({ document: key, team, update: addSlider(replica.doc).update, values })
      const own = references[0]!
      const outcomes = await Promise.allSettled([
        append([...nowhere, own]),
        append(Array.from({ length: MANY }, () => own)),
      ])
      assert.ok(outcomes[0].status === 'rejected' && outcomes[0].reason instanceof ValueMissingError)
      assert.deepEqual(outcomes[1], { status: 'fulfilled', value: { seq: 2 } })
    })
  })
}
