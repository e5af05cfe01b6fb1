import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { DATABASES, type TestDatabase } from '../../testing/databases.ts'
import { startServer } from '../../testing/start-server.ts'
import { until } from '../../testing/until.ts'
import { addition, graphOf, KANGAROO, kangaroo, panel, SLIDER, slider } from './testing/library-nodes.ts'

const COMPLETE = { pending: 0, unread: 0, partial: 0 }
const PLUGIN = { kind: 'plugin', id: KANGAROO.libraryId, name: 'Kangaroo2' }

async function start(t: Parameters<typeof startServer>[0], kind: TestDatabase) {
  const location = await kind.createLocation(t)
  const app = await startServer(t, 'databaseUrl' in location ? { DATABASE_URL: location.databaseUrl! } : {})
  const search = async (query: Record<string, string>, token?: string) =>
    (await app.get(`/documents?${new URLSearchParams(query)}`, token === undefined ? {} : { token })).json
  const names = async (query: Record<string, string>, token?: string): Promise<string[]> =>
    (await search(query, token)).documents.map(({ name }: { name: string }) => name)
  const untilIndexed = () =>
    until('everything is indexed', async () => (await search({ uses: 'x' })).index.pending === 0)
  return { ...app, search, names, untilIndexed }
}

for (const kind of DATABASES) {
  describe(`documents by what they use, on ${kind.name}`, kind.options, () => {
    test('[USE-21, USE-22, C4] given documents, then a name or GUID finds those that use it in the order of a search, and says what it stands for', async (t) => {
      const { search, names, untilIndexed, fixtures, team, get } = await start(t, kind)
      const contents = {
        'Old tower': graphOf(kangaroo('1.0'), slider()),
        Tower: graphOf(kangaroo(), addition()),
        Bridge: graphOf(slider(), panel()),
        Empty: graphOf(),
      }
      let updatedAt = 0
      for (const [name, content] of Object.entries(contents))
        await fixtures.document(team, { name, content, updatedAt: ++updatedAt })
      await untilIndexed()

      const whole = await search({})
      const found = await search({ uses: 'number slider' })
      assert.deepEqual(Object.keys(whole), ['documents', 'truncated'])
      assert.deepEqual(found, {
        documents: whole.documents.filter(({ name }: { name: string }) =>
          ['Bridge', 'Old tower'].includes(name),
        ),
        truncated: false,
        uses: [{ kind: 'component', id: SLIDER, name: 'Number Slider' }],
        index: COMPLETE,
      })
      assert.deepEqual(await search({ uses: SLIDER.toUpperCase() }), found)
      assert.deepEqual(await names({ uses: 'Number' }), [], 'a part of a name of a component')
      assert.deepEqual(await search({ uses: ' Kangaroo' }), await search({ uses: KANGAROO.libraryId }))
      assert.deepEqual(await search({ uses: 'KANGAROO2' }), {
        ...{ documents: (await search({ q: 'tower' })).documents },
        ...{ truncated: false, uses: [PLUGIN], index: COMPLETE },
      })
      assert.deepEqual(await names({ uses: 'kangaroo', q: 'tow' }), ['Tower', 'Old tower'])
      assert.deepEqual(await names({ uses: 'Bouncy Solver', q: 'old' }), ['Old tower'])
      for (const uses of ['', 'kang', 'kangaroo2x', '%', '_', 'Num_er Slider', '\0', 'x'.repeat(60_000)])
        assert.deepEqual(await search({ uses }), {
          documents: [],
          truncated: false,
          uses: [],
          index: COMPLETE,
        })
      const first = await get('/documents?uses=kangaroo')
      const again = await get('/documents?uses=kangaroo', {
        headers: { 'if-none-match': first.headers.get('etag')! },
      })
      assert.deepEqual([first.status, again.status], [200, 304])
    })

    test('[USE-23, TOK-20] given folders and a limited token, then only what is in them is found and named', async (t) => {
      const { search, names, untilIndexed, fixtures, team } = await start(t, kind)
      const [here, there] = [
        await fixtures.folder(team, 'Here', 'Deep'),
        await fixtures.folder(team, 'There'),
      ]
      const above = await fixtures.folder(team, 'Here')
      await fixtures.document(team, { name: 'A', folder: here.key, content: graphOf(slider()) })
      await fixtures.document(team, { name: 'B', folder: there.key, content: graphOf(slider(), kangaroo()) })
      await fixtures.document(team, { name: 'C', content: graphOf(slider()) })
      const { secret } = await fixtures.token(team, { folders: [above.id] })
      await untilIndexed()
      assert.deepEqual((await names({ uses: SLIDER })).toSorted(), ['A', 'B', 'C'])
      assert.deepEqual(await names({ uses: SLIDER, folderId: above.id }), ['A'])
      assert.deepEqual(await names({ uses: SLIDER }, secret), ['A'])
      assert.deepEqual((await search({ uses: 'kangaroo' }, secret)).uses, [])
      assert.deepEqual((await search({ uses: 'kangaroo' })).uses, [PLUGIN])
      assert.equal(
        (await search({ uses: SLIDER, folderId: there.id }, secret)).error,
        'Could not find that folder.',
      )
    })

    test('[USE-14, USE-22] given a document that was made a moment ago, then it is found or counted as pending, and found at last', async (t) => {
      const { search, untilIndexed, fixtures, team } = await start(t, kind)
      for (let count = 1; count <= 60; count++) {
        await fixtures.document(team, { name: `Tower ${count}`, content: graphOf(slider()) })
        if (count % 15 > 0) continue
        const { documents, index } = await search({ uses: SLIDER })
        assert.ok(Math.min(documents.length + index.pending, 50) >= Math.min(count, 50), `${count}`)
      }
      await untilIndexed()
      const { documents, truncated } = await search({ uses: SLIDER })
      assert.deepEqual([documents.length, truncated], [50, true])
    })
  })
}
