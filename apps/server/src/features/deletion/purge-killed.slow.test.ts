import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { createDocument } from '../../library/documents.ts'
import { findFolder } from '../../library/folders.ts'
import { openBlobs } from '../../platform/blobs/open-blobs.ts'
import type { Database } from '../../platform/database/database.ts'
import { openDatabase } from '../../platform/database/open-database.ts'
import type { TeamKey } from '../../platform/database/tables.ts'
import { listBlobReferences } from '../../team/blob-references.ts'
import { changeTeam } from '../../team/team-transaction.ts'
import { findTeam } from '../../team/teams.ts'
import { atEnd } from '../../testing/at-end.ts'
import { DATABASES } from '../../testing/databases.ts'
import { createCommandLine, noLauncher } from '../../testing/meadow-server.ts'
import { DEADLINE_MS, until } from '../../testing/until.ts'
import { verifyBlobs } from '../doctor/verify-blobs.ts'
import { deleteTeam } from './team-deletion.ts'

const DOCUMENTS = 1500
/** So many different contents. */
const BLOBS = 30

const readDeletion = ({ read }: Database) =>
  read.selectFrom('team_deletion').selectAll().executeTakeFirstOrThrow()

async function listReferenced({ read }: Database): Promise<Set<string>> {
  const digests = new Set<string>()
  for await (const page of listBlobReferences(read)) for (const { digest } of page) digests.add(digest)
  return digests
}

for (const kind of DATABASES) {
  describe(`a purge that is killed, on ${kind.name}`, { skip: kind.options.skip || noLauncher }, () => {
    test('[DEL-8] given servers that are killed in the middle of a purge, when one is started again, then it is finished: nothing of the team is left, another one has everything, and every file is referenced or noted to be removed', async (t) => {
      const { databaseUrl } = await kind.createLocation(t)
      const { start, json, dataDir } = await createCommandLine(t, {
        MEADOW_PORT: '0',
        MEADOW_SOLVE_WORKERS: '0',
        ...(databaseUrl && { DATABASE_URL: databaseUrl }),
      })
      const { id } = await json('team', 'create', 'Gone')
      const { id: keptId } = await json('team', 'create', 'Kept')
      const database = await openDatabase({ dataDir, databaseUrl })
      atEnd(t, () => database.close())
      const blobs = await openBlobs({ kind: 'disk', folder: join(dataDir, 'blobs') })
      const contents: { kind: 'blob'; digest: string; size: number }[] = []
      for (let number = 0; number < BLOBS; number++)
        contents.push({
          kind: 'blob',
          ...(await blobs.put(Buffer.from(`{"nodes":{},"groups":[],"n":${number}}`))),
        })
      const fill = async (teamId: string, count: number) => {
        const { key } = (await findTeam(database.read, teamId))!
        const folder = (await findFolder(database.read, key, 'root'))!.key
        await changeTeam(database, key, async (change) => {
          for (let at = 0; at < count; at++)
            await createDocument(change, { folder, name: `Tower ${at}`, content: contents[at % BLOBS]! })
        })
        return key
      }
      const team = await fill(id, DOCUMENTS)
      // One comment about each document.
      const discuss = (key: TeamKey) =>
        database.transaction(async (write) => {
          await sql`insert into comment_thread (public_id, team_id, document_id, anchor, created_at)
            select 'thr_' || id, team_id, id, '{"kind":"document"}', 0 from document where team_id = ${key}`.execute(
            write,
          )
          await sql`insert into comment (public_id, document_id, thread_id, text, created_at)
            select 'com_' || id, document_id, id, 'Why?', 0 from comment_thread where team_id = ${key}`.execute(
            write,
          )
        })
      const countComments = async () =>
        (await database.read.selectFrom('comment').select('document_id').execute()).length
      await discuss(team)
      // Half of the files are also another team's.
      const kept = await fill(keptId, BLOBS / 2)
      await discuss(kept)
      const readKept = () =>
        database.read
          .selectFrom('document')
          .where('team_id', '=', kept)
          .orderBy('id')
          .select(['id', 'name'])
          .execute()
      const before = await readKept()
      await database.transaction((write) => deleteTeam(database, write, team, Date.now()))

      const purged = async () => Number(JSON.parse((await readDeletion(database)).counts).document ?? 0)
      // At the start of it what is killed has the same on both kinds.
      for (const at of kind.name === 'sqlite' ? [1, 400] : [400]) {
        const server = start('serve', '--json')
        // Asked without pauses, in which all of it could be purged.
        const end = performance.now() + DEADLINE_MS
        while ((await purged()) < at) assert.ok(performance.now() < end, `${at} documents were not purged.`)
        server.kill('SIGKILL')
        await server.finished
        // A killed server counts as alive for a while: instead of waiting.
        await database.transaction((write) => write.updateTable('process').set({ seen_at: 0 }).execute())
      }
      const killed = await readDeletion(database)
      assert.equal(killed.ended_at, null)
      const left = await database.read
        .selectFrom('document')
        .where('team_id', '=', team)
        .select('id')
        .execute()
      assert.equal(left.length, DOCUMENTS - (await purged()), 'each batch is counted with what it removed')
      assert.ok(left.length > 0, 'it was killed in the middle')
      assert.equal(await countComments(), left.length + BLOBS / 2, 'comments go with their documents')

      const server = start('serve', '--json')
      await until('it is purged', async () => (await readDeletion(database)).ended_at !== null)
      server.kill('SIGTERM')
      await server.finished
      assert.equal(await purged(), DOCUMENTS)
      assert.deepEqual(await readKept(), before)
      assert.equal(await countComments(), BLOBS / 2)
      assert.deepEqual((await verifyBlobs(database, blobs)).faults, [])
      const known = await listReferenced(database)
      const discarded = await database.read.selectFrom('discarded_blob').select('digest').execute()
      assert.equal(known.size, BLOBS / 2)
      for (const { digest } of discarded) known.add(digest)
      const orphans = contents.filter(({ digest }) => !known.has(digest))
      assert.deepEqual(orphans, [], 'the report says that a server removes them')
      assert.equal(
        (await database.read.selectFrom('team').select('public_id').execute())
          .map(({ public_id }) => public_id)
          .join(),
        keptId,
      )
    })
  })
}
