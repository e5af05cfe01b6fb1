import type { TeamFileId } from '@meadow/contract'
import type { FileSummary } from '@meadow/contract/web'
import type { TeamFileKind } from '../platform/database/tables.ts'
import { toTimestamp } from '../platform/database/times.ts'

/** The columns of `team_file` of which the summary of a file is made. */
export const FILE_COLUMNS = [
  'team_file.public_id as id',
  'team_file.name',
  'team_file.kind',
  'team_file.source_size',
  'team_file.thumbnail',
  'team_file.created_at',
  'team_file.updated_at',
] as const

interface FileSummaryRow {
  id: TeamFileId
  name: string
  kind: TeamFileKind
  source_size: number
  thumbnail: string | null
  created_at: number
  updated_at: number
}

/** Makes the summary of a file that is not a document, as it appears in lists. */
export const toFileSummary = (row: FileSummaryRow): FileSummary => ({
  id: row.id,
  name: row.name,
  kind: row.kind,
  sizeBytes: row.source_size,
  hasThumbnail: row.thumbnail !== null,
  createdAt: toTimestamp(row.created_at),
  updatedAt: toTimestamp(row.updated_at),
})
