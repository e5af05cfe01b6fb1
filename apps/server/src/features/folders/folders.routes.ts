import { readFolder } from '@meadow/contract'
import { refuse } from '../../http/refusal.ts'
import { serve } from '../../http/serve.ts'
import type { FolderStore } from './folders.store.ts'

export const folderRoutes = (folders: FolderStore) => [
  serve(readFolder, async ({ params: { folderId }, reader }) => {
    const folder = await folders.find(reader.team, folderId)
    if (!folder) throw refuse(folderId === 'root' ? 'team_without_root' : 'folder_not_found')
    return { folder }
  }),
]
