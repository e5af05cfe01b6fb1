import type { DocumentId } from '@meadow/contract'
import type { Select } from '../../platform/database/database.ts'
import type { TeamKey } from '../../platform/database/tables.ts'
import type { SolveStanding, StoredForms, StoredSolution } from './stored-solution.ts'

/** A row for each solve of a document, or a single one without a solve; none when the team has no such document. */
export const selectStandings = (read: Select, team: TeamKey, id: DocumentId) =>
  read
    .selectFrom('document')
    .leftJoin('solve', 'solve.document_id', 'document.id')
    .where('document.public_id', '=', id)
    .where('document.team_id', '=', team)
    .where('document.bin_id', 'is', null)
    .select([
      'document.id as document',
      'document.public_id as documentId',
      'document.team_id as team',
      'solve.id as key',
      'solve.public_id as id',
      'solve.state',
      'solve.reason',
      'solve.values_gzip',
      'solve.values_zstd',
      'solve.values_bytes',
      'solve.model',
      'solve.model_bytes',
      'solve.model_objects',
      'solve.units',
      'solve.geometry_gzip',
      'solve.geometry_zstd',
      'solve.geometry_bytes',
      'solve.bimz_gzip',
      'solve.bimz_zstd',
      'solve.bimz_bytes',
      'solve.scene_gzip',
      'solve.scene_zstd',
      'solve.scene_bytes',
      'solve.summary',
      'solve.ended_at',
      'solve.duration_ms',
      'solve.credits',
    ])

type Row = Awaited<ReturnType<ReturnType<typeof selectStandings>['execute']>>[number]

export function toStanding(row: Row): SolveStanding {
  const { document, state, reason } = row
  switch (state) {
    case null:
      return { document, state: 'never' }
    case 'queued':
    case 'running':
      return { document, state: 'running' }
    case 'failed':
      return { document, state, reason: reason ?? '' }
    case 'solved':
      return { document, state, solution: toSolution(row) }
  }
}

/** What a solved row has is a check of the table. */
function toSolution(row: Row): StoredSolution {
  const { document, documentId, team, model, model_bytes, model_objects, units } = row
  return {
    key: row.key!,
    id: row.id!,
    document,
    documentId,
    team,
    values: toForms(row.values_gzip, row.values_zstd, row.values_bytes)!,
    geometry: toForms(row.geometry_gzip, row.geometry_zstd, row.geometry_bytes),
    bimz: toForms(row.bimz_gzip, row.bimz_zstd, row.bimz_bytes),
    scene: toForms(row.scene_gzip, row.scene_zstd, row.scene_bytes),
    model: model === null ? undefined : { digest: model, bytes: model_bytes!, objects: model_objects! },
    units: units ?? 'none',
    summary: row.summary,
    endedAt: row.ended_at!,
    durationMs: row.duration_ms!,
    credits: row.credits ?? 0,
  }
}

/** All three are there, or none is. */
function toForms(gzip: string | null, zstd: string | null, bytes: number | null): StoredForms | undefined {
  return gzip === null || zstd === null || bytes === null ? undefined : { gzip, zstd, bytes }
}
