import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startServer } from '../../testing/start-server.ts'

const DAY = 86_400_000
const NOON = Date.UTC(2026, 5, 1, 12)

const namesOf = (response: { json: { documents: { name: string }[] } }) =>
  response.json.documents.map(({ name }) => name)

test('[C4, D16] given documents, when they are searched, then each item has every field, and its folder', async (t) => {
  const { get, fixtures, team } = await startServer(t)
  const root = await fixtures.root(team)
  const folder = await fixtures.folder(team, 'Projects')
  const filed = await fixtures.document(team, { name: 'Filed', folder: folder.key, updatedAt: NOON })
  const unfiled = await fixtures.document(team, { name: 'Unfiled', updatedAt: NOON - DAY })
  const { json } = await get('/documents')
  const shared = { visibility: 'private', createdAt: '2026-01-01T00:00:00.000Z' }
  assert.deepEqual(json, {
    documents: [
      {
        id: filed,
        name: 'Filed',
        ...shared,
        updatedAt: '2026-06-01T12:00:00.000Z',
        folder: { id: folder.id, name: 'Projects' },
        isRoot: false,
      },
      {
        id: unfiled,
        name: 'Unfiled',
        ...shared,
        updatedAt: '2026-05-31T12:00:00.000Z',
        folder: { id: root.id, name: root.name },
        isRoot: true,
      },
    ],
    truncated: false,
  })
})

test('[C4, D18] given a query, then names that start with it come first, inside each group the latest change first', async (t) => {
  const { get, fixtures, team } = await startServer(t)
  for (const [i, name] of ['The tower', 'Tower old', 'A tower', 'tower new', 'Bridge'].entries()) {
    await fixtures.document(team, { name, updatedAt: NOON + i * DAY })
  }
  assert.deepEqual(namesOf(await get('/documents?q=TOWER')), [
    'tower new',
    'Tower old',
    'A tower',
    'The tower',
  ])
  assert.deepEqual(namesOf(await get('/documents?q=')), [
    'Bridge',
    'tower new',
    'A tower',
    'Tower old',
    'The tower',
  ])
})

test('[C4, D17] given wildcards, quotes and characters of any script, then they match as themselves, whatever their case', async (t) => {
  const { get, fixtures, team } = await startServer(t)
  const names = [
    '100% wood',
    'under_score',
    'O\'Brien "x" \\',
    'Straße',
    'ÄRGER',
    'agar',
    '塔の',
    'Ⓜ️ 🏗 crane',
    'İstanbul',
    'Cafe\u0301',
  ]
  for (const name of names) await fixtures.document(team, { name })
  const find = async (q: string) => namesOf(await get(`/documents?q=${encodeURIComponent(q)}`))
  assert.deepEqual(await find('%'), ['100% wood'])
  assert.deepEqual(await find('_'), ['under_score'])
  assert.deepEqual(await find('"x" \\'), ['O\'Brien "x" \\'])
  assert.deepEqual(await find('STRASSE'), ['Straße'])
  assert.deepEqual(await find('ärger'), ['ÄRGER'])
  assert.deepEqual(await find('ä'), ['ÄRGER'])
  assert.deepEqual(await find('の'), ['塔の'])
  assert.deepEqual(await find('🏗'), ['Ⓜ️ 🏗 crane'])
  assert.deepEqual(await find('CAFÉ'), ['Cafe\u0301'])
  assert.deepEqual(await find('caf\u00e9'), ['Cafe\u0301'])
})

test('[D7, D19] given a query that no name can match, or unknown parameters, then 200 and no error', async (t) => {
  const { get, fixtures, team } = await startServer(t)
  await fixtures.document(team)
  for (const q of ['%00', 'a'.repeat(20_000), '%FF', '%ED%A0%80', '%0A']) {
    const response = await get(`/documents?q=${q}`)
    assert.equal(response.status, 200, q.slice(0, 10))
    assert.deepEqual(response.json, { documents: [], truncated: false })
  }
  assert.deepEqual(namesOf(await get('/documents?limit=0&offset=9&format=x&q=tow&q=nothing')), ['Tower'])
})

test('[C4, C8, D16] given more than fifty matches, then fifty and truncated; given fifty, not truncated', async (t) => {
  const { get, fixtures, team } = await startServer(t)
  for (let i = 1; i <= 50; i++) await fixtures.document(team, { name: `Tower ${i}`, updatedAt: NOON + i })
  for (const path of ['/documents', '/documents?q=tower', '/documents?q=ower']) {
    const { documents, truncated } = (await get(path)).json
    assert.deepEqual([documents.length, truncated], [50, false], path)
  }
  await fixtures.document(team, { name: 'Tower 0', updatedAt: NOON })
  for (const path of ['/documents', '/documents?q=tower', '/documents?q=ower', '/documents?q=o']) {
    const { documents, truncated } = (await get(path)).json
    assert.deepEqual([documents.length, truncated], [50, true], path)
    assert.equal(documents.at(-1).name, 'Tower 1')
  }
})

test('[C4, D18] given a folder, then only documents in it and below it at any depth; `root` means all', async (t) => {
  const { get, fixtures, team } = await startServer(t)
  const projects = await fixtures.folder(team, 'Projects')
  const deep = await fixtures.folder(team, 'Projects', 'A', 'B', 'C')
  const other = await fixtures.folder(team, 'Projects 2')
  await fixtures.document(team, { name: 'Top tower', folder: projects.key, updatedAt: NOON })
  await fixtures.document(team, { name: 'Deep tower', folder: deep.key, updatedAt: NOON - 1 })
  await fixtures.document(team, { name: 'Other tower', folder: other.key, updatedAt: NOON - 2 })
  await fixtures.document(team, { name: 'Root tower', updatedAt: NOON - 3 })
  assert.deepEqual(namesOf(await get(`/documents?folderId=${projects.id}`)), ['Top tower', 'Deep tower'])
  assert.deepEqual(namesOf(await get(`/documents?folderId=${projects.id}&q=DEEP`)), ['Deep tower'])
  assert.deepEqual(namesOf(await get(`/documents?folderId=${deep.id}&q=tower`)), ['Deep tower'])
  assert.equal(namesOf(await get('/documents?folderId=root')).length, 4)
  assert.equal(namesOf(await get(`/documents?folderId=${projects.id}&folderId=${other.id}`)).length, 2)
})

test("[C5.2] given another team's documents, then a search never finds them", async (t) => {
  const { get, fixtures } = await startServer(t)
  const other = await fixtures.team('Other')
  await fixtures.document(other, { name: 'Secret tower' })
  assert.deepEqual(namesOf(await get('/documents')), [])
  assert.deepEqual(namesOf(await get('/documents?q=secret')), [])
})

test('[C2, C9, D20] given a document, when it is read, then its properties, version 1 and its content', async (t) => {
  const { get, fixtures, team } = await startServer(t)
  const content = {
    nodes: {
      n1: {
        instanceId: 'n1',
        templateId: '57da07bd-ecab-415d-9d86-af36d7073abc',
        name: 'Number Slider',
        nickName: 'größe',
        position: { x: 1, y: 2 },
        status: { isEnabled: true, isPreviewed: true },
        inputs: {},
        outputs: { n1: 0 },
        sources: {},
        values: { n1: { branches: [{ path: '{0}', values: [{ type: 'number', value: 3.5 }] }] } },
        ports: {
          n1: { name: 'Number Slider', nickName: 'größe', typeName: 'Number', access: 'item', flags: [] },
        },
      },
    },
    groups: [],
    configuration: { inputs: [], outputs: [] },
  }
  const id = await fixtures.document(team, {
    name: 'Tower "A"',
    content,
    createdAt: NOON,
    updatedAt: NOON + DAY,
  })
  const response = await get(`/documents/${id}`)
  assert.equal(response.status, 200)
  assert.deepEqual(response.json, {
    document: {
      id,
      name: 'Tower "A"',
      version: 1,
      createdAt: '2026-06-01T12:00:00.000Z',
      updatedAt: '2026-06-02T12:00:00.000Z',
      ...content,
    },
  })
})
