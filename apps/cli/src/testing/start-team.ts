import type { TestContext } from 'node:test'
import type { DocumentId } from '@meadow/contract'
import { numbers } from '../../../server/src/features/solutions/testing/graphs.ts'
import { startSolutions } from '../../../server/src/features/solutions/testing/start-solutions.ts'
import { createMeadowCommand } from './run-meadow.ts'

/** A team on a real server with documents at these paths, and the command with a token of it. */
export async function startTeam(t: TestContext, paths: readonly string[]) {
  const server = await startSolutions(t)
  const { address, secret, fixtures, team, catalogue, database } = server
  const ids: Record<string, DocumentId> = {}
  for (const [index, path] of paths.entries()) {
    const names = path.split('/')
    const name = names.pop()!
    const folder = await fixtures.folder(team, ...names)
    const createdAt = Date.UTC(2026, 0, 1, 0, index)
    ids[path] = await fixtures.document(team, {
      ...{ name, folder: folder.key, content: numbers(), createdAt, updatedAt: createdAt },
    })
  }
  const command = await createMeadowCommand(t, { MEADOW_URL: address, MEADOW_TOKEN: secret })
  const keyOf = async (id: DocumentId) => {
    const found = database.read.selectFrom('document').where('public_id', '=', id).select('id')
    return (await found.executeTakeFirstOrThrow()).id
  }
  const change: (typeof catalogue)['changeTeam'] = (_, work) => catalogue.changeTeam(team.key, work)
  return { ...server, ...command, ids, keyOf, change }
}
