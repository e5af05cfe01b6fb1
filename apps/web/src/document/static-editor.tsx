import { Center, Loader } from '@mantine/core'
import { type AppDocument, readAppGraph } from '@meadow/contract/web'
import { useQuery } from '@tanstack/react-query'
import { queryOf } from '../api/queries.ts'
import { Failure } from '../shell/failure.tsx'
import { Editor } from './editor.tsx'

/** For visitors of a public document, who have no live connection. */
export function StaticEditor({ document }: { document: AppDocument }) {
  const graph = useQuery(queryOf(readAppGraph, { params: [document.id] }))
  if (graph.isError) return <Failure error={graph.error} retry={graph.refetch} />
  if (!graph.data)
    return (
      <Center h="100dvh">
        <Loader aria-label="Loading" />
      </Center>
    )
  return <Editor document={document} content={graph.data.graph} />
}
