import type { ViewId } from '@meadow/contract'
import type { DocumentKey, Key, Milliseconds, ViewKey } from './column-types.ts'

export interface ViewTables {
  named_view: NamedViewTable
  view_revision: ViewRevisionTable
}

/** A named view of a document. Later views have higher keys. */
export interface NamedViewTable {
  id: Key<ViewKey>
  public_id: ViewId
  document_id: DocumentKey
  name: string
  /** JSON of a `ViewPlace`. */
  place: string
  /** When the view was deleted; null when it was not. The last ones that were deleted can be restored. */
  deleted_at: Milliseconds | null
}

/** How often the views of a document were changed. */
export interface ViewRevisionTable {
  document_id: DocumentKey
  revision: number
}
