import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { type TestContext, test } from 'node:test'
import { readConfig } from '../../config.ts'
import { getSchemaVersion } from '../../platform/database/migrate.ts'
import { MIGRATIONS } from '../../platform/database/migrations/index.ts'
import { openAsItIs } from '../../platform/database/open-database.ts'
import { createLog } from '../../platform/log.ts'
import { startService } from '../../service.ts'
import { atEnd } from '../../testing/at-end.ts'
import { DATABASES } from '../../testing/databases.ts'
import { createFolder } from '../../testing/definition-folder.ts'
import { writeFirstVersion } from '../../testing/first-version.ts'
import { createCommandLine } from '../../testing/meadow-server.ts'
import { createQuickFolder } from '../../testing/quick-folder.ts'

async function createDataFolder(t: TestContext): Promise<string> {
  const dataDir = await createQuickFolder('meadow-test-')
  atEnd(t, () => rm(dataDir, { recursive: true }))
  return dataDir
}

/** What a service of this version with these data responds to the requests, with entity tags. */
async function readAll(
  t: TestContext,
  env: Record<string, string>,
  paths: readonly string[],
  secret: string,
) {
  const quick = {
    MEADOW_PORT: '0',
    MEADOW_STOP_NOTICE_SECONDS: '0',
    MEADOW_SOLVE_WORKERS: '0',
  }
  const { address, stop } = await startService(readConfig({ ...quick, ...env }), createLog('silent'))
  atEnd(t, stop)
  const bodies: Record<string, object> = {}
  const tags: (string | null)[] = []
  for (const path of paths) {
    const response = await fetch(`${address}/api/v1${path}`, {
      headers: { authorization: `Bearer ${secret}` },
    })
    bodies[path] = (await response.json()) as object
    tags.push(response.headers.get('etag'))
  }
  return { bodies, tags }
}

test('[BAK-13] given the data of the first version, when they are backed up, upgraded, and restored on either database, then nothing that its API showed is lost, and all responses are the same', async (t) => {
  const dataDir = await createDataFolder(t)
  const { secret, responses } = await writeFirstVersion(dataDir)
  const paths = Object.keys(responses)
  const target = await createFolder(t)
  const here = await createCommandLine(t, { MEADOW_DATA_DIR: dataDir })
  const saved = await here.json('backup', target)
  assert.deepEqual([saved.schema, saved.teams, saved.documents, saved.faults], [1, 1, 4, 0])
  const untouched = await openAsItIs({ dataDir })
  assert.equal(await getSchemaVersion(untouched), 1)
  await untouched.close()

  const upgraded = await readAll(t, { MEADOW_DATA_DIR: dataDir }, paths, secret)
  for (const path of paths) {
    const { actual, expected } = { actual: upgraded.bodies[path]!, expected: responses[path]! }
    assert.partialDeepStrictEqual(actual, expected, path)
  }
  for (const to of DATABASES.filter(({ options }) => !options.skip)) {
    const { databaseUrl } = to.name === 'postgres' ? await to.createLocation(t, { empty: true }) : {}
    const env = {
      MEADOW_DATA_DIR: await createDataFolder(t),
      ...(databaseUrl && { DATABASE_URL: databaseUrl }),
    }
    const there = await createCommandLine(t, env)
    await there.json('restore', target)
    assert.deepEqual(await readAll(t, env, paths, secret), upgraded, to.name)
    const restored = await openAsItIs({ dataDir: env.MEADOW_DATA_DIR, databaseUrl })
    assert.equal(await getSchemaVersion(restored), MIGRATIONS.length)
    await restored.close()
  }
})
