import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Folder, Scope, TeamId } from '@meadow/contract'
import fc from 'fast-check'
import { Doc, encodeStateAsUpdate } from 'yjs'
import { TeamView } from '../../../../../packages/client/src/api/team-view.ts'
import type { ResourceScope } from '../../access/resource-scope.ts'
import { createToken } from '../../access/team-tokens.ts'
import { createTokenSecret } from '../../access/tokens.ts'
import { createChangeLog } from '../../content/change-log.ts'
import { putDocumentIntoBin, putFolderIntoBin, restoreFromBin } from '../../library/bin.ts'
import { moveDocument, renameDocument, setVisibility } from '../../library/documents.ts'
import { createFolder, moveFolder, renameFolder } from '../../library/folders.ts'
import type { Database } from '../../platform/database/database.ts'
import type { TeamKey } from '../../platform/database/tables.ts'
import { changeTeam } from '../../team/team-transaction.ts'
import { DATABASES } from '../../testing/databases.ts'
import { givenActor } from '../../testing/given-actor.ts'
import { givenTeam } from '../../testing/given-team.ts'
import { deletePermanently } from '../bin/delete-permanently.ts'
import { createFolderStore } from '../folders/folders.store.ts'
import { createSolveStore } from '../solves/solves.store.ts'
import { failedIn, solvedIn, TERMS } from '../solves/testing/given-solves.ts'
import { createChangesStore } from './changes.store.ts'

// biome-ignore lint/style/noProcessEnv: 1,000 runs, with NUM_RUNS=1000, take minutes.
const { NUM_RUNS = 25 } = process.env

/** So few rows of a page that histories take several. */
const PAGE_ROWS = 12

const KINDS = [
  ...['new folder', 'new document', 'edit', 'rename document', 'rename folder', 'share', 'solve'],
  ...['move document', 'move folder', 'move folder', 'bin document', 'bin folder', 'restore', 'purge'],
] as const

/** A change, or a moment at which one of the clients follows, whose numbers stand for whatever there is then. */
interface Step {
  kind: (typeof KINDS)[number] | 'follow'
  which: number
  other: number
}

const steps = fc.array(
  fc.record<Step>({
    kind: fc.oneof(
      { weight: 5, arbitrary: fc.constantFrom(...KINDS) },
      { weight: 1, arbitrary: fc.constant('follow' as const) },
    ),
    which: fc.nat(),
    other: fc.nat(),
  }),
  { minLength: 10, maxLength: 60 },
)

async function startWorld(database: Database, name: string) {
  const { team, root, folder, document } = await givenTeam(database, name)
  await database.transaction((write) =>
    write
      .updateTable('team')
      .set({ public_documents: 1, credit_tenths: 1e6 })
      .where('id', '=', team)
      .execute(),
  )
  const actor = await givenActor(database, team, { name, role: 'owner' })
  const homes = [root]
  for (let index = 0; index < 8; index++) homes.push(await folder(`F${index}`, homes[index >> 1]!.key))
  for (let index = 0; index < 10; index++)
    await document({ name: `D${index}`, folder: homes[index % homes.length]!.key, updatedAt: undefined })
  const changes = createChangeLog(database)
  const solves = createSolveStore(database)
  const ended = new Map<string, number>()
  let made = 0

  const listFolders = () =>
    database.read
      .selectFrom('folder')
      .where('team_id', '=', team)
      .orderBy('folder.id')
      .select(['id as key', 'public_id as id', 'parent_id as parent', 'path', 'bin_id as bin'])
      .execute()
  const listDocuments = () =>
    database.read
      .selectFrom('document')
      .innerJoin('folder', 'folder.id', 'document.folder_id')
      .where('document.team_id', '=', team)
      .orderBy('document.id')
      .select(['document.id as key', 'document.public_id as id', 'document.bin_id as bin', 'path'])
      .execute()

  async function limit(...keys: number[]): Promise<ResourceScope> {
    const folders = keys.map((index) => homes[index]!.id)
    const made = { name: 'limited', secret: createTokenSecret(), scopes: SCOPES, folders }
    const { id } = await changeTeam(database, team, (change) => createToken(change, made))
    const { key } = await database.read
      .selectFrom('token')
      .where('public_id', '=', id)
      .select('id as key')
      .executeTakeFirstOrThrow()
    return { team, token: key }
  }

  async function change({ kind, which, other }: Step): Promise<void> {
    const pick = <T>(list: readonly T[], number: number) => list[number % list.length]
    const [folders, documents] = [await listFolders(), await listDocuments()]
    const live = folders.filter(({ bin }) => bin === null)
    const target = pick(live, other)!
    const folder = pick(
      live.filter(({ parent }) => parent !== null),
      which,
    )
    const document = pick(
      documents.filter(({ bin }) => bin === null),
      which,
    )
    const binned = pick([...new Set([...folders, ...documents].flatMap(({ bin }) => bin ?? []))], which)
    if (kind === 'new document') await createIn(target.key)
    if (kind === 'purge' && binned) await deletePermanently(database, actor, binned)
    if (kind === 'edit' && document)
      await changes.append({ document: document.key, team, update: encodeStateAsUpdate(new Doc()) })
    if (kind === 'solve' && document) {
      await solves.request(team, [document.key])
      const lease = (await solves.lease(TERMS))!
      await solves.complete(lease, other % 2 ? solvedIn(1) : failedIn(1))
      ended.set(lease.documentId, (ended.get(lease.documentId) ?? 0) + 1)
    }
    const work = changeTeam(database, team, async (change) => {
      if (kind === 'new folder') await createFolder(change, target.key, `F${made++}`)
      if (kind === 'restore' && binned) await restoreFromBin(change, binned)
      if (folder && kind === 'rename folder') await renameFolder(change, folder.key, `F${made++}`)
      if (folder && kind === 'move folder') await moveFolder(change, folder.key, target.key)
      if (folder && kind === 'bin folder' && which % 3 === 0)
        await putFolderIntoBin(change, folder.key, actor.user)
      if (!document) return
      if (kind === 'rename document') await renameDocument(change, document.key, `D${made++}`)
      if (kind === 'move document') await moveDocument(change, document.key, target.key)
      if (kind === 'share') await setVisibility(change, document.key, other % 2 ? 'public' : 'private')
      if (kind === 'bin document') await putDocumentIntoBin(change, document.key, actor.user)
    })
    // Into itself.
    await work.catch((error) => assert.equal(error.code, 'inside_itself'))
  }
  const createIn = (home: (typeof homes)[number]['key']) =>
    document({ name: `D${made++}`, folder: home, updatedAt: undefined })
  return { team, change, limit, ended, listFolders, listDocuments }
}

const SCOPES: readonly Scope[] = ['folders:read', 'documents:read', 'solutions:read']

/** A client that follows a team as the SDK does, and what a read of everything finds for it. */
function createFollower(
  database: Database,
  team: TeamKey,
  scope: ResourceScope,
  ended: ReadonlyMap<string, number>,
) {
  const feed = createChangesStore(database)
  const { find } = createFolderStore(database)
  let cursor = ''
  let view = new TeamView()
  /** How many ends of solves of a document it was told of, or came before it read the document. */
  const solves = new Map<string, number>()
  let resets = 0

  async function readFolder(id: string): Promise<Folder | undefined> {
    const json = await find(scope, id)
    return json && JSON.parse(Buffer.from(json).toString()).folder
  }

  async function readAll(): Promise<TeamView> {
    const all = new TeamView()
    const ids = ['root']
    for (let id = ids.pop(); id; id = ids.pop()) ids.push(...all.put((await readFolder(id))!))
    return all
  }

  /** Follows until nothing is left; returns the ids of what is gone. */
  async function follow(): Promise<string[]> {
    const gone: string[] = []
    for (let truncated = true; truncated; ) {
      const { teamVersion } = await database.read
        .selectFrom('team')
        .where('id', '=', team)
        .select('version as teamVersion')
        .executeTakeFirstOrThrow()
      const caller = { resourceScope: scope, teamId: 'team' as TeamId, teamVersion, scopes: new Set(SCOPES) }
      const page = await feed.read(caller, cursor, PAGE_ROWS)
      ;({ cursor, truncated } = page)
      const now = (await readAll()).toJSON()
      for (const { happened: _, entered: __, id, ...folder } of page.folders)
        assert.deepEqual(folder, now.folders[id])
      for (const { happened: _, ...document } of page.documents)
        assert.deepEqual(document, now.documents[document.id])
      for (const { id } of page.gone) {
        assert.ok(!(id in now.folders) && !(id in now.documents))
        gone.push(id)
      }
      const before = view.toJSON().documents
      if (page.reset) {
        resets++
        view = await readAll()
      }
      const unread = page.reset ? [] : view.apply(page)
      for (let id = unread.pop(); id; id = unread.pop()) {
        const folder = await readFolder(id)
        if (folder) unread.push(...view.replace(folder))
      }
      const told = page.documents.filter(({ happened }) => happened.some((one) => /solved|failed/.test(one)))
      const unseen = Object.keys(view.toJSON().documents).filter((id) => page.reset || !(id in before))
      for (const id of [...told.map((document) => document.id), ...unseen]) solves.set(id, ended.get(id) ?? 0)
    }
    return gone
  }

  /** `isWhole`: no folder of the token was deleted, which begins anew. */
  async function check(isWhole: boolean): Promise<void> {
    const seen = view.toJSON()
    assert.deepEqual(seen, (await readAll()).toJSON())
    for (const id of Object.keys(seen.documents)) assert.equal(solves.get(id) ?? 0, ended.get(id) ?? 0)
    if (isWhole) assert.equal(resets, 1)
  }
  return { follow, check }
}

for (const kind of DATABASES) {
  describe(`the change feed on ${kind.name}`, kind.options, () => {
    test('[CHG-1, CHG-2] given any changes by any writers, when clients follow from any cursor, then each ends with what a read of everything finds, and is told of nothing that its token could never read', async (t) => {
      const database = await kind.open(t)
      let worlds = 0
      await fc.assert(
        fc.asyncProperty(steps, async (history) => {
          const world = await startWorld(database, `team-${worlds++}`)
          const { team, ended } = world
          const limits = [[1], [2, 5], [4, 3, 8]]
          const scopes: ResourceScope[] = [team]
          for (const keys of limits) scopes.push(await world.limit(...keys))
          const homes = (await world.listFolders()).map(({ key }) => key as number)
          const readable = limits.map(() => new Set<string>())
          const noteReadable = async () => {
            for (const { id, path, bin } of [
              ...(await world.listFolders()),
              ...(await world.listDocuments()),
            ])
              for (const [index, keys] of limits.entries())
                if (
                  bin === null &&
                  path.split('/').some((key) => keys.some((at) => homes[at] === Number(key)))
                )
                  readable[index]!.add(id)
          }
          const followers = scopes.map((scope) => createFollower(database, team, scope, ended))
          const follow = async (index: number) => {
            const gone = await followers[index]!.follow()
            if (index > 0) for (const id of gone) assert.ok(readable[index - 1]!.has(id))
          }
          for (const index of followers.keys()) await follow(index)
          await noteReadable()
          for (const step of history) {
            if (step.kind === 'follow') await follow(step.which % followers.length)
            else {
              await world.change(step)
              await noteReadable()
            }
          }
          const left = new Set((await world.listFolders()).map(({ key }) => key))
          for (const [index, follower] of followers.entries()) {
            await follow(index)
            const keys = (limits[index - 1] ?? []).map((at) => homes[at])
            await follower.check(keys.every((key) => left.has(key as never)))
          }
        }),
        { numRuns: Number(NUM_RUNS) },
      )
    })
  })
}
