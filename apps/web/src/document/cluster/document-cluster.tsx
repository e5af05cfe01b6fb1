import type { GraphContent } from '@meadow/contract'
import type { AppDocument, UnsolvableNode } from '@meadow/contract/web'
import { Failure } from '../../shell/failure.tsx'
import type { ShownPlace } from '../graph/place/use-place.ts'
import { useDocumentFile } from '../use-document-file.ts'
import { ClusterPane } from './cluster-pane.tsx'
import { openCluster } from './open-cluster.ts'

interface DocumentClusterProps {
  document: AppDocument
  content: GraphContent
  unsolvable: readonly UnsolvableNode[]
  place: ShownPlace
}

/** The content of a cluster of a document, as far as its file holds it. */
export function DocumentCluster({ document, content, unsolvable, place }: DocumentClusterProps) {
  const query = useDocumentFile(document.id)
  if (query.isLoadingError) return <Failure error={query.error} retry={query.refetch} />
  const opened =
    query.data &&
    openCluster(
      { name: document.name, content, isVisitor: document.role === null },
      query.data.clusters,
      place.clusterIds,
    )
  return (
    <ClusterPane
      id={document.id}
      teamId={document.team?.id}
      opened={opened}
      unsolvable={unsolvable}
      place={place}
    />
  )
}
