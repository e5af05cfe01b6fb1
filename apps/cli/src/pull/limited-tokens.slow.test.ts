import assert from 'node:assert/strict'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import type { FolderId } from '@meadow/contract'
import { revokeToken } from '../../../server/src/access/team-tokens.ts'
import { putFolderIntoBin } from '../../../server/src/library/bin.ts'
import { moveDocument } from '../../../server/src/library/documents.ts'
import { moveFolder } from '../../../server/src/library/folders.ts'
import { givenActor } from '../../../server/src/testing/given-actor.ts'
import { createFolder } from '../testing/start-meadow.ts'
import { startTeam } from '../testing/start-team.ts'

const PATHS = ['Plan', 'East/Roof', 'West/Wall', 'Secret/East/Door', 'Secret/Safe']

/** A team, an empty folder for a mirror, and `meadow` with the token of the team, or with one limited to folders. */
async function startMirror(t: TestContext) {
  const team = await startTeam(t, PATHS)
  const target = await createFolder(t)
  for (const id of Object.values(team.ids)) await team.solve(id)
  const folder = (...names: string[]) => team.fixtures.folder(team.team, ...names)
  async function limitedTo(...paths: string[]) {
    const folders: FolderId[] = []
    for (const path of paths) folders.push((await folder(...path.split('/'))).id)
    const { secret, id } = await team.fixtures.token(team.team, { folders })
    return { env: { MEADOW_TOKEN: secret }, id }
  }
  const files = async () =>
    (await readdir(target, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile() && !entry.parentPath.includes('.meadow'))
      .map((entry) => join(entry.parentPath, entry.name).slice(target.length + 1))
      .sort()
  const pull = (env: Record<string, string>, ...args: string[]) =>
    team.runWith({ env }, 'pull', target, '--format', 'json', ...args)
  return { ...team, target, folder, limitedTo, files, pull }
}

describe('meadow with a token limited to folders', () => {
  test('[CMD-30] given a mirror of the whole team, when it is pulled with a token limited to some folders, then nothing is removed or moved, and a sentence says why; with --keep and --allow-narrower it goes on', async (t) => {
    const { pull, limitedTo, files, target, run } = await startMirror(t)
    assert.equal((await pull({})).code, 0)
    await writeFile(join(target, 'mine.txt'), 'kept')
    const before = await files()
    const state = await readFile(join(target, '.meadow/state.json'), 'utf8')
    // Of the same name as a folder of the root that is out of reach.
    const { env } = await limitedTo('Secret/East', 'West')
    for (const args of [[], ['--json'], ['--verify']]) {
      const { code, stdout, stderr } = await pull(env, ...args)
      assert.deepEqual([code, stdout], [3, ''])
      assert.match(stderr, /limited to folders/)
      assert.match(stderr, /3 documents of this mirror/)
      assert.match(stderr, /Nothing was changed/)
      assert.deepEqual(await files(), before)
      assert.equal(await readFile(join(target, '.meadow/state.json'), 'utf8'), state)
    }
    // The mirror is still that of the whole team.
    assert.match((await run('pull', target, '--format', 'json')).stdout, /5 documents: 5 unchanged/)
    const kept = await pull(env, '--keep')
    assert.equal(kept.code, 0)
    assert.match(kept.stderr, /what is gone was deleted, or has left these folders/)
    for (const name of ['Plan.json', 'Secret/Safe.json', 'East/Roof.json', 'East/Door.json'])
      assert.ok((await files()).includes(name), name)
    // Whoever reads everything again has everything again.
    assert.equal((await pull({})).code, 0)
    assert.deepEqual(await files(), before)
    const { code, stdout } = await pull(env, '--allow-narrower')
    assert.equal(code, 0)
    assert.match(stdout, /3 gone/)
    assert.deepEqual(await files(), ['East/Door.json', 'West/Wall.json', 'mine.txt'])
  })

  test('[CMD-30] given a mirror of a limited token, when documents are deleted in its folders, leave these, or a folder of the token is deleted, then files go where the token still reads the folder, and stay with a sentence where it does not', async (t) => {
    const { pull, limitedTo, files, ids, keyOf, change, team, folder, fixtures, database } =
      await startMirror(t)
    const { env } = await limitedTo('East', 'Secret/East')
    const first = await pull(env)
    assert.deepEqual([first.code, (await files()).length], [0, 2])
    assert.match((await pull(env)).stdout, /2 documents: 2 unchanged/)
    // Both folders are called East; the documents of the first keep their places.
    const below = await fixtures.folder(team, 'East', 'Deep')
    await fixtures.document(team, { name: 'Beam', folder: below.key })
    const moved = await keyOf(ids['East/Roof']!)
    const west = await folder('West')
    await change((write) => moveDocument(write, moved, west.key))
    const gone = await pull(env, '--json')
    assert.equal(gone.code, 0, gone.stderr)
    assert.deepEqual(
      JSON.parse(gone.stdout).changes.map(
        ({ type, path }: { type: string; path: string }) => type + path.slice(-4),
      ),
      ['newBeam', 'goneRoof'],
    )
    assert.equal(JSON.parse(gone.stdout).reach, 'folders')
    // A folder of the token that is now below another of its folders is still read.
    const [outer, inner] = [await folder('East'), await folder('Secret', 'East')]
    await change((write) => moveFolder(write, inner.key, outer.key))
    const nested = await pull(env)
    assert.equal(nested.code, 0, nested.stderr)
    assert.match(nested.stdout, /^> East\/East\/Door/m)
    const before = await files()
    const { user } = await givenActor(database, team.key, { name: 'ann', role: 'owner' })
    await change((write) => putFolderIntoBin(write, outer.key, user))
    const refused = await pull(env)
    assert.equal(refused.code, 3)
    assert.match(refused.stderr, /2 documents of this mirror, such as "East\//)
    assert.deepEqual(await files(), before)
    assert.equal((await pull(env, '--allow-narrower')).code, 0)
    assert.deepEqual(await files(), [])
  })

  test('[CMD-30] given a mirror of one folder, when its token ends, or the folder is out of reach of another one, then the pull fails and nothing is removed', async (t) => {
    const { pull, limitedTo, files, change, folder } = await startMirror(t)
    const { env, id } = await limitedTo('East', 'West')
    assert.equal((await pull(env, '--folder', 'East')).code, 0)
    const before = await files()
    const other = await limitedTo('West')
    const { id: east } = await folder('East')
    const refused = await pull(other.env, '--folder', east)
    assert.equal(refused.code, 4, refused.stderr)
    await change((write) => revokeToken(write, id))
    const ended = await pull(env, '--folder', 'East')
    assert.deepEqual([ended.code, await files()], [3, before])
    assert.match(ended.stderr, /token/)
  })

  test('[CMD-31] given a token limited to folders, or with few scopes, then tree, ls, search, get, values and whoami show what it reads, and say what it may not', async (t) => {
    const { runWith, limitedTo, ids, fixtures, team, folder } = await startMirror(t)
    const { env } = await limitedTo('Secret/East', 'West')
    const run = (...args: string[]) => runWith({ env }, ...args)
    const tree = await run('tree')
    assert.match(tree.stdout, /East.*Door.*West.*Wall/s)
    assert.doesNotMatch(tree.stdout, /Secret|Safe|Roof|Plan/)
    assert.match((await run('ls')).stdout, /East.*West/s)
    assert.match((await run('ls', 'East')).stdout, /Door/)
    assert.equal((await run('ls', 'Secret')).code, 4)
    assert.deepEqual(
      (JSON.parse((await run('search', 'a', '--json')).stdout).documents as { name: string }[]).map(
        ({ name }) => name,
      ),
      ['Wall'],
    )
    assert.equal((await run('get', 'East/Door')).code, 0)
    assert.equal((await run('values', 'Wall')).code, 0)
    for (const command of ['get', 'values', 'solution', 'open', 'wait']) {
      const { code, stderr } = await run(command, ids['Secret/Safe']!)
      assert.deepEqual([command, code], [command, command === 'open' ? code : 4], stderr)
      assert.doesNotMatch(stderr, /Safe/)
    }
    const { scopes, reach } = JSON.parse((await run('whoami', '--json')).stdout)
    assert.deepEqual([scopes.length, reach], [5, 'folders'])
    assert.match((await run('whoami')).stdout, /^reads +the folders that the token is limited to$/m)
    const { secret } = await fixtures.token(team, {
      scopes: ['folders:read'],
      folders: [(await folder('West')).id],
    })
    const few = (...args: string[]) => runWith({ env: { MEADOW_TOKEN: secret } }, ...args)
    assert.deepEqual(JSON.parse((await few('whoami', '--json')).stdout).reach, 'folders')
    assert.match((await few('tree')).stdout, /Wall/)
    const search = await few('search', 'Wall')
    assert.equal(search.code, 3)
    assert.match(search.stderr, /documents:read/)
  })
})
