import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { type LiveDocument, removeNodes, replaceContent, setSlider } from '@meadow/client/live'
import type { DocumentId, GraphContent } from '@meadow/contract'
import type { AppDocument, DocumentVersion } from '@meadow/contract/web'
import { APP_PREFIX } from '@meadow/contract/web'
import { createUndoManager } from '@meadow/document/live'
import { FEATURE_DATABASES, type TestDatabase } from '../../testing/databases.ts'
import { addSlider, sliderContent } from '../live/testing/sliders.ts'
import { startLiveServer, untilRead } from '../live/testing/start-live-server.ts'

/** A server with a document of so many sliders, and people who call the app API. */
async function start(t: TestContext, kind: TestDatabase, sliders = 5) {
  const server = await startLiveServer(t, { kind })
  const { fixtures, team, person } = server
  const id = await fixtures.document(team, { name: 'Tower', content: sliderContent(sliders) })
  const ann = await person('ann')

  async function call(method: string, path: string, body?: object, { cookie } = ann) {
    const response = await fetch(`${server.address}${APP_PREFIX}/documents/${path}`, {
      method,
      headers: { cookie, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, json: text ? JSON.parse(text) : undefined }
  }
  const list = async (document: DocumentId = id): Promise<DocumentVersion[]> =>
    (await call('GET', `${document}/versions`)).json.versions
  const graphOf = async (version: DocumentVersion): Promise<GraphContent> =>
    (await call('GET', `${id}/versions/${version.id}/graph`)).json.graph
  const graph = async (document: DocumentId = id): Promise<GraphContent> =>
    (await call('GET', `${document}/graph`)).json.graph
  return { ...server, id, ann, call, list, graphOf, graph }
}

const plain = (live: LiveDocument): GraphContent => JSON.parse(JSON.stringify(live.read()))

for (const kind of FEATURE_DATABASES) {
  describe(`the history of a document on ${kind.name}`, kind.options, () => {
    test('[HIST-1] [HIST-2] [HIST-9] given a document from which everything is removed, when it is reloaded, then a version has all of it, and restoring that brings it back, for everyone', async (t) => {
      const { id, ann, open, person, list, graph, graphOf, call } = await start(t, kind)
      const live = await open(id, ann.cookie)
      addSlider(live, 7)
      await live.durable()
      const full = plain(live)
      live.edit((doc) => removeNodes(doc, Object.keys(full.nodes)))
      await live.durable()
      live.close()
      const versions = await list()
      assert.deepEqual(
        versions.map(({ kind, nodes }) => [kind, nodes]),
        [
          ['pause', 6],
          ['created', 5],
        ],
      )
      const [version] = versions
      assert.deepEqual(version!.authors, [{ kind: 'agent', person: { id: ann.id, name: 'ann' }, changes: 1 }])
      assert.deepEqual(await graphOf(version!), full)
      const ben = await person('ben')
      const other = await open(id, ben.cookie)
      assert.deepEqual(Object.keys(other.read().nodes), [])
      const isBack = untilRead(other, (live) => Object.keys(live.read().nodes).length === 6)
      const restored = await call('POST', `${id}/versions/${version!.id}/restore`, { appliedBy: 'server' })
      assert.equal(restored.status, 200, JSON.stringify(restored.json))
      assert.deepEqual([restored.json.before.kind, restored.json.before.nodes], ['restore', 0])
      assert.equal(restored.json.content, null)
      await isBack
      assert.deepEqual(plain(other), full)
      assert.deepEqual(await graph(), full)
    })

    test('[HIST-10] given a version, when a client applies it, then the server has it, and one undo brings back what was there before', async (t) => {
      const { id, ann, open, list, graph, call } = await start(t, kind)
      const live = await open(id, ann.cookie)
      const [slider] = Object.keys(live.read().nodes)
      const before = plain(live)
      live.edit((doc) => setSlider(doc, slider!, 0.5))
      addSlider(live, 9)
      await live.durable()
      const after = plain(live)
      const [created] = await list()
      const { json } = await call('POST', `${id}/versions/${created!.id}/restore`, { appliedBy: 'caller' })
      assert.equal(json.before.kind, 'restore')
      const origin = 'test'
      const undo = createUndoManager(live.doc, origin)
      replaceContent(live.doc, json.content, origin)
      await live.durable()
      assert.deepEqual(await graph(), before)
      undo.undo()
      await live.durable()
      assert.deepEqual(await graph(), after)
    })

    test('[HIST-6] [HIST-12] given a named version, when it is renamed, pinned, copied and let go of, then the list shows it, and the copy has its content', async (t) => {
      const { id, ann, open, list, graph, call } = await start(t, kind)
      const live = await open(id, ann.cookie)
      const first = await call('POST', `${id}/versions`, { name: '  First  ' })
      assert.equal(first.status, 201)
      const { version } = first.json as { version: DocumentVersion }
      assert.deepEqual(
        [version.name, version.kind, version.namedBy?.name, version.isPinned],
        ['First', 'created', 'ann', false],
      )
      const content = plain(live)
      addSlider(live)
      await live.durable()
      const second = await call('POST', `${id}/versions`, { name: 'Second' })
      assert.equal(second.json.version.kind, 'manual')
      const again = await call('POST', `${id}/versions`, { name: 'Third' })
      assert.equal(again.json.version.id, second.json.version.id)
      const path = `${id}/versions/${version.id}`
      const changed = await call('PATCH', path, { name: null, isPinned: true })
      assert.deepEqual([changed.json.version.name, changed.json.version.isPinned], [null, true])
      const kept = await call('GET', `${id}/versions?only=kept`)
      assert.deepEqual(
        kept.json.versions.map(({ name }: DocumentVersion) => name),
        ['Third', null],
      )
      const { json, status } = await call('POST', `${path}/copy`, {})
      assert.equal(status, 201)
      const copy = json.document as AppDocument
      assert.match(copy.name, /^Tower \(\d{4}-\d\d-\d\d \d\d:\d\d\)$/)
      assert.deepEqual(await graph(copy.id), content)
      for (const name of ['', '   ', 'x'.repeat(201), 'a‮b'])
        assert.equal((await call('PATCH', path, { name })).status, 400, name)
      assert.equal((await call('DELETE', path)).status, 403)
      assert.equal((await list()).length, 2)
    })

    test('[HIST-11] given people of each role and of another team, then viewers read versions, members name and restore them, and nobody else sees them', async (t) => {
      const { id, person, fixtures, call, list } = await start(t, kind)
      await call('POST', `${id}/versions`, { name: 'Kept' })
      const [version] = await list()
      const viewer = await person('vera', 'viewer')
      const elsewhere = await fixtures.team('Other')
      const stranger = await person('sam', 'owner', elsewhere)
      const paths = ['', `/${version!.id}`, `/${version!.id}/graph`, `/${version!.id}/file`].map(
        (path) => `${id}/versions${path}`,
      )
      for (const path of paths) {
        assert.equal((await call('GET', path, undefined, viewer)).status, 200, path)
        assert.equal((await call('GET', path, undefined, stranger)).status, 404, path)
        assert.equal((await call('GET', path, undefined, { ...viewer, cookie: '' })).status, 401, path)
      }
      const restore = `${id}/versions/${version!.id}/restore`
      assert.equal((await call('POST', restore, { appliedBy: 'server' }, viewer)).status, 403)
      assert.equal((await call('POST', `${id}/versions`, { name: 'No' }, viewer)).status, 403)
      const other = await fixtures.document(elsewhere)
      assert.equal((await call('GET', `${other}/versions/${version!.id}`)).status, 404)
    })
  })
}
