import { Failure } from '../../shell/failure.tsx'
import { ClusterPane } from '../cluster/cluster-pane.tsx'
import { openCluster } from '../cluster/open-cluster.ts'
import { Anchoring } from '../comments/anchoring.tsx'
import { LazyGraphPins } from '../comments/lazy-comments.tsx'
import { GraphPane } from '../graph/graph-pane.tsx'
import { useClusters } from '../live/use-document-file.ts'
import { useEditor } from '../state/store.ts'
import styles from './panes.module.css'

/** The graph of the document, or that of the cluster that is open in it. */
export function GraphSection() {
  const editor = useEditor()
  const { document, content, comments, pinned, viewState } = editor
  return (
    <section className={styles.section} aria-label="Graph">
      {viewState.clusterIds.length > 0 ? (
        <DocumentCluster />
      ) : (
        <GraphPane
          document={document}
          teamId={document.team?.id}
          content={content}
          live={editor.live}
          solution={editor.solution}
          preview={editor.preview}
          store={editor}
          onHighlight={editor.highlight}
        >
          {comments?.isAnchoring && <Anchoring content={content} onAnchor={comments.setAnchor} />}
          {pinned && <LazyGraphPins comments={pinned} content={content} />}
        </GraphPane>
      )}
    </section>
  )
}

/** The content of a cluster of a document, as far as its file, or the cluster itself, holds it. */
function DocumentCluster() {
  const { document, content, unsolvable, viewState } = useEditor()
  const isVisitor = document.role === null
  const { clusters, error, retry } = useClusters(document.id, content, !isVisitor)
  if (error && retry) return <Failure error={error} retry={retry} />
  const opened =
    clusters && openCluster({ name: document.name, content, isVisitor }, clusters, viewState.clusterIds)
  return (
    <ClusterPane
      id={document.id}
      teamId={document.team?.id}
      opened={opened}
      unsolvable={unsolvable}
      viewState={viewState}
    />
  )
}
