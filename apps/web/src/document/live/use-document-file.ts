import type { GraphContent } from '@meadow/contract'
import { readAppFile, readPlacedClusters, readUnsolvable, type UnsolvableNode } from '@meadow/contract/web'
import { useQuery } from '@tanstack/react-query'
import { queryOf } from '../../api/queries.ts'

/** What the imported file of a document says of itself, and the contents of its clusters. */
export const useDocumentFile = (documentId: string) =>
  useQuery({ ...queryOf(readAppFile, { params: [documentId] }), staleTime: 60_000 })

/**
 * The contents of a document's clusters: those of the imported file, and of clusters that were placed from library items.
 * `content` is of the document, or the part of it whose clusters are asked for; visitors get none.
 */
export function useClusters(documentId: string, content: Pick<GraphContent, 'nodes'>, isMember = true) {
  const file = useDocumentFile(documentId)
  const ids = Object.values(content.nodes)
    .filter(({ state }) => state?.kind === 'cluster' && state.object !== undefined)
    .map(({ instanceId }) => instanceId)
  const { queryKey, ...query } = queryOf(readPlacedClusters, { params: [documentId] })
  const isAsked = ids.length > 0 && isMember
  const placed = useQuery({
    ...query,
    queryKey: [...queryKey, ids.join()],
    enabled: isAsked,
    staleTime: 60_000,
    // The edit that placed a cluster may still be on its way to the server.
    refetchInterval: ({ state: { data, dataUpdateCount } }) =>
      data && dataUpdateCount < MAX_ASKED && ids.some((id) => !Object.hasOwn(data.clusters, id)) && 1000,
  })
  const asked = isAsked ? [file, placed] : [file]
  const failed = asked.find(({ isLoadingError }) => isLoadingError)
  return {
    clusters:
      file.data && (placed.data || !isAsked)
        ? { ...file.data.clusters, ...placed.data?.clusters }
        : undefined,
    error: failed?.error,
    retry: failed?.refetch,
  }
}

/** How often contents that are missing are asked for. */
const MAX_ASKED = 5

const NONE: readonly UnsolvableNode[] = []

/**
 * Returns the nodes of a document that cannot be solved, even inside clusters. They are read again with each solution.
 */
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
