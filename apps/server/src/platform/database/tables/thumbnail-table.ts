import type { ThumbnailKind } from '@meadow/contract/web'
import type { DocumentKey, SolveKey } from './column-types.ts'

/** The newest picture of a document. */
export interface DocumentThumbnailTable {
  document_id: DocumentKey
  /** The digest of the blob that holds the picture, a PNG. */
  digest: string
  kind: ThumbnailKind
  /** 1 when geometry was left out, because drawing it would have taken too long. */
  is_partial: 0 | 1
  /** The position in the document's log of the content that the picture shows. */
  seq: number
  /**
   * The solve whose solution the picture shows, or would show if it had geometry; null when there was none. It may be
   * deleted.
   */
  solve_id: SolveKey | null
}
