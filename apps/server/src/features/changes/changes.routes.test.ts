import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type ChangedDocument, type GoneItem, MAX_CHANGES, type TeamChanges } from '@meadow/contract'
import { putDocumentIntoBin } from '../../library/bin.ts'
import { createDocument, moveDocument, renameDocument } from '../../library/documents.ts'
import { moveFolder } from '../../library/folders.ts'
import type { DocumentKey, FolderKey } from '../../platform/database/tables.ts'
import { changeTeam, type TeamTransaction } from '../../team/team-transaction.ts'
import { FEATURE_DATABASES, type TestDatabase } from '../../testing/databases.ts'
import { givenActor } from '../../testing/given-actor.ts'
import { EMPTY_CONTENT } from '../../testing/given-team.ts'
import { startExports } from '../exports/testing/start-exports.ts'
import { numbers } from '../solutions/testing/graphs.ts'
import { pruneDepartures } from './changes.store.ts'

/** A server, and a client that keeps its cursor. */
async function startFeed(t: Parameters<typeof startExports>[0], kind: TestDatabase) {
  const server = await startExports(t, kind)
  const { database, fixtures, team, get } = server
  const read = async (since?: string, token?: string): Promise<TeamChanges> => {
    const { status, json } = await get(
      `/changes${since === undefined ? '' : `?since=${since}`}`,
      token ? { token } : {},
    )
    assert.equal(status, 200)
    return json.changes
  }
  const keyOf = async (id: string): Promise<DocumentKey> =>
    (
      await database.read
        .selectFrom('document')
        .where('public_id', '=', id as never)
        .select('id')
        .executeTakeFirstOrThrow()
    ).id
  const change = <T>(work: (change: TeamTransaction) => Promise<T>) => changeTeam(database, team.key, work)
  const move = async (id: string, folder: FolderKey) => {
    const key = await keyOf(id)
    await change((change) => moveDocument(change, key, folder))
  }
  const { user } = await givenActor(database, team.key, { name: `ann-${team.key}`, role: 'owner' })
  const bin = async (id: string) => {
    const key = await keyOf(id)
    await change((change) => putDocumentIntoBin(change, key, user))
  }
  const rename = async (id: string, name: string) => {
    const key = await keyOf(id)
    await change((change) => renameDocument(change, key, name))
  }
  return { ...server, read, change, move, bin, rename, fixtures }
}

const happenings = (items: readonly (ChangedDocument | GoneItem)[]) =>
  items.map(({ id, happened }) => [id, ...happened])

for (const kind of FEATURE_DATABASES) {
  describe(`reads of the change feed on ${kind.name}`, kind.options, () => {
    test('[CHG-1, CHG-6] given a cursor, when documents are made, renamed, moved, solved and binned, then each is named once with what has happened, and an end of a solve only to who may read solutions', async (t) => {
      const { read, get, move, bin, rename, document, endSolve, fixtures, team } = await startFeed(t, kind)
      const towers = await fixtures.folder(team, 'Towers')
      const [tower, bridge, hall] = [
        await document(numbers(), 'Tower'),
        await document(numbers(), 'Bridge'),
        await document(numbers(), 'Hall'),
      ]
      const { cursor, ...first } = await read()
      assert.deepEqual(first, {
        reset: true,
        truncated: false,
        solutions: true,
        folders: [],
        documents: [],
        gone: [],
      })
      assert.deepEqual(await read(cursor), { ...first, cursor, reset: false })
      await rename(tower, 'High tower')
      await move(tower, towers.key)
      await endSolve(bridge)
      await bin(hall)
      const added = await fixtures.folder(team, 'Towers', 'East')

      const { documents, folders, gone, reset } = await read(cursor)
      assert.equal(reset, false)
      assert.deepEqual(happenings(documents), [
        [tower, 'renamed', 'moved'],
        [bridge, 'solved'],
      ])
      assert.deepEqual([documents[0]!.name, documents[0]!.folderId], ['High tower', towers.id])
      assert.deepEqual(folders, [{ id: added.id, name: 'East', parentId: towers.id, happened: ['created'] }])
      assert.deepEqual(gone, [{ kind: 'document', id: hall, happened: ['binned'] }])

      const { secret } = await fixtures.token(team, { scopes: ['folders:read'] })
      assert.deepEqual(happenings((await read(cursor, secret)).documents), [[tower, 'renamed', 'moved']])
      const { secret: other } = await fixtures.token(team, { scopes: ['documents:read'] })
      assert.equal((await get('/changes', { token: other })).status, 403)
    })

    test('[CHG-2] given a token limited to a folder, when documents and folders move in and out, then it is told of what came and of the ids of what left, and of nothing from outside', async (t) => {
      const { read, move, rename, change, document, fixtures, team } = await startFeed(t, kind)
      const [inside, outside] = [
        await fixtures.folder(team, 'Inside'),
        await fixtures.folder(team, 'Outside'),
      ]
      const [far, sub] = [
        await fixtures.folder(team, 'Outside', 'Far'),
        await fixtures.folder(team, 'Inside', 'Sub'),
      ]
      const [leaving, coming, secretOne] = [
        await document(numbers(), 'Leaving'),
        await document(numbers(), 'Coming'),
        await document(numbers(), 'Secret'),
      ]
      await move(leaving, inside.key)
      const { secret } = await fixtures.token(team, { folders: [inside.id] })
      const { cursor } = await read(undefined, secret)
      await rename(secretOne, 'Secret still')
      await rename(leaving, 'Secret name')
      await move(leaving, outside.key)
      await rename(leaving, 'Another name')
      await move(coming, inside.key)
      await change((change) => moveFolder(change, far.key, inside.key))
      await change((change) => moveFolder(change, sub.key, outside.key))

      const { documents, folders, gone } = await read(cursor, secret)
      assert.deepEqual(happenings(documents), [[coming, 'moved']])
      assert.deepEqual(folders, [
        { id: far.id, name: 'Far', parentId: inside.id, happened: ['moved'], entered: true },
      ])
      assert.deepEqual(gone, [
        { kind: 'document', id: leaving, happened: ['moved'] },
        { kind: 'folder', id: sub.id, happened: ['moved'] },
      ])
    })

    test('[CHG-2, CHG-5] given a cursor of a limited token that is changed to an earlier version, then the answer is a reset, and does not tell what left the folder before there was the token', async (t) => {
      const { read, move, document, fixtures, team } = await startFeed(t, kind)
      const [inside, outside] = [
        await fixtures.folder(team, 'Inside'),
        await fixtures.folder(team, 'Outside'),
      ]
      const gone = await document(numbers(), 'Gone')
      await move(gone, inside.key)
      await move(gone, outside.key)
      const { secret } = await fixtures.token(team, { folders: [inside.id] })
      const { cursor } = await read(undefined, secret)
      const text = Buffer.from(cursor, 'base64url').toString()
      const earlier = Buffer.from(text.replace(/ \d+ /, ' 1 ')).toString('base64url')
      assert.notEqual(earlier, cursor)
      const answer = await read(earlier, secret)
      assert.deepEqual([answer.reset, answer.gone], [true, []])
    })

    test('[CHG-3] given a cursor, when nothing has happened, then a conditional request gets 304 without a statement about changes, and after a change 200', async (t) => {
      const { read, get, rename, document, database } = await startFeed(t, kind)
      const tower = await document(numbers(), 'Tower')
      const { cursor } = await read()
      const path = `/changes?since=${cursor}`
      const etag = (await get(path)).headers.get('etag')!
      const ask = async () => (await get(path, { headers: { 'if-none-match': etag } })).status
      await database.transaction((write) =>
        write.schema.alterTable('happening').renameTo('happening_elsewhere').execute(),
      )
      assert.deepEqual([await ask(), await ask()], [304, 304])
      await database.transaction((write) =>
        write.schema.alterTable('happening_elsewhere').renameTo('happening').execute(),
      )
      await rename(tower, 'High tower')
      assert.equal(await ask(), 200)
    })

    test('[CHG-4] given more changes than an answer has, when they are read page by page, then each is named, and the last answer is not truncated', async (t) => {
      const { read, change, database, root, team } = await startMany(t, kind)
      const { cursor } = await read()
      const ids = await database.read
        .selectFrom('document')
        .where('team_id', '=', team.key)
        .select(['id as key', 'public_id as id'])
        .execute()
      await change(async (change) => {
        for (const { key } of ids)
          await change.write
            .updateTable('document')
            .set({ folder_id: root.key })
            .where('id', '=', key)
            .execute()
      })
      const first = await read(cursor)
      assert.deepEqual([first.truncated, first.documents.length], [true, MAX_CHANGES])
      const second = await read(first.cursor)
      assert.equal(second.truncated, false)
      const named = [...first.documents, ...second.documents].map(({ id }) => id)
      assert.deepEqual(named.sort(), ids.map(({ id }) => id).sort())
    })

    test('[CHG-5, CHG-7] given a cursor that is none, of another team or token, from before a restore, from the future or too old, when it is sent, then the answer is a reset with a cursor that works', async (t) => {
      const { read, change, bin, document, fixtures, team, database } = await startFeed(t, kind)
      const folder = await fixtures.folder(team, 'Towers')
      const other = await fixtures.team('Other')
      const { secret: foreign } = await fixtures.token(other)
      const { secret: limited } = await fixtures.token(team, { folders: [folder.id] })
      const { cursor } = await read()
      const forge = (from: string, to: string) =>
        Buffer.from(Buffer.from(cursor, 'base64url').toString().replace(from, to)).toString('base64url')
      const wrong = ['', 'nonsense', '%00', 'x'.repeat(5000), (await read(undefined, foreign)).cursor]
      wrong.push((await read(undefined, limited)).cursor, forge(' ', ' 9'), forge('~', '\\0'))
      for (const since of wrong) {
        const { reset, cursor: next, ...rest } = await read(since)
        assert.deepEqual(
          [reset, rest],
          [true, { truncated: false, solutions: true, folders: [], documents: [], gone: [] }],
          since,
        )
        assert.equal((await read(next)).reset, false)
      }
      const gone = [
        await document(numbers(), 'A'),
        await document(numbers(), 'B'),
        await document(numbers(), 'C'),
      ]
      for (const id of gone) await bin(id)
      assert.ok((await pruneDepartures(database, 2)) >= 1)
      assert.equal((await read(cursor)).reset, true)
      assert.equal(await pruneDepartures(database, 2), 0)
      const { cursor: later } = await read()
      await change(async () => {})
      assert.equal((await read(later)).reset, false)
    })
  })
}

/** More documents in a folder than an answer names. */
async function startMany(t: Parameters<typeof startExports>[0], kind: TestDatabase) {
  const server = await startFeed(t, kind)
  const { fixtures, team } = server
  const folder = await fixtures.folder(team, 'Many')
  await server.change(async (change) => {
    for (let index = 0; index < MAX_CHANGES + 10; index++)
      await createDocument(change, { name: `D${index}`, folder: folder.key, content: EMPTY_CONTENT })
  })
  return { ...server, root: await fixtures.root(team) }
}
