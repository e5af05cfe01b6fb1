import { Center, Loader, Text } from '@mantine/core'
import type { GraphContent, SolutionId } from '@meadow/contract'
import { type AppDocument, type DocumentVersion, readVersionSolution } from '@meadow/contract/web'
import { useQuery } from '@tanstack/react-query'
import { ReactFlowProvider } from '@xyflow/react'
import { useCallback, useMemo } from 'react'
import { queryOf } from '../../api/queries.ts'
import { Failure } from '../../shell/failure.tsx'
import { ClusterPane } from '../cluster/cluster-pane.tsx'
import { openCluster } from '../cluster/open-cluster.ts'
import { GraphPane } from '../graph/graph-pane.tsx'
import { NOTHING } from '../live/observed.ts'
import { ArrangedPanes } from '../panes/arrange-panes.tsx'
import { useGraphStore } from '../state/store.ts'
import { useViewState } from '../state/use-view-state.ts'
import { ModelView } from '../view/model-view.tsx'
import styles from './history.module.css'
import { useVersionContent } from './use-versions.ts'

interface VersionViewProps {
  document: AppDocument
  version: DocumentVersion
  /** The document as it is now. */
  live: GraphContent
}

/** A past version, read-only: its graph, and its geometry where its solution is kept. */
export function VersionView({ document, version, live }: VersionViewProps) {
  const { graph, clusters, error, retry } = useVersionContent(document.id, version.id, live)
  const store = useGraphStore(useViewState())
  const { selectedIds, select, viewState } = store
  const { data } = useQuery({
    ...queryOf(readVersionSolution, { params: [document.id, version.id] }),
    enabled: version.solutionId !== null,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const solution = data?.solution ?? undefined
  const hiddenIds = useMemo(() => listHidden(graph), [graph])
  const pick = useCallback((ids: readonly string[]) => select(new Set(ids)), [select])
  if (error && !graph) return <Failure error={error} retry={retry} />
  if (!graph)
    return (
      <Center h="100%">
        <Loader aria-label="Loading the version" />
      </Center>
    )
  const isInCluster = viewState.clusterIds.length > 0
  const opened =
    clusters && openCluster({ name: document.name, content: graph }, clusters, viewState.clusterIds)
  return (
    <ArrangedPanes
      graph={
        <section className={styles.section} aria-label="Graph of the version">
          {isInCluster ? (
            <ClusterPane
              id={document.id}
              teamId={document.team?.id}
              opened={opened}
              unsolvable={NONE}
              viewState={viewState}
            />
          ) : (
            <ReactFlowProvider key={version.id}>
              <GraphPane
                document={document}
                teamId={document.team?.id}
                content={graph}
                solution={solution}
                store={store}
              />
            </ReactFlowProvider>
          )}
        </section>
      }
      model={
        <section className={styles.section} aria-label="Geometry of the version">
          <ModelView
            documentId={document.id}
            solutionId={solution?.hasGeometry ? solution.id : undefined}
            units={solution?.units ?? 'none'}
            preview={NOTHING}
            selectedIds={selectedIds}
            hiddenIds={hiddenIds}
            namePort={(nodeId, portId) => {
              const node = graph.nodes[nodeId]
              return { node: node?.nickName ?? '', port: node?.ports[portId]?.name ?? '' }
            }}
            onPick={pick}
            empty={<NoGeometry solutionId={version.solutionId} />}
          />
        </section>
      }
    />
  )
}

const NONE: never[] = []

const listHidden = (graph: GraphContent | undefined): ReadonlySet<string> =>
  new Set(
    Object.values(graph?.nodes ?? {}).flatMap(({ instanceId, status }) =>
      status.isPreviewed ? [] : [instanceId],
    ),
  )

/** Shown in place of the geometry of a version that has none. */
function NoGeometry({ solutionId }: { solutionId: SolutionId | null }) {
  return (
    <Text c="dimmed" ta="center" p="md" maw={420}>
      {solutionId === null
        ? 'The solution of this version is not kept: only its graph can be shown. Restore it to solve it again.'
        : 'The solution of this version has no geometry.'}
    </Text>
  )
}
