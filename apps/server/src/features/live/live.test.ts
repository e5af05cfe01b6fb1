import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { moveNodes, removeNodes, renameNode } from '@meadow/client/live'
import { DATABASES } from '../../testing/databases.ts'
import { until } from '../../testing/until.ts'
import { addSlider, sliderContent } from './testing/sliders.ts'
import { startLiveServer, untilRead } from './testing/start-live-server.ts'

for (const kind of DATABASES) {
  describe(`live editing on ${kind.name}`, kind.options, () => {
    test('[LIV-3, LIV-9] given two editors, when each edits, then both see both, and the API reads it at once', async (t) => {
      const { given, team, person, open, get } = await startLiveServer(t, { kind })
      const id = await given.document(team)
      const [ann, bob] = [await person('ann'), await person('bob')]
      const [first, second] = [await open(id, ann.cookie), await open(id, bob.cookie)]
      const ours = addSlider(first)
      const theirs = addSlider(second)
      await Promise.all([first.durable(), second.durable()])
      const { json } = await get(`/documents/${id}`)
      assert.deepEqual(Object.keys(json.document.nodes).sort(), [ours, theirs].sort())
      for (const live of [first, second]) {
        await untilRead(live, ({ read }) => [ours, theirs].every((node) => node in read.call(live).nodes))
      }
      assert.deepEqual(first.read(), second.read())
    })

    test('[LIV-9] given a document under edit, then its entity tag follows the edits, and is the same in every process', async (t) => {
      const { given, team, person, open, get, startAnother, secret } = await startLiveServer(t, { kind })
      const id = await given.document(team, { content: sliderContent(3) })
      const before = await get(`/documents/${id}`)
      const live = await open(id, (await person('ann')).cookie)
      const unchanged = await get(`/documents/${id}`, {
        headers: { 'if-none-match': before.headers.get('etag')! },
      })
      assert.equal(unchanged.status, 304)

      const [node] = Object.keys(live.read().nodes)
      live.edit((doc) => renameNode(doc, node!, 'Height'))
      await live.durable()
      const after = await get(`/documents/${id}`)
      assert.equal(after.json.document.nodes[node!].nickName, 'Height')
      const tag = after.headers.get('etag')!
      assert.notEqual(tag, before.headers.get('etag'))
      const { address } = await startAnother()
      const headers = { authorization: `Bearer ${secret}` }
      const elsewhere = await fetch(`${address}/api/v1/documents/${id}`, { headers })
      assert.equal(elsewhere.headers.get('etag'), tag)
      assert.equal(await elsewhere.text(), after.text)
      const again = await fetch(`${address}/api/v1/documents/${id}`, {
        headers: { ...headers, 'if-none-match': tag },
      })
      assert.equal(again.status, 304)
    })

    test('[LIV-10] given an edit, then the time of the document and the search follow it', async (t) => {
      const { given, team, person, open, get } = await startLiveServer(t, { kind })
      const old = await given.document(team, { name: 'Old', updatedAt: 1000 })
      await given.document(team, { name: 'Young', updatedAt: 2000 })
      const names = async () =>
        (await get('/documents')).json.documents.map(({ name }: { name: string }) => name)
      assert.deepEqual(await names(), ['Young', 'Old'])
      const startedAt = Date.now()
      const live = await open(old, (await person('ann')).cookie)
      addSlider(live)
      await live.durable()
      assert.deepEqual(await names(), ['Old', 'Young'])
      const { document } = (await get(`/documents/${old}`)).json
      assert.ok(Date.parse(document.updatedAt) >= startedAt)
      const { folder } = (await get('/folders/root')).json
      assert.equal(
        folder.documents.find((item: { id: string }) => item.id === old).updatedAt,
        document.updatedAt,
      )
    })

    test('[LIV-7] given a document that nobody has open any more, then its log is folded, and it is read and opened as it was', async (t) => {
      const { given, team, person, open, get, database } = await startLiveServer(t, { kind })
      const id = await given.document(team)
      const { cookie } = await person('ann')
      const live = await open(id, cookie)
      const kept = addSlider(live)
      const gone = addSlider(live)
      live.edit((doc) => removeNodes(doc, [gone]))
      await live.durable()
      const before = await get(`/documents/${id}`)
      live.close()
      const snapshots = () =>
        database.read.selectFrom('document_snapshot').select(['format', 'seq']).orderBy('format').execute()
      const folded = await until('the log is folded', async () => {
        const rows = await snapshots()
        return rows.every(({ seq }) => seq === 4) && rows
      })
      assert.deepEqual(
        folded.map(({ format }) => format),
        ['json', 'yjs'],
      )
      const after = await get(`/documents/${id}`)
      assert.equal(after.text, before.text)
      assert.equal(after.headers.get('etag'), before.headers.get('etag'))
      const again = await open(id, cookie)
      assert.deepEqual(Object.keys(again.read().nodes), [kept])
    })

    test('[LIV-8] given two processes on one database, when each has an editor, then they see each other', async (t) => {
      const { given, team, person, open, startAnother } = await startLiveServer(t, { kind })
      const id = await given.document(team, { content: sliderContent(2) })
      const { address } = await startAnother()
      const { cookie } = await person('ann')
      // At once: both turn the document into a live one, and only one of them may.
      const [here, there] = await Promise.all([open(id, cookie), open(id, cookie, address)])
      assert.deepEqual(here.read(), there.read())
      const nodes = Object.keys(here.read().nodes)
      const [ours, theirs] = [addSlider(here), addSlider(there)]
      here.edit((doc) => moveNodes(doc, { [nodes[0]!]: { x: 5, y: 6 } }))
      await Promise.all([here.durable(), there.durable()])
      for (const live of [here, there]) {
        await untilRead(live, () => {
          const read = live.read().nodes
          return ours in read && theirs in read && read[nodes[0]!]!.position.x === 5
        })
      }
      assert.deepEqual(here.read(), there.read())
    })
  })
}
