import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { openDiskBlobs } from '../../platform/blobs/disk.ts'
import { openDatabase } from '../../platform/database/open-database.ts'
import { atEnd } from '../../testing/at-end.ts'
import { CLUSTERED, createClusteredFile } from '../../testing/clustered-file.ts'
import { FEATURE_DATABASES } from '../../testing/databases.ts'
import { createFolder, LONG_AGO, putFile } from '../../testing/definition-folder.ts'
import { createCommandLine, noLauncher } from '../../testing/meadow-server.ts'
import { readSolves } from './testing/given-solves.ts'

for (const kind of FEATURE_DATABASES) {
  describe(`clusters on ${kind.name}`, { skip: kind.options.skip || noLauncher }, () => {
    test('[JOB-16] given a file with clusters, when it is imported and solved in another process, changed inside a cluster and imported again, then the clusters compute what the file contains each time', async (t) => {
      const { databaseUrl } = await kind.createLocation(t)
      const commandLine = await createCommandLine(t, databaseUrl ? { DATABASE_URL: databaseUrl } : {})
      const { json, start, dataDir } = commandLine
      const database = await openDatabase({ databaseUrl, dataDir })
      atEnd(t, () => database.close())
      const blobs = await openDiskBlobs(join(dataDir, 'blobs'))
      const { id: team } = await json('team', 'create', 'Acme', '--credits', '100')
      start('work', '--workers', '1')

      const folder = await createFolder(t)
      const outputs: unknown[] = []
      for (const [i, factor] of [2, 5].entries()) {
        await putFile(folder, 'cluster.gh', createClusteredFile(factor), LONG_AGO + 10_000 * i)
        const [{ documentId }] = (await json('import', folder, '--team', team)).files
        await json('solve', documentId, '--wait')
        const { values_gzip: digest } = (await readSolves(database)).at(-1)!
        const { data } = JSON.parse(gunzipSync((await blobs.read(digest!))!).toString())
        outputs.push(data[CLUSTERED.cluster][CLUSTERED.output].branches[0].values[0].value)
      }
      assert.deepEqual(outputs, [
        [6, 6, 6],
        [15, 15, 15],
      ])
    })
  })
}
