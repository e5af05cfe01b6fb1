import type { GraphContent } from '@meadow/contract'
import type { AppDocument, UnsolvableNode } from '@meadow/contract/web'
import { Failure } from '../../shell/failure.tsx'
import type { ShownPlace } from '../graph/place/use-place.ts'
import { useClusters } from '../use-document-file.ts'
import { ClusterPane } from './cluster-pane.tsx'
import { openCluster } from './open-cluster.ts'

interface DocumentClusterProps {
  document: AppDocument
  content: GraphContent
  unsolvable: readonly UnsolvableNode[]
  place: ShownPlace
}

/** The content of a cluster of a document, as far as its file, or the cluster itself, holds it. */
export function DocumentCluster({ document, content, unsolvable, place }: DocumentClusterProps) {
  const isVisitor = document.role === null
  const { clusters, error, retry } = useClusters(document.id, content, !isVisitor)
  if (error && retry) return <Failure error={error} retry={retry} />
  const opened =
    clusters && openCluster({ name: document.name, content, isVisitor }, clusters, place.clusterIds)
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
