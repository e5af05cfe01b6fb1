import type { Cluster, GraphContent } from '@meadow/contract'
import {
  type AppResponse,
  type DocumentVersion,
  listVersions,
  readAppGraph,
  readAppStored,
  readVersion,
  readVersionFile,
  readVersionGraph,
  readVersionStored,
} from '@meadow/contract/web'
import { diffDocuments } from '@meadow/diff'
import { type QueryClient, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { call } from '../../api/call.ts'
import { queryOf } from '../../api/queries.ts'
import { countDifference } from '../diff/list-changes.ts'
import { useDocumentFile } from '../live/use-document-file.ts'
import { NOW } from '../state/history-location.ts'

/** How often the first page is read again while no other page is shown, in milliseconds. */
const REFRESH_MS = 15_000

/** The versions of a document, the newest first, page by page. */
export function useVersions(documentId: string, only: 'kept' | undefined) {
  return useInfiniteQuery({
    queryKey: [listVersions.path, documentId, only],
    queryFn: ({ pageParam, signal }) =>
      call(listVersions, {
        params: [documentId],
        query: { ...(only && { only }), ...(pageParam && { after: pageParam }) },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (last: AppResponse<typeof listVersions>) => last.next,
    refetchInterval: ({ state: { data } }) => (data?.pages.length ?? 0) <= 1 && REFRESH_MS,
  })
}

/** Reads the list again, after something was done to versions. */
export const refreshVersions = (queryClient: QueryClient) =>
  Promise.all(
    [listVersions.path, readVersion.path].map((path) => queryClient.invalidateQueries({ queryKey: [path] })),
  )

/** Reads a version by its id, which may be on no page that was read. */
export const useVersion = (documentId: string, versionId: string | undefined) =>
  useQuery({
    ...queryOf(readVersion, { params: [documentId, versionId ?? ''] }),
    enabled: versionId !== undefined && versionId !== NOW,
  })

/** Of this many nodes at most, versions are compared while they are listed: it takes the page's thread. */
const MOST_NODES = 2000

/** The options of queries for what never changes in a version. */
const FOR_EVER = { staleTime: Number.POSITIVE_INFINITY }

/**
 * Counts what differs between a version and the one before it, once the version is seen: undefined until then, without a
 * version before it, where it cannot be read, and for graphs of more than {@link MOST_NODES} nodes.
 */
export function useDifference(
  documentId: string,
  { id, nodes }: DocumentVersion,
  before: DocumentVersion | undefined,
  isSeen: boolean,
): string | undefined {
  const queryClient = useQueryClient()
  const readGraph = async (versionId: string) => {
    const query = queryOf(readVersionGraph, { params: [documentId, versionId] })
    return (await queryClient.fetchQuery({ ...query, ...FOR_EVER })).graph
  }
  const { data } = useQuery({
    queryKey: ['difference', id, before?.id],
    queryFn: async () => {
      const [was, is] = await Promise.all([readGraph(before!.id), readGraph(id)])
      return countDifference(diffDocuments(was, is))
    },
    ...FOR_EVER,
    enabled: isSeen && before !== undefined && Math.max(nodes, before.nodes) <= MOST_NODES,
  })
  return data
}

interface VersionContent {
  graph: GraphContent | undefined
  /** The contents of the clusters by node id; undefined while they are loaded. */
  clusters: Readonly<Record<string, Cluster>> | undefined
  /** What the version's file stores; null without a file, undefined while it is loaded. */
  stored: AppResponse<typeof readAppStored>['stored'] | undefined
  error: Error | null
  retry: () => void
}

/** The graph of a version and the contents of its clusters, or those of the document as it is now. */
export function useVersionContent(documentId: string, versionId: string, live: GraphContent): VersionContent {
  const isNow = versionId === NOW
  const graph = useQuery({
    ...queryOf(readVersionGraph, { params: [documentId, versionId] }),
    ...FOR_EVER,
    enabled: !isNow,
  })
  const file = useQuery({
    ...queryOf(readVersionFile, { params: [documentId, versionId] }),
    ...FOR_EVER,
    enabled: !isNow,
  })
  const storedThen = useQuery({
    ...queryOf(readVersionStored, { params: [documentId, versionId] }),
    ...FOR_EVER,
    enabled: !isNow,
  })
  const storedNow = useQuery({
    ...queryOf(readAppStored, { params: [documentId] }),
    staleTime: 0,
    enabled: isNow,
  })
  const now = useGraphNow(documentId, live, isNow)
  const fileNow = useDocumentFile(documentId)
  const [ofGraph, ofFile, stored] = isNow ? [now, fileNow, storedNow] : [graph, file, storedThen]
  return {
    graph: ofGraph.data?.graph,
    clusters: ofFile.data?.clusters,
    stored: stored.data?.stored,
    error: ofGraph.error ?? ofFile.error ?? stored.error,
    retry: () => {
      void ofGraph.refetch()
      void ofFile.refetch()
      void stored.refetch()
    },
  }
}

/** The time in milliseconds after which an edit is usually stored, and can be read. */
const STORED_MS = 1000

/**
 * Reads the graph as it is stored now. It is not taken from the live document, which has references in place of large
 * values.
 */
function useGraphNow(documentId: string, live: GraphContent, isEnabled: boolean) {
  const queryClient = useQueryClient()
  // Readers without a live connection keep the graph under another key.
  const queryKey = [readAppGraph.path, documentId, 'compared']
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => call(readAppGraph, { params: [documentId], signal }),
    enabled: isEnabled,
    staleTime: 0,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: read again after each edit.
  useEffect(() => {
    if (!isEnabled) return undefined
    const timer = setTimeout(() => void queryClient.invalidateQueries({ queryKey }), STORED_MS)
    return () => clearTimeout(timer)
  }, [live, isEnabled])
  return query
}

/** The versions of all pages that were read. */
export const listRead = (pages: readonly AppResponse<typeof listVersions>[] | undefined): DocumentVersion[] =>
  pages?.flatMap(({ versions }) => versions) ?? []
