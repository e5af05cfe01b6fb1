import { Center, Loader } from '@mantine/core'
import type { GraphContent } from '@meadow/contract'
import {
  type AppDocument,
  type DocumentVersion,
  type EditorSolution,
  readVersionSolution,
} from '@meadow/contract/web'
import { diffDocuments } from '@meadow/diff'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { queryOf } from '../../api/queries.ts'
import { Failure } from '../../shell/failure.tsx'
import { DiffView } from '../diff/diff-view.tsx'
import { storedOf } from '../diff/stored-of.ts'
import { ArrangedPanes } from '../panes/arrange-panes.tsx'
import { NOW } from '../state/history-location.ts'
import { GeometryDiff } from './geometry/geometry-diff.tsx'
import styles from './history.module.css'
import { useVersionContent } from './use-versions.ts'

/** A version, or the document as it is now. */
export interface ComparedState {
  label: string
  /** The version; undefined for the document as it is now. */
  version: DocumentVersion | undefined
}

interface VersionCompareProps {
  document: AppDocument
  before: ComparedState
  after: ComparedState
  /** The document as it is now. Its newest solution is `solution`. */
  live: GraphContent
  solution: EditorSolution | undefined
}

/** Two states of a document: what differs in the graph, and in the geometry. */
export function VersionCompare({ document, before, after, live, solution }: VersionCompareProps) {
  const one = useVersionContent(document.id, before.version?.id ?? NOW, live)
  const other = useVersionContent(document.id, after.version?.id ?? NOW, live)
  const [solutionBefore, solutionAfter] = [
    useSolution(document.id, before.version, solution),
    useSolution(document.id, after.version, solution),
  ]
  const difference = useMemo(
    () =>
      one.graph &&
      one.clusters &&
      other.graph &&
      other.clusters &&
      one.stored !== undefined &&
      other.stored !== undefined
        ? diffDocuments(
            { ...one.graph, clusters: one.clusters, ...storedOf({ stored: one.stored }) },
            { ...other.graph, clusters: other.clusters, ...storedOf({ stored: other.stored }) },
          )
        : undefined,
    [one.graph, one.clusters, one.stored, other.graph, other.clusters, other.stored],
  )
  const error = one.error ?? other.error
  if (error && !difference)
    return (
      <Failure
        error={error}
        retry={() => {
          one.retry()
          other.retry()
        }}
      />
    )
  if (!difference || !one.graph || !one.clusters || !other.graph || !other.clusters)
    return (
      <Center h="100%">
        <Loader aria-label="Loading both versions" />
      </Center>
    )
  return (
    // Two graphs side by side take the whole width.
    <ArrangedPanes
      isStacked
      graph={
        <section className={styles.section} aria-label="Comparison of the graphs">
          <DiffView
            before={{ label: before.label, content: one.graph, clusters: one.clusters }}
            after={{ label: after.label, content: other.graph, clusters: other.clusters }}
            difference={difference}
          />
        </section>
      }
      model={
        <section className={styles.section} aria-label="Comparison of the geometry">
          {solutionBefore.isRead && solutionAfter.isRead ? (
            <GeometryDiff
              documentId={document.id}
              before={{ label: before.label, content: one.graph, ...solutionBefore.compared }}
              after={{ label: after.label, content: other.graph, ...solutionAfter.compared }}
              units={solutionAfter.units}
            />
          ) : (
            <Center h="100%">
              <Loader aria-label="Loading the solutions" />
            </Center>
          )}
        </section>
      }
    />
  )
}

/** The solution of a state, as far as geometry is compared. */
function useSolution(
  documentId: string,
  version: DocumentVersion | undefined,
  now: EditorSolution | undefined,
) {
  const query = useQuery({
    ...queryOf(readVersionSolution, { params: [documentId, version?.id ?? ''] }),
    enabled: version !== undefined && version.solutionId !== null,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const found = version ? (query.data?.solution ?? undefined) : now
  return {
    isRead: !version || version.solutionId === null || !query.isPending,
    units: found?.units ?? 'none',
    compared: {
      solutionId: found?.hasGeometry ? found.id : undefined,
      isEmpty: found !== undefined && !found.hasGeometry,
    },
  }
}
