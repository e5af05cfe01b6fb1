import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { API_ERRORS, API_PREFIX, type DocumentId, type FolderId } from '@meadow/contract'
import { deletePermanently } from '../features/bin/delete-permanently.ts'
import { follow, startExports } from '../features/exports/testing/start-exports.ts'
import { tubes } from '../features/solutions/testing/graphs.ts'
import { putFolderIntoBin, restoreFromBin } from '../library/bin.ts'
import { moveDocument } from '../library/documents.ts'
import { moveFolder } from '../library/folders.ts'
import type { FolderKey } from '../platform/database/tables.ts'
import { changeTeam, type TeamTransaction } from '../team/team-transaction.ts'
import { DATABASES, type TestDatabase } from '../testing/databases.ts'
import { givenActor } from '../testing/given-actor.ts'
import type { TestResponse } from '../testing/start-server.ts'
import { listTokens } from './team-tokens.ts'

/** Root / Secret / { Tower / { East, West }, Annex }, and Bridge beside it, with documents of the same names. */
async function startTree(t: TestContext, kind: TestDatabase) {
  const server = await startExports(t, kind)
  const { team, fixtures, database } = server
  const folder = (...names: string[]) => fixtures.folder(team, ...names)
  const [secret, tower] = [await folder('Secret'), await folder('Secret', 'Tower')]
  const [east, west] = [await folder('Secret', 'Tower', 'East'), await folder('Secret', 'Tower', 'West')]
  const [annex, bridge] = [await folder('Secret', 'Annex'), await folder('Bridge')]
  const document = (name: string, home?: { key: FolderKey }, facts = {}) =>
    fixtures.document(team, { name, ...(home && { folder: home.key }), ...facts })
  const documents = {
    root: await document('Plan of all'),
    tower: await document('Plan of the tower', tower),
    east: await document('Plan of the east', east, { content: tubes() }),
    annex: await document('Plan of the annex', annex),
    bridge: await document('Plan of the bridge', bridge),
  }
  const limitedTo = async (...folders: { id: FolderId }[]) => {
    const { id, secret } = await fixtures.token(team, { folders: folders.map(({ id }) => id) })
    const get = (path: string, init: RequestInit = {}) => server.get(path, { ...init, token: secret })
    return { id, secret, get, folder: async (id: string) => (await get(`/folders/${id}`)).json.folder }
  }
  const keyOf = async (id: DocumentId) =>
    (
      await database.read
        .selectFrom('document')
        .where('public_id', '=', id)
        .select('id')
        .executeTakeFirstOrThrow()
    ).id
  return {
    ...server,
    ...{ secret, tower, east, west, annex, bridge, documents, limitedTo, keyOf },
    root: await fixtures.root(team),
    actor: await givenActor(database, team.key, { name: `ann-${team.key}`, role: 'owner' }),
    change: <T>(work: (change: TeamTransaction) => Promise<T>) => changeTeam(database, team.key, work),
  }
}

const NO_VERSION = 'ver_0000000000000000'
const MISSING = { folder: 'fld_0000000000000000', document: 'doc_0000000000000000' }

const names = (list: { name: string }[]) => list.map(({ name }) => name)

const comparable = ({ status, headers, text }: TestResponse) => ({
  status,
  headers: [...headers].filter(([name]) => name !== 'date' && name !== 'x-request-id'),
  text: text.replace(/"requestId":"[^"]*"/, ''),
})

for (const kind of DATABASES) {
  describe(`tokens limited to folders on ${kind.name}`, kind.options, () => {
    test('[TOK-20] given a token that is limited to a folder, then it reads what is in it at any depth, and nothing else', async (t) => {
      const { limitedTo, tower, secret, bridge, root, documents } = await startTree(t, kind)
      const { get, folder } = await limitedTo(tower)
      const { folders, documents: inTower } = await folder(tower.id)
      assert.deepEqual([names(folders), names(inTower)], [['East', 'West'], ['Plan of the tower']])
      const statuses = async (paths: string[]) =>
        Promise.all(paths.map(async (path) => (await get(path)).status))
      assert.deepEqual(
        await statuses([`/documents/${documents.tower}`, `/documents/${documents.east}`, '/team']),
        [200, 200, 200],
      )
      const outside = [documents.root, documents.annex, documents.bridge].map((id) => `/documents/${id}`)
      assert.deepEqual(
        await statuses([...outside, `/folders/${secret.id}`, `/folders/${bridge.id}`]),
        [404, 404, 404, 404, 404],
      )
      assert.equal((await get('/team')).json.team.rootFolderId, root.id)
    })

    test('[TOK-20, TOK-24] given a token and a document that it read, when things move in and out, are deleted and restored, then the very next response shows it, with another entity tag', async (t) => {
      const server = await startTree(t, kind)
      const { limitedTo, tower, east, annex, bridge, documents, actor, change, keyOf, get } = server
      const limited = await limitedTo(tower)
      const path = `/documents/${documents.east}`
      const tagOf = async (id: FolderId) => (await limited.get(`/folders/${id}`)).headers.get('etag')
      const statusOf = async (headers = {}) => {
        // Whatever is cached is cached for both.
        assert.equal((await get(path)).status, 200)
        return (await limited.get(path, { headers })).status
      }
      const before = await tagOf(tower.id)
      const { headers } = await limited.get(path)
      const known = { 'if-none-match': headers.get('etag')! }
      assert.deepEqual([await statusOf(), await statusOf(known)], [200, 304])
      await change((team) => moveFolder(team, east.key, annex.key))
      assert.deepEqual([await statusOf(), await statusOf(known)], [404, 404])
      assert.notEqual(await tagOf(tower.id), before)
      assert.equal((await limited.get(`/folders/${east.id}`)).status, 404)
      await change((team) => moveFolder(team, east.key, tower.key))
      assert.deepEqual([await statusOf(), await tagOf(tower.id)], [200, before])

      const moved = await keyOf(documents.bridge)
      await change((team) => moveDocument(team, moved, tower.key))
      assert.equal((await limited.get(`/documents/${documents.bridge}`)).status, 200)
      await change((team) => moveDocument(team, moved, bridge.key))
      assert.equal((await limited.get(`/documents/${documents.bridge}`)).status, 404)

      await change((team) => putFolderIntoBin(team, tower.key, actor.user))
      assert.deepEqual(names((await limited.folder('root')).folders), [])
      assert.equal((await limited.get(`/folders/${tower.id}`)).status, 404)
      assert.deepEqual((await limited.get('/documents')).json, { documents: [], truncated: false })
      const [item] = await server.database.read
        .selectFrom('bin_item')
        .where('folder_id', '=', tower.key)
        .select('id')
        .execute()
      await change((team) => restoreFromBin(team, item!.id))
      assert.deepEqual(names((await limited.folder('root')).folders), ['Tower'])
      assert.equal(await statusOf(), 200)
    })

    test('[TOK-21] given ids of what lies outside, of another team, and of nothing, when they are sent to any endpoint with any query, then the responses are the same to the byte', async (t) => {
      const { limitedTo, tower, annex, bridge, secret, documents, solve, fixtures, service } =
        await startTree(t, kind)
      const { get } = await limitedTo(tower, annex)
      await solve(documents.bridge)
      const other = await fixtures.team('Other')
      const theirs = await fixtures.document(other)
      const theirRoot = await fixtures.root(other)
      const patterns: [string, (string | FolderId)[]][] = [
        ...[
          ...[
            '',
            '/solution',
            '/solution?format=bimz',
            '/solution?format=x',
            '/export?format=.gh',
            '/export',
          ],
          ...['/versions', '/versions?after=x', `/versions/${NO_VERSION}`],
        ]
          .map((rest) => `/documents/ID${rest}`)
          .map((path): [string, string[]] => [
            path,
            [documents.root, documents.bridge, theirs, MISSING.document],
          ]),
        ...['/folders/ID', '/documents?folderId=ID', '/documents?folderId=ID&q=plan'].map(
          (path): [string, string[]] => [path, [secret.id, bridge.id, theirRoot.id, MISSING.folder]],
        ),
      ]
      const tried = new Set(
        patterns.map(([pattern]) => pattern.replace(/\?.*/, '').replace(NO_VERSION, 'ID')),
      )
      for (const { path } of service.routes.filter(({ path }) => path.startsWith(`${API_PREFIX}/`)))
        if (path.includes(':'))
          assert.ok(
            tried.has(path.slice(API_PREFIX.length).replaceAll(/:\w+/g, 'ID')),
            `${path} is not tried`,
          )
      for (const [pattern, ids] of patterns) {
        for (const init of [{}, { method: 'HEAD' }, { headers: { 'if-none-match': '*' } }]) {
          const responses = []
          for (const id of ids) responses.push(comparable(await get(pattern.replace('ID', id), init)))
          for (const response of responses) {
            assert.deepEqual(response, responses[0], pattern)
            assert.ok(response.status === 404 || response.status === 400, pattern)
          }
        }
      }
    })

    test('[TOK-22] given a token that is limited to folders, one of them inside another, then the root shows the outer ones, is their parent, and paths begin with it', async (t) => {
      const { limitedTo, tower, east, bridge, annex, root, get } = await startTree(t, kind)
      const { folder, get: getLimited } = await limitedTo(bridge, east, tower)
      const whole = (await get('/folders/root')).json.folder
      const seen = {
        ...{ id: root.id, name: whole.name, parentId: null, path: [], documents: [] },
        folders: [bridge, tower].map(({ id, name }) => ({ id, name })),
      }
      assert.deepEqual(await folder('root'), seen)
      assert.deepEqual(await folder(root.id), seen)
      const first = { id: root.id, name: whole.name }
      const { parentId, path } = await folder(tower.id)
      assert.deepEqual([parentId, path], [root.id, [first]])
      const deeper = await folder(east.id)
      assert.deepEqual([deeper.parentId, deeper.path], [tower.id, [first, { id: tower.id, name: 'Tower' }]])
      for (const id of ['root', tower.id, east.id, bridge.id]) {
        const { text } = await getLimited(`/folders/${id}`)
        assert.ok(!text.includes('Secret') && !text.includes('Annex') && !text.includes(annex.id), text)
      }
    })

    test('[TOK-22] given a token that is limited to the root, then it sees the whole team as it is', async (t) => {
      const { limitedTo, root, east, get } = await startTree(t, kind)
      const limited = await limitedTo(root, east)
      for (const path of ['/folders/root', `/folders/${east.id}`, '/documents', '/documents?folderId=root'])
        assert.equal((await limited.get(path)).text, (await get(path)).text, path)
    })

    test('[TOK-22] given names that the database cannot sort, then limited tokens see the same as otherwise', async (t) => {
      const { limitedTo, tower, bridge, east, root, database } = await startTree(t, kind)
      const { get } = await limitedTo(bridge, tower)
      const paths = ['root', tower.id, east.id].map((id) => `/folders/${id}`)
      const read = () => Promise.all(paths.map(async (path) => (await get(path)).text))
      const before = await read()
      await database.transaction(async (write) => {
        await write.updateTable('folder').set({ name_order: '' }).execute()
        await write.updateTable('document').set({ name_order: '' }).execute()
        await write.updateTable('team').set({ version: 1000 }).execute()
      })
      assert.deepEqual(await read(), before)
      assert.ok(before[0]!.includes(root.id))
    })

    test('[TOK-23] given matches inside and outside, then a search finds those inside, in the order of any search, also in the root, and tells whether there are more', async (t) => {
      const { limitedTo, tower, annex, bridge, root, fixtures, team } = await startTree(t, kind)
      const { get } = await limitedTo(bridge, annex, tower)
      const named = [
        { name: 'Roof', folder: bridge.key, updatedAt: 10 },
        { name: 'roof', folder: tower.key, updatedAt: 30 },
        { name: 'A roof', folder: annex.key, updatedAt: 90 },
        { name: 'The ROOF', folder: tower.key, updatedAt: 80 },
        { name: 'Roofs', folder: annex.key, updatedAt: 20 },
        { name: 'Roof outside', folder: root.key, updatedAt: 99 },
      ]
      for (const one of named) await fixtures.document(team, one)
      const found = async (query: string) => names((await get(`/documents?${query}`)).json.documents)
      const inOrder = ['roof', 'Roofs', 'Roof', 'A roof', 'The ROOF']
      assert.deepEqual(await found('q=roof'), inOrder)
      assert.deepEqual(await found('q=roof&folderId=root'), inOrder)
      assert.deepEqual(await found(`q=roof&folderId=${root.id}`), inOrder)
      assert.deepEqual(await found(`q=roof&folderId=${annex.id}`), ['Roofs', 'A roof'])
      assert.deepEqual(await found('q=outside'), [])

      for (let i = 0; i < 60; i++) {
        const { key: folder } = [tower, annex, bridge][i % 3]!
        await fixtures.document(team, { name: `Beam ${i}`, folder, updatedAt: 1000 + i })
      }
      const { json } = await get('/documents?q=beam')
      assert.deepEqual(
        names(json.documents),
        Array.from({ length: 50 }, (_, i) => `Beam ${59 - i}`),
      )
      assert.equal(json.truncated, true)
    })

    test('[TOK-24] given responses that were cached for the whole team and for other folders, then each token gets its own', async (t) => {
      const { limitedTo, tower, bridge, get } = await startTree(t, kind)
      const [ofTower, ofBridge, ofBoth] = [
        await limitedTo(tower),
        await limitedTo(bridge),
        await limitedTo(bridge, tower),
      ]
      const paths = ['/folders/root', '/documents', '/documents?folderId=root', `/folders/${tower.id}`]
      const readAll = async () => {
        const texts: string[][] = []
        for (const one of [get, ofTower.get, ofBridge.get, ofBoth.get]) {
          texts.push(
            await Promise.all(paths.map(async (path) => (await one(path)).text.replace(/"requestId".*/, ''))),
          )
        }
        return texts
      }
      const first = await readAll()
      assert.equal(new Set(first.map(([root]) => root)).size, 4)
      // Twice: from the response cache, and by the bytes of the request.
      assert.deepEqual(await readAll(), first)
      assert.deepEqual(await readAll(), first)
    })

    test('[TOK-27] given tokens that are limited and others, when anything is asked for, then the responses to the limited ones say so, those from caches too', async (t) => {
      const { limitedTo, tower, documents, get } = await startTree(t, kind)
      const limited = await limitedTo(tower)
      const paths = [
        ...[
          '/team',
          '/folders/root',
          `/folders/${tower.id}`,
          `/documents/${documents.east}`,
          '/documents?q=plan',
        ],
        ...[`/documents/${documents.annex}`, `/documents/${documents.east}/solution`, '/nothing'],
      ]
      for (const path of paths) {
        // By the handler, from the response cache, and by the bytes of the request; then unchanged.
        let tag = ''
        for (let i = 0; i < 6; i++) {
          const headers = i < 3 ? {} : { 'if-none-match': tag }
          const [own, ofTeam] = [await limited.get(path, { headers }), await get(path)]
          assert.equal(own.headers.get('meadow-reach'), 'folders', `${path} ${own.status}`)
          assert.equal(ofTeam.headers.get('meadow-reach'), null, path)
          tag = own.headers.get('etag') ?? ''
          if (i > 3 && tag) assert.equal(own.status, 304)
        }
      }
    })

    test('[TOK-21, TOK-25] given solutions and exports, then a limited token reads those of its documents, and its links end when the document leaves its folders', async (t) => {
      const server = await startTree(t, kind)
      const { limitedTo, tower, bridge, east, documents, solve, exportOf, change, keyOf } = server
      await solve(documents.east)
      const [inside, outside] = [await limitedTo(tower), await limitedTo(bridge)]
      const paths = ['/solution', '/export?format=.3dm'].map((rest) => `/documents/${documents.east}${rest}`)
      for (const path of paths) {
        assert.deepEqual(
          [(await inside.get(path)).status, (await outside.get(path)).status],
          [200, 404],
          path,
        )
        // It is made, and known, by now.
        assert.equal((await outside.get(path)).status, 404, path)
      }
      const { url } = await exportOf(documents.east, 'format=.3dm', { token: inside.secret })
      const { url: ofTeam } = await exportOf(documents.east, 'format=.3dm')
      assert.equal((await follow(url)).status, 200)
      const key = await keyOf(documents.east)
      await change((team) => moveDocument(team, key, bridge.key))
      const { status, error } = await follow(url)
      assert.deepEqual([status, error], [410, API_ERRORS.link_ended.sentence])
      assert.equal((await follow(ofTeam)).status, 200)
      for (const path of paths)
        assert.deepEqual(
          [(await inside.get(path)).status, (await outside.get(path)).status],
          [404, 200],
          path,
        )
      await change((team) => moveDocument(team, key, east.key))
      assert.equal((await follow(url)).status, 200)
    })

    test('[TOK-26] given a token whose folders are deleted permanently one after the other, then it stays limited to those that are left, at last to none', async (t) => {
      const { limitedTo, tower, bridge, actor, change, database, team } = await startTree(t, kind)
      const { get, folder, id } = await limitedTo(tower, bridge)
      const foldersOf = async () =>
        names((await listTokens(database.read, team.key)).find((token) => token.id === id)!.folders!)
      for (const [gone, left] of [
        [tower, ['Bridge']],
        [bridge, []],
      ] as const) {
        const item = await change((team) => putFolderIntoBin(team, gone.key, actor.user))
        const { id: key } = await database.read
          .selectFrom('bin_item')
          .where('public_id', '=', item)
          .select('id')
          .executeTakeFirstOrThrow()
        await deletePermanently(database, actor, key)
        assert.deepEqual(names((await folder('root')).folders), left)
        assert.deepEqual(await foldersOf(), left)
      }
      assert.deepEqual((await get('/documents')).json, { documents: [], truncated: false })
      assert.equal((await get('/team')).status, 200)
    })
  })
}
