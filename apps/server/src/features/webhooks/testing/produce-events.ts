import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { createDocument } from '../../../library/documents.ts'
import { findFolder } from '../../../library/folders.ts'
import { openDatabase } from '../../../platform/database/open-database.ts'
import { getQuota } from '../../../team/quotas.ts'
import { changeTeam } from '../../../team/team-transaction.ts'
import { findTeam } from '../../../team/teams.ts'
import { readTeamArguments } from './kill-runs.ts'

/*
 * A process that is to be killed: imports documents into a team until it has so many, a few in each transaction. Every
 * fourth transaction is rolled back after its documents were written.
 */

const { dataDir, databaseUrl, teamId, total } = readTeamArguments(process.argv)
const database = await openDatabase({ dataDir, ...(databaseUrl && { databaseUrl }) })

const team = (await findTeam(database.read, teamId))!
const root = (await findFolder(database.read, team.key, 'root'))!

const EMPTY = Buffer.from('{"nodes":{},"groups":[],"configuration":{"inputs":[],"outputs":[]}}')
const rolledBack = new Error('rolled back')
for (let turn = 1; (await getQuota(database.read, team.key)).use.documents < total; turn++) {
  // Slowly enough to be killed in between.
  await sleep(10)
  try {
    await changeTeam(database, team.key, async (change) => {
      for (let made = 0; made < 5; made++) {
        const path = `${randomUUID()}.gh`
        await createDocument(change, {
          folder: root.key,
          name: turn % 4 === 0 ? 'Rolled back' : 'Committed',
          content: { kind: 'inline', bytes: EMPTY },
          source: {
            root: root.key,
            from: '/srv',
            path,
            sha256: 'aa',
            blob: 'aa',
            sizeBytes: 1,
            mtimeMs: null,
          },
        })
      }
      if (turn % 4 === 0) throw rolledBack
    })
  } catch (error) {
    if (error !== rolledBack) throw error
  }
}
await database.close()
