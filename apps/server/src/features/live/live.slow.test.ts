import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { moveNodes, removeNodes, renameNode } from '@meadow/client/live'
import { DATABASES } from '../../testing/databases.ts'
import { until } from '../../testing/until.ts'
import { addSlider, sliderContent } from './testing/sliders.ts'
import { startLiveServer, untilRead } from './testing/start-live-server.ts'

/**
 * The tests run with one server, and with a server that is restarted in between: on PostgreSQL with this alone, which does
 * before the restart what the other does.
 */
const WAYS = [
  { way: '', isRestarted: false },
  { way: ', restarted in between', isRestarted: true },
]

for (const kind of DATABASES) {
  for (const { way, isRestarted } of WAYS) {
    if (kind.name === 'postgres' && !isRestarted) continue
    describe(`live editing on ${kind.name}${way}`, kind.options, () => {
      async function start(t: TestContext) {
        const server = await startLiveServer(t, { kind })
        /** Returns the server that runs from now on. */
        const midway = async () => (isRestarted ? server.restart() : server.service)
        return { ...server, midway }
      }

      test('[LIV-3, LIV-9] given two editors, when each edits, then both receive both edits, and the API reads them at once', async (t) => {
        const { fixtures, team, person, open, get, midway } = await start(t)
        const id = await fixtures.document(team)
        const [ann, bob] = [await person('ann'), await person('bob')]
        const editors = [await open(id, ann.cookie), await open(id, bob.cookie)]
        const added: string[] = []
        async function editAll() {
          for (const live of editors) added.push(addSlider(live))
          await Promise.all(editors.map((live) => live.durable()))
          const { status, json, text } = await get(`/documents/${id}`)
          assert.equal(status, 200, text)
          assert.deepEqual(Object.keys(json.document.nodes).sort(), added.toSorted())
        }
        await editAll()
        await midway()
        await editAll()
        for (const live of editors) {
          await untilRead(live, ({ read }) => added.every((node) => node in read.call(live).nodes))
        }
        assert.deepEqual(editors[0]!.read(), editors[1]!.read())
      })

      test('[LIV-9] given a document that is being edited, then its entity tag follows the edits, and is the same in every process', async (t) => {
        const { address, fixtures, team, person, open, startAnother, readAt, midway } = await start(t)
        const id = await fixtures.document(team, { content: sliderContent(3) })
        const before = await readAt(address, id)
        const live = await open(id, (await person('ann')).cookie)
        const { etag } = before
        assert.equal((await readAt(address, id, { 'if-none-match': etag })).status, 304)

        const [node] = Object.keys(live.read().nodes)
        live.edit((doc) => renameNode(doc, node!, 'Height'))
        await live.durable()
        await midway()
        const after = await readAt(address, id, { 'if-none-match': etag })
        assert.equal(after.document.nodes[node!]!.nickName, 'Height')
        assert.notEqual(after.etag, etag)
        const other = await startAnother()
        const elsewhere = await readAt(other.address, id)
        assert.deepEqual([elsewhere.etag, elsewhere.text], [after.etag, after.text])
        for (const serverAddress of [address, other.address])
          assert.equal((await readAt(serverAddress, id, { 'if-none-match': after.etag })).status, 304)
      })

      test('[LIV-10] given an edit, then the time of the document and the search reflect it', async (t) => {
        const { fixtures, team, person, open, get, midway } = await start(t)
        const old = await fixtures.document(team, { name: 'Old', updatedAt: 1000 })
        await fixtures.document(team, { name: 'Young', updatedAt: 2000 })
        const names = async () =>
          (await get('/documents')).json.documents.map(({ name }: { name: string }) => name)
        assert.deepEqual(await names(), ['Young', 'Old'])
        const startedAt = Date.now()
        const live = await open(old, (await person('ann')).cookie)
        addSlider(live)
        await live.durable()
        await midway()
        assert.deepEqual(await names(), ['Old', 'Young'])
        const { document } = (await get(`/documents/${old}`)).json
        assert.ok(Date.parse(document.updatedAt) >= startedAt)
        const { folder } = (await get('/folders/root')).json
        assert.equal(
          folder.documents.find((item: { id: string }) => item.id === old).updatedAt,
          document.updatedAt,
        )
      })

      test('[LIV-7] given a document whose last client has disconnected, then its log is compacted, and it is read and opened as before', async (t) => {
        const { fixtures, team, person, open, get, midway } = await start(t)
        const id = await fixtures.document(team)
        const { cookie } = await person('ann')
        const live = await open(id, cookie)
        const remaining = addSlider(live)
        const removed = addSlider(live)
        await live.durable()
        const { database } = await midway()
        live.edit((doc) => removeNodes(doc, [removed]))
        await live.durable()
        const before = await get(`/documents/${id}`)
        live.close()
        const snapshots = () =>
          database.read.selectFrom('document_snapshot').select(['format', 'seq']).orderBy('format').execute()
        const compacted = await until('the log is compacted', async () => {
          const rows = await snapshots()
          return rows.every(({ seq }) => seq === 4) && rows
        })
        assert.deepEqual(
          compacted.map(({ format }) => format),
          ['json', 'yjs'],
        )
        const after = await get(`/documents/${id}`)
        assert.equal(after.text, before.text)
        assert.equal(after.headers.get('etag'), before.headers.get('etag'))
        const again = await open(id, cookie)
        assert.deepEqual(Object.keys(again.read().nodes), [remaining])
      })

      test('[LIV-8, LIV-9] given two processes on one database, when each has an editor, then both receive both edits, and the API of both reads them at once', async (t) => {
        const { fixtures, team, person, open, startAnother, address, readAt, midway } = await start(t)
        const id = await fixtures.document(team, { content: sliderContent(2) })
        const other = await startAnother()
        const { cookie } = await person('ann')
        // Concurrently: both convert the document to a live one, and only one may do so.
        const [here, there] = await Promise.all([open(id, cookie), open(id, cookie, other.address)])
        assert.deepEqual(here.read(), there.read())
        const nodes = Object.keys(here.read().nodes)
        async function editBoth(): Promise<string[]> {
          const added = [addSlider(here), addSlider(there)]
          await Promise.all([here.durable(), there.durable()])
          const [one, two] = [await readAt(address, id), await readAt(other.address, id)]
          assert.deepEqual([two.etag, two.text], [one.etag, one.text])
          for (const node of added) assert.ok(node in one.document.nodes)
          return added
        }
        const first = await editBoth()
        await midway()
        here.edit((doc) => moveNodes(doc, { [nodes[0]!]: { x: 5, y: 6 } }))
        const added = [...first, ...(await editBoth())]
        for (const live of [here, there]) {
          await untilRead(live, () => {
            const read = live.read().nodes
            return added.every((node) => node in read) && read[nodes[0]!]!.position.x === 5
          })
        }
        assert.deepEqual(here.read(), there.read())
      })
    })
  }
}
