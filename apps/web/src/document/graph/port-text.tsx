import { readPortData } from '@meadow/contract/web'
import { useQuery } from '@tanstack/react-query'
import { queryOf } from '../../api/queries.ts'
import { formatValue } from './format-value.ts'
import { useGraph } from './graph-context.ts'

/** As much as a panel can show. */
const LIMIT = 100

/** What a port holds, a line a value, as a panel shows it. */
export function PortText({
  nodeInstanceId,
  portInstanceId,
}: {
  nodeInstanceId: string
  portInstanceId: string
}) {
  const { documentId, solution } = useGraph()
  const data = useQuery({
    ...queryOf(readPortData, {
      params: [documentId, solution?.id ?? '', nodeInstanceId, portInstanceId],
      query: { limit: LIMIT },
    }),
    enabled: solution?.nodes[nodeInstanceId]?.ports[portInstanceId] !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (!data.data) return null
  const { tree, next } = data.data
  const isTree = tree.branches.length > 1
  const lines = tree.branches.flatMap(({ path, values }) => [
    ...(isTree ? [path] : []),
    ...values.map(formatValue),
  ])
  return `${lines.join('\n')}${next === null ? '' : '\n…'}`
}
