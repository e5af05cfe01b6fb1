import { readAppDocument } from '@meadow/contract/web'
import type { QueryClient } from '@tanstack/react-query'
import { meQuery, queryOf } from '../api/queries.ts'

export const documentQuery = (documentId: string) => queryOf(readAppDocument, { params: [documentId] })

/** Asks for what the document page needs first: while its own script is still on its way. */
export function askForDocument(queryClient: QueryClient, documentId: string): void {
  void queryClient.prefetchQuery(meQuery)
  void queryClient.prefetchQuery(documentQuery(documentId))
}
