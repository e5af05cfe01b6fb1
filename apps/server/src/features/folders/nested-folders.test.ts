import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ALL_SCOPES, type ChildFolder, type Folder, type FolderId } from '@meadow/contract'
import fc from 'fast-check'
import type { ResourceScope } from '../../access/resource-scope.ts'
import { createToken } from '../../access/team-tokens.ts'
import { createTokenSecret } from '../../access/tokens.ts'
import { putFolderIntoBin } from '../../library/bin.ts'
import { createDocument } from '../../library/documents.ts'
import { createFolder } from '../../library/folders.ts'
import { changeTeam } from '../../team/team-transaction.ts'
import { DATABASES } from '../../testing/databases.ts'
import { givenActor } from '../../testing/given-actor.ts'
import { EMPTY_CONTENT, givenTeam } from '../../testing/given-team.ts'
import { startServer } from '../../testing/start-server.ts'
import { createFolderStore, type FolderStore } from './folders.store.ts'

/** Where a folder or document goes: the folder with this number, or the root folder. */
const tree = fc.record({
  folders: fc.array(
    fc.record({ home: fc.nat(20), name: fc.constantFrom('Tower 2', 'Tower 10', 'Ä', '塔') }),
    {
      maxLength: 14,
    },
  ),
  documents: fc.array(fc.record({ home: fc.nat(20), name: fc.constantFrom('Plan', 'plan 2', '図') }), {
    maxLength: 10,
  }),
  limits: fc.array(fc.nat(20), { minLength: 1, maxLength: 3 }),
  binned: fc.option(fc.nat(20)),
})

type Read = (id: string) => Promise<Folder | undefined>

/** The folder with its nested folders, from single reads. */
async function readEach(read: Read, id: string, depth: number): Promise<Folder | undefined> {
  const folder = await read(id)
  if (!folder) return undefined
  const nest = async (child: ChildFolder, levels: number): Promise<ChildFolder> => {
    if (levels === 0) return child
    const { folders, documents } = (await read(child.id))!
    return { ...child, folders: await Promise.all(folders.map((one) => nest(one, levels - 1))), documents }
  }
  const folders = await Promise.all(folder.folders.map((child) => nest(child, depth - 1)))
  return depth === 0 ? { ...folder, folders: [], documents: [], depth } : { ...folder, folders, depth }
}

const count = ({ folders = [], documents = [] }: ChildFolder): number =>
  folders.length + documents.length + folders.reduce((sum, child) => sum + count(child), 0)

const readWith =
  ({ find }: FolderStore, scope: ResourceScope): Read =>
  async (id) => {
    const json = await find(scope, id)
    return json && JSON.parse(Buffer.from(json).toString()).folder
  }

for (const kind of DATABASES) {
  describe(`nested folders on ${kind.name}`, kind.options, () => {
    test('[LIST-3, LIST-4, TOK-20] given any tree, then each depth is the sum of single reads, for the team and for a limited token, cut at whole levels where it is too much', async (t) => {
      const database = await kind.open(t)
      const { team, root } = await givenTeam(database)
      const actor = await givenActor(database, team, { name: `ann-${team}`, role: 'owner' })
      const store = createFolderStore(database)
      await fc.assert(
        fc.asyncProperty(tree, async ({ folders, documents, limits, binned }) => {
          const { top, made, token } = await changeTeam(database, team, async (change) => {
            const top = await createFolder(change, root.key, `${Math.random()}`)
            const made = [top]
            for (const { home, name } of folders)
              made.push(await createFolder(change, made[home % made.length]!.key, name))
            for (const { home, name } of documents) {
              const folder = made[home % made.length]!.key
              await createDocument(change, { folder, name, content: EMPTY_CONTENT })
            }
            const limitedTo = limits.map((at) => made[at % made.length]!.id)
            const secret = createTokenSecret()
            const token = await createToken(change, {
              ...{ name: 'test', secret, scopes: ALL_SCOPES, folders: limitedTo },
            })
            if (binned !== null && binned % made.length > 0)
              await putFolderIntoBin(change, made[binned % made.length]!.key, actor.user)
            return { top, made, token }
          })
          const { id: key } = await database.read
            .selectFrom('token')
            .where('public_id', '=', token.id)
            .select('id')
            .executeTakeFirstOrThrow()
          const scopes: ResourceScope[] = [team, { team, token: key }]
          const starts: (FolderId | 'root')[] = [top.id, made.at(-1)!.id, made[limits[0]! % made.length]!.id]
          for (const scope of scopes) {
            const read = readWith(store, scope)
            // The root of the team has the trees of all runs.
            for (const id of scope === team ? starts : [...starts, 'root' as const])
              for (const depth of [0, 1, 2, 3, 5]) {
                const whole = await readEach(read, id, depth)
                assert.deepEqual(await store.findNested(scope, id, depth), whole)
                const first = whole && count((await read(id))!)
                if (!whole || depth < 2 || count(whole) === first) continue
                const maxItems = count(whole) - 1
                const cut = (await store.findNested(scope, id, depth, maxItems))!
                assert.ok(cut.depth! < depth)
                assert.deepEqual(cut, await readEach(read, id, cut.depth!))
                assert.ok(count(cut) <= maxItems)
              }
          }
        }),
        { numRuns: 12 },
      )
    })
  })
}

test('[LIST-3, D46, D10] given any value of depth, then 200, the response says which depth it has, and each has its own tag', async (t) => {
  const { get, fixtures, team } = await startServer(t)
  await fixtures.folder(team, 'A', 'B', 'C', 'D', 'E', 'F')
  const plain = await get('/folders/root')
  assert.equal(plain.json.folder.depth, undefined)
  const tags = new Set<string>()
  const expected = {
    0: 0,
    1: 1,
    2: 2,
    5: 5,
    6: 5,
    99999999999999999999: 5,
    '': 1,
    x: 1,
    '-1': 1,
    '1.5': 1,
    '02': 2,
  }
  for (const [value, depth] of Object.entries(expected)) {
    const path = `/folders/root?depth=${value}`
    const { status, json, headers } = await get(path)
    assert.deepEqual([status, json.folder.depth], [200, depth], value)
    const levels = (folder: ChildFolder): number => (folder.folders?.[0] ? 1 + levels(folder.folders[0]) : 0)
    assert.equal(levels(json.folder), depth)
    const tag = headers.get('etag')!
    tags.add(tag)
    for (const method of ['GET', 'HEAD']) {
      assert.equal((await get(path, { method, headers: { 'if-none-match': tag } })).status, 304)
      const changed = await get(path, { method, headers: { 'if-none-match': plain.headers.get('etag')! } })
      assert.deepEqual([changed.status, changed.headers.get('etag')], [200, tag])
    }
  }
  assert.equal(tags.size, 4)
  assert.equal((await get('/folders/root?depth=3&depth=1')).json.folder.depth, 3)
  assert.deepEqual((await get('/folders/nothing?depth=2')).text, (await get('/folders/nothing')).text)
})
