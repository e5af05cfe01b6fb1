import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { createNode, openLive, removeNodes } from '@meadow/client/live'
import { APP_ERRORS, type DocumentVersion } from '@meadow/contract/web'
import { readClusters } from '@meadow/grasshopper'
import { walkModel } from '@meadow/model'
import { changeTeam } from '../../team/team-transaction.ts'
import { addCredits } from '../../team/teams.ts'
import { atEnd } from '../../testing/at-end.ts'
import { CLUSTERED, createClusteredFile } from '../../testing/clustered-file.ts'
import { FEATURE_DATABASES, type TestDatabase } from '../../testing/databases.ts'
import { startWebApp } from '../../testing/start-web-app.ts'
import { until } from '../../testing/until.ts'
import { addSlider } from '../live/testing/sliders.ts'

const PANEL = '59e0b89a-e487-49f8-bab8-b5bab16be14c'

/** By what the innermost cluster multiplies, wherever it is in there. */
const factorOf = (value: unknown): string | undefined =>
  /x\*(\d)/.exec(JSON.stringify(value, (_, inner) => (inner instanceof Map ? [...inner] : inner)))?.[1]

/** A server that solves, with a member who has uploaded a file with clusters and edits its document. */
async function start(t: TestContext, kind: TestDatabase) {
  const app = await startWebApp(t, kind, { MEADOW_SOLVE_WORKERS: '1' })
  const { database, team, fixtures, address } = app
  await changeTeam(database, team.key, (change) => addCredits(change, 100))
  const ann = await app.signIn('Ann', 'member')
  const folder = await fixtures.root(team)

  /** Replaces the file of the same name that is there. */
  async function upload(factor: number): Promise<string> {
    const headers = { 'content-type': 'application/octet-stream' }
    const path = `/folders/${folder.id}/uploads?fileName=Tower.gh&onConflict=replace`
    const { status, json, text } = await ann.request('POST', path, createClusteredFile(factor), { headers })
    assert.equal(status, 200, text)
    return json.upload.documentId
  }
  const id = await upload(2)
  const live = await openLive({ address, documentId: id, cookie: ann.cookie, timeoutMs: 30_000 })
  atEnd(t, () => live.close())

  const call = async (method: string, path: string, body?: object) => {
    const { status, json, text } = await ann.request(method, `/documents/${path}`, body)
    assert.ok(status < 300, text)
    return json
  }
  const versionOf = async (version: string): Promise<DocumentVersion> =>
    (await call('GET', `${id}/versions/${version}`)).version
  return {
    ...{ ...app, ann, id, live, upload, call, versionOf },
    factor: async (document = id) => factorOf((await call('GET', `${document}/file`)).clusters),
    keep: async (name: string, document = id): Promise<DocumentVersion> =>
      (await call('POST', `${document}/versions`, { name })).version,
    /** Asks for a solve of the document as it is now, which is this version. */
    async solve(version: DocumentVersion) {
      await call('POST', `${id}/solves`)
      await until('it is solved', async () => (await versionOf(version.id)).solutionId !== null)
    },
    async exported(version: DocumentVersion, format: '.gh' | '.3dm', document = id) {
      const made = await call('POST', `${document}/versions/${version.id}/exports`, { format })
      return Buffer.from(await (await fetch(made.export.url)).arrayBuffer())
    },
    async pointOf(solution: string) {
      const { cluster, output } = CLUSTERED
      const { tree } = await call('GET', `${id}/solutions/${solution}/nodes/${cluster}/ports/${output}`)
      return tree.branches[0].values[0]
    },
    restore: (version: DocumentVersion, appliedBy: 'caller' | 'server') =>
      call('POST', `${id}/versions/${version.id}/restore`, { appliedBy }),
  }
}

for (const kind of FEATURE_DATABASES) {
  describe(`versions and imported files on ${kind.name}`, kind.options, () => {
    test('[HIST-3] [HIST-6] [HIST-9] [HIST-10] [HIST-12] [FILE-7] given a document whose clusters another file replaced, when its versions are shown, exported, restored, undone and copied, then each has its own file and solution', async (t) => {
      const it = await start(t, kind)
      const { live, upload, keep, solve, versionOf, exported, factor, pointOf, restore, call } = it
      const first = await keep('First')
      await solve(first)
      await upload(5)
      assert.equal(await factor(), '5')
      const second = await keep('Second')
      assert.ok(second.seq > first.seq, 'also with the same graph, another file is another state')
      await solve(second)
      addSlider(live)
      await live.durable()
      await solve(await keep('Third'))
      for (const [version, coordinate] of [
        [first, 6],
        [second, 15],
      ] as const) {
        const point = await pointOf((await versionOf(version.id)).solutionId!)
        assert.deepEqual(point, { type: 'point', value: [coordinate, coordinate, coordinate] })
        const [object, ...others] = [...walkModel(await exported(version, '.3dm'))]
        assert.ok(object && others.length === 0)
      }
      assert.equal(factorOf(readClusters(await exported(first, '.gh'))), '2')
      assert.equal(factorOf(readClusters(await exported(second, '.gh'))), '5')

      const restored = await restore(first, 'caller')
      assert.equal(restored.changedFile, true)
      assert.equal(await factor(), '2')
      // As the web app does when its edit is undone.
      assert.equal((await restore(restored.before, 'caller')).changedFile, true)
      assert.equal(await factor(), '5')
      await restore(second, 'server')
      const { before } = await restore(first, 'server')
      assert.equal(before.seq > second.seq, true)
      assert.equal(await factor(), '2')
      const again = await keep('First again')
      assert.ok(again.seq > before.seq, 'the file alone changed')
      assert.equal(factorOf(readClusters(await exported(again, '.gh'))), '2')
      assert.equal(factorOf(readClusters(await exported(before, '.gh'))), '5')

      const { document } = await call('POST', `${it.id}/versions/${second.id}/copy`, {})
      assert.equal(await factor(document.id), '5')
      const copied = await keep('Copied', document.id)
      assert.deepEqual([copied.fileName, copied.kind], ['Tower.gh', 'created'])
      assert.equal(factorOf(readClusters(await exported(copied, '.gh', document.id))), '5')

      const { document: duplicate } = await call('POST', `${it.id}/duplicate`, {})
      assert.equal(await factor(duplicate.id), '2')
      await call('POST', `${duplicate.id}/solves`)
      const isSolved = async () => (await call('GET', duplicate.id)).document.solve === 'solved'
      await until('its clusters are solved', isSolved)
      assert.deepEqual((await call('GET', `${duplicate.id}/unsolvable`)).unsolvable, [])
      const duplicated = await keep('Duplicated', duplicate.id)
      assert.equal(factorOf(readClusters(await exported(duplicated, '.gh', duplicate.id))), '2')
      assert.equal(await upload(7), it.id, 'the next file does not replace the copies')
    })
  })
}

test('[HIST-9] given a version that is larger than an edit may be, when it is restored, then the answer says that it cannot be, and nothing is changed', async (t) => {
  const { fixtures, team, address, signIn } = await startWebApp(t)
  const ann = await signIn('Ann', 'member')
  const panels = Array.from({ length: 600 }, () => {
    const panel = createNode(PANEL, { position: { x: 0, y: 0 } })
    return { ...panel, state: { ...panel.state, text: 'x'.repeat(15_000) } }
  })
  const nodes = Object.fromEntries(panels.map((panel) => [panel.instanceId, panel]))
  const content = { nodes, groups: [], configuration: { inputs: [], outputs: [] } }
  const id = await fixtures.document(team, { content })
  const live = await openLive({ address, documentId: id, cookie: ann.cookie, timeoutMs: 30_000 })
  atEnd(t, () => live.close())
  live.edit((doc) => removeNodes(doc, Object.keys(nodes)))
  await live.durable()
  const [version] = (await ann.get(`/documents/${id}/versions`)).json.versions
  assert.equal(version.nodes, 600)
  const path = `/documents/${id}/versions/${version.id}/restore`
  const { status, json } = await ann.request('POST', path, { appliedBy: 'server' })
  assert.deepEqual([status, json], [409, { error: APP_ERRORS.version_not_restorable.sentence }])
  assert.deepEqual((await ann.get(`/documents/${id}/graph`)).json.graph.nodes, {})
})
