import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { openLive, removeNodes } from '@meadow/client/live'
import type { GraphContent } from '@meadow/contract'
import { APP_PREFIX, type DocumentVersion } from '@meadow/contract/web'
import { sql } from 'kysely'
import { writeSessionCookie } from '../../access/session-cookie.ts'
import { createSessionStore } from '../../access/sessions.store.ts'
import { createHistoryWork } from '../../content/history/history-work.ts'
import { keepVersions } from '../../content/history/keep-versions.ts'
import { encodeBase } from '../../content/history/version-text.ts'
import { readVersionText } from '../../content/history/versions.store.ts'
import { createDocument } from '../../library/documents.ts'
import { findFolder } from '../../library/folders.ts'
import { openBlobs } from '../../platform/blobs/open-blobs.ts'
import { openDatabase } from '../../platform/database/open-database.ts'
import type { DocumentKey } from '../../platform/database/tables.ts'
import { createPublicId } from '../../platform/public-ids.ts'
import { changeTeam } from '../../team/team-transaction.ts'
import { createTeam, setVersionPolicy } from '../../team/teams.ts'
import { atEnd } from '../../testing/at-end.ts'
import { DATABASES, type TestDatabase } from '../../testing/databases.ts'
import { findFreePort } from '../../testing/find-free-port.ts'
import { givenActor } from '../../testing/given-actor.ts'
import { createCommandLine, noLauncher } from '../../testing/meadow-server.ts'
import { until } from '../../testing/until.ts'
import { verifyBlobs } from '../doctor/verify-blobs.ts'
import { addSlider, sliderContent } from '../live/testing/sliders.ts'

const SECRET = 'the-secret-of-the-killed-server-0123456789'
/** Documents with old versions, and how many of each no policy keeps. */
const DOCUMENTS = 4
const UNKEPT = 20
/** The content of the newest version of each. */
const NEW_TEXT = JSON.stringify(sliderContent(1))
const DAY_MS = 24 * 3600 * 1000

/** The data of a server that is not running yet, with a team. */
async function given(t: TestContext, kind: TestDatabase) {
  const { databaseUrl } = await kind.createLocation(t)
  const { start, dataDir } = await createCommandLine(t, {
    MEADOW_PORT: String(await findFreePort()),
    MEADOW_SOLVE_WORKERS: '0',
    MEADOW_SESSION_SECRET: SECRET,
    ...(databaseUrl && { DATABASE_URL: databaseUrl }),
  })
  const database = await openDatabase({ dataDir, databaseUrl })
  atEnd(t, () => database.close())
  const blobs = await openBlobs({ kind: 'disk', folder: join(dataDir, 'blobs') })

  const team = await createTeam(database, { name: 'Acme' })
  const folder = (await findFolder(database.read, team.key, 'root'))!.key
  const { user } = await givenActor(database, team.key, { name: 'ann', role: 'member' })
  const session = { user, expiresAt: Date.now() + DAY_MS, userAgent: 'test' }
  const token = await createSessionStore(database, SECRET).createSession(session)
  const cookie = writeSessionCookie(token, { secret: SECRET, isSecure: false })

  /** A process of its own. */
  function serve() {
    const server = start('serve', '--json')
    return {
      listening: async () => (JSON.parse(await server.firstLine()) as { address: string }).address,
      async kill() {
        server.kill('SIGKILL')
        await server.finished
        // A killed server counts as alive for a while: instead of waiting.
        await database.transaction((write) => write.updateTable('process').set({ seen_at: 0 }).execute())
      },
    }
  }
  return { team, folder, database, blobs, cookie, serve }
}

type Given = Awaited<ReturnType<typeof given>>

/** An editor adds, names and removes; the server is killed while a name and an edit are on their way. */
async function editAndKill(t: TestContext, { team, folder, database, cookie, serve }: Given) {
  const bytes = Buffer.from(JSON.stringify(sliderContent(4)))
  const { id, key } = await changeTeam(database, team.key, (change) =>
    createDocument(change, { folder, name: 'Tower', content: { kind: 'inline', bytes } }),
  )
  const server = serve()
  const address = await server.listening()
  const call = async (method: string, path = '', body?: object) => {
    const response = await fetch(`${address}${APP_PREFIX}/documents/${id}/versions${path}`, {
      method,
      headers: { cookie, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    return { status: response.status, json: JSON.parse(await response.text()) }
  }
  const live = await openLive({ address, documentId: id, cookie, timeoutMs: 30_000 })
  atEnd(t, () => live.close())
  /** What the editor saw at each position of the log. */
  const seen = new Map<number, GraphContent>()
  const see = async () => {
    await live.durable()
    const document = database.read.selectFrom('document').where('id', '=', key)
    seen.set(
      (await document.select('seq').executeTakeFirstOrThrow()).seq,
      JSON.parse(JSON.stringify(live.read())),
    )
  }
  const named: string[] = []
  const name = async (name: string) => {
    const { status } = await call('POST', '', { name })
    if (status === 201) named.push(name)
  }
  await see()
  for (let count = 0; count < 3; count++) {
    addSlider(live, count)
    await see()
  }
  await name('Acknowledged')
  addSlider(live, 9)
  await see()
  live.edit((doc) => removeNodes(doc, Object.keys(live.read().nodes)))
  await see()
  const going = name('Cut off').catch(() => {})
  addSlider(live, 10)
  await server.kill()
  await going

  return {
    /** To be called when the server runs again. */
    async check() {
      await see()
      const { versions }: { versions: DocumentVersion[] } = (await call('GET')).json
      assert.ok(
        versions.some(({ name, nodes }) => name === null && nodes === 8),
        'of what was there before the removal',
      )
      const names = new Set(versions.map(({ name }) => name))
      assert.ok(named.includes('Acknowledged'))
      assert.deepEqual(
        named.filter((name) => !names.has(name)),
        [],
      )
      for (const { id: version, seq } of versions) {
        const { graph } = (await call('GET', `/${version}/graph`)).json
        assert.deepEqual(graph, seen.get(seq), `as of ${seq}`)
      }
    },
  }
}

/** Documents of which every second one has a named version, each with a base in the blob store and a newer version. */
async function giveOldVersions({ team, folder, database, blobs }: Given) {
  const documents = new Map<DocumentKey, { text: string; digest: string; isNamed: boolean }>()
  const newBase = await encodeBase(Buffer.from(NEW_TEXT))
  for (let number = 0; number < DOCUMENTS; number++) {
    const isNamed = number % 2 === 0
    const text = JSON.stringify({ ...sliderContent(1), number })
    const content = { kind: 'blob' as const, ...(await blobs.put(Buffer.from(text))) }
    const { key } = await changeTeam(database, team.key, (change) =>
      createDocument(change, { folder, name: `Tower ${number}`, content }),
    )
    documents.set(key, { text, digest: content.digest, isNamed })
    const { key: version } = (await keepVersions(
      { database, blobs, history: createHistoryWork(blobs) },
      key,
      'manual',
    ))!
    await database.transaction(async (write) => {
      const { id: base } = await write
        .insertInto('version_base')
        .values({ document_id: key, content: newBase, blob: null, is_plain: 0, bytes: newBase.length })
        .returning('id')
        .executeTakeFirstOrThrow()
      const { id: _, ...first } = await write
        .updateTable('document_version')
        .set({ at: Date.now() - 400 * DAY_MS, ...(isNamed && { name: 'As built' }) })
        .where('id', '=', version)
        .returningAll()
        .executeTakeFirstOrThrow()
      const rows = Array.from({ length: UNKEPT + 1 }, (_, position) => ({
        ...first,
        name: null,
        public_id: createPublicId('ver'),
        seq: first.seq + 1 + position,
        ...(position === UNKEPT && { at: Date.now(), base_id: base }),
      }))
      await write.insertInto('document_version').values(rows).execute()
      // The document has another content now, so that only the base needs the blob.
      await write
        .updateTable('document_snapshot')
        .set({ content: Buffer.from(NEW_TEXT), blob: null })
        .where('document_id', '=', key)
        .where('format', '=', 'json')
        .execute()
    })
  }
  return documents
}

/** Lets the removal of a version of this document go on for ever, inside its transaction. Returns what ends this. */
async function hold({ database: { dialect, transaction } }: Given, document: DocumentKey) {
  const run = (...statements: string[]) =>
    transaction(async (write) => {
      for (const statement of statements) await sql.raw(statement).execute(write)
    })
  const when = `delete on document_version for each row when (old.document_id = ${document})`
  if (dialect === 'sqlite') {
    const joined = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `document_version as ${name}`).join(', ')
    await run(`create trigger held before ${when} begin select count(*) from ${joined}; end`)
    return () => run('drop trigger held')
  }
  await run(
    `create function hold() returns trigger language plpgsql as 'begin perform pg_sleep(600); return old; end'`,
    `create trigger held before ${when} execute function hold()`,
  )
  return () =>
    run(
      // A server learns late that its client is gone.
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`,
      'drop trigger held on document_version',
    )
}

for (const kind of DATABASES) {
  const skip = kind.options.skip || noLauncher
  describe(`versions and a server that is killed, on ${kind.name}`, { skip }, () => {
    test('[HIST-2] [HIST-3] [HIST-4] [HIST-8] given an editor, and old versions, when the server is killed while both edits and removals are under way, then versions are what the editor saw, those that were acknowledged are there, and the next server removes the rest', async (t) => {
      const it = await given(t, kind)
      const { database, blobs, team, serve } = it
      const { read } = database
      await changeTeam(database, team.key, (change) =>
        setVersionPolicy(change, { allDays: 1, dailyDays: 1, weeklyDays: 1 }),
      )
      const edited = await editAndKill(t, it)

      const documents = await giveOldVersions(it)
      const keys = [...documents.keys()]
      const count = async (of: readonly DocumentKey[]) => {
        const { count } = await read
          .selectFrom('document_version')
          .where('document_id', 'in', of)
          .select(({ fn }) => fn.countAll<number | string>().as('count'))
          .executeTakeFirstOrThrow()
        return Number(count)
      }
      // Of half of the documents the first one goes too, which has no name there.
      const keptOf = (of: readonly DocumentKey[]) => of.length * 1.5
      const [removed, left] = [keys.slice(0, DOCUMENTS / 2), keys.slice(DOCUMENTS / 2)]
      const all = await count(left)
      const release = await hold(it, left[0]!)
      const killed = serve()
      await until('the first are removed', async () => (await count(removed)) === keptOf(removed))
      await killed.kill()
      await release()
      assert.equal(await count(left), all, 'it was killed in the middle')

      const server = serve()
      await server.listening()
      await until('the others are removed', async () => (await count(keys)) === keptOf(keys))
      await edited.check()
      await server.kill()
      const versions = await read
        .selectFrom('document_version')
        .where('document_id', 'in', keys)
        .select(['id', 'document_id as document', 'name'])
        .execute()
      for (const { id, document, name } of versions) {
        const text = Buffer.from((await readVersionText(read, blobs, id))!).toString()
        assert.equal(text, name === null ? NEW_TEXT : documents.get(document)!.text)
      }
      const bases = await read
        .selectFrom('version_base')
        .where('document_id', 'in', keys)
        .select('blob')
        .execute()
      assert.equal(bases.length, keptOf(keys), 'no base is left that no version needs')
      assert.deepEqual((await verifyBlobs(database, blobs)).faults, [])
      const noted = await read.selectFrom('discarded_blob').select('digest').execute()
      const discarded = new Set(noted.map(({ digest }) => digest))
      const needed = new Set(bases.map(({ blob }) => blob))
      for (const { digest, isNamed } of documents.values()) {
        assert.ok(await blobs.has(digest))
        assert.deepEqual([needed.has(digest), discarded.has(digest) || isNamed], [isNamed, true])
      }
    })
  })
}
