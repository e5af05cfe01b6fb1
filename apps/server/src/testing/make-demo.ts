import { join } from 'node:path'
import { openDemoTeam } from '../features/demo/demo-team.ts'
import { createSolveStore } from '../features/solves/solves.store.ts'
import { openDiskBlobs } from '../platform/blobs/disk.ts'
import { openDatabase } from '../platform/database/open-database.ts'

/**
 * Makes the demo team in a data folder, before a server does. The server has only the documents of these names to
 * solve then; to solve all of them takes ten seconds of processor time.
 */
export async function makeDemo(dataDir: string, solved: readonly string[]): Promise<void> {
  const database = await openDatabase({ dataDir })
  try {
    const { listDocuments, request } = createSolveStore(database)
    const blobs = await openDiskBlobs(join(dataDir, 'blobs'))
    const demo = await openDemoTeam({ database, blobs, listDocuments, solve: async () => {} }, () => {})
    const documents = await listDocuments(demo!.team.key, undefined, 1000)
    const wanted = documents.filter(({ name }) => solved.includes(name))
    if (wanted.length !== solved.length)
      throw new Error(`The demo has only ${wanted.map(({ name }) => name)}.`)
    await request(
      demo!.team.key,
      wanted.map(({ key }) => key),
    )
  } finally {
    await database.close()
  }
}
