import { Center } from '@mantine/core'
import { type AppDocument, readAppGraph } from '@meadow/contract/web'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call } from '../api/call.ts'
import { documentQuery } from '../api/queries.ts'
import { Failure } from '../shell/failure.tsx'
import { Loading } from '../shell/loading.tsx'
import { Editor } from './editor.tsx'
import type { PaneChoice } from './state/store.ts'

/** How often visitors ask whether the document has changed, or is no longer public. */
const VISITOR_POLL_MS = 15_000

/** The properties of a document. Visitors, who have no live connection, read them again and again. */
export const useDocument = (documentId: string) =>
  useQuery({
    ...documentQuery(documentId),
    refetchInterval: ({ state: { data } }) => data?.document.role === null && VISITOR_POLL_MS,
  })

interface StaticEditorProps {
  document: AppDocument
  /** The panes that a frame shows at first, as in `Editor`. */
  embedded?: PaneChoice
}

/** The editor for readers of a public document, without a live connection. */
export function StaticEditor({ document, embedded }: StaticEditorProps) {
  const { id, updatedAt } = document
  const graph = useQuery({
    queryKey: [readAppGraph.path, id, updatedAt],
    queryFn: ({ signal }) => call(readAppGraph, { params: [id], signal }),
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  })
  if (graph.isError && !graph.data) return <Failure error={graph.error} retry={graph.refetch} />
  if (!graph.data) return <PageLoader />
  return <Editor document={document} content={graph.data.graph} embedded={embedded} />
}

export function PageLoader() {
  return (
    <Center h="100dvh">
      <Loading />
    </Center>
  )
}
