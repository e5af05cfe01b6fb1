import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { GraphContent } from '@meadow/contract'
import { addNodes, createNode, readLiveDocument, setPanelText } from '@meadow/document/live'
import * as Y from 'yjs'
import { DATABASES } from '../testing/databases.ts'
import { createDocumentContents } from './document-contents.ts'
import { createHistoryWork } from './history/history-work.ts'
import { keepVersions } from './history/keep-versions.ts'
import type { Replica } from './replica.ts'
import { addSlider, givenContent } from './testing/given-content.ts'

const PANEL = '59e0b89a-e487-49f8-bab8-b5bab16be14c'

const textOf = async ({ readJson }: Replica) =>
  (await readJson())?.value
    .map((piece) => (typeof piece === 'string' ? piece : JSON.stringify(piece)))
    .join('')
const nodesOf = async (replica: Replica) => Object.keys(JSON.parse((await textOf(replica))!).nodes)

/** A content with a panel whose text is too large for a live document. */
function createLargePanel() {
  const panel = createNode(PANEL, { position: { x: 0, y: 0 } })
  const scratch = new Y.Doc()
  addNodes(scratch, [panel])
  setPanelText(scratch, panel.instanceId, 'large '.repeat(10_000))
  const content: GraphContent = JSON.parse(JSON.stringify(readLiveDocument(scratch)))
  return { content, panel }
}

for (const kind of DATABASES) {
  describe(`a document in memory, on ${kind.name}`, kind.options, () => {
    test('[LIV-8] given a document that was never open, when several open it at once, then it is turned into a live one once', async (t) => {
      const { live, open, database } = await givenContent(t, kind)
      const { key } = await live()
      const replicas = await Promise.all(Array.from({ length: 4 }, () => open(key)))
      const states = new Set(
        replicas.map(({ doc }) => Buffer.from(Y.encodeStateAsUpdate(doc)).toString('hex')),
      )
      assert.equal(states.size, 1)
      const rows = await database.read.selectFrom('document_snapshot').select(['format', 'seq']).execute()
      assert.deepEqual(rows.map(({ format, seq }) => `${format} ${seq}`).sort(), ['json 1', 'yjs 1'])
    })

    test('[LIV-9] given replicas that reached one position in the log in different ways, then they give the same bytes', async (t) => {
      const { live, open, changes, team, blobs, database } = await givenContent(t, kind)
      const { key } = await live()
      const early = await open(key)
      for (let count = 0; count < 5; count++) {
        const { update } = addSlider(early.doc)
        await early.apply({ ...(await changes.append({ document: key, team, update })), update })
      }
      const late = await open(key)
      await late.compact()
      const compacted = await open(key)
      assert.deepEqual([early.seq, late.seq, compacted.seq], [6, 6, 6])
      assert.equal(await textOf(late), await textOf(early))
      assert.equal(await textOf(compacted), await textOf(early))
      const stored = await createDocumentContents(database, blobs).read(key)
      assert.deepEqual([stored?.seq, Buffer.from(stored!.value).toString()], [6, await textOf(early)])
    })

    test('[LIV-8] given a replica that is so far behind that the log has been compacted meanwhile, when it catches up, then it misses nothing', async (t) => {
      const { live, open, changes, team, database, blobs } = await givenContent(t, kind)
      const { key } = await live()
      const [behind, ahead] = [await open(key), await open(key)]
      const added: string[] = []
      for (let count = 0; count < 210; count++) {
        const { update, id } = addSlider(behind.doc)
        added.push(id)
        await changes.append({ document: key, team, update })
      }
      await ahead.catchUp()
      await keepVersions({ database, blobs, history: createHistoryWork(blobs) }, key, 'manual')
      await ahead.compact()
      const { update, id } = addSlider(ahead.doc)
      await changes.append({ document: key, team, update })
      const rows = await database.read.selectFrom('document_change').select('seq').orderBy('seq').execute()
      assert.ok(rows[0]!.seq > 2, 'the log begins where it did')
      await behind.catchUp()
      assert.equal(behind.seq, 212)
      assert.deepEqual((await nodesOf(behind)).sort(), [...added, id].sort())
    })

    test('[LIV-7] given a log with a gap, when the document is opened, then that fails, and it never opens without the missing changes', async (t) => {
      const { live, open, changes, team, database } = await givenContent(t, kind)
      const { key } = await live()
      const { doc } = await open(key)
      for (let count = 0; count < 3; count++) {
        await changes.append({ document: key, team, update: addSlider(doc).update })
      }
      await database.transaction((write) =>
        write.deleteFrom('document_change').where('seq', '=', 2).execute(),
      )
      await assert.rejects(open(key), /gap/)
    })

    test('[LIV-9] given values too large for a live document, then they lie in the blob store, and are read as they were', async (t) => {
      const { live, open, blobs, database, changes, team } = await givenContent(t, kind)
      const { content, panel } = createLargePanel()
      const { key } = await live(content)
      const replica = await open(key)
      assert.ok(Y.encodeStateAsUpdate(replica.doc).length < 5000)
      const contents = createDocumentContents(database, blobs)
      for (const isCompacted of [false, true]) {
        const { update, id } = addSlider(replica.doc)
        await replica.apply({ ...(await changes.append({ document: key, team, update })), update })
        if (isCompacted) await replica.compact()
        const { value } = (await contents.read(key))!
        const read: GraphContent = JSON.parse(Buffer.from(value).toString())
        assert.ok(id in read.nodes)
        assert.deepEqual(read.nodes[panel.instanceId], content.nodes[panel.instanceId])
      }
    })

    test('[LIV-9] given a replica that is closed, or whose document is destroyed, while it catches up, then it is neither read nor stored', async (t) => {
      const { live, open, changes, team, store } = await givenContent(t, kind)
      for (const end of [(replica: Replica) => replica.close(), ({ doc }: Replica) => doc.destroy()]) {
        const { key } = await live()
        const replica = await open(key)
        await textOf(replica)
        await changes.append({ document: key, team, update: addSlider(replica.doc).update })
        const caught = replica.catchUp()
        end(replica)
        await caught
        assert.equal(await textOf(replica), undefined)
        await replica.compact()
        assert.equal(await store.findJson(key, 2), undefined)
      }
    })

    test('[LIV-9] given a document that is closed for editing while it is read, then the content has the position that it says', async (t) => {
      const { live, open, changes, team, database, blobs } = await givenContent(t, kind)
      const { key } = await live()
      const contents = createDocumentContents(database, blobs)
      const replica = await open(key)
      const ids: string[] = []
      const edit = async () => {
        const { update, id } = addSlider(replica.doc)
        ids.push(id)
        return { ...(await changes.append({ document: key, team, update })), update }
      }
      const unshare = contents.shareReplica(key, replica)
      await replica.apply(await edit())
      await contents.read(key)
      unshare()
      const { seq } = await edit()
      const closing: Replica = Object.create(replica, {
        catchUp: {
          value: async (target: number) => {
            const caught = replica.catchUp(target)
            replica.close()
            await caught
          },
        },
      })
      contents.shareReplica(key, closing)
      const read = (await contents.read(key))!
      const { nodes }: GraphContent = JSON.parse(Buffer.from(read.value).toString())
      assert.deepEqual([read.seq, Object.keys(nodes).sort()], [seq, ids.sort()])
    })

    test('[LIV-9] given a blob store that fails while a document is read, when it is read again, then it is read as it is', async (t) => {
      const { live, open, changes, team, blobs, database } = await givenContent(t, kind)
      const { content } = createLargePanel()
      const { key } = await live(content)
      const replica = await open(key)
      const { update, id } = addSlider(replica.doc)
      await replica.apply({ ...(await changes.append({ document: key, team, update })), update })
      let isDown = true
      const read: typeof blobs.read = (digest) =>
        isDown ? Promise.reject(new Error('The store is down.')) : blobs.read(digest)
      const contents = createDocumentContents(database, { ...blobs, read })
      contents.shareReplica(key, replica)
      await assert.rejects(contents.read(key), /down/)
      isDown = false
      const { nodes }: GraphContent = JSON.parse(Buffer.from((await contents.read(key))!.value).toString())
      assert.ok(id in nodes)
    })

    test('[LIV-9] given a document that was read and then deleted, when another one gets its key, then it is read as it is', async (t) => {
      const { live, open, changes, database, blobs, team } = await givenContent(t, kind)
      const contents = createDocumentContents(database, blobs)
      const edit = async (key: Awaited<ReturnType<typeof live>>['key'], times: number) => {
        const replica = await open(key)
        const ids: string[] = []
        for (let time = 0; time < times; time++) {
          const { update, id } = addSlider(replica.doc)
          await changes.append({ document: key, team, update })
          ids.push(id)
        }
        replica.close()
        const read: GraphContent = JSON.parse(Buffer.from((await contents.read(key))!.value).toString())
        assert.deepEqual(Object.keys(read.nodes).sort(), ids.sort())
      }
      const { key } = await live()
      await edit(key, 3)
      await database.transaction((write) => write.deleteFrom('document').where('id', '=', key).execute())
      await edit((await live()).key, 1)
    })

    test('given a content in a blob, then its digest is given to who reads in another process, and its bytes to others', async (t) => {
      const { document, blobs, database } = await givenContent(t, kind)
      const { digest, size } = await blobs.put(Buffer.from('{"nodes":{}}'))
      const { key } = await document({ content: { kind: 'blob', digest, size } })
      const contents = createDocumentContents(database, blobs)
      assert.deepEqual(await contents.find(key), { seq: 1, digest })
      assert.equal(Buffer.from((await contents.read(key))!.value).toString(), '{"nodes":{}}')
      assert.equal(await contents.find(1_000_000 as typeof key), undefined)
      assert.equal(await contents.read(1_000_000 as typeof key), undefined)
    })
  })
}
