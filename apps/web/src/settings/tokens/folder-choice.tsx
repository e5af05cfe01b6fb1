import { MultiSelect } from '@mantine/core'
import { type FolderId, MAX_TOKEN_FOLDERS } from '@meadow/contract'
import { type Membership, readFolderTree } from '@meadow/contract/web'
import { useQuery } from '@tanstack/react-query'
import { errorMessage } from '../../api/call.ts'
import { queryOf } from '../../api/queries.ts'
import { folderOptions } from '../../shell/folder-options.ts'

interface FolderChoiceProps {
  team: Membership
  value: FolderId[]
  onChange: (folders: FolderId[]) => void
}

/** Chooses the folders that a token is limited to. */
export function FolderChoice({ team, value, onChange }: FolderChoiceProps) {
  const tree = useQuery(queryOf(readFolderTree, { params: [team.id] }))
  return (
    <MultiSelect
      label="Folders"
      description="It reads these with everything below, and nothing else"
      searchable
      required
      maxValues={MAX_TOKEN_FOLDERS}
      nothingFoundMessage={tree.isPending ? 'Loading' : 'No folder has that name'}
      error={tree.isError && errorMessage(tree.error)}
      data={folderOptions(tree.data?.folders ?? []).slice(1)}
      value={value}
      onChange={(chosen) => onChange(chosen as FolderId[])}
    />
  )
}
