import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as Y from 'yjs'
import { createToken, listTokens, revokeToken } from '../access/team-tokens.ts'
import { createTokenSecret } from '../access/tokens.ts'
import { createUserStore } from '../access/users.store.ts'
import { createChangeLog } from '../content/change-log.ts'
import { createContentStore } from '../content/content.store.ts'
import { createDocumentStore } from '../features/documents/documents.store.ts'
import { createSearch } from '../features/documents/search.store.ts'
import type { Database } from '../platform/database/database.ts'
import { openDatabase } from '../platform/database/open-database.ts'
import type { FolderKey, TeamFileKey, TeamKey } from '../platform/database/tables.ts'
import type { DocumentSource } from '../team/document-writes.ts'
import { changeTeam, type TeamTransaction } from '../team/team-transaction.ts'
import { createTeam, findTeam, findTeamOfToken, HostTakenError, listTeams } from '../team/teams.ts'
import { atEnd } from '../testing/at-end.ts'
import { DATABASES } from '../testing/databases.ts'
import { EMPTY_CONTENT, givenTeam } from '../testing/given-team.ts'
import { openTestBlobs } from '../testing/open-test-blobs.ts'
import { putDocumentIntoBin, putFolderIntoBin, putGoneIntoBin, restoreFromBin } from './bin.ts'
import { createDocument, moveDocument, renameDocument, setVisibility, updateDocument } from './documents.ts'
import { ensureFolder, findChildFolder, findFolder, moveFolder, renameFolder } from './folders.ts'
import { findImported, listImportedDocuments, listImportedFiles } from './imported.ts'
import { refreshSource } from './sources.ts'
import { createFile } from './team-files.ts'

const sourceIn = (root: FolderKey, facts: Partial<DocumentSource> = {}): DocumentSource => ({
  root,
  from: '/definitions',
  path: 'Towers/tower.gh',
  sha256: 'aa',
  sizeBytes: 3_000_000_000,
  mtimeMs: 1_000,
  blob: 'aa',
  ...facts,
})

const readVersion = async (database: Database, team: TeamKey) =>
  (await database.read.selectFrom('team').where('id', '=', team).select('version').executeTakeFirst())
    ?.version

/** None of the documents here is open for editing. */
const readContent = () => Promise.reject(new Error('It was read.'))

for (const kind of DATABASES) {
  describe(`changes of a team on ${kind.name}`, kind.options, () => {
    test('given teams, then they are listed and found by id, and a host is one team’s alone', async (t) => {
      const database = await kind.open(t)
      await givenTeam(database, 'First')
      const second = await createTeam(database, { name: 'Second', host: 'two.example.org', credits: 9 })
      const [first, ...others] = await listTeams(database.read)
      assert.deepEqual([first?.name, first?.host, first?.creditTenths], ['First', null, 0])
      assert.deepEqual(others, [second])
      assert.deepEqual(await findTeam(database.read, second.id), second)
      for (const id of ['', '\0', 'team_0000000000000000'])
        assert.equal(await findTeam(database.read, id), undefined)
      await assert.rejects(createTeam(database, { name: 'Third', host: 'two.example.org' }), HostTakenError)
      assert.equal((await listTeams(database.read)).length, 2)
    })

    test('given tokens, then they are listed with what distinguishes them, and never the secret', async (t) => {
      const database = await kind.open(t)
      const { team } = await givenTeam(database)
      const secret = createTokenSecret()
      const token = await changeTeam(database, team, (change) =>
        createToken(change, {
          name: 'pipeline',
          secret,
          scopes: ['folders:read', 'team:read'],
          expiresAt: 5e12,
        }),
      )
      assert.deepEqual(await listTokens(database.read, team), [token])
      assert.deepEqual(
        { ...token, id: '', createdAt: 0 },
        {
          id: '',
          name: 'pipeline',
          hint: secret.slice(0, 8),
          scopes: ['team:read', 'folders:read'],
          kind: 'service',
          addresses: [],
          origins: [],
          lastUsedAt: null,
          lastUsedFrom: null,
          replacedBy: null,
          folders: null,
          createdAt: 0,
          expiresAt: 5e12,
          revokedAt: null,
          endReason: null,
        },
      )
      assert.equal((await findTeamOfToken(database.read, token.id))?.key, team)
      assert.equal(await findTeamOfToken(database.read, 'tok_0000000000000000'), undefined)
    })

    test('given a token, when it is revoked twice, then the first time stays, and another team cannot', async (t) => {
      const database = await kind.open(t)
      const { team } = await givenTeam(database)
      const other = await givenTeam(database, 'Other')
      const { id } = await changeTeam(database, team, (change) =>
        createToken(change, { name: 't', secret: createTokenSecret(), scopes: [] }),
      )
      const revoke = (by: TeamKey, token: string) =>
        changeTeam(database, by, (change) => revokeToken(change, token))
      assert.equal(await revoke(other.team, id), false)
      assert.equal(await revoke(team, 'tok_0000000000000000'), false)
      assert.equal(await revoke(team, '\0'), false)
      assert.equal(await revoke(team, id), true)
      const [revoked] = await listTokens(database.read, team)
      assert.ok(revoked?.revokedAt)
      await database.transaction((write) => write.updateTable('token').set({ revoked_at: 5 }).execute())
      assert.equal(await revoke(team, id), true)
      assert.equal((await listTokens(database.read, team))[0]?.revokedAt, 5)
    })

    test('given folders, when one is ensured, then it is made once, and by its exact name', async (t) => {
      const { database, team, root, folder } = await givenTeam(await kind.open(t))
      const towers = await folder('Towers')
      assert.deepEqual(await folder('Towers'), towers)
      assert.notEqual((await folder('towers')).id, towers.id)
      assert.notEqual((await folder('Towers', towers.key)).id, towers.id)
      assert.deepEqual(await findChildFolder(database.read, root.key, 'Towers'), towers)
      assert.equal(await findChildFolder(database.read, root.key, 'TOWERS'), undefined)
      assert.deepEqual(await findFolder(database.read, team, towers.id), towers)
      assert.deepEqual(await findFolder(database.read, team, 'root'), root)
      for (const id of ['', '\0', 'fld_0000000000000000'])
        assert.equal(await findFolder(database.read, team, id), undefined)
    })

    test('given an imported document, when it is updated, then it keeps its id, and is found as it is now', async (t) => {
      const { blobs } = await openTestBlobs(t)
      const database = await kind.open(t)
      const { team, root, folder, document } = await givenTeam(database)
      const towers = await folder('Towers')
      const source = sourceIn(root.key)
      const { key, id } = await document({ folder: towers.key, name: 'tower', source, updatedAt: 1_000 })
      await document({ name: 'Later', updatedAt: 1_500 })
      const imported = {
        kind: 'document',
        key,
        id,
        folder: towers.key,
        gone: null,
        bin: null,
        isBinnedAsGone: null,
        name: 'tower',
        from: '/definitions',
        path: source.path,
        sha256: 'aa',
        seq: 1,
        sourceSeq: 1,
      }
      assert.deepEqual(await findImported(database.read, root.key, [source.path, 'none']), [
        { ...imported, sizeBytes: 3_000_000_000, mtimeMs: 1_000 },
      ])

      const bytes = Buffer.from('{"nodes":{}}')
      const changed = sourceIn(root.key, { sha256: 'bb', mtimeMs: 2_000 })
      await changeTeam(database, team, (change) =>
        updateDocument(change, key, {
          blobs,
          updatedAt: 2_000,
          content: { kind: 'inline', bytes },
          readContent,
          source: changed,
        }),
      )
      const [after] = await findImported(database.read, root.key, [source.path])
      assert.deepEqual([after?.id, after?.sha256, after?.mtimeMs], [id, 'bb', 2_000])
      const { find } = createDocumentStore(database)
      const search = createSearch(database)
      const found = await find(team, id)
      assert.deepEqual([found?.seq, found?.updatedAt], [2, '1970-01-01T00:00:02.000Z'])
      const json = await createContentStore(database).findJson(key, 2)
      assert.ok(json?.seq === 2 && 'bytes' in json.value && bytes.equals(json.value.bytes))
      const all = await search(team, {})
      assert.deepEqual(
        all?.documents.map(({ name }) => name),
        ['tower', 'Later'],
      )
    })

    test('given a document that one transaction makes and changes twice, then the search finds it once', async (t) => {
      const { blobs } = await openTestBlobs(t)
      const database = await kind.open(t)
      const { team, root } = await givenTeam(database)
      const source = sourceIn(root.key)
      await changeTeam(database, team, async (change) => {
        const { key } = await createDocument(change, {
          folder: root.key,
          name: 'tower',
          createdAt: 0,
          updatedAt: 1,
          content: EMPTY_CONTENT,
          source,
        })
        for (const updatedAt of [2, 3])
          await updateDocument(change, key, { updatedAt, content: EMPTY_CONTENT, readContent, blobs, source })
      })
      const found = await createSearch(database)(team, { q: 'tower' })
      assert.deepEqual(
        found?.documents.map(({ updatedAt }) => updatedAt),
        ['1970-01-01T00:00:00.003Z'],
      )
    })

    test('given a clock that was set back, when documents are renamed, moved, edited and made, then no time goes back, and what was changed last comes first', async (t) => {
      const database = await kind.open(t)
      const { team, document, folder } = await givenTeam(database)
      const times = { createdAt: undefined, updatedAt: undefined }
      const [tower, bridge] = [await document(times), await document({ ...times, name: 'Bridge' })]
      const towers = await folder('Towers')
      const newest = async () => {
        const [first] = (await createSearch(database)(team, {}))!.documents
        return { name: first!.name, updatedAt: Date.parse(first!.updatedAt) }
      }
      const before = await newest()
      assert.equal(before.name, 'Bridge')
      const real = Date.now
      t.mock.method(Date, 'now', () => real() - 3_600_000)

      await changeTeam(database, team, (change) => renameDocument(change, tower.key, 'High tower'))
      const renamed = await newest()
      assert.ok(renamed.name === 'High tower' && renamed.updatedAt > before.updatedAt)
      await changeTeam(database, team, (change) => moveDocument(change, bridge.key, towers.key))
      assert.deepEqual(await newest(), renamed, 'another folder is no change of the document')
      const update = Y.encodeStateAsUpdate(new Y.Doc())
      await createChangeLog(database).append({ document: bridge.key, team, update })
      const edited = await newest()
      assert.ok(edited.name === 'Bridge' && edited.updatedAt > renamed.updatedAt)
      await document({ ...times, name: 'New' })
      assert.equal((await newest()).name, 'New')
    })

    test('given a file that was only touched, when its source is refreshed, then its content and times stay', async (t) => {
      const database = await kind.open(t)
      const { team, root, document } = await givenTeam(database)
      const { key, id } = await document({ source: sourceIn(root.key) })
      const { find } = createDocumentStore(database)
      const before = await find(team, id)
      const source = sourceIn(root.key, { from: '/moved', mtimeMs: null })
      await changeTeam(database, team, (change) => refreshSource(change, { kind: 'document', key }, source))
      assert.deepEqual(await find(team, id), before)
      const [after] = await findImported(database.read, root.key, [source.path])
      assert.deepEqual([after?.from, after?.mtimeMs], ['/moved', null])
    })

    test('given imported documents and files, then they are listed page by page, those in the bin too', async (t) => {
      const { database, team, root, document } = await givenTeam(await kind.open(t))
      for (const path of ['b.gh', 'a/é.gh', 'a.gh']) await document({ source: sourceIn(root.key, { path }) })
      const binned = await document({ source: sourceIn(root.key, { path: 'binned.gh' }) })
      await document()
      await changeTeam(database, team, (change) =>
        putGoneIntoBin(change, [{ kind: 'document', key: binned.key }]),
      )
      const source = sourceIn(root.key, { path: 'site.3dm' })
      await changeTeam(database, team, (change) =>
        createFile(change, {
          ...{ folder: root.key, name: 'site.3dm', kind: 'model', source },
          ...{ facts: '{}', objectIds: [] },
        }),
      )
      const first = await listImportedDocuments(database.read, root.key, { limit: 3 })
      const second = await listImportedDocuments(database.read, root.key, {
        limit: 3,
        after: first.at(-1)!.key,
      })
      assert.deepEqual(
        [first, second].map((page) => page.map(({ path }) => path)),
        [['b.gh', 'a/é.gh', 'a.gh'], ['binned.gh']],
      )
      assert.equal(second[0]!.isBinnedAsGone, 1)
      const files = await listImportedFiles(database.read, root.key, { limit: 3 })
      assert.deepEqual(
        files.map(({ kind, path, name }) => [kind, path, name]),
        [['model', 'site.3dm', 'site.3dm']],
      )
    })

    test('given two imports of one file at once, then the second one sees what the first one made', async (t) => {
      const location = await kind.createLocation(t)
      const [one, two] = [await openDatabase(location), await openDatabase(location)]
      atEnd(t, () => one.close())
      atEnd(t, () => two.close())
      const { team, root } = await givenTeam(one)
      const source = sourceIn(root.key)
      const importOnce = (by: Database) =>
        changeTeam(by, team, async (change) => {
          const [known] = await findImported(change.write, root.key, [source.path])
          const facts = {
            folder: root.key,
            name: 't',
            createdAt: 0,
            updatedAt: 0,
            content: EMPTY_CONTENT,
            source,
          }
          return known ? 'known' : (await createDocument(change, facts)) && 'created'
        })
      const outcomes = await Promise.all([importOnce(one), importOnce(two)])
      assert.deepEqual(outcomes.sort(), ['created', 'known'])
    })

    test('given any change of a team, then its version grows with it, and not when the change fails', async (t) => {
      const database = await kind.open(t)
      const { team, root } = await givenTeam(database)
      const other = await givenTeam(database, 'Other')
      assert.equal(await readVersion(database, team), 1)
      await changeTeam(database, team, (change) => ensureFolder(change, root.key, 'New'))
      assert.equal(await readVersion(database, team), 2)
      await assert.rejects(changeTeam(database, team, () => Promise.reject(new Error('no'))))
      assert.equal(await readVersion(database, team), 2)
      assert.equal(await readVersion(database, other.team), 1)
      await assert.rejects(
        changeTeam(database, 999 as TeamKey, async () => {}),
        /no team 999/,
      )
    })

    test('given folders and documents of another team, then they cannot be written to', async (t) => {
      const { blobs } = await openTestBlobs(t)
      const database = await kind.open(t)
      const { team, root, document } = await givenTeam(database)
      const other = await givenTeam(database, 'Other')
      const foreign = await other.document()
      const folder = await other.folder('Theirs')
      const { id: user } = await createUserStore(database).createUser({
        name: 'Ann',
        email: 'ann@example.org',
      })
      const binned = await other.document()
      await changeTeam(database, other.team, (change) => putDocumentIntoBin(change, binned.key, user))
      const item = await database.read.selectFrom('bin_item').select('id').executeTakeFirstOrThrow()
      const source = sourceIn(other.root.key)
      const change = (work: (change: TeamTransaction) => Promise<unknown>) => () =>
        changeTeam(database, team, work)
      const rejected = [
        () => document({ folder: other.root.key }),
        () => changeTeam(database, team, (change) => ensureFolder(change, other.root.key, 'New')),
        () =>
          changeTeam(database, team, (change) =>
            refreshSource(change, { kind: 'document', key: foreign.key }, source),
          ),
        () =>
          changeTeam(database, team, (change) =>
            refreshSource(change, { kind: 'model', key: 999 as TeamFileKey }, source),
          ),
        () =>
          changeTeam(database, team, (change) =>
            updateDocument(change, foreign.key, {
              updatedAt: 1,
              content: EMPTY_CONTENT,
              readContent,
              blobs,
              source,
            }),
          ),
        change((change) => renameDocument(change, foreign.key, 'Ours')),
        change((change) => moveDocument(change, foreign.key, root.key)),
        change((change) => setVisibility(change, foreign.key, 'public')),
        change((change) => putDocumentIntoBin(change, foreign.key, user)),
        change((change) => renameFolder(change, folder.key, 'Ours')),
        change((change) => moveFolder(change, folder.key, root.key)),
        change((change) => putFolderIntoBin(change, folder.key, user)),
      ]
      for (const write of rejected) await assert.rejects(write(), /The team \d+ has no/)
      await assert.rejects(change((change) => restoreFromBin(change, item.id))(), /There is no item/)
    })

    test('given names that no database takes, then they are rejected, and halves of characters are replaced', async (t) => {
      const database = await kind.open(t)
      const { team, document } = await givenTeam(database)
      for (const name of ['', 'x'.repeat(256), 'a\0b']) await assert.rejects(document({ name }), RangeError)
      await document({ name: 'half \ud83d' })
      const found = await createSearch(database)(team, { q: 'HALF' })
      assert.deepEqual(
        found?.documents.map(({ name }) => name),
        ['half \ufffd'],
      )
    })

    test('given times that are damaged, then the nearest that can be stored are', async (t) => {
      const database = await kind.open(t)
      const { team, document } = await givenTeam(database)
      for (const time of [-1, Number.NaN, 1.9, 1e15]) await document({ createdAt: time, updatedAt: time })
      const found = await createSearch(database)(team, {})
      const latest = '2248-09-26T15:10:22.207Z'
      assert.deepEqual(
        found?.documents.map(({ updatedAt }) => updatedAt),
        [latest, '1970-01-01T00:00:00.001Z', '1970-01-01T00:00:00.000Z', '1970-01-01T00:00:00.000Z'],
      )
    })
  })
}
