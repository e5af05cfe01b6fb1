import type { TeamKey } from '../../platform/database/tables.ts'
import { refuseUnsolved } from './refuse-unsolved.ts'
import type { SolutionStore } from './solutions.store.ts'
import type { StoredSolution } from './stored-solution.ts'

/** The solution that an export is of: the most recent one that succeeded. Refuses when there is none (decision 27). */
export async function getExportable(
  solutions: SolutionStore,
  team: TeamKey,
  id: string,
): Promise<StoredSolution> {
  const standing = await solutions.findExportable(team, id)
  if (standing?.state !== 'solved') throw refuseUnsolved(standing)
  return standing.solution
}
