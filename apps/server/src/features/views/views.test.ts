import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { APP_PREFIX, type ModelPlace, type NamedView, type ViewPlace } from '@meadow/contract/web'
import fc from 'fast-check'
import { createPublicId } from '../../platform/public-ids.ts'
import { FEATURE_DATABASES, type TestDatabase } from '../../testing/databases.ts'
import { type Browser, startWebApp } from '../../testing/start-web-app.ts'
import { until } from '../../testing/until.ts'
import { connectRaw } from '../live/testing/raw-client.ts'
import { startLiveServer } from '../live/testing/start-live-server.ts'

const GRAPH: ViewPlace = {
  kind: 'graph',
  clusters: ['outer', 'inner'],
  x: -1.5,
  y: 2e6,
  width: 800,
  height: 600,
}
const MODEL: ModelPlace = {
  ...{
    kind: 'model',
    target: [1, 2, 3],
    direction: [0, -0.6, 0.8],
    span: 12.5,
    aspect: 1.6,
    isParallel: true,
  },
  hidden: [{ nodeInstanceId: 'n' }, { nodeInstanceId: 'n', portInstanceId: 'p', path: '{0;1}', index: 2 }],
  isolated: null,
  section: { axis: 'z', offset: -4, isFlipped: true },
  colour: 'port.n.p~viridis~r~s5~d0,10',
}

async function start(t: TestContext, kind: TestDatabase) {
  const app = await startWebApp(t, kind, { MEADOW_SOLVE_WORKERS: '0' })
  const { signIn, fixtures, team, database } = app
  const [ann, ben, vera] = [
    await signIn('Ann', 'owner'),
    await signIn('Ben', 'member'),
    await signIn('Vera', 'viewer'),
  ]
  const id = await fixtures.document(team, { name: 'Tower' })
  const path = `/documents/${id}/views`
  const save = async (name: string, place: object = GRAPH): Promise<NamedView> => {
    const { status, json, text } = await ben.request('POST', path, { name, place })
    assert.equal(status, 201, text)
    return json.view
  }
  /** Saves views as if by as many requests. */
  const fill = async (count: number, columns: { deleted_at: number | null }) => {
    const { id: document_id } = await database.read
      .selectFrom('document')
      .where('public_id', '=', id)
      .select('id')
      .executeTakeFirstOrThrow()
    const rows = Array.from({ length: count }, () => ({
      ...{ ...columns, document_id, name: 'Front', place: JSON.stringify(GRAPH) },
      public_id: createPublicId('viw'),
    }))
    await database.transaction((write) => write.insertInto('named_view').values(rows).execute())
  }
  const list = async (who: Browser, of = path): Promise<NamedView[]> => (await who.get(of)).json.views
  const names = async () => (await list(vera)).map(({ name }) => name)
  return { ...app, ann, ben, vera, id, path, save, fill, list, names }
}

for (const kind of FEATURE_DATABASES) {
  describe(`named views on ${kind.name}`, kind.options, () => {
    test('[VIEW-1, VIEW-2, VIEW-3, VIEW-4, VIEW-8] given people of each role, when they save, rename, change, delete and restore views, then each may do what the rules say, and readers see all of it in one order', async (t) => {
      const {
        ann,
        ben,
        vera,
        id,
        path,
        save,
        list,
        names,
        open,
        signIn,
        fixtures,
        team,
        get,
        fill,
        database,
      } = await start(t, kind)
      const [front, detail] = [
        await save(' Front ', { ...MODEL, more: 'x'.repeat(50_000) }),
        await save('Detail'),
      ]
      assert.deepEqual(await list(vera), [
        { id: front.id, name: 'Front', place: MODEL },
        { id: detail.id, name: 'Detail', place: GRAPH },
      ])
      const [atFront, atDetail] = [`${path}/${front.id}`, `${path}/${detail.id}`]
      const stranger = await signIn('Sam', 'owner', await fixtures.team('Other'))
      const nobody = open()
      const writes = [
        ['POST', path, { name: 'Mine', place: GRAPH }],
        ['PATCH', atFront, { name: 'Mine' }],
        ['DELETE', atFront],
        ['POST', `${atFront}/restore`],
      ] as const
      for (const [method, at, body] of writes) {
        assert.equal((await vera.request(method, at, body)).status, 403, method)
        assert.equal((await stranger.request(method, at, body)).status, 404, method)
        assert.equal((await nobody.request(method, at, body)).status, 401, method)
      }
      for (const who of [stranger, nobody]) assert.notEqual((await who.get(path)).status, 200)
      await ann.request('PATCH', `/teams/${team.id}`, { publicDocuments: { allowed: true, days: null } })
      await ann.request('PATCH', `/documents/${id}`, { visibility: 'public' })
      for (const who of [stranger, nobody]) assert.deepEqual(await list(who), await list(vera))
      assert.equal((await stranger.request('PATCH', atFront, { name: 'Mine' })).status, 404)
      assert.ok(!(await get(`/documents/${id}`)).text.includes('Front'))

      assert.equal((await ann.request('PATCH', atFront, { name: 'Façade' })).json.view.name, 'Façade')
      const turned = { ...MODEL, direction: [1, 0, 0], isolated: [{ nodeInstanceId: 'm' }], colour: null }
      assert.deepEqual((await ben.request('PATCH', atFront, { place: turned })).json.view, {
        ...{ id: front.id, name: 'Façade', place: turned },
      })
      assert.equal((await ben.request('DELETE', atFront)).status, 204)
      assert.deepEqual(await names(), ['Detail'])
      for (const [method, at, body] of writes.slice(1, 3))
        assert.equal((await ben.request(method, at, body)).status, 404, method)
      assert.deepEqual((await ann.request('POST', `${atFront}/restore`)).json.view.place, turned)
      assert.equal((await ann.request('POST', `${atFront}/restore`)).status, 404)
      assert.deepEqual(await names(), ['Façade', 'Detail'])

      const { events } = (await ann.get(`/teams/${team.id}/audit`)).json
      const told = (events as { action: string; details: { name: string } }[])
        .filter(({ action }) => action.startsWith('view.'))
        .map(({ action, details }) => `${action} ${details.name}`)
        .toReversed()
      assert.deepEqual(told, [
        ...['view.saved Front', 'view.saved Detail', 'view.changed Façade', 'view.changed Façade'],
        ...['view.deleted Façade', 'view.restored Façade'],
      ])

      // Of those that are deleted, the last 20 are kept.
      await fill(20, { deleted_at: 1 })
      const [oldest] = await database.read
        .selectFrom('named_view')
        .where('deleted_at', '=', 1)
        .orderBy('named_view.id')
        .select('public_id as id')
        .execute()
      await ben.request('DELETE', atDetail)
      assert.equal((await ben.request('POST', `${path}/${oldest!.id}/restore`)).status, 404)
      assert.equal((await ben.request('POST', `${atDetail}/restore`)).status, 200)
    })

    test('[VIEW-5, VIEW-6] given a document with views, when it goes to the bin, comes back, is copied and is deleted for good, then they follow it; what is beyond the limits is rejected and stores nothing', async (t) => {
      const { ann, ben, vera, id, path, save, fill, list, names, team, database } = await start(t, kind)
      await save('Front', MODEL)
      const reject = async (body: unknown, status = 400) => {
        const { status: got, text } = await ben.request('POST', path, body)
        assert.equal(got, status, `${JSON.stringify(body).slice(0, 200)}: ${text}`)
        assert.match(JSON.parse(text).error, /\.$/)
      }
      for (const name of ['', '  ', 'a\nb', 'a\u202eb', 'a\0b', 'x'.repeat(256), 7])
        await reject({ name, place: GRAPH })
      const coordinate = fc.constantFrom<unknown>(1e300, null, '1', [], -2e12)
      const extent = fc.constantFrom<unknown>(0, -1, 1e300, null)
      const ids = fc.constantFrom<unknown>(['a\0'], [''], ['x'.repeat(101)], Array(21).fill('a'), 'a', [null])
      const parts = fc.constantFrom<unknown>(
        ...[[{}], [{ nodeInstanceId: '\u{1f600}' }], [{ nodeInstanceId: 1 }], 'all', [null], null],
      )
      const wrong = fc.oneof(
        fc.record({ x: coordinate }).map((part) => ({ ...GRAPH, ...part })),
        fc.record({ width: extent }).map((part) => ({ ...GRAPH, ...part })),
        fc.record({ clusters: ids }).map((part) => ({ ...GRAPH, ...part })),
        fc.constantFrom('moon', null, 1).map((other) => ({ ...GRAPH, kind: other })),
        fc
          .tuple(coordinate, fc.nat(2))
          .map(([value, at]) => ({ ...MODEL, target: MODEL.target.with(at, value as number) })),
        fc
          .constantFrom([0, 0, 0], [1, 1, 0], [1, 0], [1, 0, 0, 0], null)
          .map((direction) => ({ ...MODEL, direction })),
        fc.record({ span: extent }).map((part) => ({ ...MODEL, ...part })),
        fc.record({ hidden: parts }).map((part) => ({ ...MODEL, ...part })),
        fc.constantFrom('', 'a b', 'x'.repeat(401), 7).map((colour) => ({ ...MODEL, colour })),
        fc
          .constantFrom({}, { axis: 'w', offset: 0, isFlipped: false }, [])
          .map((section) => ({ ...MODEL, section })),
      )
      await fc.assert(
        fc.asyncProperty(wrong, (place) => reject({ name: 'Wrong', place })),
        { numRuns: 40 },
      )
      const nodes = Array.from({ length: 200 }, (_, n) => ({ nodeInstanceId: `${n}`.padStart(90, 'n') }))
      await reject({ name: 'Large', place: { ...MODEL, hidden: nodes } })
      await reject({ name: 'x'.repeat(2 ** 20), place: GRAPH }, 413)
      assert.deepEqual(await names(), ['Front'])
      assert.equal((await ben.request('PATCH', `${path}/viw_a\0`, { name: 'x' })).status, 404)

      await fill(199, { deleted_at: null })
      const refused = await ben.request('POST', path, { name: 'One more', place: GRAPH })
      assert.equal(refused.status, 409)
      const [first, second] = await list(ben)
      assert.equal((await ben.request('DELETE', `${path}/${second!.id}`)).status, 204)
      await save('The last')
      assert.equal((await ben.request('POST', `${path}/${second!.id}/restore`)).status, 409)
      assert.deepEqual(new Set((await list(ben)).slice(0, 198).map(({ name }) => name)), new Set(['Front']))

      const [copy, kept] = [
        (await ann.request('POST', `/documents/${id}/duplicate`, {})).json.document.id,
        (await ann.request('POST', `/documents/${id}/versions`, { name: 'Kept' })).json.version.id,
      ]
      const ofVersion = (await ann.request('POST', `/documents/${id}/versions/${kept}/copy`, {})).json
        .document.id
      const before = await list(ben)
      const shown = (views: readonly NamedView[]) => views.map(({ name, place }) => ({ name, place }))
      for (const other of [copy, ofVersion]) {
        const copied = await list(ben, `/documents/${other}/views`)
        assert.deepEqual(shown(copied), shown(before))
        assert.equal(new Set([...before, ...copied].map(({ id }) => id)).size, 400)
      }

      await ann.request('DELETE', `/documents/${id}`)
      assert.equal((await vera.get(path)).status, 404)
      assert.equal((await ben.request('PATCH', `${path}/${first!.id}`, { name: 'x' })).status, 404)
      const binned = async () => (await ann.get(`/teams/${team.id}/bin`)).json.items[0].id
      await ann.request('POST', `/bin/${await binned()}/restore`)
      assert.deepEqual(await list(vera), before)
      for (const each of [id, copy, ofVersion]) {
        await ann.request('DELETE', `/documents/${each}`)
        assert.equal((await ann.request('DELETE', `/bin/${await binned()}`)).status, 204)
      }
      for (const table of ['named_view', 'view_revision'] as const) {
        const { count } = await database.read
          .selectFrom(table)
          .select(({ fn }) => fn.countAll().as('count'))
          .executeTakeFirstOrThrow()
        assert.equal(Number(count), 0, table)
      }
    })
  })
}

test('[VIEW-7] given a page and an agent, when somebody saves a view, then the page is told, and the agent is not', async (t) => {
  const { address, fixtures, team, person } = await startLiveServer(t)
  const id = await fixtures.document(team)
  const ann = await person('ann')
  const page = await connectRaw(t, address, ann.cookie, { origin: address })
  const agent = await connectRaw(t, address, ann.cookie)
  const hears = ({ received }: typeof page, text: string) =>
    received.some((bytes) => Buffer.from(bytes).includes(text))
  for (const client of [page, agent]) await client.open(id)
  await until('the page hears of none', async () => hears(page, '{"type":"views","revision":0}'))
  const { status } = await fetch(`${address}${APP_PREFIX}/documents/${id}/views`, {
    method: 'POST',
    headers: { cookie: ann.cookie, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Front', place: GRAPH }),
  })
  assert.equal(status, 201)
  await until('the page hears of it', async () => hears(page, '{"type":"views","revision":1}'))
  await until('the agent hears of the solve', async () => hears(agent, '"type":"solve"'))
  assert.ok(!hears(agent, '"type":"views"'))
})
