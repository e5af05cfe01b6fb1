import { Button, Splitter, Stack, Text } from '@mantine/core'
import { useLocalStorage, useMediaQuery } from '@mantine/hooks'
import type { GraphContent, SolutionId } from '@meadow/contract'
import {
  type AppDocument,
  askForSolve,
  type CommentAnchor,
  type CommentThread,
  type EditorSolution,
  readEditorSolution,
  type SolveSummary,
} from '@meadow/contract/web'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ReactFlowProvider } from '@xyflow/react'
import {
  type ComponentType,
  lazy,
  type ReactNode,
  Suspense,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { Vector3 } from 'three'
import { ApiError, call } from '../api/call.ts'
import { findServiceAddress } from '../api/public-path.ts'
import { queryOf } from '../api/queries.ts'
import { Failure } from '../shell/failure.tsx'
import { notify } from '../shell/notices.tsx'
import { describeNoGeometry } from '../solve-state/describe-solve.ts'
import { STATE_FRAGMENT } from '../solve-state/solve-badge.tsx'
import { DocumentCluster } from './cluster/document-cluster.tsx'
import { listAnchorNodes } from './comments/describe-anchor.ts'
import { LazyCommentsPanel, LazyGraphPins, LazyModelPins } from './comments/lazy-comments.tsx'
import { useComments } from './comments/use-comments.ts'
import styles from './editor.module.css'
import { GraphPane } from './graph/graph-pane.tsx'
import { usePlace } from './graph/place/use-place.ts'
import { DocumentHeader, type PaneChoice } from './header/document-header.tsx'
import { EmbedLine } from './header/embed-line.tsx'
import { type PanelTab, StatePanel } from './header/state-panel.tsx'
import type { Arrange, HistoryPaneProps } from './history/history-pane.tsx'
import { useHistoryPlace } from './history/history-place.ts'
import type { LiveSession } from './live/live-session.ts'
import { type Observed, useObserved } from './live/observed.ts'
import { useViews } from './named-views/use-views.ts'
import type { ViewsPanelProps } from './named-views/views-panel.tsx'
import { LazyPlayerPanel } from './player-panel/lazy-player-panel.tsx'
import type { PreviewSummary } from './preview/preview-messages.ts'
import { usePreview } from './preview/use-preview.ts'
import { ShownUses } from './shown-uses.tsx'
import { useUnsolvable } from './use-document-file.ts'
import { useKeys } from './use-keys.ts'
import type { ModelViewProps } from './view/model-view.tsx'
import type { SceneValue } from './view/scene/scene-values.ts'

/** The media query for phones, which show one pane at a time at first. */
const NARROW = '(max-width: 47.99em)'
/** The media query is read during the first render, since the panes would jump otherwise. */
const IN_FIRST_RENDER = { getInitialValueInEffect: false }

interface EditorProps {
  document: AppDocument
  content: GraphContent
  /** The live session; undefined for readers of a public document. */
  live?: LiveSession
  /** Shown below the header. */
  notices?: ReactNode
  /** The panes that a frame of another page shows at first. A line takes the place of the header there. */
  embedded?: PaneChoice
}

/** The graph of a document beside the geometry of its solution. */
export function Editor({ document, content, live, notices, embedded }: EditorProps) {
  const isNarrow = useMediaQuery(NARROW, undefined, IN_FIRST_RENDER)
  const [panes, setPanes] = useState<PaneChoice>(embedded ?? (isNarrow ? 'graph' : 'both'))
  const [selectedIds, setSelectedIds] = useState<ReadonlySet<string>>(new Set())
  const [isStateOpen, setIsStateOpen] = useStatePanel()
  const [tab, setTab] = useState<PanelTab>('state')
  const [isPlayerOpen, setIsPlayerOpen] = useState(false)
  const query = useQuery({
    ...queryOf(readEditorSolution, { params: [document.id] }),
    // The live connection invalidates the query after a solve; without one, the solution is polled.
    refetchInterval: live ? false : 15_000,
    staleTime: 1000,
  })
  const solution = query.data?.solution ?? undefined
  const summary = query.data ? toSummary(query.data.solve, solution) : document
  const solve = useSolve(document)
  const onSolve = live?.mayEdit ? () => solve.mutate() : undefined
  const ownPlace = usePlace()
  const history = useHistoryPlace()
  const comments = useComments(document)
  const views = useViews({
    ...{ document, place: ownPlace, isLive: live !== undefined },
    isCovered: history.place !== undefined || comments?.isOpen === true,
    uncover: () => {
      if (history.place) history.go(undefined)
      else comments?.close()
    },
    show: (kind) => {
      if (panes !== 'both' && panes !== kind) setPanes(isNarrow ? kind : 'both')
    },
  })
  const place = useMemo(() => ({ ...ownPlace, lead: views.graph }), [ownPlace, views.graph])
  const [revealed, setRevealed] = useState<{ thread: CommentThread }>()
  const { clusterIds, go } = place
  const isInCluster = clusterIds.length > 0
  const unsolvable = useUnsolvable(document.id, solution?.id)
  useKeys([
    ['mod+z', () => live?.undo()],
    ['mod+shift+z', () => live?.redo()],
    ['mod+y', () => live?.redo()],
  ])
  const hiddenIds = useHiddenIds(content)
  const select = (nodeIds: readonly string[]) => setSelectedIds(new Set(nodeIds))
  const pick = useCallback(
    (nodeIds: readonly string[]) => {
      setSelectedIds(new Set(nodeIds))
      // Geometry belongs to nodes of the document, so the canvas leaves the cluster.
      if (isInCluster && nodeIds.length > 0) go({ clusterIds: [], nodeIds })
    },
    [isInCluster, go],
  )
  const namePort = (nodeId: string, portId: string) => {
    const node = content.nodes[nodeId]
    return { node: node?.nickName ?? '', port: node?.ports[portId]?.name ?? '' }
  }
  const { drafts, preview } = usePreview(live, { content, solution, selectedIds })
  const previewed = useObserved(preview?.summary ?? NOTHING)
  const shown = useMemo(
    () => (previewed ? toShownSolution(previewed, solution) : solution),
    [previewed, solution],
  )
  const [asked, setAsked] = useState<readonly SceneValue[]>()
  const showPanel = (tab: PanelTab) => {
    setTab(tab)
    setIsStateOpen(true)
  }
  const showState = () => showPanel('state')
  const reveal = (thread: CommentThread) => {
    const isPoint = thread.anchor.kind === 'point'
    const nodeIds = listAnchorNodes(thread.anchor, content)
    if (nodeIds.length > 0) go({ clusterIds: [], nodeIds })
    const hidden = isPoint ? 'graph' : nodeIds.length > 0 ? 'model' : undefined
    if (panes === hidden) setPanes(isNarrow ? (isPoint ? 'model' : 'graph') : 'both')
    if (isPoint) setRevealed({ thread })
  }
  const hasPins = comments && (comments.isPlacing || comments.anchor || (comments.threads?.length ?? 0) > 0)
  const graph = (
    <section className={styles.section} aria-label="Graph">
      {isInCluster ? (
        <DocumentCluster document={document} content={content} unsolvable={unsolvable} place={place} />
      ) : (
        <GraphPane
          document={document}
          teamId={document.team?.id}
          content={content}
          live={live}
          solution={shown}
          drafts={drafts}
          preview={previewed && preview}
          selectedIds={selectedIds}
          onSelect={setSelectedIds}
          place={place}
          onHighlight={setAsked}
        >
          {hasPins && (
            <Suspense fallback={null}>
              <LazyGraphPins comments={comments} content={content} />
            </Suspense>
          )}
        </GraphPane>
      )}
    </section>
  )
  const model = (
    <section className={styles.section} aria-label="Geometry">
      <Suspense fallback={null}>
        <LazyModelView
          documentId={document.id}
          solutionId={solution?.hasGeometry ? solution.id : undefined}
          units={solution?.units ?? 'none'}
          preview={preview?.scene ?? NOTHING}
          selectedIds={selectedIds}
          hiddenIds={hiddenIds}
          namePort={namePort}
          onPick={pick}
          data={{ content, solution: shown, solutionId: solution?.id, preview: previewed && preview }}
          asked={asked}
          empty={<NoGeometry summary={summary} onShowState={embedded ? undefined : showState} />}
          lead={views.model}
          onPlace={
            comments?.isPlacing ? (point, value) => comments.setAnchor(toAnchor(point, value)) : undefined
          }
          overlay={
            hasPins
              ? (viewer) => (
                  <Suspense fallback={null}>
                    <LazyModelPins comments={comments} viewer={viewer} revealed={revealed} />
                  </Suspense>
                )
              : undefined
          }
        />
      </Suspense>
    </section>
  )
  const arrange: Arrange = (graph, model, isStacked = isNarrow) =>
    panes === 'both' ? (
      <Panes graph={graph} model={model} isStacked={isStacked} />
    ) : (
      <OnePane graph={graph} model={model} shown={panes} />
    )
  return (
    <ReactFlowProvider>
      <div className={styles.page}>
        {embedded ? (
          <EmbedLine document={document} summary={summary} />
        ) : (
          <DocumentHeader
            document={document}
            live={live}
            summary={summary}
            units={solution?.units}
            state={
              <StatePanel
                documentId={document.id}
                unsolvable={unsolvable}
                tab={tab}
                onTab={setTab}
                hasFile={document.fileName !== null}
                content={content}
                summary={summary}
                reason={query.data?.reason ?? null}
                solution={shown}
                isPreview={previewed !== undefined}
                isOpen={isStateOpen}
                onOpen={setIsStateOpen}
                onChoose={(chosen) => {
                  go(chosen)
                  setIsStateOpen(false)
                  if (panes === 'model') setPanes(isNarrow ? 'graph' : 'both')
                }}
                onSolve={onSolve}
              />
            }
            onShowState={showState}
            onShowFile={() => showPanel('file')}
            onShowViews={views.toggle}
            onShowComments={() => (comments?.isOpen ? comments.close() : comments?.show())}
            unreadComments={comments?.unread ?? 0}
            onShowHistory={() => history.go(history.place ? undefined : {})}
            onShowPlayer={() => {
              if (live?.mayEdit) setIsPlayerOpen(true)
              else location.assign(`${findServiceAddress()}/play/${document.id}`)
            }}
            solve={
              onSolve && {
                ask: onSolve,
                isOff: summary.solve === 'queued' || summary.solve === 'running',
                isPending: solve.isPending,
              }
            }
            panes={panes}
            onPanes={setPanes}
          />
        )}
        {live?.mayEdit && (
          <LazyPlayerPanel
            {...{ document, content, live, selectedIds }}
            isOpen={isPlayerOpen}
            close={() => setIsPlayerOpen(false)}
          />
        )}
        {notices}
        {!embedded && <ShownUses document={document} content={content} onSelect={select} />}
        <main className={styles.panes}>
          {history.place && document.role ? (
            <Suspense fallback={null}>
              <LazyHistoryPane
                document={document}
                place={history.place}
                go={history.go}
                live={live}
                content={content}
                solution={solution}
                arrange={arrange}
              >
                {arrange(graph, model)}
              </LazyHistoryPane>
            </Suspense>
          ) : (
            <div className={styles.commented}>
              <div className={styles.shown}>{arrange(graph, model)}</div>
              {comments?.isOpen && !embedded && (
                <Suspense fallback={null}>
                  <LazyCommentsPanel
                    document={document}
                    comments={comments}
                    content={content}
                    selectedIds={selectedIds}
                    colourOf={live?.colourOf}
                    reveal={reveal}
                  />
                </Suspense>
              )}
              {views.isOpen && !comments?.isOpen && !embedded && (
                <Suspense fallback={null}>
                  <LazyViewsPanel
                    document={document}
                    views={views}
                    mayEdit={live?.mayEdit ?? false}
                    kinds={panes === 'both' ? ['graph', 'model'] : [panes]}
                  />
                </Suspense>
              )}
            </div>
          )}
        </main>
      </div>
    </ReactFlowProvider>
  )
}

/** The anchor of a comment on a point of the model. */
const toAnchor = ({ x, y, z }: Vector3, value: SceneValue | undefined): CommentAnchor => ({
  ...{ kind: 'point', x, y, z },
  on: value
    ? { node: value.nodeInstanceId, port: value.portInstanceId, path: value.path, index: value.index }
    : null,
})

/** The state of the last solve, with the completeness of its own solution only. */
const toSummary = (solve: SolveSummary['solve'], solution: EditorSolution | undefined): SolveSummary => ({
  solve,
  completeness: solve === 'solved' ? (solution?.completeness ?? null) : null,
})

/**
 * Returns whether the panel with the state is open, and a way to change that. It is open at first if the address says
 * so in its fragment, which is removed at once: a later change of the address would race with the one that choosing a
 * node makes.
 */
function useStatePanel() {
  const { hash, search, state } = useLocation()
  const navigate = useNavigate()
  useEffect(() => {
    if (hash === STATE_FRAGMENT) void navigate({ search, hash: '' }, { replace: true, state })
  }, [hash, search, state, navigate])
  return useState(hash === STATE_FRAGMENT)
}

function useSolve(document: AppDocument) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => call(askForSolve, { params: [document.id] }),
    onError: notify,
    onSettled: () => queryClient.invalidateQueries({ queryKey: [readEditorSolution.path] }),
  })
}

interface NoGeometryProps {
  summary: SolveSummary
  /** Opens the panel with the state; undefined if there is no panel. */
  onShowState: (() => void) | undefined
}

/** Shown in the 3D view of a solution without geometry. */
function NoGeometry({ summary, onShowState }: NoGeometryProps) {
  const { sentence, isGap } = describeNoGeometry(summary)
  return (
    <Stack align="center" gap="xs" p="md" maw={420}>
      <Text c="dimmed" ta="center">
        {sentence}
      </Text>
      {isGap && onShowState && (
        <Button size="xs" variant="default" className={styles.button} onClick={onShowState}>
          Show what is missing
        </Button>
      )}
    </Stack>
  )
}

const NOTHING: Observed<undefined> = { read: () => undefined, subscribe: () => () => {} }

/** Returns a preview in the form of a solution, without durations. It is shown in place of `stored`. */
function toShownSolution(preview: PreviewSummary, stored: EditorSolution | undefined): EditorSolution {
  const { nodes, messages, completeness } = preview
  return {
    id: stored?.id ?? ('preview' as SolutionId),
    solvedAt: stored?.solvedAt ?? '',
    durationMs: 0,
    creditTenths: 0,
    hasGeometry: true,
    units: stored?.units ?? 'none',
    nodes,
    messages,
    completeness,
  }
}

/** Returns the nodes whose preview is off. The set keeps its identity while its members stay the same. */
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

const VIEWS_NOT_LOADED = new ApiError(
  0,
  'The views cannot be shown: reload the page once the server answers.',
)

/** The list of named views, in a chunk of its own. */
const LazyViewsPanel = lazy(
  async (): Promise<{ default: ComponentType<ViewsPanelProps> }> =>
    import('./named-views/views-panel.tsx').then(
      ({ ViewsPanel }) => ({ default: ViewsPanel }),
      () => ({ default: () => <Failure error={VIEWS_NOT_LOADED} /> }),
    ),
)

const HISTORY_NOT_LOADED = new ApiError(
  0,
  'The history cannot be shown: reload the page once the server answers.',
)

/** The history, in a chunk of its own like the 3D view. */
const LazyHistoryPane = lazy(
  async (): Promise<{ default: ComponentType<HistoryPaneProps> }> =>
    import('./history/history-pane.tsx').then(
      ({ HistoryPane }) => ({ default: HistoryPane }),
      () => ({ default: () => <Failure error={HISTORY_NOT_LOADED} /> }),
    ),
)

/** The sizes of graph and geometry, in percent. */
const DEFAULT_SIZES = [60, 40]
const MIN_SIZE = 15

/** Two panes with a splitter that can be dragged, or moved with the arrow keys. Its position is remembered. */
function Panes({ graph, model, isStacked }: { graph: ReactNode; model: ReactNode; isStacked: boolean }) {
  const [sizes, setSizes] = useLocalStorage({
    key: 'meadow.panes',
    defaultValue: DEFAULT_SIZES,
    ...IN_FIRST_RENDER,
  })
  const isCoarse = useMediaQuery('(pointer: coarse)', undefined, IN_FIRST_RENDER)
  return (
    <Splitter
      className={styles.splitter}
      orientation={isStacked ? 'vertical' : 'horizontal'}
      sizes={sizes}
      onSizeChange={(next) => setSizes(next.map(Number))}
      lineSize={isCoarse ? 16 : 1}
      withHandle={isCoarse}
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

/** One pane over the other, which keeps its size and view while it is hidden. */
function OnePane({ graph, model, shown }: { graph: ReactNode; model: ReactNode; shown: 'graph' | 'model' }) {
  // The geometry is not loaded before it is shown.
  const [hasModel, setHasModel] = useState(shown === 'model')
  if (shown === 'model' && !hasModel) setHasModel(true)
  return (
    <>
      <div className={styles.layer} data-hidden={shown === 'model' || undefined}>
        {graph}
      </div>
      {hasModel && (
        <div className={styles.layer} data-hidden={shown === 'graph' || undefined}>
          {model}
        </div>
      )}
    </>
  )
}
