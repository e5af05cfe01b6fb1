import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Meadow, NotFound } from '@meadow/client'
import { moveFolder, renameFolder } from '../library/folders.ts'
import type { FolderKey } from '../platform/database/tables.ts'
import { changeTeam } from '../team/team-transaction.ts'
import { startServer } from '../testing/start-server.ts'

test('[TOK-20, TOK-22] given the SDK with a limited token, when the team is walked and its changes are read, then both begin at the root and know nothing but the folders of the token', async (t) => {
  const { address, team, fixtures, database } = await startServer(t)
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
    changeTeam(database, team.key, (change) => moveFolder(change, folder.key, parent.key))
  await move(east, west)
  assert.deepEqual(await readChanges(), ['moved West/East/Roof'])
  await changeTeam(database, team.key, (change) => renameFolder(change, hidden.key, 'More secret'))
  assert.deepEqual(await readChanges(), [])
  await move(hidden, west)
  assert.deepEqual(await readChanges(), ['new West/More secret/Wall'])
  await move(east, hidden)
  await move(hidden, root)
  assert.deepEqual((await readChanges()).sort(), ['gone West/More secret/Wall', 'moved East/Roof'])
})
