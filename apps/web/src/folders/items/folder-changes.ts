import {
  binDocument,
  binFile,
  binFolder,
  changeAppDocument,
  changeAppFolder,
  changeFile,
  type ItemReference,
  listBin,
  listFavourites,
  listRecents,
  readAppFolder,
  readFile,
  readFolderTree,
  searchTeam,
} from '@meadow/contract/web'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiError, call } from '../../api/call.ts'
import { notify } from '../../shell/notices.tsx'

/** A folder, a document or another file, as an item of a folder. */
export interface FolderItem {
  kind: 'folder' | 'document' | 'file'
  id: string
  name: string
}

/** An item, with its name where that is known. */
export type BulkItem = ItemReference & { name?: string }

const AFFECTED_QUERIES = [
  ...[readAppFolder, readFolderTree, readFile, searchTeam, listBin],
  ...[listFavourites, listRecents],
].map(({ path }) => path)

/** Invalidates all queries that show folders. */
export function useFolderRefresh(): () => Promise<void> {
  const queryClient = useQueryClient()
  return async () => {
    await Promise.all(AFFECTED_QUERIES.map((path) => queryClient.invalidateQueries({ queryKey: [path] })))
  }
}

/**
 * Returns a mutation that changes folders and then reads again what shows them. That something is gone is told by a notice:
 * a dialog of it goes with it.
 */
export function useFolderChange<Input, Output>(change: (input: Input) => Promise<Output>) {
  const refresh = useFolderRefresh()
  return useMutation({
    mutationFn: change,
    onError: (error) => error instanceof ApiError && error.status === 404 && notify(error),
    onSettled: refresh,
  })
}

export function renameItem({ kind, id }: FolderItem, name: string): Promise<unknown> {
  const request = { params: [id], body: { name } }
  if (kind === 'folder') return call(changeAppFolder, request)
  return kind === 'document' ? call(changeAppDocument, request) : call(changeFile, request)
}

export function moveItem({ kind, id }: Pick<FolderItem, 'kind' | 'id'>, folderId: string): Promise<unknown> {
  if (kind === 'folder') return call(changeAppFolder, { params: [id], body: { parentId: folderId } })
  const request = { params: [id], body: { folderId } }
  return kind === 'document' ? call(changeAppDocument, request) : call(changeFile, request)
}

const BIN = { folder: binFolder, document: binDocument, file: binFile }

export const binItem = ({ kind, id }: FolderItem): Promise<unknown> => call(BIN[kind], { params: [id] })
