import { Splitter } from '@mantine/core'
import { useHotkeys, useLocalStorage, useMediaQuery } from '@mantine/hooks'
import type { GraphContent, SolutionId } from '@meadow/contract'
import { type AppDocument, type EditorSolution, readEditorSolution } from '@meadow/contract/web'
import { useQuery } from '@tanstack/react-query'
import { ReactFlowProvider } from '@xyflow/react'
import { type ComponentType, lazy, type ReactNode, Suspense, useMemo, useRef, useState } from 'react'
import { ApiError } from '../api/call.ts'
import { queryOf } from '../api/queries.ts'
import { Failure } from '../shell/failure.tsx'
import styles from './editor.module.css'
import { GraphPane } from './graph/graph-pane.tsx'
import { DocumentHeader, type PaneChoice } from './header/document-header.tsx'
import { MessageList } from './header/message-list.tsx'
import { UnsolvableList } from './header/unsolvable-list.tsx'
import type { LiveSession } from './live/live-session.ts'
import { type Observed, useObserved } from './live/observed.ts'
import type { PreviewSummary } from './preview/preview-messages.ts'
import { usePreview } from './preview/use-preview.ts'
import type { ModelViewProps } from './view/model-view.tsx'

interface EditorProps {
  document: AppDocument
  content: GraphContent
  /** Undefined for readers of a public document. */
  live?: LiveSession
  /** Shown below the header. */
  notices?: ReactNode
}

/** The graph of a document beside the geometry of its solution. */
export function Editor({ document, content, live, notices }: EditorProps) {
  const [panes, setPanes] = useState<PaneChoice>('both')
  const [selectedIds, setSelectedIds] = useState<ReadonlySet<string>>(new Set())
  const query = useQuery({
    ...queryOf(readEditorSolution, { params: [document.id] }),
    // The live connection invalidates the query after a solve; without one, the solution is polled.
    refetchInterval: live ? false : 15_000,
    staleTime: 1000,
  })
  const solution = query.data?.solution ?? undefined
  useHotkeys([
    ['mod+z', () => live?.undo()],
    ['mod+shift+z', () => live?.redo()],
    ['mod+y', () => live?.redo()],
  ])
  const hiddenIds = useHiddenIds(content)
  const { drafts, preview } = usePreview(live, { content, solution, selectedIds })
  const previewed = useObserved(preview?.summary ?? NOTHING)
  const shown = useMemo(
    () => (previewed ? toShownSolution(previewed, solution) : solution),
    [previewed, solution],
  )
  const choose = (nodeId: string) => setSelectedIds(new Set([nodeId]))
  const graph = (
    <section className={styles.section} aria-label="Graph">
      <GraphPane
        document={document}
        content={content}
        live={live}
        solution={shown}
        drafts={drafts}
        preview={previewed && preview}
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
          preview={preview?.scene ?? NOTHING}
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
          solve={query.data?.solve ?? document.solve}
          reason={query.data?.reason ?? null}
          completeness={shown?.completeness ?? null}
          isPreview={previewed !== undefined}
          messages={
            <>
              <UnsolvableList
                documentId={document.id}
                content={content}
                solutionId={solution?.id}
                onChoose={choose}
              />
              <MessageList content={content} solution={shown} onChoose={choose} />
            </>
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

const NOTHING: Observed<undefined> = { read: () => undefined, subscribe: () => () => {} }

/** A preview in the form of a solution. It has no id of a stored one, and no durations. */
function toShownSolution(
  { nodes, messages, completeness }: PreviewSummary,
  solution: EditorSolution | undefined,
): EditorSolution {
  return {
    id: PREVIEW_ID,
    solvedAt: solution?.solvedAt ?? '',
    durationMs: 0,
    credits: 0,
    hasGeometry: true,
    nodes,
    messages,
    completeness,
  }
}

const PREVIEW_ID = 'preview' as SolutionId

/** Nodes whose preview is off. The set keeps its identity while its members stay the same. */
function useHiddenIds({ nodes }: GraphContent): ReadonlySet<string> {
  const last = useRef<ReadonlySet<string>>(new Set())
  const hidden = Object.values(nodes).flatMap(({ instanceId, status }) =>
    status.isPreviewed ? [] : [instanceId],
  )
  if (hidden.length !== last.current.size || hidden.some((id) => !last.current.has(id)))
    last.current = new Set(hidden)
  return last.current
}

// A browser does not request a module again that failed to load.
const NOT_LOADED = new ApiError(0, 'The geometry cannot be shown: reload the page once the server answers.')

/**
 * The 3D view, in a separate chunk that the graph does not wait for. When the chunk cannot be loaded, the rest of the
 * page goes on, with edits that are not on the server yet.
 */
const LazyModelView = lazy(
  async (): Promise<{ default: ComponentType<ModelViewProps> }> =>
    import('./view/model-view.tsx').then(
      ({ ModelView }) => ({ default: ModelView }),
      () => ({ default: () => <Failure error={NOT_LOADED} /> }),
    ),
)

/** The sizes of graph and geometry, in percent. */
const DEFAULT_SIZES = [60, 40]
const MIN_SIZE = 15

/** Read during the first render: the panes would jump otherwise. */
const IN_FIRST_RENDER = { getInitialValueInEffect: false }

/** Two panes with a splitter that can be dragged, or moved with the arrow keys. Its position is remembered. */
function Panes({ graph, model }: { graph: ReactNode; model: ReactNode }) {
  const [sizes, setSizes] = useLocalStorage({
    key: 'meadow.panes',
    defaultValue: DEFAULT_SIZES,
    ...IN_FIRST_RENDER,
  })
  const isNarrow = useMediaQuery('(max-width: 48em)', undefined, IN_FIRST_RENDER)
  return (
    <Splitter
      className={styles.splitter}
      orientation={isNarrow ? 'vertical' : 'horizontal'}
      sizes={sizes}
      onSizeChange={(next) => setSizes(next.map(Number))}
      lineSize={1}
      withHandle={false}
    >
      <Splitter.Pane defaultSize={DEFAULT_SIZES[0]!} min={MIN_SIZE} className={styles.pane}>
        {graph}
      </Splitter.Pane>
      <Splitter.Pane defaultSize={DEFAULT_SIZES[1]!} min={MIN_SIZE} className={styles.pane}>
        {model}
      </Splitter.Pane>
    </Splitter>
  )
}
