import { listThreads, readThread } from '@meadow/contract/web'
import type { QueryClient } from '@tanstack/react-query'
import { queryOf } from '../../api/queries.ts'

/** The threads of comments about a document, which the live connection keeps up to date. */
export const threadsQuery = (documentId: string) => queryOf(listThreads, { params: [documentId] })

/** Reads the threads of a document again, unless the list that was read is of this revision already. */
export async function refreshThreads(
  queryClient: QueryClient,
  documentId: string,
  revision?: number,
): Promise<void> {
  const { queryKey } = threadsQuery(documentId)
  // The thread that is shown may have been read before the list, so it is read again too.
  void queryClient.invalidateQueries({ queryKey: [readThread.path] })
  const read = queryClient.getQueryData(queryKey)?.revision
  if (revision !== undefined && read === revision) return
  // A first read that is under way may be of the state before.
  await queryClient.cancelQueries({ queryKey })
  await queryClient.invalidateQueries({ queryKey })
}
