import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Meadow, MeadowError, NotFound, OutOfReach } from '@meadow/client'
import type { FolderKey } from '../platform/database/tables.ts'
import { givenActor } from '../testing/given-actor.ts'
import { startServer } from '../testing/start-server.ts'

test('[TOK-20, TOK-22] given the SDK with a limited token, when the team is walked and its changes are read, then both begin at the root and know nothing but the folders of the token', async (t) => {
  const { address, team, fixtures, catalogue } = await startServer(t)
  const [east, west] = [await fixtures.folder(team, 'Secret', 'East'), await fixtures.folder(team, 'West')]
  const hidden = await fixtures.folder(team, 'Secret')
  await fixtures.folder(team, 'Secret', 'East', 'Deep')
  await fixtures.document(team, { name: 'Roof', folder: east.key })
  await fixtures.document(team, { name: 'Wall', folder: hidden.key })
  const { secret: token } = await fixtures.token(team, { folders: [east.id, west.id] })
  const meadow = new Meadow({ baseUrl: address, token })

  const visits: string[] = []
  for await (const { path, folder } of meadow.walk())
    visits.push(`/${path.join('/')}: ${folder.documents.map(({ name }) => name)}`)
  assert.deepEqual(visits, ['/: ', '/East: Roof', '/East/Deep: ', '/West: '])
  const { rootFolderId } = await meadow.readTeam()
  assert.equal((await meadow.readFolder(rootFolderId)).folders.length, 2)
  await assert.rejects(meadow.walk({ folderId: hidden.id }).next(), NotFound)

  let changes = meadow.changedSince(undefined)
  async function readChanges() {
    const words: string[] = []
    for await (const change of changes) {
      const { path, name } = change.type === 'gone' ? change.previous : change.document
      words.push(`${change.type} ${[...path, name].join('/')}`)
    }
    changes = meadow.changedSince(changes.state)
    return words
  }
  assert.deepEqual(await readChanges(), ['new East/Roof'])
  const root = await fixtures.root(team)
  const move = (folder: { key: FolderKey }, parent: { key: FolderKey }) =>
    catalogue.changeTeam(team.key, (change) => change.moveFolder(folder.key, parent.key))
  await move(east, west)
  assert.deepEqual(await readChanges(), ['moved West/East/Roof'])
  await catalogue.changeTeam(team.key, (change) => change.renameFolder(hidden.key, 'More secret'))
  assert.deepEqual(await readChanges(), [])
  await move(hidden, west)
  assert.deepEqual(await readChanges(), ['new West/More secret/Wall'])
  await move(east, hidden)
  await move(hidden, root)
  assert.deepEqual((await readChanges()).sort(), ['gone West/More secret/Wall', 'moved East/Roof'])
})

test('[TOK-27, SDK-29] given a state of the whole team, when changes are read with a token limited to folders, then what it does not read is not called gone, unless that is asked for', async (t) => {
  const { address, secret, team, fixtures, catalogue, database } = await startServer(t)
  const [east, west] = [await fixtures.folder(team, 'Secret', 'East'), await fixtures.folder(team, 'West')]
  const [hidden, other] = [await fixtures.folder(team, 'Secret'), await fixtures.folder(team, 'East')]
  for (const folder of [undefined, east, west, hidden, other])
    await fixtures.document(team, { name: folder ? 'Wall' : 'Plan', ...(folder && { folder: folder.key }) })
  const limited = await fixtures.token(team, { folders: [east.id, west.id] })
  const [whole, narrow] = [secret, limited.secret].map((token) => new Meadow({ baseUrl: address, token }))
  assert.deepEqual(await Promise.all([whole!.readReach(), narrow!.readReach()]), ['team', 'folders'])

  async function readChanges(...args: Parameters<Meadow['changedSince']>) {
    const changes = narrow!.changedSince(...args)
    const words: string[] = []
    for await (const { type, ...change } of changes) {
      const { path, name } = 'document' in change ? change.document : change.previous
      words.push(`${type} ${[...path, name].join('/')}`)
    }
    return { words: words.sort(), state: changes.state }
  }
  const all = whole!.changedSince()
  for await (const _ of all);
  await assert.rejects(readChanges(all.state), (error: Error) => {
    assert.ok(error instanceof OutOfReach && error instanceof MeadowError)
    assert.equal(error.count, 3)
    assert.match(error.message, /limited to folders, and 3 documents of the state .* may still exist/)
    return true
  })
  const { words, state } = await readChanges(all.state, { allowNarrower: true })
  assert.deepEqual(words, ['gone East/Wall', 'gone Plan', 'gone Secret/Wall', 'moved East/Wall'])
  assert.deepEqual((await readChanges(state)).words, [])
  // A folder of the token that has gone may have left it, or may have been deleted.
  await catalogue.changeTeam(team.key, (change) => change.moveFolder(west.key, east.key))
  assert.deepEqual((await readChanges(state)).words, ['moved East/West/Wall'])
  const { user } = await givenActor(database, team.key, { name: 'ann', role: 'owner' })
  await catalogue.changeTeam(team.key, (change) => change.binFolder(east.key, user))
  await assert.rejects(readChanges(state), /2 documents of the state/)
  // Of one folder of the team, either all is in reach or nothing is.
  await assert.rejects(readChanges(undefined, { folderId: hidden.id }), NotFound)
})
