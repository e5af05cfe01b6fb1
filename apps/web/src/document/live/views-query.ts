import { listViews } from '@meadow/contract/web'
import type { QueryClient } from '@tanstack/react-query'
import { queryOf } from '../../api/queries.ts'

/** The named views of a document, which the live connection keeps up to date. */
export const viewsQuery = (documentId: string) => queryOf(listViews, { params: [documentId] })

/** Reads the views of a document again, unless the list that was read is of this revision already. */
export async function refreshViews(
  queryClient: QueryClient,
  documentId: string,
  revision?: number,
): Promise<void> {
  const { queryKey } = viewsQuery(documentId)
  if (revision !== undefined && queryClient.getQueryData(queryKey)?.revision === revision) return
  // A first read that is under way may be of the state before.
  await queryClient.cancelQueries({ queryKey })
  await queryClient.invalidateQueries({ queryKey })
}
