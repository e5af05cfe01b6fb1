import { Splitter } from '@mantine/core'
import { useHotkeys, useLocalStorage, useMediaQuery } from '@mantine/hooks'
import type { GraphContent } from '@meadow/contract'
import { type AppDocument, readEditorSolution } from '@meadow/contract/web'
import { useQuery } from '@tanstack/react-query'
import { ReactFlowProvider } from '@xyflow/react'
import { type ComponentType, lazy, type ReactNode, Suspense, useRef, useState } from 'react'
import { ApiError } from '../api/call.ts'
import { queryOf } from '../api/queries.ts'
import { Failure } from '../shell/failure.tsx'
import styles from './editor.module.css'
import { GraphPane } from './graph/graph-pane.tsx'
import { DocumentHeader, type PaneChoice } from './header/document-header.tsx'
import { MessageList } from './header/message-list.tsx'
import type { LiveSession } from './live/live-session.ts'
import type { ModelViewProps } from './view/model-view.tsx'

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

/** In percent: of the graph and of the geometry. */
const USUAL = [60, 40]
const SMALLEST = 15

/** Known when it is first drawn: it would jump otherwise. */
const AT_ONCE = { getInitialValueInEffect: false }

/** Two panes with a bar between them that can be dragged, or moved with the arrow keys. Where it is, is remembered. */
function Panes({ graph, model }: { graph: ReactNode; model: ReactNode }) {
  const [sizes, setSizes] = useLocalStorage({ key: 'meadow.panes', defaultValue: USUAL, ...AT_ONCE })
  const isNarrow = useMediaQuery('(max-width: 48em)', undefined, AT_ONCE)
  return (
    <Splitter
      className={styles.splitter}
      orientation={isNarrow ? 'vertical' : 'horizontal'}
      sizes={sizes}
      onSizeChange={(next) => setSizes(next.map(Number))}
      lineSize={1}
      withHandle={false}
    >
      <Splitter.Pane defaultSize={USUAL[0]!} min={SMALLEST} className={styles.pane}>
        {graph}
      </Splitter.Pane>
      <Splitter.Pane defaultSize={USUAL[1]!} min={SMALLEST} className={styles.pane}>
        {model}
      </Splitter.Pane>
    </Splitter>
  )
}

// A browser does not ask again for a module that it did not get.
const NOT_LOADED = new ApiError(0, 'The geometry cannot be shown: reload the page once the server answers.')

/**
 * The geometry, whose code the graph does not wait for. Without that code the rest of the page goes on, with what was
 * edited and is not on the server yet.
 */
const LazyModelView = lazy(
  async (): Promise<{ default: ComponentType<ModelViewProps> }> =>
    import('./view/model-view.tsx').then(
      ({ ModelView }) => ({ default: ModelView }),
      () => ({ default: () => <Failure error={NOT_LOADED} /> }),
    ),
)
