import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { sql } from 'kysely'
import { atEnd } from '../../../testing/at-end.ts'
import { unpackFormer } from '../../../testing/before-1.0.ts'
import { createFolder } from '../../../testing/definition-folder.ts'
import { createCommandLine } from '../../../testing/meadow-server.ts'
import { startServer } from '../../../testing/start-server.ts'
import { listColumns } from '../columns.ts'
import type { Database } from '../database.ts'
import { getSchemaVersion } from '../migrate.ts'
import { openDatabase } from '../open-database.ts'
import { SCHEMA_VERSION } from './migrations.ts'

/** The names and types of all columns of all tables. */
async function describeTables(database: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from sqlite_master where type = 'table' and name not like 'document_search%'
      and name not like 'schema_version%'`.execute(database.read as never)
  const columns = rows.map(async ({ name }) =>
    (await listColumns(database.read, database.dialect, name)).map(
      ({ name: column, kind, keyPosition }) => `${name}.${column} ${kind} ${keyPosition}`,
    ),
  )
  return (await Promise.all(columns)).flat().sort()
}

test('[DB-29] given a data folder from before 1.0, when it is opened, then documents, versions, tokens, the audit log, solutions and files are as before', async (t) => {
  const { dataDir, token, responses, files } = await unpackFormer(t)
  const command = await createCommandLine(t, { MEADOW_DATA_DIR: dataDir })
  const server = await startServer(t, { MEADOW_DATA_DIR: dataDir, MEADOW_SOLVE_WORKERS: '0' })
  for (const [path, { status, body }] of Object.entries(responses)) {
    const response = await fetch(`${server.address}/api/v1${path}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    assert.deepEqual({ status: response.status, body: await response.text() }, { status, body }, path)
  }
  assert.equal((await command.run('audit', 'verify')).code, 0)
  const { findings } = await command.json('doctor', '--verify')
  assert.deepEqual(
    findings.filter(({ state }: { state: string }) => state === 'fault'),
    [],
  )
  for (const path of Object.keys(files).filter((path) => path.startsWith('blobs/')))
    assert.deepEqual(await readFile(join(dataDir, path)), Buffer.from(files[path]!), path)
  assert.deepEqual(
    (await readdir(join(dataDir, 'blobs'), { recursive: true })).filter((name) => name.length > 64).length,
    Object.keys(files).filter((path) => path.length > 64).length,
  )
})

test('[DB-29] given a data folder from before 1.0, when it is opened, then its tables are those of a new one', async (t) => {
  const old = await openDatabase(await unpackFormer(t))
  atEnd(t, () => old.close())
  const fresh = await openDatabase({ dataDir: await createFolder(t) })
  atEnd(t, () => fresh.close())
  assert.equal(await getSchemaVersion(old), SCHEMA_VERSION)
  assert.deepEqual(await describeTables(old), await describeTables(fresh))
})

test('[DB-29] given a data folder from before 1.0, when it is opened, then its teams can have texts', async (t) => {
  const { dataDir } = await unpackFormer(t)
  const opened = await openDatabase({ dataDir })
  await opened.close()
  using database = new DatabaseSync(join(dataDir, 'meadow.sqlite'))
  const insert = (kind: string) =>
    database.exec(`insert into team_file (public_id, team_id, folder_id, name, name_folded, kind, created_at,
        updated_at, source_sha256, source_size, blob, facts)
      select '${kind}', team_id, id, 'a', 'a', '${kind}', 1, 1, 'a', 1, 'a', '{}' from folder where parent_id is null limit 1`)
  insert('csv')
  assert.throws(() => insert('other'), /CHECK constraint failed/)
  assert.deepEqual(
    database
      .prepare('pragma integrity_check')
      .all()
      .map((row) => Object.values(row)),
    [['ok']],
  )
})

test('[DB-29] given a data folder from before 1.0 whose background work was not done, when it is opened, then names have keys, contents have sizes and scopes their names', async (t) => {
  const { dataDir } = await unpackFormer(t)
  const before = new DatabaseSync(join(dataDir, 'meadow.sqlite'))
  const readRows = () => [
    before.prepare('select public_id, name_order from folder order by id').all(),
    before.prepare('select public_id, name_order, content_bytes from document order by id').all(),
    before.prepare('select stored_bytes from team').all(),
    before.prepare('select scopes from token order by id').all(),
  ]
  const rows = readRows()
  before.exec(`update folder set name_order = null; update document set name_order = null, content_bytes = null;
    update token set is_limited = 1, scopes = replace(scopes, ':read', ':read@folders')`)
  assert.notDeepEqual(readRows(), rows)
  const opened = await openDatabase({ dataDir })
  await opened.close()
  assert.deepEqual(readRows(), rows)
  before.close()
})
