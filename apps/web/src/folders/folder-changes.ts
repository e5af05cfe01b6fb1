import {
  binDocument,
  binFolder,
  changeAppDocument,
  changeAppFolder,
  listBin,
  readAppFolder,
  readFolderTree,
  searchTeam,
} from '@meadow/contract/web'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../api/call.ts'

/** A folder or a document, as an item of a folder. */
export interface FolderItem {
  kind: 'folder' | 'document'
  id: string
  name: string
}

const AFFECTED_QUERIES = [readAppFolder, readFolderTree, searchTeam, listBin].map(({ name }) => name)

/** A mutation that changes folders: invalidates all queries that show them. */
export function useFolderChange<Input, Output>(change: (input: Input) => Promise<Output>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSettled: () =>
      Promise.all(AFFECTED_QUERIES.map((name) => queryClient.invalidateQueries({ queryKey: [name] }))),
  })
}

export const renameItem = ({ kind, id }: FolderItem, name: string): Promise<unknown> =>
  kind === 'folder'
    ? call(changeAppFolder, { params: [id], body: { name } })
    : call(changeAppDocument, { params: [id], body: { name } })

export const moveItem = (
  { kind, id }: Pick<FolderItem, 'kind' | 'id'>,
  folderId: string,
): Promise<unknown> =>
  kind === 'folder'
    ? call(changeAppFolder, { params: [id], body: { parentId: folderId } })
    : call(changeAppDocument, { params: [id], body: { folderId } })

export const binItem = ({ kind, id }: FolderItem): Promise<unknown> =>
  call(kind === 'folder' ? binFolder : binDocument, { params: [id] })
