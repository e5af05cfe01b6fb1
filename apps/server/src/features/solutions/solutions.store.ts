import type { DocumentId } from '@meadow/contract'
import type { Database } from '../../platform/database/database.ts'
import { inBatches } from '../../platform/database/in-batches.ts'
import type { DocumentKey, SolveKey, TeamKey } from '../../platform/database/tables.ts'
import { isPublicId } from '../../platform/public-ids.ts'
import { selectStandings, toStanding } from './solve-standing.ts'
import type { MadeForm, SolveStanding, StoredForms } from './stored-solution.ts'

/** Every SQL statement about solutions. */
export interface SolutionStore {
  /** The standing of the most recent solve, or undefined when the team has no such document. `id` is what a caller sent. */
  find(team: TeamKey, id: string): Promise<SolveStanding | undefined>
  /** The same of the most recent solve that succeeded, and only where none did of the most recent one (decision 27). */
  findExportable(team: TeamKey, id: string): Promise<SolveStanding | undefined>
  /** Those of these documents that are there and whose most recent solve has not ended. One query for some hundreds. */
  listRunning(documents: readonly DocumentKey[]): Promise<ReadonlySet<DocumentKey>>
  /** Notes a body that was made of a solution. What the API answers stays the same, so no version is raised. */
  keepBody(solve: SolveKey, form: MadeForm, forms: StoredForms): Promise<void>
}

export function createSolutionStore(database: Database): SolutionStore {
  const latest = database.prepare((read, { team, id }: StandingParameters) =>
    selectStandings(read, team, id).orderBy('solve.id', 'desc').limit(1),
  )
  const latestSuccess = database.prepare((read, { team, id }: StandingParameters) =>
    selectStandings(read, team, id)
      .orderBy(({ eb }) => eb.case().when('solve.state', '=', 'solved').then(0).else(1).end())
      .orderBy('solve.id', 'desc')
      .limit(1),
  )
  return {
    async find(team, id) {
      const row = isPublicId('doc', id) ? await latest.first({ team, id }) : undefined
      return row && toStanding(row)
    },
    async findExportable(team, id) {
      const row = isPublicId('doc', id) ? await latestSuccess.first({ team, id }) : undefined
      return row && toStanding(row)
    },
    async listRunning(documents) {
      const running = new Set<DocumentKey>()
      for (const portion of inBatches(documents)) {
        const rows = await database.read
          .selectFrom('solve')
          .innerJoin('document', 'document.id', 'solve.document_id')
          .where('solve.document_id', 'in', portion)
          .where('solve.state', 'in', ['queued', 'running'])
          .where('document.bin_id', 'is', null)
          .select('solve.document_id as document')
          .execute()
        for (const { document } of rows) running.add(document)
      }
      return running
    },
    keepBody: (solve, form, { gzip, zstd, bytes }) =>
      database.transaction(async (write) => {
        const columns = {
          geometry: { geometry_gzip: gzip, geometry_zstd: zstd, geometry_bytes: bytes },
          bimz: { bimz_gzip: gzip, bimz_zstd: zstd, bimz_bytes: bytes },
          scene: { scene_gzip: gzip, scene_zstd: zstd, scene_bytes: bytes },
        }
        await write.updateTable('solve').set(columns[form]).where('id', '=', solve).execute()
      }),
  }
}

interface StandingParameters {
  team: TeamKey
  id: DocumentId
}
