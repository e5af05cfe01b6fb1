import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { DocumentId, GraphContent } from '@meadow/contract'
import { APP_PREFIX } from '@meadow/contract/web'
import { changeTeam } from '../../team/team-transaction.ts'
import { addCredits } from '../../team/teams.ts'
import { createSuiteScope } from '../../testing/at-end.ts'
import { FEATURE_DATABASES } from '../../testing/databases.ts'
import { createGraph } from '../../testing/graph/create-graph.ts'
import { startWebApp } from '../../testing/start-web-app.ts'
import { until } from '../../testing/until.ts'
import { removeDiscardedBlobs } from '../housekeeping/garbage-collection.ts'

const EMPTY: GraphContent = { nodes: {}, groups: [], configuration: { inputs: [], outputs: [] } }

/** Circles in red. */
const circles = (): GraphContent =>
  createGraph('Circles', ({ group, add, paint }) => {
    group('All', 'inputs')
    const centres = add('Construct Point', [add('Series', { Step: 5, Count: 3 }, 'Numbers')], 'Points')
    paint('Red', '#ff0000ff', add('Circle', { Plane: centres, Radius: 2 }, 'Circles'))
  })

/** Numbers alone. */
const numbers = (): GraphContent =>
  createGraph('Numbers', ({ group, add, panel }) => {
    group('All', 'inputs')
    panel('Numbers', add('Series', { Count: 3 }, 'Numbers'))
  })

for (const kind of FEATURE_DATABASES) {
  describe(`pictures on ${kind.name}`, kind.options, () => {
    const suite = createSuiteScope()
    const start = async () => {
      const app = await startWebApp(suite, kind, { MEADOW_SOLVE_WORKERS: '1' })
      await changeTeam(app.database, app.team.key, (change) => addCredits(change, 100))
      return { ...app, ann: await app.signIn('Ann', 'member') }
    }
    let started: ReturnType<typeof start> | undefined

    async function given(content: GraphContent) {
      started ??= start()
      const app = await started
      const { ann, address, database, fixtures, team } = app
      const id: DocumentId = await fixtures.document(team, { content })
      const path = `/documents/${id}`
      const { key } = await database.read
        .selectFrom('document')
        .where('public_id', '=', id)
        .select('id as key')
        .executeTakeFirstOrThrow()
      /** The picture's bytes with the headers. */
      const read = async (version?: string, headers: Record<string, string> = {}, cookie = ann.cookie) => {
        const query = version === undefined ? '' : `?version=${version}`
        const response = await fetch(`${address}${APP_PREFIX}${path}/thumbnail${query}`, {
          headers: { cookie, ...headers },
        })
        return {
          status: response.status,
          headers: response.headers,
          bytes: Buffer.from(await response.arrayBuffer()),
        }
      }
      const summary = async () => (await ann.get(path)).json.document.thumbnail
      const solve = async () => {
        assert.equal((await ann.request('POST', `${path}/solves`)).status, 202)
        await until('it is solved', async () => (await ann.get(path)).json.document.solve === 'solved')
      }
      const row = () =>
        database.read
          .selectFrom('document_thumbnail')
          .where('document_id', '=', key)
          .selectAll()
          .executeTakeFirst()
      return { ...app, id, key, path, read, summary, solve, row }
    }

    test('[THM-1, THM-2, THM-3, THM-5, THM-6] given a solved document, then its solve left a picture, lists have its version, and browsers keep it; it stays when the document changes or a solve fails', async () => {
      const { ann, database, service, team, key, path, read, summary, solve, row, signIn, open } =
        await given(circles())
      assert.equal(await summary(), null)
      await solve()
      const { version, ...facts } = await summary()
      assert.deepEqual(facts, { kind: 'geometry', isPartial: false, isOutdated: false })
      const { document } = (await ann.get(path)).json
      const { documents: listed } = (await ann.get(`/folders/${document.path.at(-1).id}`)).json.folder
      const { documents: found } = (await ann.get(`/teams/${team.id}/search?q=`)).json
      for (const list of [listed, found])
        assert.equal(list.find((one: { id: string }) => one.id === document.id).thumbnail.version, version)

      const current = await read(version)
      assert.deepEqual([current.status, current.bytes.toString('latin1', 1, 4)], [200, 'PNG'])
      assert.equal(current.headers.get('content-type'), 'image/png')
      assert.match(current.headers.get('cache-control')!, /^private, .*immutable$/)
      for (const other of [undefined, 'another']) {
        const { headers } = await read(other)
        assert.equal(headers.get('cache-control'), 'private, no-cache')
        assert.equal((await read(other, { 'if-none-match': headers.get('etag')! })).status, 304)
      }
      const others = [await signIn('Eve'), open()].map(({ cookie }) => read(version, {}, cookie))
      assert.deepEqual(
        (await Promise.all(others)).map(({ status }) => status),
        [404, 404],
      )

      const before = (await row())!
      await database.transaction(async (write) => {
        await write
          .updateTable('document_thumbnail')
          .where('document_id', '=', key)
          .set({ seq: before.seq - 1 })
          .execute()
      })
      assert.deepEqual(await summary(), { version, ...facts, isOutdated: true })
      // Nodes were moved, as a snapshot has found.
      const setShown = (shown_until: number) =>
        database.transaction((write) =>
          write
            .updateTable('document')
            .where('id', '=', key)
            .set({ shown_seq: before.seq - 1, shown_until })
            .execute(),
        )
      await setShown(before.seq)
      assert.deepEqual(await summary(), { version, ...facts })
      await setShown(before.seq - 1)
      assert.equal((await summary()).isOutdated, true)
      assert.equal((await read()).headers.get('etag'), current.headers.get('etag'))

      // A new picture takes the place of the old one, whose blob goes.
      const old = (await service.blobs.put(Buffer.from('an old picture'))).digest
      await database.transaction((write) =>
        write.updateTable('document_thumbnail').where('document_id', '=', key).set({ digest: old }).execute(),
      )
      await solve()
      await until('there is a new picture', async () => (await row())!.digest !== old)
      assert.equal(await removeDiscardedBlobs(database, service.blobs, Date.now() + 1), 1)
      assert.equal(await service.blobs.read(old), undefined)
    })

    test('[THM-4, THM-6] given documents without a picture, then the first request makes it, once for all that come at the same time, and again when the graph has changed', async () => {
      const { database, key, read, summary, row } = await given(numbers())
      const made = await Promise.all([read(), read(), read()])
      assert.deepEqual(new Set(made.map(({ status, headers }) => `${status} ${headers.get('etag')}`)).size, 1)
      assert.equal((await summary()).kind, 'graph')
      const { digest } = (await row())!
      assert.equal(made[0]!.headers.get('etag'), `"${digest}"`)
      await database.transaction((write) =>
        write
          .updateTable('document_thumbnail')
          .where('document_id', '=', key)
          .set({ seq: -1, digest: 'f'.repeat(64) })
          .execute(),
      )
      assert.equal(await summary(), null)
      assert.equal((await read()).status, 200)
      assert.equal((await row())!.digest, digest)

      const solved = await given(circles())
      await solved.solve()
      const drawn = (await solved.row())!
      // As an older Meadow leaves it.
      await database.transaction((write) =>
        write.deleteFrom('document_thumbnail').where('document_id', '=', solved.key).execute(),
      )
      assert.equal(await solved.summary(), null)
      assert.equal((await solved.read()).status, 200)
      assert.deepEqual(await solved.row(), drawn)

      const empty = await given(EMPTY)
      assert.equal((await empty.read()).status, 200)
    })
  })
}
