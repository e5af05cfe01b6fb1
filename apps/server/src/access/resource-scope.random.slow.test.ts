import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { Meadow } from '@meadow/client'
import type { DocumentId, FolderId } from '@meadow/contract'
import fc from 'fast-check'
import { createHistoryWork } from '../content/history/history-work.ts'
import { keepVersions } from '../content/history/keep-versions.ts'
import { startExports } from '../features/exports/testing/start-exports.ts'
import { tubes } from '../features/solutions/testing/graphs.ts'
import { putFolderIntoBin, restoreFromBin } from '../library/bin.ts'
import { moveDocument } from '../library/documents.ts'
import { createFolder, moveFolder, renameFolder } from '../library/folders.ts'
import type { BinKey, DocumentKey, FolderKey } from '../platform/database/tables.ts'
import { changeTeam } from '../team/team-transaction.ts'
import { DATABASES, type TestDatabase } from '../testing/databases.ts'
import { givenActor } from '../testing/given-actor.ts'

// biome-ignore lint/style/noProcessEnv: 10,000 requests, with NUM_RUNS=10000, take minutes.
const { NUM_RUNS = 200 } = process.env

/** How many requests. */
const REQUESTS = Number(NUM_RUNS)

const FOLDERS = 30
const DOCUMENTS = 50
const SOLVED = 5
const VERSIONED = 10
const AT_ONCE = 8

/** Names that occur nowhere else. */
const codeOf = (kind: 'folder' | 'document', index: number) => `zq${kind[0]}${index}qz`
const CODES = /zq[fd]\d+qz/g
const IDS = /\b(?:fld|doc|sol|fil|bin|ver)_[0-9a-z]{16}\b/g

/** A request or a change, whose numbers stand for whatever there is at that time. */
interface Step {
  kind: string
  which: number
  other: number
  query: string
  isHead: boolean
  hasTag: boolean
  first: boolean
}

const steps = fc.record<Step>({
  kind: fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom('folder', 'nested', 'document', 'part', 'search', 'search in') },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        ...['root', 'team', 'solution', 'export', 'versions', 'version', 'missing', 'no endpoint', 'walk'],
      ),
    },
    { weight: 1, arbitrary: fc.constantFrom('move folder', 'move document', 'rename', 'bin', 'restore') },
  ),
  which: fc.nat(),
  other: fc.nat(),
  query: fc.oneof(
    fc.constantFrom('', 'plan', 'z', 'zqd1', 'zqf2', 'folder'),
    fc.nat(DOCUMENTS).map((index) => codeOf('document', index)),
    fc.string({ maxLength: 5 }),
  ),
  isHead: fc.boolean(),
  hasTag: fc.boolean(),
  first: fc.boolean(),
})

interface Thing<Key, Id> {
  key: Key
  id: Id
  name: string
  path: string
  bin: BinKey | null
}

/** A team with folders inside each other, documents with solutions, and three limited tokens. */
async function startWorld(t: TestContext, kind: TestDatabase) {
  const server = await startExports(t, kind)
  const { database, fixtures, team, solve, service } = server
  const root = await fixtures.root(team)
  const folders: { key: FolderKey; id: FolderId }[] = []
  for (let index = 0; index < FOLDERS; index++) {
    const parent = index % 6 === 0 ? root : folders[(index * 7) % folders.length]!
    folders.push(
      await changeTeam(database, team.key, (change) =>
        createFolder(change, parent.key, `Folder ${codeOf('folder', index)}`),
      ),
    )
  }
  for (let index = 0; index < DOCUMENTS; index++) {
    const home = index % 10 === 0 ? root : folders[(index * 11) % FOLDERS]!
    const content = index < SOLVED ? { content: tubes() } : {}
    const name = `Plan ${codeOf('document', index)}`
    const id = await fixtures.document(team, { name, folder: home.key, updatedAt: index, ...content })
    if (index < SOLVED) await solve(id)
    if (index >= VERSIONED) continue
    const { key } = await database.read
      .selectFrom('document')
      .where('public_id', '=', id)
      .select('id as key')
      .executeTakeFirstOrThrow()
    await keepVersions(
      { database, blobs: service.blobs, history: createHistoryWork(service.blobs) },
      key,
      'manual',
    )
  }
  const limitedTo = async (...chosen: number[]) => {
    const limits = chosen.map((index) => folders[index]!)
    const { secret } = await fixtures.token(team, { folders: limits.map(({ id }) => id) })
    return { secret, keys: limits.map(({ key }) => key) }
  }
  const tokens = [await limitedTo(0), await limitedTo(6, 3, 17), await limitedTo(12, 24, 1, 29)]
  const actor = await givenActor(database, team.key, { name: `ann-${team.key}`, role: 'owner' })

  /** Everything that the team has. */
  async function readWorld() {
    const { read } = database
    const foldersNow: Thing<FolderKey, FolderId>[] = await read
      .selectFrom('folder')
      .where('team_id', '=', team.key)
      .where('parent_id', 'is not', null)
      .orderBy('id')
      .select(['id as key', 'public_id as id', 'name', 'path', 'bin_id as bin'])
      .execute()
    const documentsNow: Thing<DocumentKey, DocumentId>[] = await read
      .selectFrom('document')
      .innerJoin('folder', 'folder.id', 'document.folder_id')
      .where('document.team_id', '=', team.key)
      .orderBy('document.id')
      .select(['document.id as key', 'document.public_id as id', 'document.name', 'path'])
      .select('document.bin_id as bin')
      .execute()
    const solutions = await read
      .selectFrom('solve')
      .innerJoin('document', 'document.id', 'solve.document_id')
      .where('document.team_id', '=', team.key)
      .select(['solve.public_id as id', 'document.public_id as document'])
      .execute()
    const versions = await read
      .selectFrom('document_version')
      .innerJoin('document', 'document.id', 'document_version.document_id')
      .where('document.team_id', '=', team.key)
      .orderBy('document_version.id')
      .select(['document_version.public_id as id', 'document.public_id as document'])
      .execute()
    return { folders: foldersNow, documents: documentsNow, solutions, versions }
  }
  type World = Awaited<ReturnType<typeof readWorld>>

  /** The ids and the codes of names that a token limited to these folders may be shown. */
  function readable({ folders, documents, ...made }: World, keys: readonly FolderKey[]): Set<string> {
    const isInside = ({ path, bin }: Thing<unknown, unknown>) =>
      bin === null && path.split('/').some((key) => keys.includes(Number(key) as FolderKey))
    const inside = [...folders, ...documents].filter(isInside)
    const shown = new Set<string>([root.id])
    for (const { id, name } of inside) for (const one of [id, ...(name.match(CODES) ?? [])]) shown.add(one)
    for (const { id, document } of [...made.solutions, ...made.versions])
      if (shown.has(document)) shown.add(id)
    return shown
  }

  async function change({ kind, which, other }: Step, { folders, documents }: World): Promise<void> {
    const [folder, document] = [folders[which % folders.length]!, documents[which % documents.length]!]
    const [target] = folders.filter(({ bin }, index) => bin === null && index >= other % folders.length)
    await changeTeam(database, team.key, async (change) => {
      if (kind === 'move folder' && folder.bin === null && target)
        await moveFolder(change, folder.key, target.key)
      if (kind === 'move document' && document.bin === null)
        await moveDocument(change, document.key, (target ?? root).key)
      if (kind === 'rename' && folder.bin === null)
        await renameFolder(change, folder.key, `Folder ${codeOf('folder', 1000 + (other % 9000))}`)
      // Of those that are not in a token's folder, and of few: something has to be left.
      if (kind === 'bin' && folder.bin === null && which % 5 === 0)
        await putFolderIntoBin(change, folder.key, actor.user)
      if (kind === 'restore') {
        const item = [...folders, ...documents].find(({ bin }) => bin !== null)?.bin
        if (item) await restoreFromBin(change, item)
      }
    }).catch((error) => {
      // Into itself, or too deep.
      if (error.name !== 'Error' || !('code' in error)) throw error
    })
  }
  return { ...server, tokens, readWorld, readable, change }
}

/** In place of a path: every folder, with the SDK. */
const WALK = 'walk'

const MISSING = { folder: 'fld_0000000000000000', document: 'doc_0000000000000000' }

/** The path of a request, with and without what it is about. */
function pathOf(
  { kind, which, other, query }: Step,
  {
    folders,
    documents,
    versions,
  }: Record<'folders' | 'documents', { id: string }[]> & {
    versions: { id: string; document: string }[]
  },
) {
  const folder = folders[which % folders.length]!.id
  const document = documents[which % documents.length]!.id
  const version = versions[which % versions.length]!
  const q = `q=${encodeURIComponent(query.toWellFormed())}`
  const form = ['', '?includeGeometry=true', '?format=bimz'][other % 3]
  const paths: Record<string, [pattern: string, id?: string]> = {
    folder: ['/folders/ID', folder],
    nested: [`/folders/ID?depth=${other % 6}`, other % 5 === 0 ? 'root' : folder],
    document: ['/documents/ID', document],
    part: ['/documents/ID?nodes=name:Posts&fields=name,nodes', document],
    search: [`/documents?${q}`],
    'search in': [`/documents?${q}&folderId=ID`, other % 9 === 0 ? 'root' : folder],
    root: ['/folders/root'],
    team: ['/team'],
    solution: [`/documents/ID/solution${form}`, document],
    export: ['/documents/ID/export?format=.3dm&modelerVersion=7', document],
    versions: ['/documents/ID/versions', version.document],
    // Also of other documents.
    version: [`/documents/ID/versions/${version.id}`, other % 4 === 0 ? document : version.document],
    missing: [`/documents?folderId=ID`, document],
    'no endpoint': ['/folders/ID/documents', folder],
    // With the SDK: the requests are its own.
    walk: [WALK],
  }
  const found = paths[kind]
  return found && { pattern: found[0], id: found[1] }
}

const withoutRequestId = (text: string) => text.replace(/"requestId":"[^"]*"/, '')

for (const kind of DATABASES) {
  describe(`random requests with limited tokens on ${kind.name}`, kind.options, () => {
    test(`[TOK-20, TOK-21, TOK-23, TOK-24] given ${REQUESTS} requests of any kind, with caches that everything else has filled, and changes between and beside them, then nothing tells an id or a name from outside, and what is outside is like what is missing`, async (t) => {
      const { tokens, readWorld, readable, change, get, address } = await startWorld(t, kind)
      const { seed = 1 } = fc.readConfigureGlobal()
      // Some steps are changes, and no requests.
      const planned = fc.sample(steps, { seed, numRuns: 2 * REQUESTS })
      /** Of every token. */
      const tags = new Map<string, string[]>()
      const keepTag = (path: string, { headers }: { headers: Headers }) => {
        const tag = headers.get('etag')
        if (tag !== null) tags.set(path, [...(tags.get(path) ?? []).slice(-9), tag])
      }
      let world = await readWorld()
      const count = { sent: 0, inside: 0, outside: 0, unchanged: 0 }

      const findShown = (text: string) => [...(text.match(IDS) ?? []), ...(text.match(CODES) ?? [])]

      async function walk(token: string) {
        const visits: unknown[] = []
        for await (const visit of new Meadow({ baseUrl: address, token }).walk()) visits.push(visit)
        const text = JSON.stringify(visits)
        return { status: 200, text, tag: undefined, shown: findShown(text) }
      }

      async function send(step: Step, path: string, token: string) {
        if (path === WALK) return walk(token)
        const known = tags.get(path) ?? []
        const tag = known[step.other % known.length]
        const init = {
          method: step.isHead ? 'HEAD' : 'GET',
          headers: { ...(step.hasTag && tag && { 'if-none-match': tag }) },
        }
        const response = await get(path, { token, ...init })
        const { status, text, headers } = response
        // Hashes may look like anything.
        const others = [...headers].filter(([name]) => name !== 'etag')
        const all = text + JSON.stringify(others)
        return { status, text, tag, shown: findShown(all) }
      }

      async function check(step: Step, index: number, isAlone: boolean, before: typeof world): Promise<void> {
        const found = pathOf(step, before)
        if (!found) return
        const { pattern, id } = found
        const path = pattern.replace('ID', id ?? '')
        const { secret, keys } = tokens[step.other % tokens.length]!
        if (step.first && path !== WALK) {
          keepTag(path, await get(path))
          // The tag that another limited token got counts for this one only if it would get the same.
          keepTag(path, await get(path, { token: tokens[(step.other + 1) % tokens.length]!.secret }))
        }
        count.sent++
        const { status, text, tag, shown } = await send(step, path, secret)
        const where = `seed ${seed}, step ${index}: ${path}`
        assert.ok(status < 500, `${where} is ${status}: ${text}`)
        const inside = readable(before, keys)
        // What was moved out while the request was under way may have been read before.
        if (!isAlone) for (const one of readable(await readWorld(), keys)) inside.add(one)
        // What a script sent, it may get back.
        inside.add(id ?? '')
        for (const one of shown) assert.ok(inside.has(one), `${where} shows ${one}`)
        if (isAlone && status === 304) {
          count.unchanged++
          const { headers } = await get(path, { token: secret })
          assert.equal(headers.get('etag'), tag, `${where} is 304 for the tag of another response`)
        }
        if (!isAlone || id === undefined || id === 'root') return
        const isInside = readable(before, keys).has(id)
        count[isInside ? 'inside' : 'outside']++
        if (!isInside) {
          const nothing = id.startsWith('fld_') ? MISSING.folder : MISSING.document
          const missing = await send(step, pattern.replace('ID', nothing), secret)
          assert.deepEqual(
            [status, withoutRequestId(text)],
            [missing.status, withoutRequestId(missing.text)],
            where,
          )
        } else if (step.kind === 'folder' || step.kind === 'document') {
          assert.ok(status === 200 || status === 304, `${where} is ${status}`)
        }
      }

      for (let index = 0; count.sent < REQUESTS; ) {
        const step = planned[index]!
        if (pathOf(step, world)) {
          await check(step, index, true, world)
          index++
          continue
        }
        // A change, beside the requests that follow.
        const before = world
        const beside = planned.slice(index + 1, index + 1 + (step.first ? AT_ONCE : 0))
        await Promise.all([
          change(step, before),
          ...beside.map((one, i) => check(one, index + 1 + i, false, before)),
        ])
        world = await readWorld()
        index += 1 + beside.length
      }
      t.diagnostic(
        `${count.sent} requests, ${count.inside} for what is inside, ${count.outside} for what is outside, ${count.unchanged} answered with 304`,
      )
      assert.ok(count.inside > REQUESTS / 20 && count.outside > REQUESTS / 20, JSON.stringify(count))
      assert.ok(count.unchanged > 0, JSON.stringify(count))
    })
  })
}
