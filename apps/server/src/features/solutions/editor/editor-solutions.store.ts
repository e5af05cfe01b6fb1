import type { SolveState } from '@meadow/contract/web'
import type { Database } from '../../../platform/database/database.ts'
import type { DocumentKey, TeamKey } from '../../../platform/database/tables.ts'
import { isPublicId } from '../../../platform/public-ids.ts'
import { selectStandings, toStanding } from '../solve-standing.ts'
import type { StoredSolution } from '../stored-solution.ts'

/** What the editor asks about solutions. */
export interface EditorSolutionStore {
  /** How the most recent solve stands, and why, if it failed. */
  findState(document: DocumentKey): Promise<{ solve: SolveState; reason: string | null }>
  /** A solution of a document by what the caller sent, also one that a newer one took the place of. */
  findSolution(team: TeamKey, document: string, id: string): Promise<StoredSolution | undefined>
}

export function createEditorSolutionStore({ read }: Pick<Database, 'read'>): EditorSolutionStore {
  return {
    async findState(document) {
      const row = await read
        .selectFrom('solve')
        .where('document_id', '=', document)
        .orderBy('id', 'desc')
        .limit(1)
        .select(['state', 'reason'])
        .executeTakeFirst()
      return { solve: row?.state ?? 'never', reason: row?.state === 'failed' ? row.reason : null }
    },
    async findSolution(team, document, id) {
      if (!isPublicId('doc', document) || !isPublicId('sol', id)) return undefined
      const row = await selectStandings(read, team, document)
        .where('solve.public_id', '=', id)
        .where('solve.state', '=', 'solved')
        .executeTakeFirst()
      const standing = row && toStanding(row)
      return standing?.state === 'solved' ? standing.solution : undefined
    },
  }
}
