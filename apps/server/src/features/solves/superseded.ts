import type { Select, Write } from '../../platform/database/database.ts'
import type { SolveKey } from '../../platform/database/tables.ts'

/** A solve that a newer one took the place of. */
export interface SupersededSolve {
  key: SolveKey
  /** Digests. No other record names them: each has the solution's own id inside. */
  blobs: string[]
}

/** `SolveStore.listSuperseded`. */
export async function listSuperseded(
  read: Select,
  before: number,
  limit: number,
): Promise<SupersededSolve[]> {
  const rows = await read
    .selectFrom('solve')
    .where('superseded_at', '<', before)
    .orderBy('superseded_at')
    .limit(limit)
    .select([
      'id',
      'values_gzip',
      'values_zstd',
      'model',
      'geometry_gzip',
      'geometry_zstd',
      'bimz_gzip',
      'bimz_zstd',
      'summary',
      'scene_gzip',
      'scene_zstd',
    ])
    .execute()
  return rows.map(({ id, ...digests }) => ({
    key: id,
    blobs: Object.values(digests).filter((digest) => digest !== null),
  }))
}

/** `SolveStore.drop`. */
export async function dropSolves(write: Write, solves: readonly SupersededSolve[]): Promise<void> {
  if (solves.length === 0) return
  await write
    .deleteFrom('solve')
    .where(
      'id',
      'in',
      solves.map(({ key }) => key),
    )
    .execute()
}
