import assert from 'node:assert/strict'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { deserialize } from 'node:v8'
import { brotliDecompressSync } from 'node:zlib'
import { sql } from 'kysely'
import { atEnd } from '../../../testing/at-end.ts'
import { createFolder } from '../../../testing/definition-folder.ts'
import { createCommandLine } from '../../../testing/meadow-server.ts'
import { createQuickFolder } from '../../../testing/quick-folder.ts'
import { startServer } from '../../../testing/start-server.ts'
import type { Database } from '../database.ts'
import { getSchemaVersion } from '../migrate.ts'
import { openAsItIs, openDatabase } from '../open-database.ts'
import { listColumns } from '../transfer/columns.ts'
import { SCHEMA_VERSION } from './migrations.ts'

/**
 * A data folder that the last Meadow before 1.0 made, and what its API responded: a team, a person, a token, an imported
 * document with a named version, its solution, and what the audit log recorded of that.
 */
interface Former {
  token: string
  responses: Record<string, { status: number; body: string }>
  files: Record<string, Uint8Array>
}

const former = deserialize(
  brotliDecompressSync(await readFile(new URL('testing/before-1.0.br', import.meta.url))),
) as Former

async function unpack(t: TestContext): Promise<string> {
  const dataDir = await createQuickFolder('meadow-test-')
  atEnd(t, () => rm(dataDir, { recursive: true }))
  for (const [path, bytes] of Object.entries(former.files)) {
    await mkdir(dirname(join(dataDir, path)), { recursive: true })
    await writeFile(join(dataDir, path), bytes)
  }
  return dataDir
}

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
  const dataDir = await unpack(t)
  const command = await createCommandLine(t, { MEADOW_DATA_DIR: dataDir })
  const server = await startServer(t, { MEADOW_DATA_DIR: dataDir, MEADOW_SOLVE_WORKERS: '0' })
  for (const [path, { status, body }] of Object.entries(former.responses)) {
    const response = await fetch(`${server.address}/api/v1${path}`, {
      headers: { authorization: `Bearer ${former.token}` },
    })
    assert.deepEqual({ status: response.status, body: await response.text() }, { status, body }, path)
  }
  assert.equal((await command.run('audit', 'verify')).code, 0)
  const { findings } = await command.json('doctor', '--verify')
  assert.deepEqual(
    findings.filter(({ state }: { state: string }) => state === 'fault'),
    [],
  )
  for (const path of Object.keys(former.files).filter((path) => path.startsWith('blobs/')))
    assert.deepEqual(await readFile(join(dataDir, path)), Buffer.from(former.files[path]!), path)
  assert.deepEqual(
    (await readdir(join(dataDir, 'blobs'), { recursive: true })).filter((name) => name.length > 64).length,
    Object.keys(former.files).filter((path) => path.length > 64).length,
  )
})

test('[DB-29] given a data folder from before 1.0, when it is opened, then its tables are those of a new one', async (t) => {
  const old = await openDatabase({ dataDir: await unpack(t) })
  atEnd(t, () => old.close())
  const fresh = await openDatabase({ dataDir: await createFolder(t) })
  atEnd(t, () => fresh.close())
  assert.equal(await getSchemaVersion(old), SCHEMA_VERSION)
  assert.deepEqual(await describeTables(old), await describeTables(fresh))
})

test('[DB-30] given a data folder from before 1.0, when it is backed up, then it stays as it is, and a restore says which Meadow can make it', async (t) => {
  const dataDir = await unpack(t)
  const target = await createFolder(t)
  const here = await createCommandLine(t, { MEADOW_DATA_DIR: dataDir })
  const saved = await here.json('backup', target)
  assert.deepEqual([saved.schema, saved.teams, saved.documents, saved.faults], [43, 1, 1, 0])
  const untouched = await openAsItIs({ dataDir })
  assert.equal(await getSchemaVersion(untouched), 43)
  await untouched.close()
  const there = await createCommandLine(t, { MEADOW_DATA_DIR: await createFolder(t) })
  const { code, stderr } = await there.run('restore', target)
  assert.equal(code, 1)
  assert.match(stderr, /from before 1\.0: restore it with that Meadow/)
})
