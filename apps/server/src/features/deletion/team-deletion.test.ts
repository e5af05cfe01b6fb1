import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import type { DocumentId } from '@meadow/contract'
import type { ViewPlace } from '@meadow/contract/web'
import { sql } from 'kysely'
import { setMember } from '../../access/members.ts'
import { createUserStore } from '../../access/users.store.ts'
import { createHistoryWork } from '../../content/history/history-work.ts'
import { keepVersions } from '../../content/history/keep-versions.ts'
import { nameVersion } from '../../content/history/version-changes.ts'
import { saveThumbnail } from '../../content/save-thumbnail.ts'
import { putDocumentIntoBin, putFolderIntoBin } from '../../library/bin.ts'
import { createDocument } from '../../library/documents.ts'
import { findFolder } from '../../library/folders.ts'
import type { Database, Write } from '../../platform/database/database.ts'
import { changeTeam } from '../../team/team-transaction.ts'
import { addCredits, setHost } from '../../team/teams.ts'
import { FEATURE_DATABASES, type TestDatabase } from '../../testing/databases.ts'
import { givenActor } from '../../testing/given-actor.ts'
import { createCommandLine } from '../../testing/meadow-server.ts'
import { changeComments } from '../comments/comment-changes.ts'
import { follow, startExports } from '../exports/testing/start-exports.ts'
import { createPersonalLists } from '../folders/personal-lists.store.ts'
import { tubes } from '../solutions/testing/graphs.ts'
import { createViewStore } from '../views/views.store.ts'
import { createWebhook, testWebhook } from '../webhooks/webhook-changes.ts'
import { listTeamTables, purgeDue, purgeTeam } from './purge-team.ts'
import { deleteTeam } from './team-deletion.ts'

/** A server with a team that has some of everything, and the operator's command on the same data. */
async function start(t: TestContext, kind: TestDatabase) {
  const { databaseUrl } = await kind.createLocation(t)
  const location = databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }
  const server = await startExports(t, kind, undefined, location)
  const { fixtures, team, database, dataDir } = server
  const users = createUserStore(database)
  const ann = await users.createUser({ name: 'Secret Ann', email: 'ann@example.org' })
  const solved = await server.document(tubes(), 'Secret tower')
  await server.solve(solved)
  const { url } = await server.exportOf(solved, 'format=.3dm&modelerVersion=7')
  const inner = await fixtures.folder(team, 'Secret plans', 'Secret drafts')
  const open = await fixtures.document(team, {
    name: 'Secret bridge',
    folder: inner.key,
    visibility: 'public',
  })
  const binned = await fixtures.document(team, { name: 'Secret bin', folder: inner.key })
  await fixtures.file(team, inner.key)
  await changeTeam(database, team.key, async (change) => {
    await setMember(change, ann.id, 'owner')
    await addCredits(change, 5)
    const { key } = await database.read
      .selectFrom('document')
      .where('public_id', '=', binned)
      .select('id as key')
      .executeTakeFirstOrThrow()
    await putDocumentIntoBin(change, key, ann.id)
    await putFolderIntoBin(change, inner.key, ann.id)
  })
  await database.transaction((write) =>
    sql`insert into mirror (public_id, team_id, folder_id, name, path, gone, on_conflict, created_at)
      values ('mir_1', ${team.key}, ${inner.key}, 'Secret mirror', '/secret', 'keep', 'skip', 0)`.execute(
      write,
    ),
  )
  await discuss(server, solved)
  const command = await createCommandLine(t, { ...location, MEADOW_DATA_DIR: dataDir })
  return { ...server, ...command, users, ann, solved, open, url }
}

/** What people have around a document: comments, a kept version, marks, a picture, and a webhook with a delivery. */
async function discuss(server: Awaited<ReturnType<typeof startExports>>, id: DocumentId): Promise<void> {
  const { database, team, blobs } = server
  const actor = await givenActor(database, team.key, { name: 'secret-bea', role: 'owner' })
  const row = await database.read
    .selectFrom('document')
    .where('public_id', '=', id)
    .select(['id as document', 'seq'])
    .executeTakeFirstOrThrow()
  const { document } = row
  const place = { ...{ team: team.key, teamId: team.id, teamName: team.name, role: null, teamOfHost: null } }
  const access = { ...place, document, documentId: id, visibility: 'private' } as const
  await changeComments(database, actor, access, async (comments) => {
    const thread = await comments.createThread({ kind: 'node', node: 'secret-node' }, 'Secret question')
    await comments.addComment(thread, `@${actor.user} secret answer`)
  })
  const seen: ViewPlace = { kind: 'graph', clusters: [], x: 0, y: 0, width: 1, height: 1 }
  await createViewStore(database).create({ access, actor }, 'Secret view', seen)
  const version = await keepVersions(
    { database, blobs, history: createHistoryWork(blobs) },
    document,
    'manual',
  )
  const picture = await blobs.put(Buffer.from(SECRET_PICTURE))
  await database.transaction((write) =>
    saveThumbnail(
      write,
      { document, seq: row.seq, solve: null },
      { digest: picture.digest, kind: 'graph', isPartial: false },
    ),
  )
  await changeTeam(database, team.key, async (change) => {
    await nameVersion(change, version!.key, 'Secret version', actor.user)
    const webhook = await createWebhook(change, {
      ...{ name: 'Secret webhook', url: 'https://secret.example.org/', events: ['document.solved'] },
      ...{ folder: null, secret: 'sealed', createdBy: actor.user },
    })
    await testWebhook(change, webhook)
  })
  const lists = createPersonalLists(database)
  await lists.markOpened(actor.user, document, Date.now())
  await lists.changeFavourites(place, actor.user, [{ kind: 'document', id }], true)
}

const SECRET_PICTURE = 'a secret picture'

/** What only the team that goes has something in. */
const OF_ONE_TEAM = [
  ...['comment_thread', 'comment', 'comment_mention', 'comment_read', 'comment_revision'],
  ...['named_view', 'view_revision'],
  ...['document_version', 'version_base', 'document_thumbnail', 'recent_document', 'favourite'],
  ...['webhook', 'webhook_delivery'],
]

/** Every table with its rows as JSON. */
async function dump(database: Database): Promise<Map<string, string[]>> {
  const read = database.read as unknown as Write
  const names = {
    sqlite: sql<{ name: string }>`select name from sqlite_schema
      where type = 'table' and name not like 'document_search%'`,
    postgres: sql<{ name: string }>`select relname as name from pg_class
      where relkind = 'r' and relnamespace = current_schema()::regnamespace`,
  }[database.dialect]
  const tables = new Map<string, string[]>()
  for (const { name } of (await names.execute(read)).rows) {
    const { rows } = await sql`select * from ${sql.table(name)}`.execute(read)
    tables.set(
      name,
      rows.map((row) => JSON.stringify(row)),
    )
  }
  return tables
}

for (const kind of FEATURE_DATABASES) {
  describe(`the deletion of a team on ${kind.name}`, kind.options, () => {
    test('[DEL-1] [DEL-2] given a team with a token, a link, a public document and a queued solve, when it is deleted, then none of them works; restored, all but the solve do', async (t) => {
      const { get, request, database, fixtures, team, url, solved, run, json } = await start(t, kind)
      const shown = await fixtures.document(team, { name: 'Shown', visibility: 'public' })
      await changeTeam(database, team.key, (change) => setHost(change, 'acme.example.org'))
      const other = await fixtures.team('Other')
      const states = async () => [
        (await get('/team')).status,
        (await get(`/documents/${solved}`)).status,
        (await request(`/app/v1/documents/${shown}`)).status,
        (await follow(url)).status,
      ]
      assert.deepEqual(await states(), [200, 200, 200, 200])
      const { state, id } = await json('team', 'delete', team.id)
      assert.deepEqual([state, id], ['restorable', team.id])
      assert.deepEqual(await states(), [401, 401, 404, 410])
      const refused = await run('team', 'credits', team.id, '--add', '5')
      assert.equal(refused.code, 1)
      assert.match(refused.stderr, /The team is deleted\. .*team restore/)
      const taken = await run('team', 'host', other.id, 'acme.example.org')
      assert.match(taken.stderr, /Another team has the host name/)
      const listed = (await json('team', 'list')).teams.find((one: { id: string }) => one.id === team.id)
      assert.ok(listed.deletedAt)
      assert.equal((await run('team', 'restore', other.id)).code, 1)
      await json('team', 'restore', team.id)
      assert.deepEqual(await states(), [200, 200, 200, 200])
      assert.deepEqual((await json('team', 'deletions')).deletions, [])
      assert.equal((await database.read.selectFrom('team_deletion').selectAll().execute()).length, 0)
    })

    test('[DEL-3] [DEL-5] given two teams with equal files, when one is deleted with its name, then nothing of it is left but its id, and the other has everything', async (t) => {
      const { database, fixtures, team, run, json, solved, get, blobs } = await start(t, kind)
      const other = await fixtures.team('Other')
      const { secret } = await fixtures.token(other)
      await fixtures.folder(other, 'Kept')
      const twin = await changeTeam(database, other.key, async (change) => {
        const root = (await findFolder(database.read, other.key, 'root'))!
        return createDocument(change, {
          folder: root.key,
          name: 'Twin',
          content: { kind: 'inline', bytes: Buffer.from('{"nodes":{},"groups":[]}') },
        })
      })
      const rowsOf = async (table: 'document' | 'folder' | 'token') =>
        (
          await database.read
            .selectFrom(table)
            .where('team_id', '=', other.key)
            .orderBy('id')
            .selectAll()
            .execute()
        ).map((row) =>
          // Others are written in the background.
          JSON.stringify({ ...row, uses_seq: undefined }),
        )
      const before = [await rowsOf('document'), await rowsOf('folder'), await rowsOf('token')]
      const full = await dump(database)
      for (const table of OF_ONE_TEAM) assert.ok(full.get(table)!.length > 0, table)
      for (const name of [[], ['--name', 'Acm']]) {
        const refused = await run('team', 'delete', team.id, '--now', ...name)
        assert.equal(refused.code, 1)
        assert.match(refused.stderr, /To confirm it, add the name of the team: --name "Acme"/)
      }
      assert.equal((await get(`/documents/${solved}`)).status, 200)
      const report = await json('team', 'delete', team.id, '--now', '--name', 'Acme')
      assert.equal(report.state, 'purged')
      const { document, folder, team_file, solve, token, membership, bin_item, mirror, credit_entry } =
        report.counts
      assert.deepEqual(
        {
          document,
          folder,
          team_file,
          token,
          membership,
          bin_item,
          mirror,
          credit_entry,
          team: report.counts.team,
        },
        {
          document: 3,
          folder: 3,
          team_file: 1,
          token: 1,
          membership: 2,
          bin_item: 2,
          mirror: 1,
          credit_entry,
          team: 1,
        },
      )
      assert.equal(solve, undefined, 'solves go with their documents')
      assert.match(report.remains[1].where, /files that only this team had/)
      assert.match(JSON.stringify(report.remains), /backups/)

      const rest = await dump(database)
      for (const table of OF_ONE_TEAM) assert.deepEqual(rest.get(table), [], table)
      const left = [...rest].flatMap(([table, rows]) =>
        rows
          .filter((row) => row.includes(team.id) || /secret (?!ann)|secret-node|mir_1/i.test(row))
          .map((row) => [table, row]),
      )
      assert.deepEqual([...new Set(left.map(([table]) => table))].sort(), [
        'audit_chain',
        'audit_event',
        'team_deletion',
      ])
      for (const table of await listTeamTables(database)) {
        const { rows } = await sql`select * from ${sql.table(table)} where team_id = ${team.key}`.execute(
          database.read as unknown as Write,
        )
        assert.deepEqual(rows, [], table)
      }
      assert.deepEqual([await rowsOf('document'), await rowsOf('folder'), await rowsOf('token')], before)
      assert.equal((await get(`/documents/${twin.id}`, { token: secret })).status, 200)
      assert.equal((await get('/documents?q=twin', { token: secret })).json.documents.length, 1)
      assert.equal((await get('/team')).status, 401)
      const discarded = await database.read.selectFrom('discarded_blob').select('digest').execute()
      assert.ok(discarded.length >= 3, 'solutions, the model, the export and the file')
      const { digest } = await blobs.put(Buffer.from(SECRET_PICTURE))
      assert.ok(discarded.some((one) => one.digest === digest))
      assert.equal((await run('team', 'restore', team.id)).code, 1)
      assert.equal((await json('team', 'deletions', team.id)).counts.document, 3)
    })

    test('[DEL-4] given a purge that ends after its first batch, when it is due, then another process goes on, and counts every row once; a team that may be restored stays', async (t) => {
      const { database, fixtures, team, run } = await start(t, kind)
      const waiting = await fixtures.team('Waiting')
      for (let count = 0; count < 130; count++) await fixtures.document(team, { name: `Tower ${count}` })
      await database.transaction(async (write) => {
        await deleteTeam(database, write, team.key, Date.now())
        await deleteTeam(database, write, waiting.key, Date.now() + 60_000)
      })
      const killed = new AbortController()
      killed.abort()
      await assert.rejects(purgeTeam(database, team.id, killed.signal), { name: 'AbortError' })
      const count = async () =>
        Number(
          (
            await database.read
              .selectFrom('document')
              .select(({ fn }) => fn.countAll().as('n'))
              .execute()
          )[0]!.n,
        )
      assert.equal(await count(), 33)
      assert.match((await run('team', 'restore', team.id)).stderr, /purge of the team has begun/)
      assert.deepEqual(await purgeDue(database), [team.id])
      assert.equal(await count(), 0)
      const rows = await database.read.selectFrom('team_deletion').selectAll().orderBy('purge_at').execute()
      assert.equal(JSON.parse(rows[0]!.counts).document, 133)
      assert.deepEqual(
        rows.map(({ ended_at }) => ended_at !== null),
        [true, false],
      )
      assert.equal((await database.read.selectFrom('team').select('id').execute()).length, 1)
    })

    test('[DEL-3] given the tables as they are, then rows of each that lead to a team go with it, and no other table is unknown', async (t) => {
      const database = await kind.open(t)
      const read = database.read as unknown as Write
      const ofTeams = new Set(['team', ...(await listTeamTables(database))])
      const { rows } = await {
        sqlite: sql<Reference>`select tables.name as "table", keys."table" as target, lower(keys.on_delete) as effect
          from sqlite_schema as tables join pragma_foreign_key_list(tables.name) as keys where tables.type = 'table'`,
        postgres: sql<Reference>`select conrelid::regclass::text as "table", confrelid::regclass::text as target,
          case confdeltype when 'c' then 'cascade' when 'n' then 'set null' else 'no action' end as effect
          from pg_constraint where contype = 'f'`,
      }[database.dialect].execute(read)
      const references = rows.map(({ table, target, effect }) => ({
        table: table.replaceAll('"', ''),
        target: target.replaceAll('"', ''),
        effect,
      }))
      // Whatever refers to a row that goes has to go before, or with it.
      const led = new Set(ofTeams)
      for (let size = 0; size < led.size; ) {
        size = led.size
        for (const { table, target } of references) if (led.has(target)) led.add(table)
      }
      const blocking = references.filter(
        ({ table, target, effect }) => led.has(target) && !ofTeams.has(table) && effect === 'no action',
      )
      assert.deepEqual(
        blocking,
        [],
        'a purge would fail: let these references cascade, or purge the table before',
      )
      const unknown = [...(await dump(database)).keys()].filter(
        (table) => !led.has(table) && !/^sqlite_/.test(table) && !(table in OF_NO_TEAM),
      )
      assert.deepEqual(unknown, [], 'say here why the table has nothing of a team, or purge it')
    })
  })
}

interface Reference {
  table: string
  target: string
  effect: string
}

/** Tables without a reference to a team, and why a purge may leave them. */
const OF_NO_TEAM: Readonly<Record<string, string>> = {
  change_epoch: 'one text for the database',
  team_deletion: 'what remains: the id',
  user: 'people, who may be in other teams',
  session: 'of people',
  account: 'of people',
  second_factor: 'of people',
  recovery_code: 'of people',
  spent_challenge: 'of people',
  failed_attempt: 'hashes, for a quarter of an hour',
  discarded_blob: 'names of files, until these are removed',
  link_key: 'keys of the service',
  document_search: 'written with the documents',
  search_slot: 'written with the documents',
  deleted_document_key: 'the highest key',
  used_thing: 'components and plug-ins by name, of all teams together',
  uses_reader: 'the version of the reader',
  process: 'processes',
  probe: 'processes',
  probe_answer: 'processes',
  blob_store: 'the file store',
  exclusive_task: 'processes',
  rate_window: 'counters of a minute',
  service_clock: 'about the clock of the database',
  backup_run: 'backups',
  mail: 'removed a few days after it was sent',
  one_time_link: 'of people',
  audit_chain: 'what remains: the id, and the end of the chain',
  audit_event: 'purged by the id of the team',
  schema_version: 'migrations',
  schema_version_lock: 'migrations',
}
