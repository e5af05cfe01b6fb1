import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { FAVOURITES_LIMIT, ITEMS_AT_ONCE, RECENT_LIMIT, type SolveState } from '@meadow/contract/web'
import { endMembership } from '../../access/members.ts'
import { createDocument } from '../../library/documents.ts'
import type { Database } from '../../platform/database/database.ts'
import { createPublicId } from '../../platform/public-ids.ts'
import { changeTeam } from '../../team/team-transaction.ts'
import { FEATURE_DATABASES } from '../../testing/databases.ts'
import { type Signed, startWebApp } from '../../testing/start-web-app.ts'
import { until } from '../../testing/until.ts'
import { graphOf, KANGAROO, kangaroo } from '../library-search/testing/library-nodes.ts'
import { createPersonalLists } from './personal-lists.store.ts'

interface Named {
  id: string
  name: string
}

const names = (list: Named[]) => list.map(({ name }) => name)

/** The state of a document's most recent solve, as a solver would have left it. */
async function putSolve(
  database: Database,
  id: string,
  state: Exclude<SolveState, 'never'>,
  counts: { failed?: number; unsupported?: number } = {},
) {
  const { failed = 0, unsupported = 0 } = counts
  const isComplete = unsupported === 0
  const completeness = { isComplete, nodes: 9, solved: 9, failed, unsupported, unknown: 0, causes: [] }
  const digest = 'a'.repeat(64)
  await database.transaction(async (write) => {
    const document = await write
      .selectFrom('document')
      .where('public_id', '=', id as never)
      .select(['id', 'team_id'])
      .executeTakeFirstOrThrow()
    await write
      .insertInto('solve')
      .values({
        public_id: createPublicId('sol'),
        ...{ document_id: document.id, team_id: document.team_id, seq: 1, asked_at: 0, state },
        ...(state === 'failed' && { ended_at: 1, reason: 'It broke.', duration_ms: 1, credit_tenths: 1 }),
        ...(state === 'solved' && {
          ...{ ended_at: 1, duration_ms: 1, credit_tenths: 1, values_bytes: 10 },
          ...{ values_gzip: digest, values_zstd: digest, completeness: JSON.stringify(completeness) },
        }),
      })
      .execute()
  })
}

for (const kind of FEATURE_DATABASES) {
  describe(`the library on ${kind.name}`, kind.options, () => {
    test('[FILE-13] given several documents, when their solves are priced, asked for and stopped, then the last solves say the price, and those that wait return to the state before', async (t) => {
      const { signIn, team, fixtures, database } = await startWebApp(t, kind, { MEADOW_SOLVE_WORKERS: '0' })
      const ann = await signIn('Ann', 'member')
      const vera = await signIn('Vera', 'viewer')
      const [solved, fresh, other] = [
        await fixtures.document(team),
        await fixtures.document(team),
        await fixtures.document(await fixtures.team('Other')),
      ]
      const setCredits = (credit_tenths: number) =>
        database.transaction(async (write) => {
          await write.updateTable('team').set({ credit_tenths }).where('id', '=', team.key).execute()
        })
      await setCredits(50)
      await putSolve(database, solved, 'solved')
      const path = `/teams/${team.id}/solves`
      const documentIds = [fresh, solved, other, 'doc_none']
      const price = await ann.request('POST', `${path}/price`, { documentIds })
      assert.deepEqual(price.json, { creditTenths: 1, unknown: 1, leftTenths: 50 })
      const stateOf = async (id: string) => (await ann.get(`/documents/${id}`)).json.document.solve

      assert.equal((await vera.request('POST', path, { documentIds })).status, 403)
      const asked = await ann.request('POST', path, { documentIds })
      assert.deepEqual(
        asked.json.problems.map(({ id }: { id: string }) => id),
        [other, 'doc_none'],
      )
      assert.deepEqual([await stateOf(fresh), await stateOf(solved)], ['queued', 'queued'])

      assert.equal((await vera.request('POST', `${path}/stop`, { documentIds })).status, 403)
      const stopped = await ann.request('POST', `${path}/stop`, { documentIds })
      assert.deepEqual(stopped.json, { stopped: 2 })
      assert.deepEqual([await stateOf(fresh), await stateOf(solved)], ['never', 'solved'])
      assert.deepEqual((await ann.request('POST', `${path}/stop`, { documentIds })).json, { stopped: 0 })

      await setCredits(0)
      assert.equal(
        (await ann.request('POST', path, { documentIds })).json.error,
        'The team has no credits left, so nothing is solved.',
      )
    })

    test('[FILE-8, FILE-9] given a folder with documents and files, when it is filtered, then the listing has what matches, also below it, and an empty one says what each filter leaves out', async (t) => {
      const app = await startWebApp(t, kind, { MEADOW_SOLVE_WORKERS: '0' })
      const { signIn, team, fixtures, database } = app
      const ann = await signIn('Ann', 'member')
      const vera = await signIn('Vera', 'viewer')
      const folder = await fixtures.folder(team, 'Towers')
      const inner = await fixtures.folder(team, 'Towers', 'Inner')
      const put = (name: string, facts = {}) =>
        fixtures.document(team, { folder: folder.key, name, ...facts })
      const [solved, gap, errors, failed, running] = [
        await put('Tower 1'),
        await put('Tower 2'),
        await put('Tower 10'),
        await put('Tower 11'),
        await put('Tower 12'),
      ]
      await put('Never', { content: graphOf(kangaroo('2.5')) })
      await fixtures.file(team, folder.key)
      const made = (await ann.request('POST', `/folders/${inner.id}/documents`, { name: 'Of Ann' })).json
      await putSolve(database, solved, 'solved')
      await putSolve(database, gap, 'solved', { unsupported: 1 })
      await putSolve(database, errors, 'solved', { failed: 2 })
      await putSolve(database, failed, 'failed')
      await putSolve(database, running, 'queued')

      const list = async (query = '') => (await vera.get(`/folders/${folder.id}?${query}`)).json.folder
      const whole = await list()
      assert.deepEqual(names(whole.documents), [
        ...['Never', 'Tower 1', 'Tower 2', 'Tower 10', 'Tower 11', 'Tower 12'],
      ])
      assert.deepEqual([names(whole.files), names(whole.folders)], [['Site.3dm'], ['Inner']])
      assert.equal(typeof whole.documents[0].sizeBytes, 'number')
      const found = async (query: string) => {
        const { folders, documents, files } = await list(query)
        assert.deepEqual(folders, [])
        return [...names(documents), ...names(files)]
      }
      assert.deepEqual(await found('state=solved'), ['Tower 1'])
      assert.deepEqual(await found('state=incomplete'), ['Tower 2', 'Tower 10'])
      assert.deepEqual(await found('state=failed'), ['Tower 11'])
      assert.deepEqual(await found('state=solving'), ['Tower 12'])
      assert.deepEqual(await found('state=never'), ['Never'])
      assert.deepEqual(await found('kind=model'), ['Site.3dm'])
      assert.deepEqual(await found('kind=library_item'), [])
      assert.equal((await found('kind=document')).length, 6)
      assert.deepEqual(await found('state=never&subfolders=1'), ['Never', 'Of Ann'])
      assert.deepEqual(await found(`author=${ann.userId}&subfolders=1`), ['Of Ann'])
      assert.deepEqual(await found(`creator=${ann.userId}&subfolders=1`), ['Of Ann'])
      const deep = (await list('subfolders=1')).documents
      assert.deepEqual(
        deep.map(({ name, folder }: { name: string; folder: Named }) => `${folder.name}/${name}`)[1],
        'Inner/Of Ann',
      )
      assert.deepEqual(deep[1].changedBy, { id: ann.userId, name: 'Ann' })
      assert.equal(deep[1].id, made.document.id)

      await until('everything is indexed', async () => {
        const { index } = (await vera.get(`/teams/${team.id}/uses/suggestions`)).json
        return index.pending === 0
      })
      assert.deepEqual(await found(`plugin=${KANGAROO.libraryId}`), ['Never'])
      const choices = (await vera.get(`/folders/${folder.id}/filters`)).json
      assert.deepEqual(choices.authors, [{ id: ann.userId, name: 'Ann', documents: 1 }])
      assert.deepEqual(choices.creators, choices.authors)
      assert.deepEqual(
        choices.plugins.map(({ key, documents }: { key: string; documents: number }) => [key, documents]),
        [[KANGAROO.libraryId, 1]],
      )
      const nothing = await list(`state=failed&plugin=${KANGAROO.libraryId}`)
      assert.deepEqual(nothing.withoutFilter, [
        { filter: 'state', items: 1 },
        { filter: 'plugin', items: 1 },
      ])
      for (const wrong of ['state=purple', 'kind=folder', `author=${'x'.repeat(101)}`])
        assert.equal((await vera.get(`/folders/${folder.id}?${wrong}`)).status, 400, wrong)
    })

    test('[FILE-10] given many items, when they are moved, deleted and restored in one request, then those that can be are, and each other one is reported', async (t) => {
      const { signIn, team, fixtures, get, database } = await startWebApp(t, kind)
      const ann = await signIn('Ann', 'member')
      const root = await fixtures.root(team)
      const [from, to] = [await fixtures.folder(team, 'From'), await fixtures.folder(team, 'To')]
      const inner = await fixtures.folder(team, 'From', 'Inner')
      const documents: string[] = []
      for (let at = 0; at < 5; at++)
        documents.push(await fixtures.document(team, { folder: from.key, name: `Tower ${at}` }))
      const file = await fixtures.file(team, from.key)
      const theirs = await fixtures.document(await fixtures.team('Other'))
      const item = (id: string) => ({
        kind: id.startsWith('doc') ? 'document' : id.startsWith('fil') ? 'file' : 'folder',
        id,
      })
      const send = (path: string, body: object) =>
        ann.request('POST', `/teams/${team.id}/items/${path}`, body)
      const versionOf = async () =>
        (
          await database.read
            .selectFrom('team')
            .where('id', '=', team.key)
            .select('version')
            .executeTakeFirstOrThrow()
        ).version

      const before = await versionOf()
      const moved = await send('move', {
        items: [...documents, file, to.id, root.id, theirs].map(item),
        folderId: to.id,
      })
      assert.equal(moved.status, 200, moved.text)
      assert.deepEqual(
        moved.json.problems.map(({ id, name }: Named) => [id, name]),
        [
          [theirs, null],
          [root.id, 'Acme'],
          [to.id, 'To'],
        ],
      )
      assert.equal(await versionOf(), before + 1, 'one transaction')
      const there = (await ann.get(`/folders/${to.id}`)).json.folder
      assert.deepEqual([there.documents.length, there.files.length], [5, 1])
      assert.equal((await get(`/documents?q=tower&folderId=${to.id}`)).json.documents.length, 5)
      assert.equal((await get(`/documents?q=tower&folderId=${from.id}`)).json.documents.length, 0)

      // The folder around the documents is named first, and a folder inside another one.
      const binned = await send('bin', {
        items: [to.id, from.id, inner.id, ...documents.slice(0, 2), theirs].map(item),
      })
      assert.equal(binned.json.binItemIds.length, 4, binned.text)
      assert.deepEqual(names(binned.json.problems), [null])
      assert.equal((await get(`/documents?q=tower`)).json.documents.length, 0)
      const { items } = (await ann.get(`/teams/${team.id}/bin`)).json
      assert.deepEqual(names(items).sort(), ['From', 'To', 'Tower 0', 'Tower 1'])
      const events = await database.read
        .selectFrom('audit_event')
        .where('action', '=', 'bin.deleted')
        .select('action')
        .execute()
      assert.equal(events.length, 4)

      // Folders before the documents that were deleted beside them, so that these find their folder.
      const ids = [...binned.json.binItemIds, 'bin_0000000000000000']
      const restored = await send('restore', { binItemIds: ids.reverse() })
      assert.deepEqual(
        restored.json.problems.map(({ id }: Named) => id),
        ['bin_0000000000000000'],
      )
      assert.equal((await get(`/documents?q=tower&folderId=${to.id}`)).json.documents.length, 5)
      assert.deepEqual((await ann.get(`/teams/${team.id}/bin`)).json.items, [])

      const many = Array.from({ length: ITEMS_AT_ONCE + 1 }, () => item(documents[0]!))
      assert.equal((await send('bin', { items: many })).status, 400)
      assert.equal((await send('bin', { items: [] })).status, 400)
      const elsewhere = { items: [item(documents[0]!)], folderId: 'fld_0000000000000000' }
      assert.equal((await send('move', elsewhere)).status, 404)
    })

    test('[FILE-11, FILE-12] given people who open documents and mark favourites, then each has lists of their own, of what they may see, as long as it exists', async (t) => {
      const { signIn, team, fixtures, database } = await startWebApp(t, kind)
      const [ann, vera] = [await signIn('Ann', 'owner'), await signIn('Vera', 'viewer')]
      const folder = await fixtures.folder(team, 'Towers')
      const [a, b] = [
        await fixtures.document(team, { folder: folder.key, name: 'A' }),
        await fixtures.document(team, { name: 'B' }),
      ]
      const file = await fixtures.file(team)
      const recents = async (person: Signed) => (await person.get(`/teams/${team.id}/recent`)).json.documents
      for (const id of [b, a, b])
        assert.equal((await vera.request('POST', `/documents/${id}/opened`)).status, 204)
      assert.deepEqual(names(await recents(vera)), ['A', 'B'], 'within a minute nothing is written again')
      assert.equal((await recents(vera))[0].folder.name, 'Towers')
      assert.deepEqual(await recents(ann), [])
      const lists = createPersonalLists(database)
      const { id: key } = await database.read
        .selectFrom('document')
        .where('public_id', '=', b)
        .select('id')
        .executeTakeFirstOrThrow()
      await lists.markOpened(vera.userId, key, Date.now() + 61_000)
      assert.deepEqual(names(await recents(vera)), ['B', 'A'])

      const mark = (items: object[], isFavourite: boolean) =>
        vera.request('POST', `/teams/${team.id}/favourites`, { items, isFavourite })
      const all = [
        { kind: 'document', id: a },
        { kind: 'folder', id: folder.id },
        { kind: 'file', id: file },
      ]
      for (let twice = 0; twice < 2; twice++) assert.equal((await mark(all, true)).status, 204)
      const favourites = async (person: Signed) => {
        const { folders, documents, files } = (await person.get(`/teams/${team.id}/favourites`)).json
        return [folders, documents, files].map(names)
      }
      assert.deepEqual(await favourites(vera), [['Towers'], ['A'], ['Site.3dm']])
      assert.deepEqual(await favourites(ann), [[], [], []])
      const stars = async (person: Signed) =>
        (await person.get(`/folders/${folder.id}`)).json.folder.documents[0].isFavourite
      assert.deepEqual([await stars(vera), await stars(ann)], [true, false])
      await mark([{ kind: 'folder', id: folder.id }], false)
      assert.deepEqual(await favourites(vera), [[], ['A'], ['Site.3dm']])

      // In the bin it is not listed, and it is again when it is restored.
      await ann.request('DELETE', `/folders/${folder.id}`)
      assert.deepEqual([names(await recents(vera)), (await favourites(vera))[1]], [['B'], []])
      const item = (await ann.get(`/teams/${team.id}/bin`)).json.items[0].id
      await ann.request('POST', `/bin/${item}/restore`)
      assert.deepEqual([names(await recents(vera)), (await favourites(vera))[1]], [['B', 'A'], ['A']])

      // Somebody who is in the team no longer gets nothing; a deleted account leaves nothing.
      await changeTeam(database, team.key, (change) => endMembership(change, vera.userId))
      assert.equal((await vera.get(`/teams/${team.id}/recent`)).status, 404)
      assert.equal((await vera.request('POST', `/documents/${a}/opened`)).status, 404)
      assert.equal((await vera.request('POST', '/me/deletion', { email: vera.email })).status, 200)
      for (const table of ['recent_document', 'favourite'] as const)
        assert.deepEqual(await database.read.selectFrom(table).select('user_id').execute(), [], table)
    })

    test('[FILE-11, FILE-12] given somebody who opens very many documents, then the last ones are remembered; favourites have a limit that is said', async (t) => {
      const { signIn, team, fixtures, database } = await startWebApp(t, kind)
      const ann = await signIn('Ann', 'member')
      const root = await fixtures.root(team)
      const content = { kind: 'inline', bytes: Buffer.from('{"nodes":{}}') } as const
      const made = await changeTeam(database, team.key, async (change) => {
        const all: Awaited<ReturnType<typeof createDocument>>[] = []
        for (let at = 0; at <= FAVOURITES_LIMIT; at++)
          all.push(await createDocument(change, { folder: root.key, name: `Tower ${at}`, content }))
        return all
      })
      const lists = createPersonalLists(database)
      for (const [at, { key }] of made.slice(0, RECENT_LIMIT + 1).entries())
        await lists.markOpened(ann.userId, key, 1000 + at)
      const kept = await database.read.selectFrom('recent_document').select('opened_at').execute()
      assert.equal(kept.length, RECENT_LIMIT)
      assert.ok(kept.every(({ opened_at }) => opened_at > 1000))
      const mark = (some: typeof made) =>
        ann.request('POST', `/teams/${team.id}/favourites`, {
          items: some.map(({ id }) => ({ kind: 'document', id })),
          isFavourite: true,
        })
      assert.equal((await mark(made.slice(0, FAVOURITES_LIMIT))).status, 204)
      assert.equal((await mark(made.slice(-2, -1))).status, 204)
      assert.equal((await mark(made.slice(-2))).status, 409)
      const { documents } = (await ann.get(`/teams/${team.id}/favourites`)).json
      assert.equal(documents.length, FAVOURITES_LIMIT)
    })
  })
}
