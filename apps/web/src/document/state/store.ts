import type { GraphContent, SolutionId } from '@meadow/contract'
import {
  type AppDocument,
  askForSolve,
  type CommentAnchor,
  type CommentThread,
  type EditorSolution,
  readEditorSolution,
  type SolveSummary,
  type UnsolvableNode,
} from '@meadow/contract/web'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { createContext, useCallback, useContext, useMemo, useState } from 'react'
import { call } from '../../api/call.ts'
import { queryOf } from '../../api/queries.ts'
import { NARROW, useMedia } from '../../shell/first-render.ts'
import { notify } from '../../shell/notices.tsx'
import type { LiveSession } from '../live/live-session.ts'
import { NOTHING, useObserved } from '../live/observed.ts'
import { useUnsolvable } from '../live/use-document-file.ts'
import { createDrafts, type Drafts } from '../preview/drafts.ts'
import type { PreviewController } from '../preview/preview-controller.ts'
import type { PreviewSummary } from '../preview/preview-messages.ts'
import { usePreview } from '../preview/use-preview.ts'
import type { SceneValue } from '../view/scene/scene-values.ts'
import { type DocumentHistory, useHistory } from './history-location.ts'
import { type Comments, useComments } from './use-comments.ts'
import { type Dock, useDock } from './use-dock.ts'
import { useViewState, type ViewState } from './use-view-state.ts'
import { useViews, type Views } from './use-views.ts'

/** What is selected in a graph, which part of the document it shows, and the values that are being dragged. */
export interface GraphStore {
  selectedIds: ReadonlySet<string>
  select: (nodeIds: ReadonlySet<string>) => void
  viewState: ViewState
  drafts: Drafts
}

/** Returns the store of a graph with this view state, and with nothing selected at first. */
export function useGraphStore(viewState: ViewState): GraphStore {
  const [selectedIds, select] = useState<ReadonlySet<string>>(new Set())
  const [drafts] = useState(createDrafts)
  return { selectedIds, select, viewState, drafts }
}

/** Which panes are shown. */
export type PaneChoice = 'graph' | 'both' | 'model'

/** What the editor is given. */
export interface EditorInput {
  document: AppDocument
  content: GraphContent
  /** The live session; undefined for readers of a public document. */
  live?: LiveSession | undefined
  /** The panes that a frame of another page shows at first. */
  embedded?: PaneChoice | undefined
}

/** The state of an editor, which its header, panes and panels read with {@link useEditor}. */
export interface EditorStore extends GraphStore, Solving, Panes {
  document: AppDocument
  content: GraphContent
  live: LiveSession | undefined
  mayEdit: boolean
  /** The last solution that is stored. */
  stored: EditorSolution | undefined
  /** The stored solution, or the preview in its place. */
  solution: EditorSolution | undefined
  /** Where previews come from; undefined without a live session. */
  previews: PreviewController | undefined
  /** The same while `solution` is a preview. */
  preview: PreviewController | undefined
  unsolvable: readonly UnsolvableNode[]
  /** Selects the nodes of geometry that was chosen. */
  pick: (nodeIds: readonly string[]) => void
  /** Geometry that another panel shows as chosen; another list each time. */
  highlighted: readonly SceneValue[] | undefined
  highlight: (values: readonly SceneValue[]) => void
  /** The dock with the panels; undefined in a frame of another page. */
  dock: Dock | undefined
  history: DocumentHistory
  views: Views
  /** The comments; undefined for readers who are not members of the team. */
  comments: Comments | undefined
  /** The same while there are pins to show. */
  pinned: Comments | undefined
  /** Shows what a thread is about, in the graph or in the geometry. */
  reveal: (thread: CommentThread) => void
  /** The thread whose point the camera turns to; another object each time. */
  revealed: { thread: CommentThread } | undefined
}

export const EditorContext = createContext<EditorStore | undefined>(undefined)

export function useEditor(): EditorStore {
  const store = useContext(EditorContext)
  if (!store) throw new Error('useEditor needs an EditorContext.')
  return store
}

/** Returns the store of an editor. */
export function useEditorStore({ document, content, live, embedded }: EditorInput): EditorStore {
  const solving = useSolving(document, live)
  const { stored } = solving
  const panes = usePanes(embedded)
  const [highlighted, highlight] = useState<readonly SceneValue[]>()
  const history = useHistory(document.role !== null && embedded === undefined)
  const comments = useComments(document)
  const dock = useDock(history, comments)
  const ownState = useViewState()
  const views = useViews({
    ...{ document, viewState: ownState, isLive: live !== undefined, show: panes.showPane },
    isOpen: dock.tab === 'views',
  })
  const viewState = useMemo(() => ({ ...ownState, follow: views.graph }), [ownState, views.graph])
  const graph = useGraphStore(viewState)
  const previews = usePreview(live, graph.drafts, {
    content,
    solution: stored,
    selectedIds: graph.selectedIds,
  })
  const summary = useObserved(previews?.summary ?? NOTHING)
  const solution = useMemo(() => (summary ? toShownSolution(summary, stored) : stored), [summary, stored])
  const unsolvable = useUnsolvable(document.id, stored?.id)
  const pick = usePick(graph)
  const revealing = useReveal(content, viewState, panes.showPane)
  const hasPins = comments && (comments.isAnchoring || comments.anchor || (comments.threads?.length ?? 0) > 0)
  return {
    ...graph,
    ...solving,
    ...panes,
    ...revealing,
    ...{
      document,
      content,
      live,
      highlighted,
      highlight,
      history,
      comments,
      views,
      solution,
      previews,
      unsolvable,
      pick,
    },
    mayEdit: live?.mayEdit ?? false,
    dock: embedded === undefined ? dock : undefined,
    preview: summary && previews,
    pinned: hasPins ? comments : undefined,
  }
}

/** Returns what selects the nodes of geometry. They are nodes of the document, so the canvas leaves a cluster. */
function usePick({ select, viewState: { clusterIds, go } }: GraphStore) {
  const isInCluster = clusterIds.length > 0
  return useCallback(
    (nodeIds: readonly string[]) => {
      select(new Set(nodeIds))
      if (isInCluster && nodeIds.length > 0) go({ clusterIds: [], nodeIds })
    },
    [isInCluster, go, select],
  )
}

function useReveal(content: GraphContent, { go }: ViewState, showPane: Panes['showPane']) {
  const [revealed, setRevealed] = useState<{ thread: CommentThread }>()
  const reveal = (thread: CommentThread) => {
    const isPoint = thread.anchor.kind === 'point'
    const nodeIds = listAnchorNodes(thread.anchor, content)
    if (nodeIds.length > 0) go({ clusterIds: [], nodeIds })
    if (isPoint) showPane('model')
    else if (nodeIds.length > 0) showPane('graph')
    if (isPoint) setRevealed({ thread })
  }
  return { revealed, reveal }
}

/** Returns the nodes that a thread is about. For a group, these are all of its nodes that exist. */
function listAnchorNodes(anchor: CommentAnchor, { nodes, groups }: GraphContent): string[] {
  if (anchor.kind === 'node') return Object.hasOwn(nodes, anchor.node) ? [anchor.node] : []
  if (anchor.kind !== 'group') return []
  const group = groups.find(({ id }) => id === anchor.group)
  return (group?.nodeInstanceIds ?? []).filter((id) => Object.hasOwn(nodes, id))
}

interface Solving {
  stored: EditorSolution | undefined
  summary: SolveSummary
  /** Why the last solve failed. */
  reason: string | null
  /** Asks for a solve; undefined for readers who may not. */
  solve: { ask: () => void; isOff: boolean; isPending: boolean } | undefined
}

function useSolving(document: AppDocument, live: LiveSession | undefined): Solving {
  const query = useQuery({
    ...queryOf(readEditorSolution, { params: [document.id] }),
    // The live connection invalidates the query after a solve; without one, the solution is polled.
    refetchInterval: live ? false : 15_000,
    staleTime: 1000,
  })
  const queryClient = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: () => call(askForSolve, { params: [document.id] }),
    onError: notify,
    onSettled: () => queryClient.invalidateQueries({ queryKey: [readEditorSolution.path] }),
  })
  const stored = query.data?.solution ?? undefined
  const summary = query.data ? toSummary(query.data.solve, stored) : document
  const isOff = summary.solve === 'queued' || summary.solve === 'running'
  return {
    stored,
    summary,
    reason: query.data?.reason ?? null,
    solve: live?.mayEdit ? { ask: () => mutate(), isOff, isPending } : undefined,
  }
}

/** The state of the last solve, with the completeness of its own solution only. */
const toSummary = (solve: SolveSummary['solve'], solution: EditorSolution | undefined): SolveSummary => ({
  solve,
  completeness: solve === 'solved' ? (solution?.completeness ?? null) : null,
})

interface Panes {
  panes: PaneChoice
  setPanes: (panes: PaneChoice) => void
  /** Shows a pane beside the other, or in its place on a phone. */
  showPane: (pane: 'graph' | 'model') => void
  isNarrow: boolean
}

function usePanes(embedded: PaneChoice | undefined): Panes {
  const isNarrow = useMedia(NARROW)
  const [panes, setPanes] = useState<PaneChoice>(embedded ?? (isNarrow ? 'graph' : 'both'))
  const showPane = (pane: 'graph' | 'model') => {
    if (panes !== 'both' && panes !== pane) setPanes(isNarrow ? pane : 'both')
  }
  return { panes, setPanes, showPane, isNarrow }
}

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
