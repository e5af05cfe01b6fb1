import { MAX_DEPTH, readFolder } from '@meadow/contract'
import { serve } from '../../http/api/route.ts'
import { HttpError } from '../../http/http-error.ts'
import type { FolderStore } from './folders.store.ts'

export const folderRoutes = (folders: FolderStore) => [
  serve(readFolder, async ({ params: { folderId }, principal: { resourceScope }, query, quota }) => {
    const depth = readDepth(query)
    if (depth !== undefined && depth > 1) await quota.reserve(NESTED_BYTES)
    const found =
      depth === undefined
        ? await folders.find(resourceScope, folderId)
        : await folders.findNested(resourceScope, folderId, depth)
    if (!found) throw new HttpError(folderId === 'root' ? 'team_without_root' : 'folder_not_found')
    return found instanceof Uint8Array ? found : { folder: found }
  }),
]

/** What as many items as a response with nested folders can have take in memory, in bytes. */
const NESTED_BYTES = 4 * 2 ** 20

/**
 * Reads `depth`; undefined without it. What is no whole number counts as 1, and what is too large as the largest one: the
 * response says which depth it has (decision 46).
 */
function readDepth(query: URLSearchParams): number | undefined {
  const text = query.get('depth')
  if (text === null) return undefined
  return /^\d+$/.test(text) ? Math.min(Number(text), MAX_DEPTH) : 1
}
