import { Anchor, Text, Title } from '@mantine/core'
import type { Cluster, Node } from '@meadow/contract'
import { listLibraryItems, readFileContents } from '@meadow/contract/web'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { queryOf } from '../../../api/queries.ts'
import { useClusters } from '../../live/use-document-file.ts'
import { useGraph } from '../nodes/graph-context.ts'
import { findItems, isSame } from './compare-origin.ts'
import styles from './properties.module.css'

/** The number of items that are shown. More items are the same one in many folders. */
const MAX_SHOWN = 5

/** The user objects and cluster files of the team that a cluster or script has the name of. */
export function NodeOrigin({ node, teamId }: { node: Node; teamId: string }) {
  const { documentId } = useGraph()
  const { data } = useQuery({
    ...queryOf(listLibraryItems, { params: [teamId] }),
    staleTime: 60_000,
  })
  const found = findItems(node, data?.items ?? []).filter(({ id }) => id !== documentId)
  if (found.length === 0) return null
  const isOfDocument = documentId.startsWith('doc_') && !documentId.includes('/')
  const Item = node.state?.kind === 'cluster' && isOfDocument ? ClusterItem : NamedItem
  return (
    <section aria-label="Library items">
      <Title order={4} size="h6" mb={4}>
        Library
      </Title>
      <ul className={styles.ports}>
        {found.slice(0, MAX_SHOWN).map((item) => (
          <Item key={item.id} node={node} documentId={documentId} {...item} />
        ))}
      </ul>
    </section>
  )
}

interface ItemProps {
  node: Node
  documentId: string
  /** The id of the file. */
  id: string
  name: string
  isLinked: boolean
  cluster?: Cluster | undefined
}

function ClusterItem(props: ItemProps) {
  const { node, documentId } = props
  const { clusters } = useClusters(documentId, { nodes: { [node.instanceId]: node } })
  return <NamedItem {...props} cluster={clusters?.[node.instanceId]} />
}

function NamedItem({ node, id, name, isLinked, cluster }: ItemProps) {
  const { data } = useQuery({ ...queryOf(readFileContents, { params: [id] }), staleTime: 60_000 })
  const same = data && isSame(node, cluster, data)
  const link = (
    <Anchor component={Link} to={`/files/${id}`} className={styles.origin}>
      {name}
    </Anchor>
  )
  return (
    <Text component="li" size="sm">
      {same === true && <>The same contents as {link}</>}
      {same !== true && (
        <>
          {isLinked ? 'Is linked to a file named' : 'Has the name of'} {link}
          {same === false && ', with other contents'}
        </>
      )}
    </Text>
  )
}
