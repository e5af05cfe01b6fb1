import { useHotkeys } from '@mantine/hooks'
import type { GraphContent } from '@meadow/contract'
import { type AppDocument, readEditorSolution } from '@meadow/contract/web'
import { useQuery } from '@tanstack/react-query'
import { ReactFlowProvider } from '@xyflow/react'
import { type ReactNode, Suspense, useRef, useState } from 'react'
import { queryOf } from '../api/queries.ts'
import { DocumentHeader, type PaneChoice } from './document-header.tsx'
import styles from './editor.module.css'
import { GraphPane } from './graph/graph-pane.tsx'
import { LazyModelView } from './lazy-model-view.tsx'
import type { LiveSession } from './live-session.ts'
import { MessageList } from './message-list.tsx'
import { Panes } from './panes.tsx'

interface EditorProps {
  document: AppDocument
  content: GraphContent
  /** Undefined for those who only look at a public document. */
  live?: LiveSession
  /** What is said below the header. */
  notices?: ReactNode
}

/** The graph beside the geometry that it makes. */
export function Editor({ document, content, live, notices }: EditorProps) {
  const [panes, setPanes] = useState<PaneChoice>('both')
  const [selectedIds, setSelectedIds] = useState<ReadonlySet<string>>(new Set())
  const answer = useQuery({
    ...queryOf(readEditorSolution, { params: [document.id] }),
    // The live connection tells when there is a new one; without it, we look now and then.
    refetchInterval: live ? false : 15_000,
    staleTime: 1000,
  })
  const solution = answer.data?.solution ?? undefined
  useHotkeys([
    ['mod+z', () => live?.undo()],
    ['mod+shift+z', () => live?.redo()],
    ['mod+y', () => live?.redo()],
  ])
  const hiddenIds = useHiddenIds(content)
  const graph = (
    <section className={styles.section} aria-label="Graph">
      <GraphPane
        document={document}
        content={content}
        live={live}
        solution={solution}
        selectedIds={selectedIds}
        onSelect={setSelectedIds}
      />
    </section>
  )
  const model = (
    <section className={styles.section} aria-label="Geometry">
      <Suspense fallback={null}>
        <LazyModelView
          documentId={document.id}
          solutionId={solution?.hasGeometry ? solution.id : undefined}
          selectedIds={selectedIds}
          hiddenIds={hiddenIds}
          onPick={(nodeId) => setSelectedIds(new Set(nodeId ? [nodeId] : []))}
        />
      </Suspense>
    </section>
  )
  return (
    <ReactFlowProvider>
      <div className={styles.page}>
        <DocumentHeader
          document={document}
          live={live}
          solve={answer.data?.solve ?? document.solve}
          reason={answer.data?.reason ?? null}
          messages={
            <MessageList
              content={content}
              solution={solution}
              onChoose={(id) => setSelectedIds(new Set([id]))}
            />
          }
          panes={panes}
          onPanes={setPanes}
        />
        {notices}
        <main className={styles.panes}>
          {panes === 'both' ? <Panes graph={graph} model={model} /> : panes === 'graph' ? graph : model}
        </main>
      </div>
    </ReactFlowProvider>
  )
}

/** Nodes whose preview is off: the same set for as long as they are the same. */
function useHiddenIds({ nodes }: GraphContent): ReadonlySet<string> {
  const known = useRef<ReadonlySet<string>>(new Set())
  const hidden = Object.values(nodes).flatMap(({ instanceId, status }) =>
    status.isPreviewed ? [] : [instanceId],
  )
  if (hidden.length !== known.current.size || hidden.some((id) => !known.current.has(id)))
    known.current = new Set(hidden)
  return known.current
}
