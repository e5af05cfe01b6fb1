import type { UserId } from '@meadow/contract'
import type { DocumentKey, FolderKey, Key, Milliseconds, TeamFileKey } from './column-types.ts'

/** A document that a person opened. There is a bounded number for each person. */
export interface RecentDocumentTable {
  user_id: UserId
  document_id: DocumentKey
  opened_at: Milliseconds
}

/** Something that a person marked: one of the three keys is set. */
export interface FavouriteTable {
  id: Key<number>
  user_id: UserId
  folder_id: FolderKey | null
  document_id: DocumentKey | null
  file_id: TeamFileKey | null
}
