import type { Completeness, DocumentId, SolutionId, Unit } from '@meadow/contract'
import type { SolveState } from '@meadow/contract/web'
import {
  EVERYTHING,
  type IsInScope,
  prepareInScope,
  type ResourceScope,
} from '../../access/resource-scope.ts'
import { readCompleteness } from '../../library/completeness.ts'
import type { Database, Select } from '../../platform/database/database.ts'
import { inBatches } from '../../platform/database/in-batches.ts'
import type { DocumentKey, SolveKey, TeamKey } from '../../platform/database/tables.ts'
import { isPublicId } from '../../platform/public-ids.ts'

/** Every SQL statement about solutions. Ids that are strings are what a caller sent. */
export interface SolutionStore {
  /** Finds the status of a document's most recent solve; undefined when there is no such document in scope. */
  find(resourceScope: ResourceScope, id: string): Promise<SolveStatus | undefined>
  /** Finds the status of the most recent solve that succeeded, or of the most recent one if none did (decision 27). */
  findExportable(resourceScope: ResourceScope, id: string): Promise<SolveStatus | undefined>
  /** Finds a solution of a document, which may be an older one. */
  findSolution(team: TeamKey, document: string, id: string): Promise<StoredSolution | undefined>
  /** The state of a document's most recent solve, and why it failed. */
  findState(document: DocumentKey): Promise<{ solve: SolveState; reason: string | null }>
  /** Lists those of the documents whose most recent solve has not ended, with one query for some hundreds of them. */
  listRunning(documents: readonly DocumentKey[]): Promise<ReadonlySet<DocumentKey>>
  /** Saves where a derived body is. API responses stay the same, so no version is raised. */
  saveBody(solve: SolveKey, form: DerivedForm, forms: StoredForms): Promise<void>
}

/** The status of a document's solve (contract, part 3). A queued solve counts as running. */
export type SolveStatus = { document: DocumentKey } & (
  | { state: 'never' | 'running' }
  | { state: 'failed'; reason: string }
  | { state: 'solved'; solution: StoredSolution }
)

/** A solve that succeeded, and where its results are stored. */
export interface StoredSolution extends Record<DerivedForm, StoredForms | undefined> {
  key: SolveKey
  id: SolutionId
  document: DocumentKey
  documentId: DocumentId
  team: TeamKey
  /** The body without geometry. */
  values: StoredForms
  /** Undefined when the solution has no geometry. */
  model: StoredModel | undefined
  units: Unit
  /** The digest of a `SolutionSummary`; null for solutions that were made before summaries. */
  summary: string | null
  /** Milliseconds since 1970. */
  endedAt: number
  durationMs: number
  /** What it cost, in tenths of a credit. */
  creditTenths: number
  /** Null for solutions that were made before completeness. */
  completeness: Completeness | null
}

/** The bodies that are made on first request. */
export type DerivedForm = 'geometry' | 'bimz' | 'scene'

/** A body in the blob store: the digests of its compressed forms, and its uncompressed length in bytes. */
export interface StoredForms {
  gzip: string
  zstd: string
  bytes: number
}

/** A model file in the blob store, with what it is verified by. */
export interface StoredModel {
  /** The SHA-256 of its bytes. */
  digest: string
  bytes: number
  objects: number
}

interface StatusParameters {
  team: TeamKey
  id: DocumentId
}

export function createSolutionStore(database: Database): SolutionStore {
  const { read } = database
  const latest = prepareInScope(database, (read, { team, id }: StatusParameters, isInScope) =>
    selectStatuses(read, team, id, isInScope).orderBy('solve.id', 'desc').limit(1),
  )
  const latestSuccess = prepareInScope(database, (read, { team, id }: StatusParameters, isInScope) =>
    selectStatuses(read, team, id, isInScope)
      .orderBy(({ eb }) => eb.case().when('solve.state', '=', 'solved').then(0).else(1).end())
      .orderBy('solve.id', 'desc')
      .limit(1),
  )
  return {
    async find(resourceScope, id) {
      const row = isPublicId('doc', id) ? await latest.first(resourceScope, { id }) : undefined
      return row && toStatus(row)
    },
    async findExportable(resourceScope, id) {
      const row = isPublicId('doc', id) ? await latestSuccess.first(resourceScope, { id }) : undefined
      return row && toStatus(row)
    },
    async findSolution(team, document, id) {
      if (!isPublicId('doc', document) || !isPublicId('sol', id)) return undefined
      const row = await selectStatuses(read, team, document, EVERYTHING)
        .where('solve.public_id', '=', id)
        .where('solve.state', '=', 'solved')
        .executeTakeFirst()
      return row && toSolution(row)
    },
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
    async listRunning(documents) {
      const running = new Set<DocumentKey>()
      for (const portion of inBatches(documents)) {
        const rows = await read
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
    saveBody: (solve, form, { gzip, zstd, bytes }) =>
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

/** One row per solve of a document, or one row without a solve; no row when there is no such document in scope. */
const selectStatuses = (read: Select, team: TeamKey, id: DocumentId, isInScope: IsInScope) =>
  read
    .selectFrom('document')
    .leftJoin('solve', 'solve.document_id', 'document.id')
    .where('document.public_id', '=', id)
    .where('document.team_id', '=', team)
    .where('document.bin_id', 'is', null)
    .where(isInScope('document.folder_id'))
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
      'solve.completeness',
      'solve.ended_at',
      'solve.duration_ms',
      'solve.credit_tenths',
    ])

type Row = Awaited<ReturnType<ReturnType<typeof selectStatuses>['execute']>>[number]

function toStatus(row: Row): SolveStatus {
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

/** A check of the table guarantees these columns in a row with state `solved`. */
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
    creditTenths: row.credit_tenths ?? 0,
    completeness: readCompleteness(row.completeness),
  }
}

/** The three columns are set together. */
function toForms(gzip: string | null, zstd: string | null, bytes: number | null): StoredForms | undefined {
  return gzip === null || zstd === null || bytes === null ? undefined : { gzip, zstd, bytes }
}
