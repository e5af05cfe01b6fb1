import { Anchor, Text, Title } from '@mantine/core'
import { type AppFile, findUses } from '@meadow/contract/web'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { queryOf } from '../api/queries.ts'
import { count, describeGaps, usesPath, usingNodesPath } from '../uses/describe-uses.ts'
import styles from './file-page.module.css'

const SHOWN = 50
/** How often an answer is asked for again while documents are still being indexed. */
const REFETCH_MS = 2000

/** The documents with nodes that have the name of a user object or cluster file. */
export function ItemUsers({ file }: { file: AppFile }) {
  const reference = { kind: 'item', key: file.id } as const
  const { data } = useQuery({
    ...queryOf(findUses, { params: [file.team.id], query: reference }),
    refetchInterval: ({ state }) => (state.data && state.data.index.pending > 0 ? REFETCH_MS : false),
  })
  if (!data) return null
  const { pending, others } = describeGaps(data.index)
  const shown = data.usedBy.slice(0, SHOWN)
  return (
    <section aria-labelledby="used-by">
      <Title order={2} size="h5" id="used-by" mb={4}>
        Used by
      </Title>
      <Text size="sm" c="dimmed">
        {data.documents === 0
          ? 'No document has a node of its name. A node that was renamed, or that never had a name of its own, is not found.'
          : 'Nodes do not say which file they were placed from. These documents have one of its name:'}
      </Text>
      {shown.length > 0 && (
        <ul className={styles.users}>
          {shown.map(({ id, name }) => (
            <li key={id}>
              <Anchor component={Link} to={usingNodesPath(id, reference)} className={styles.user}>
                {name}
              </Anchor>
            </li>
          ))}
        </ul>
      )}
      {data.documents > shown.length && (
        <Anchor component={Link} size="sm" to={usesPath(file.team.id, reference)}>
          All {count(data.documents, 'document')}
        </Anchor>
      )}
      {[pending, others].map(
        (gap) =>
          gap !== undefined && (
            <Text key={gap} size="xs" c="dimmed" mt={4}>
              {gap}
            </Text>
          ),
      )}
    </section>
  )
}
