import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { describe, type TestContext, test } from 'node:test'
import type { DocumentId } from '@meadow/contract'
import { numbers } from '../../../../apps/server/src/features/solutions/testing/graphs.ts'
import { startSolutions } from '../../../../apps/server/src/features/solutions/testing/start-solutions.ts'
import { putFolderIntoBin, restoreFromBin } from '../../../../apps/server/src/library/bin.ts'
import { moveDocument, renameDocument, setVisibility } from '../../../../apps/server/src/library/documents.ts'
import { deleteEmptyFolder, moveFolder, renameFolder } from '../../../../apps/server/src/library/folders.ts'
import { changeTeam, type TeamTransaction } from '../../../../apps/server/src/team/team-transaction.ts'
import { givenActor } from '../../../../apps/server/src/testing/given-actor.ts'
import {
  BadAnswer,
  type Change,
  type ChangesOptions,
  Meadow,
  MeadowError,
  NotFound,
  type TeamState,
} from './index.ts'

/** A team with these folders and documents, by path, and a client that counts its requests. */
async function startTeam(t: TestContext, paths: readonly string[]) {
  const server = await startSolutions(t)
  const { address, secret, fixtures, team, database } = server
  const ids: Record<string, DocumentId> = {}
  async function add(path: string): Promise<void> {
    const names = path.split('/')
    const name = names.pop()!
    const { key } = await fixtures.folder(team, ...names)
    ids[path] = await fixtures.document(team, { name, folder: key, content: numbers() })
  }
  for (const path of paths) await add(path)
  const sent: { path: string; status: number }[] = []
  const before = { request: async (_path: string): Promise<void> => {} }
  const answered = new EventEmitter()
  let atOnce = 0
  let mostAtOnce = 0
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const path = new URL(String(input)).pathname.replace('/api/v1', '')
    await before.request(path)
    mostAtOnce = Math.max(mostAtOnce, ++atOnce)
    const response = await globalThis.fetch(input, init)
    atOnce--
    sent.push({ path, status: response.status })
    answered.emit(path)
    return response
  }
  /** Waits until the answer to the next request of a path is there. */
  const read = (path: string) => once(answered, path)
  const meadow = new Meadow({ baseUrl: address, token: secret, fetch })

  /** What has changed, in words, and the state. */
  async function changes(state?: TeamState, options?: ChangesOptions) {
    const read = meadow.changedSince(state && JSON.parse(JSON.stringify(state)), options)
    const words: string[] = []
    for await (const change of read) words.push(describeChange(change))
    return { words: words.sort(), state: read.state }
  }
  const findFolder = (...names: string[]) => fixtures.folder(team, ...names)
  const keyOf = async (path: string) =>
    (
      await database.read
        .selectFrom('document')
        .where('public_id', '=', ids[path]!)
        .select('id')
        .executeTakeFirstOrThrow()
    ).id
  const change = <T>(work: (change: TeamTransaction) => Promise<T>): Promise<T> =>
    changeTeam(database, team.key, work)
  return {
    ...server,
    meadow,
    before,
    read,
    sent,
    add,
    ids,
    changes,
    findFolder,
    keyOf,
    change,
    mostAtOnce: () => mostAtOnce,
  }
}

const placeOf = ({ path, name }: { path: string[]; name: string }) => [...path, name].join('/')

function describeChange(change: Change): string {
  if (change.type === 'gone') return `gone ${placeOf(change.previous)}`
  const from = 'previous' in change && change.type !== 'changed' ? `${placeOf(change.previous)} → ` : ''
  return `${change.type} ${from}${placeOf(change.document)}`
}

const TREE = ['Plan', 'A/Tower', 'A/Deep/Deeper/Stair', 'B/Tower', 'B 10/Roof', 'B 2/Wall']

describe('the walk', () => {
  test('[SDK-20] given folders in folders, when they are walked, then each comes once, before those inside it, in the order of the API, with the names of its path', async (t) => {
    const { meadow, mostAtOnce } = await startTeam(t, TREE)
    const visits: string[] = []
    for await (const { folder, path } of meadow.walk({ concurrency: 3 }))
      visits.push(`/${path.join('/')}: ${folder.documents.map(({ name }) => name).join(', ')}`)
    assert.deepEqual(visits, [
      '/: Plan',
      '/A: Tower',
      '/A/Deep: ',
      '/A/Deep/Deeper: Stair',
      '/B: Tower',
      '/B 2: Wall',
      '/B 10: Roof',
    ])
    assert.ok(mostAtOnce() > 1 && mostAtOnce() <= 3, `${mostAtOnce()} at once`)
  })

  test('[SDK-21] given a folder, when it is walked, then it and what is inside; when it does not exist, then NotFound', async (t) => {
    const { meadow, findFolder } = await startTeam(t, TREE)
    const { id: folderId } = await findFolder('A', 'Deep')
    const paths: string[] = []
    for await (const { path } of meadow.walk({ folderId })) paths.push(path.join('/'))
    assert.deepEqual(paths, ['A/Deep', 'A/Deep/Deeper'])
    await assert.rejects(meadow.walk({ folderId: 'fld_none' }).next(), NotFound)
  })

  test('[SDK-21] given a folder that goes during the walk, when its turn comes, then it is left out; and a loop that ends early ends the walk', async (t) => {
    const { meadow, findFolder, change, sent } = await startTeam(t, ['A/One', 'B/Two'])
    const { key } = await findFolder('Empty')
    const paths: string[] = []
    for await (const { path } of meadow.walk({ concurrency: 1 })) {
      paths.push(path.join('/'))
      if (path[0] === 'A') await change((write) => deleteEmptyFolder(write, key))
    }
    assert.deepEqual(paths, ['', 'A', 'B'])
    assert.equal(sent.at(-1)!.status, 404)
    sent.length = 0
    for await (const _ of meadow.walk({ concurrency: 1 })) break
    assert.ok(sent.length <= 2)
  })
})

describe('changes', () => {
  test('[SDK-22] given no state, when changes are read, then every document is new, past the cut of a search; the state is complete at the end only', async (t) => {
    const many = Array.from({ length: 60 }, (_, index) => `Many/Part ${index}`)
    const { meadow, changes } = await startTeam(t, many)
    const { words, state } = await changes()
    assert.equal(words.length, 60)
    assert.ok(words.includes('new Many/Part 59'))
    const unread = meadow.changedSince(state)
    assert.throws(() => unread.state, MeadowError)
  })

  test('[SDK-23] given a state and nothing that has changed, when changes are read, then one request in all', async (t) => {
    const { changes, sent } = await startTeam(t, TREE)
    const { state } = await changes()
    sent.length = 0
    const again = await changes(state)
    assert.deepEqual(again.words, [])
    assert.deepEqual(again.state, state)
    assert.deepEqual(sent, [{ path: '/changes', status: 200 }])
  })

  test('[SDK-24] given documents that were edited, renamed, moved, deleted and made, when changes are read, then each is reported, a renamed folder moves what is in it', async (t) => {
    const { changes, add, change, keyOf, findFolder, ids, database } = await startTeam(t, TREE)
    const first = await changes()
    const { key: a } = await findFolder('A')
    const { key: b } = await findFolder('B')
    const { key: deep } = await findFolder('A', 'Deep')
    const [plan, tower, roof, other] = await Promise.all(
      ['Plan', 'A/Tower', 'B 10/Roof', 'B/Tower'].map(keyOf),
    )
    await change(async (write) => {
      await renameDocument(write, plan!, 'Ground plan')
      await moveDocument(write, tower!, b)
      await moveDocument(write, roof!, a)
      await renameDocument(write, roof!, 'Attic')
      await renameFolder(write, deep, 'Shallow')
      await setVisibility(write, other!, 'public')
    })
    await add('C/Door')
    await database.transaction((write) =>
      write.deleteFrom('document').where('public_id', '=', ids['B 2/Wall']!).execute(),
    )
    await change((write) => renameFolder(write, b, 'B'))
    const second = await changes(first.state)
    assert.deepEqual(second.words, [
      'changed A/Attic',
      'changed B/Tower',
      'changed Ground plan',
      'gone B 2/Wall',
      'moved A/Deep/Deeper/Stair → A/Shallow/Deeper/Stair',
      'moved A/Tower → B/Tower',
      'moved B 10/Roof → A/Attic',
      'new C/Door',
      'renamed B 10/Roof → A/Attic',
      'renamed Plan → Ground plan',
    ])
    assert.deepEqual((await changes(second.state)).words, [])
  })

  test('[SDK-25] given documents and folders that are moved while folders are read, when some are in none of them and others in two, then each is reported once, where it is', async (t) => {
    const { changes, change, keyOf, findFolder, before, add } = await startTeam(t, [
      ...['A/Tower', 'A/Deep/Stair', 'B/Roof', 'Z/Door'],
    ])
    const [a, b, z] = [await findFolder('A'), await findFolder('B'), await findFolder('Z')]
    const deep = await findFolder('A', 'Deep')
    const [tower, door] = [await keyOf('A/Tower'), await keyOf('Z/Door')]
    let isMoved = false
    before.request = async (path) => {
      if (path === `/folders/${a.id}`) await change((write) => moveDocument(write, tower, z.key))
      if (path === `/folders/${z.id}`) {
        await change((write) => moveDocument(write, tower, a.key))
        await change((write) => moveDocument(write, door, a.key))
      }
      if (path !== `/folders/${b.id}` || isMoved) return
      isMoved = true
      await change((write) => moveFolder(write, deep.key, b.key))
      await add('B/Deep/Door')
    }
    const first = await changes(undefined, { concurrency: 1 })
    assert.deepEqual(first.words, [
      ...['new A/Door', 'new A/Tower', 'new B/Deep/Door', 'new B/Deep/Stair', 'new B/Roof'],
    ])
    before.request = async () => {}
    assert.deepEqual((await changes(first.state)).words, [])
  })

  test('[SDK-26] given one folder, when its changes are read, then a document that left it is gone; a state of another folder is refused', async (t) => {
    const { changes, change, keyOf, findFolder, meadow } = await startTeam(t, TREE)
    const { id: folderId } = await findFolder('A')
    const { key: b } = await findFolder('B')
    const first = await changes(undefined, { folderId })
    assert.deepEqual(first.words, ['new A/Deep/Deeper/Stair', 'new A/Tower'])
    const tower = await keyOf('A/Tower')
    await change((write) => moveDocument(write, tower, b))
    assert.deepEqual((await changes(first.state, { folderId })).words, ['gone A/Tower'])
    assert.throws(() => meadow.changedSince(first.state), /state is of another folder/)
  })

  test('[SDK-27] given solutions: true, when a document was solved or its solve failed, then that is a change, once', async (t) => {
    const { changes, ids, solve, fail, queue, sent } = await startTeam(t, ['One', 'Two', 'Three'])
    const options = { solutions: true }
    await solve(ids.One!)
    const first = await changes(undefined, options)
    assert.deepEqual(first.words, ['new One', 'new Three', 'new Two', 'solved One'])
    await solve(ids.One!)
    await fail(ids.Two!, 'For a test.')
    const second = await changes(first.state, options)
    assert.deepEqual(second.words, ['failed Two', 'solved One'])
    await queue(ids.One!)
    sent.length = 0
    const third = await changes(second.state, options)
    assert.deepEqual(third.words, [])
    assert.deepEqual({ ...third.state, cursor: '' }, { ...second.state, cursor: '' })
    assert.equal(sent.length, 1)
  })

  test('[SDK-27] given solves that ended, when a call in between does not ask for them, then the next one that does reports them, once', async (t) => {
    const { changes, solve, fail, ids } = await startTeam(t, ['Tower', 'Door'])
    const options = { solutions: true }
    await solve(ids.Tower!)
    const first = await changes(undefined, options)
    await fail(ids.Door!, 'For a test.')
    const second = await changes(first.state)
    assert.deepEqual(second.words, [])
    const third = await changes(second.state, options)
    assert.deepEqual(third.words, ['failed Door'])
    assert.deepEqual((await changes(third.state, options)).words, [])
  })

  test('[SDK-28] given a folder of the team that is followed, when other folders come into it, change their place above it, or it goes and comes back, then what is in them is reported', async (t) => {
    const { changes, change, findFolder, database, team } = await startTeam(t, [
      'A/Tower',
      'B/Deep/Stair',
      'C/Door',
    ])
    const [a, b, c] = [await findFolder('A'), await findFolder('B'), await findFolder('C')]
    const first = await changes(undefined, { folderId: a.id })
    assert.deepEqual(first.words, ['new A/Tower'])
    await change((write) => moveFolder(write, b.key, a.key))
    const second = await changes(first.state, { folderId: a.id })
    assert.deepEqual(second.words, ['new A/B/Deep/Stair'])
    await change((write) => moveFolder(write, a.key, c.key))
    const third = await changes(second.state, { folderId: a.id })
    assert.deepEqual(third.words, ['moved A/B/Deep/Stair → C/A/B/Deep/Stair', 'moved A/Tower → C/A/Tower'])
    const { user } = await givenActor(database, team.key, { name: `ann-${team.key}`, role: 'owner' })
    await change((write) => putFolderIntoBin(write, a.key, user))
    const fourth = await changes(third.state, { folderId: a.id })
    assert.deepEqual(fourth.words, ['gone C/A/B/Deep/Stair', 'gone C/A/Tower'])
    const { bin_id: item } = await database.read
      .selectFrom('folder')
      .where('id', '=', a.key)
      .select('bin_id')
      .executeTakeFirstOrThrow()
    await change((write) => restoreFromBin(write, item!))
    const fifth = await changes(fourth.state, { folderId: a.id })
    assert.deepEqual(fifth.words, ['new C/A/B/Deep/Stair', 'new C/A/Tower'])
  })

  test('[SDK-28] given a cursor that the service does not know, when changes are read, then everything is read again and compared with the state', async (t) => {
    const { changes, change, keyOf } = await startTeam(t, TREE)
    const { state } = await changes()
    const plan = await keyOf('Plan')
    await change((write) => renameDocument(write, plan, 'Ground plan'))
    const second = await changes({ ...state, cursor: 'unknown' })
    assert.deepEqual(second.words, ['changed Ground plan', 'renamed Plan → Ground plan'])
    assert.deepEqual((await changes(second.state)).words, [])
  })

  test('[SDK-6] given something else that answers, when changes are read, then it is a BadAnswer at once', async (t) => {
    const { address, secret } = await startTeam(t, [])
    let count = 0
    const fetch: typeof globalThis.fetch = async () => {
      count++
      return new Response('<p>Sign in', { headers: { 'content-type': 'text/html' } })
    }
    const meadow = new Meadow({ baseUrl: address, token: secret, fetch })
    await assert.rejects(async () => {
      for await (const _ of meadow.changedSince());
    }, BadAnswer)
    assert.equal(count, 1)
  })
})
