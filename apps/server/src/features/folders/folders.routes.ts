import { readFolder } from '@meadow/contract'
import { serve } from '../../http/api/route.ts'
import { HttpError } from '../../http/http-error.ts'
import type { FolderStore } from './folders.store.ts'

export const folderRoutes = (folders: FolderStore) => [
  serve(readFolder, async ({ params: { folderId }, principal }) => {
    const json = await folders.find(principal.resourceScope, folderId)
    if (!json) throw new HttpError(folderId === 'root' ? 'team_without_root' : 'folder_not_found')
    return json
  }),
]
