import type { DocumentId } from '@meadow/contract'
import type { Database } from '../../platform/database/database.ts'
import type { SolveState, TeamKey } from '../../platform/database/tables.ts'
import { isPublicId } from '../../platform/public-ids.ts'

/** Every SQL statement about solutions. */
export interface SolutionStore {
  /** How the most recent solve stands, or undefined when the team has no such document. `id` is what the caller sent. */
  findState(team: TeamKey, id: string): Promise<SolveState | 'never' | undefined>
}

export function createSolutionStore(database: Database): SolutionStore {
  const stateOf = database.prepare((read, { team, id }: { team: TeamKey; id: DocumentId }) =>
    read
      .selectFrom('document')
      .leftJoin('solve', 'solve.document_id', 'document.id')
      .where('document.public_id', '=', id)
      .where('document.team_id', '=', team)
      .select('solve.state'),
  )
  return {
    async findState(team, id) {
      const row = isPublicId('doc', id) ? await stateOf.first({ team, id }) : undefined
      return row && (row.state ?? 'never')
    },
  }
}
