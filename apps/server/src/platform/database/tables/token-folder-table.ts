import type { FolderKey, TokenKey } from './column-types.ts'

/** A folder that a limited token may read, with everything below. */
export interface TokenFolderTable {
  token_id: TokenKey
  folder_id: FolderKey
}
