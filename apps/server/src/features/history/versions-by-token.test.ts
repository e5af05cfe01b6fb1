import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { APP_ERRORS } from '@meadow/contract/web'
import { createHistoryWork } from '../../content/history/history-work.ts'
import { keepVersions } from '../../content/history/keep-versions.ts'
import { nameVersion } from '../../content/history/version-changes.ts'
import { moveDocument } from '../../library/documents.ts'
import type { FolderKey } from '../../platform/database/tables.ts'
import { changeTeam } from '../../team/team-transaction.ts'
import { FEATURE_DATABASES } from '../../testing/databases.ts'
import { startServer } from '../../testing/start-server.ts'
import { sliderContent } from '../live/testing/sliders.ts'
import { createVersionStore } from './versions.store.ts'
import { versionsByTokenRoutes } from './versions-by-token.ts'

for (const kind of FEATURE_DATABASES) {
  describe(`versions and API tokens on ${kind.name}`, kind.options, () => {
    test('[HIST-15] given tokens of every resource scope and every scope, when they list and read versions, then those that read the document do, without people, and for all others versions and documents are missing alike', async (t) => {
      const { databaseUrl } = await kind.createLocation(t)
      const server = await startServer(t, databaseUrl ? { DATABASE_URL: databaseUrl } : {})
      const { fixtures, team, get, database, service, request } = server
      const { blobs } = service
      const [inside, outside] = [await fixtures.folder(team, 'In'), await fixtures.folder(team, 'Out')]
      const content = JSON.parse(JSON.stringify(sliderContent(3)))
      const id = await fixtures.document(team, { folder: inside.key, content })
      const other = await fixtures.document(team, { folder: outside.key })
      const keyOf = async (of: string) =>
        (
          await database.read
            .selectFrom('document')
            .where('public_id', '=', of as never)
            .select('id')
            .executeTakeFirstOrThrow()
        ).id
      const { key } = (await keepVersions(
        { database, blobs, history: createHistoryWork(blobs) },
        await keyOf(id),
        'manual',
      ))!
      await keepVersions({ database, blobs, history: createHistoryWork(blobs) }, await keyOf(other), 'manual')
      await changeTeam(database, team.key, (change) => nameVersion(change, key, 'As built', null))

      const { json, status, headers } = await get(`/documents/${id}/versions`)
      assert.deepEqual([status, headers.get('cache-control')], [200, 'private, no-cache'])
      const [version] = json.versions
      const { id: versionId, at, ...rest } = version
      assert.deepEqual(rest, {
        ...{ seq: 1, kind: 'created', name: 'As built', isPinned: false, nodes: 3, wires: 0 },
        fileName: null,
      })
      assert.equal(at, new Date(Date.UTC(2026, 0, 2)).toISOString())
      assert.equal(json.next, null)
      const path = `/documents/${id}/versions/${versionId}`
      const read = await get(path)
      assert.deepEqual(read.json, { version, document: { file: null, clusters: {}, ...content } })
      const tag = read.headers.get('etag')!
      assert.equal((await get(path, { headers: { 'if-none-match': tag } })).status, 304)

      const limited = await fixtures.token(team, { folders: [inside.id] })
      assert.deepEqual((await get(path, { token: limited.secret })).json, read.json)
      const stranger = await fixtures.token(await fixtures.team('Other'))
      const { versions } = (await get(`/documents/${other}/versions`)).json
      for (const below of ['', `/${versions[0].id}`]) {
        const missing = await get(`/documents/nothing/versions${below}`)
        assert.equal(missing.status, 404)
        for (const [document, token] of [
          [other, limited.secret],
          [other, stranger.secret],
        ] as const) {
          const answer = await get(`/documents/${document}/versions${below}`, { token })
          assert.deepEqual([answer.status, answer.text], [404, missing.text])
        }
      }
      const wrong = await get(`/documents/${id}/versions/${versions[0].id}`)
      assert.deepEqual([wrong.status, wrong.json.error], [404, APP_ERRORS.version_not_found.sentence])
      const narrow = await fixtures.token(team, { scopes: ['folders:read'] })
      assert.equal((await get(path, { token: narrow.secret })).status, 403)
      assert.equal((await get(path, { token: null })).status, 401)
      // Outside of the prefix tokens are refused, as everywhere.
      const { secret: token } = limited
      assert.equal((await request(`/app/v1/documents/${id}/versions`, { token })).status, 403)
      const moved = await keyOf(id)
      const move = (folder: FolderKey) =>
        changeTeam(database, team.key, (change) => moveDocument(change, moved, folder))
      await move(outside.key)
      assert.equal((await get(path, { token })).status, 404, 'it was moved out of scope')

      // Moved out between two queries of a request.
      await move(inside.key)
      const store = createVersionStore(database)
      const slow = {
        ...store,
        async list(...of: Parameters<typeof store.list>) {
          const page = await store.list(...of)
          await move(outside.key)
          return page
        },
      }
      const [listing] = versionsByTokenRoutes(database, blobs, slow)
      const { id: tokenKey } = await database.read
        .selectFrom('token')
        .where('public_id', '=', limited.id)
        .select('id')
        .executeTakeFirstOrThrow()
      const principal = { resourceScope: { team: team.key, token: tokenKey } }
      const asked = { params: { documentId: id }, principal, query: new URLSearchParams() } as never
      await assert.rejects(async () => listing!.handle(asked), { code: 'document_not_found' })
    })
  })
}
