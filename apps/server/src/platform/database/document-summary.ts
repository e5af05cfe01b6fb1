import type { DocumentId, DocumentSummary, Visibility } from '@meadow/contract'
import { toTimestamp } from './times.ts'

/** The columns of a document's row that its summary is made of. */
export interface DocumentSummaryRow {
  id: DocumentId
  name: string
  visibility: Visibility
  created_at: number
  updated_at: number
}

/** A document as lists show it. */
export function toSummary({
  id,
  name,
  visibility,
  created_at,
  updated_at,
}: DocumentSummaryRow): DocumentSummary {
  return { id, name, visibility, createdAt: toTimestamp(created_at), updatedAt: toTimestamp(updated_at) }
}
