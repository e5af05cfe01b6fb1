import type { DocumentId, DocumentSummary, Visibility } from '@meadow/contract'
import { toTimestamp } from '../platform/database/times.ts'

/** The columns of `document` of which the summary of a document is made. */
export interface DocumentSummaryRow {
  id: DocumentId
  name: string
  visibility: Visibility
  created_at: number
  updated_at: number
}

/** Makes the summary of a document as it appears in lists. */
export function toSummary({
  id,
  name,
  visibility,
  created_at,
  updated_at,
}: DocumentSummaryRow): DocumentSummary {
  return { id, name, visibility, createdAt: toTimestamp(created_at), updatedAt: toTimestamp(updated_at) }
}
