import { Select } from '@mantine/core'
import { readFolderTree } from '@meadow/contract/web'
import { useQuery } from '@tanstack/react-query'
import { queryOf } from '../api/queries.ts'
import { folderOptions } from './folder-options.ts'

interface FolderSelectProps {
  /** The team whose folders can be chosen; undefined if there is none to choose from. */
  teamId: string | undefined
  label: string
  value: string | null
  onChange: (folderId: string | null) => void
  /** Whether this is the first field of a dialog, which gets the focus. */
  isFirst?: boolean
  /** Whether a choice cannot be removed. */
  isRequired?: boolean
}

/** A choice of one of the folders of a team, by their paths. */
export function FolderSelect({ teamId, isFirst, isRequired, ...props }: FolderSelectProps) {
  const tree = useQuery({
    ...queryOf(readFolderTree, { params: [teamId ?? ''] }),
    enabled: teamId !== undefined,
  })
  return (
    <Select
      {...props}
      searchable
      data-autofocus={isFirst || undefined}
      allowDeselect={!isRequired}
      nothingFoundMessage="No folder has that name"
      data={folderOptions(tree.data?.folders ?? [])}
    />
  )
}
