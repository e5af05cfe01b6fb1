import { Badge, Center, Loader, Stack, Text } from '@mantine/core'
import type { GraphContent } from '@meadow/contract'
import type { UnsolvableNode } from '@meadow/contract/web'
import { ReactFlowProvider } from '@xyflow/react'
import { useMemo } from 'react'
import { Link, useLocation } from 'react-router'
import { IconZoomQuestion } from '../../shell/icons.ts'
import { GraphPane } from '../graph/graph-pane.tsx'
import { writeLocation } from '../state/graph-location.ts'
import { useGraphStore } from '../state/store.ts'
import type { ViewState } from '../state/use-view-state.ts'
import styles from './cluster-pane.module.css'
import { type Crumb, type OpenedCluster, toInnerSolution } from './open-cluster.ts'

interface ClusterPaneProps {
  /** The id of the team; undefined for readers who are not its members. */
  teamId: string | undefined
  /** The id of the document, or of the file that holds the cluster. */
  id: string
  /** The cluster and the way to it; undefined while it is loaded. */
  opened: OpenedCluster | undefined
  /** The nodes of the whole document that cannot be solved. */
  unsolvable: readonly UnsolvableNode[]
  viewState: ViewState
}

/** The content of a cluster on a canvas that takes no edits, below the way to it. */
export function ClusterPane({ id, teamId, opened, unsolvable, viewState }: ClusterPaneProps) {
  return (
    <div className={styles.pane}>
      <div className={styles.bar}>
        <Crumbs crumbs={opened?.crumbs ?? []} />
        <div className={styles.note}>
          <Badge size="sm" variant="light" color="gray" tt="none">
            Read-only
          </Badge>
          <span>Values inside a cluster are not stored.</span>
        </div>
      </div>
      <div className={styles.graph}>
        {!opened && (
          <Center h="100%">
            <Loader aria-label="Loading" />
          </Center>
        )}
        {opened?.content && (
          // Each graph has a view of its own.
          <ReactFlowProvider key={viewState.clusterIds.join()}>
            <InnerGraph
              id={id}
              teamId={teamId}
              content={opened.content}
              unsolvable={unsolvable}
              viewState={viewState}
            />
          </ReactFlowProvider>
        )}
        {opened?.reason !== undefined && (
          <Center h="100%" p="md">
            <Stack align="center" gap="xs" maw={420} role="alert">
              <IconZoomQuestion size={28} aria-hidden />
              <Text ta="center">{opened.reason}</Text>
            </Stack>
          </Center>
        )}
      </div>
    </div>
  )
}

function Crumbs({ crumbs }: { crumbs: readonly Crumb[] }) {
  // The address may say more, such as the version that is shown.
  const query = new URLSearchParams(useLocation().search)
  return (
    <nav aria-label="Clusters" style={{ flex: 1, minWidth: 0 }}>
      <ol className={styles.crumbs}>
        {crumbs.map(({ clusterIds, label }, index) => {
          const isLast = index === crumbs.length - 1
          return (
            <li key={clusterIds.length}>
              {isLast ? (
                <span className={styles.crumb} aria-current="page" title={label}>
                  {label}
                </span>
              ) : (
                <Link
                  className={styles.crumb}
                  to={{ search: writeLocation({ clusterIds }, query) }}
                  title={label}
                >
                  {label}
                </Link>
              )}
              {!isLast && (
                <span className={styles.separator} aria-hidden>
                  ›
                </span>
              )}
            </li>
          )
        })}
      </ol>
    </nav>
  )
}

function InnerGraph({
  id,
  teamId,
  content,
  unsolvable,
  viewState,
}: Omit<ClusterPaneProps, 'opened'> & { content: GraphContent }) {
  const store = useGraphStore(viewState)
  const { clusterIds } = viewState
  const solution = useMemo(() => toInnerSolution(unsolvable, clusterIds), [unsolvable, clusterIds])
  return (
    <section className={styles.graph} style={{ height: '100%' }} aria-label="Graph of the cluster">
      <GraphPane
        document={{ id: [id, ...clusterIds].join('/'), view: null }}
        content={content}
        teamId={teamId}
        solution={solution}
        store={store}
      />
    </section>
  )
}
