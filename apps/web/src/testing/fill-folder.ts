import { createDocument } from '../../../server/src/library/documents.ts'
import { createFolder, findFolder } from '../../../server/src/library/folders.ts'
import { openDatabase } from '../../../server/src/platform/database/open-database.ts'
import { changeTeam } from '../../../server/src/team/team-transaction.ts'
import { findTeam } from '../../../server/src/team/teams.ts'

const CONTENT = {
  kind: 'inline',
  bytes: Buffer.from('{"nodes":{},"groups":[],"configuration":{"inputs":[],"outputs":[]}}'),
} as const

/** So that the server, which runs on the same database, is not held up. */
const BATCH = 500

/**
 * Makes a folder of a team with empty documents, "Tower 1" and so on, beside the server: ten thousand requests would take
 * minutes. Returns the folder's id.
 */
export async function fillFolder(
  dataDir: string,
  teamId: string,
  name: string,
  count: number,
): Promise<string> {
  const database = await openDatabase({ dataDir })
  try {
    const team = (await findTeam(database.read, teamId))!
    const root = (await findFolder(database.read, team.key, 'root'))!
    const folder = await changeTeam(database, team.key, (change) => createFolder(change, root.key, name))
    for (let from = 1; from <= count; from += BATCH)
      await changeTeam(database, team.key, async (change) => {
        for (let at = from; at < Math.min(from + BATCH, count + 1); at++)
          await createDocument(change, { folder: folder.key, name: `Tower ${at}`, content: CONTENT })
      })
    return folder.id
  } finally {
    await database.close()
  }
}
