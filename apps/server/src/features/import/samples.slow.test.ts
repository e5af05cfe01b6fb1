import assert from 'node:assert/strict'
import { existsSync, globSync, readdirSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { openDiskBlobs } from '../../platform/blobs/disk.ts'
import { DATABASES } from '../../testing/databases.ts'
import { createFolder } from '../../testing/definition-folder.ts'
import { givenTeam } from '../../testing/given-team.ts'
import { importDefinitions } from './import-definitions.ts'
import type { ImportResult } from './import-result.ts'

const SAMPLES = fileURLToPath(new URL('../../../../../../shared/samples', import.meta.url))

test('[IMP-2] [IMP-5] given the folder of samples, when it is imported twice, then each file is there, and the second import changes nothing', {
  skip: !existsSync(SAMPLES) && 'the samples are not beside the project',
}, async (t) => {
  const database = await DATABASES[0]!.open(t)
  const { team, root } = await givenTeam(database)
  const blobs = await openDiskBlobs(await createFolder(t))
  const run = async () => {
    const results: ImportResult[] = []
    const { signal } = new AbortController()
    const onResult = (result: ImportResult) => results.push(result)
    await importDefinitions({ database, blobs }, { path: SAMPLES, team, target: root.key, signal, onResult })
    return results.sort((a, b) => (a.path < b.path ? -1 : 1))
  }
  const first = await run()
  const files = globSync('**/*.{gh,ghx,3dm,ghuser,ghcluster}', { cwd: SAMPLES }).sort()
  assert.deepEqual(
    first.map(({ path, outcome }) => `${outcome} ${path}`),
    files.map((path) => `created ${path}`),
  )
  const folders = readdirSync(SAMPLES, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  )
  const { count } = await database.read
    .selectFrom('folder')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  assert.equal(count, folders.length + 1)
  const second = await run()
  const ids = (results: ImportResult[]) =>
    results.map((result) =>
      'documentId' in result ? result.documentId : 'fileId' in result && result.fileId,
    )
  assert.deepEqual(new Set(second.map(({ outcome }) => outcome)), new Set(['unchanged']))
  assert.deepEqual(ids(second), ids(first))
})
