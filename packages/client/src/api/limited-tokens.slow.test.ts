import assert from 'node:assert/strict'
import { test } from 'node:test'
import { putFolderIntoBin } from '../../../../apps/server/src/library/bin.ts'
import { moveFolder } from '../../../../apps/server/src/library/folders.ts'
import { changeTeam } from '../../../../apps/server/src/team/team-transaction.ts'
import { givenActor } from '../../../../apps/server/src/testing/given-actor.ts'
import { startServer } from '../../../../apps/server/src/testing/start-server.ts'
import { Meadow, MeadowError, NotFound, OutOfReach } from './index.ts'

test('[TOK-27, SDK-29] given a state of the whole team, when changes are read with a token limited to folders, then what it does not read is not called gone, unless that is asked for', async (t) => {
  const { address, secret, team, fixtures, database } = await startServer(t)
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
  await changeTeam(database, team.key, (change) => moveFolder(change, west.key, east.key))
  assert.deepEqual((await readChanges(state)).words, ['moved East/West/Wall'])
  const { user } = await givenActor(database, team.key, { name: 'ann', role: 'owner' })
  await changeTeam(database, team.key, (change) => putFolderIntoBin(change, east.key, user))
  // The feed says what has gone.
  assert.deepEqual((await readChanges(state)).words, ['gone East/Wall', 'gone West/Wall'])
  // Of one folder of the team, either all is in reach or nothing is.
  await assert.rejects(readChanges(undefined, { folderId: hidden.id }), NotFound)
})
