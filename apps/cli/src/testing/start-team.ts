import type { TestContext } from 'node:test'
import type { DocumentId } from '@meadow/contract'
import { numbers } from '../../../server/src/features/solutions/testing/graphs.ts'
import { startSolutions } from '../../../server/src/features/solutions/testing/start-solutions.ts'
import { createDocument } from '../../../server/src/library/documents.ts'
import { cleanName } from '../../../server/src/platform/database/names.ts'
import type { FolderKey } from '../../../server/src/platform/database/tables.ts'
import { changeTeam, type TeamTransaction } from '../../../server/src/team/team-transaction.ts'
import { createMeadowCommand } from './run-meadow.ts'

/** A team on a real server with documents at these paths, and the command with a token of it. */
export async function startTeam(t: TestContext, paths: readonly string[]) {
  const server = await startSolutions(t)
  const { address, secret, fixtures, team, database } = server
  const ids: Record<string, DocumentId> = {}
  const folders = new Map<string, FolderKey>()
  for (const path of paths) {
    const names = path.split('/').slice(0, -1)
    const place = names.join('/')
    if (!folders.has(place)) folders.set(place, (await fixtures.folder(team, ...names)).key)
  }
  const content = { kind: 'inline', bytes: Buffer.from(JSON.stringify(numbers())) } as const
  await changeTeam(database, team.key, async (change) => {
    for (const [index, path] of paths.entries()) {
      const slash = path.lastIndexOf('/')
      const createdAt = Date.UTC(2026, 0, 1, 0, index)
      const folder = folders.get(path.slice(0, Math.max(0, slash)))!
      const name = path.slice(slash + 1)
      const facts = { folder, createdAt, updatedAt: createdAt, content }
      ids[path] = (await createDocument(change, { ...facts, name: cleanName(name) })).id
    }
  })
  // A service of an older version has names with hidden characters.
  await database.transaction(async (write) => {
    for (const [path, id] of Object.entries(ids)) {
      const name = path.slice(path.lastIndexOf('/') + 1)
      await write.updateTable('document').set({ name }).where('public_id', '=', id).execute()
    }
  })
  const command = await createMeadowCommand(t, { MEADOW_URL: address, MEADOW_TOKEN: secret })
  const keyOf = async (id: DocumentId) => {
    const found = database.read.selectFrom('document').where('public_id', '=', id).select('id')
    return (await found.executeTakeFirstOrThrow()).id
  }
  const change = <T>(work: (change: TeamTransaction) => Promise<T>): Promise<T> =>
    changeTeam(database, team.key, work)
  return { ...server, ...command, ids, keyOf, change }
}
