import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findFolder } from '../../library/folders.ts'
import { FEATURE_DATABASES } from '../../testing/databases.ts'
import { startWebApp } from '../../testing/start-web-app.ts'
import { createMirrorStore, type MirrorLease } from './mirrors.store.ts'

const COUNTS = {
  created: 1,
  updated: 0,
  moved: 1,
  restored: 0,
  unchanged: 8,
  binned: 0,
  gone: 300,
  left_in_bin: 0,
  conflict: 0,
  failed: 1,
  skipped: 0,
}

for (const kind of FEATURE_DATABASES) {
  describe(`mirrors in the web app on ${kind.name}`, kind.options, () => {
    test('[MIR-6] given a mirror that has run, when its team is read, then members see its state, what changed and what failed; viewers and other teams see nothing', async (t) => {
      const { database, team, fixtures, signIn } = await startWebApp(t, kind, {
        MEADOW_SOLVE_WORKERS: '0',
      })
      const [member, viewer] = [await signIn('Ann', 'member'), await signIn('Vic', 'viewer')]
      const beta = await fixtures.team('Beta')
      const stranger = await signIn('Ben', 'owner', beta)
      const documentId = await fixtures.document(team, { name: 'Tower' })
      const root = (await findFolder(database.read, team.key, 'root'))!
      const store = createMirrorStore(database)
      const common = { team: team.key, gone: 'keep', onConflict: 'keep' } as const
      const id = await store.add({
        ...common,
        folder: root.key,
        name: 'Definitions',
        path: '/srv/definitions',
      })
      const path = `/teams/${team.id}/mirrors`

      const before = (await member.get(path)).json.mirrors
      assert.deepEqual([before.length, before[0].lastRun, before[0].completedAt], [1, null, null])
      const { key } = (await store.find(id))!
      const lease = (await store.lease(key)) as MirrorLease
      await store.complete(lease, {
        state: 'partial',
        counts: COUNTS,
        changes: [
          { outcome: 'failed', path: 'b.gh', reason: 'The file is empty' },
          { outcome: 'moved', path: 'new/Tower.gh', from: 'old/Tower.gh', id: documentId },
        ],
      })

      const { mirrors } = (await member.get(path)).json
      const { id: _, createdAt, completedAt, lastRun, ...mirror } = mirrors[0]
      assert.deepEqual(mirror, {
        name: 'Definitions',
        path: '/srv/definitions',
        folder: { id: root.id, name: team.name },
        gone: 'keep',
        isWatched: false,
      })
      assert.equal(completedAt, lastRun.endedAt)
      assert.deepEqual([lastRun.state, lastRun.counts], ['partial', COUNTS])

      const read = async () => (await member.get(`${path}/${id}/runs`)).json.runs
      const [run] = await read()
      assert.deepEqual(run.changes, [
        { outcome: 'failed', path: 'b.gh', from: null, item: null, reason: 'The file is empty' },
        {
          outcome: 'moved',
          path: 'new/Tower.gh',
          from: 'old/Tower.gh',
          item: { kind: 'document', id: documentId, isThere: true },
          reason: null,
        },
      ])
      assert.equal(run.omitted, 301)
      await member.request('DELETE', `/documents/${documentId}`)
      assert.equal((await read())[0].changes[1].item.isThere, false)

      assert.equal((await viewer.get(path)).status, 403)
      assert.equal((await viewer.get(`${path}/${id}/runs`)).status, 403)
      assert.equal((await stranger.get(path)).status, 404)
      const elsewhere = await stranger.get(`/teams/${beta.id}/mirrors/${id}/runs`)
      assert.deepEqual([elsewhere.status, elsewhere.json.error], [404, 'Could not find that mirror.'])
      assert.deepEqual((await stranger.get(`/teams/${beta.id}/mirrors`)).json, { mirrors: [] })
    })
  })
}
