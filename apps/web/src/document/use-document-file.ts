import { readAppFile, readUnsolvable, type UnsolvableNode } from '@meadow/contract/web'
import { useQuery } from '@tanstack/react-query'
import { queryOf } from '../api/queries.ts'

/** What the imported file of a document says of itself, and the contents of its clusters. */
export const useDocumentFile = (documentId: string) =>
  useQuery({ ...queryOf(readAppFile, { params: [documentId] }), staleTime: 60_000 })

const NONE: readonly UnsolvableNode[] = []

/** What of a document cannot be solved, those nodes inside clusters too. Read again with each solution. */
export function useUnsolvable(documentId: string, solutionId: string | undefined): readonly UnsolvableNode[] {
  const { queryKey, ...query } = queryOf(readUnsolvable, { params: [documentId] })
  const { data } = useQuery({
    ...query,
    queryKey: [...queryKey, solutionId],
    placeholderData: (last) => last,
    staleTime: 60_000,
  })
  return data?.unsolvable ?? NONE
}
