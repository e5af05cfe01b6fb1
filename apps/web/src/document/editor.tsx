import { ReactFlowProvider } from '@xyflow/react'
import type { ReactNode } from 'react'
import { lazyPart, notLoaded } from '../shell/lazy-part.tsx'
import { LazyCommentsPanel } from './comments/lazy-comments.tsx'
import { DocumentHeader } from './header/document-header.tsx'
import { EmbedLine } from './header/embed-line.tsx'
import { useKeys } from './keys/use-keys.ts'
import { ArrangedPanes } from './panes/arrange-panes.tsx'
import { GraphSection } from './panes/graph-section.tsx'
import { ModelSection } from './panes/model-section.tsx'
import styles from './panes/panes.module.css'
import { ShownUses } from './panes/shown-uses.tsx'
import { LazyPlayerPanel } from './player-panel/lazy-player-panel.tsx'
import { EditorContext, type EditorInput, useEditor, useEditorStore } from './state/store.ts'

const LazyViewsPanel = lazyPart(
  () => import('./named-views/views-panel.tsx'),
  'ViewsPanel',
  notLoaded('The views'),
)

const LazyHistoryPane = lazyPart(
  () => import('./history/history-pane.tsx'),
  'HistoryPane',
  notLoaded('The history'),
)

interface EditorProps extends EditorInput {
  /** Shown below the header. */
  notices?: ReactNode
}

/** The graph of a document beside the geometry of its solution. In a frame, a line takes the place of the header. */
export function Editor({ notices, ...input }: EditorProps) {
  const store = useEditorStore(input)
  const { live, mayEdit, isEmbedded } = store
  useKeys([
    ['mod+z', () => live?.undo()],
    ['mod+shift+z', () => live?.redo()],
    ['mod+y', () => live?.redo()],
  ])
  return (
    <EditorContext value={store}>
      <ReactFlowProvider>
        <div className={styles.page}>
          {isEmbedded ? <EmbedLine /> : <DocumentHeader />}
          {mayEdit && <LazyPlayerPanel />}
          {notices}
          {!isEmbedded && <ShownUses />}
          <main className={styles.panes}>
            <Panes />
          </main>
        </div>
      </ReactFlowProvider>
    </EditorContext>
  )
}

/** The panes of the document, with the history or another panel beside them. */
function Panes() {
  const { document, history, comments, views, isEmbedded } = useEditor()
  const panes = <ArrangedPanes graph={<GraphSection />} model={<ModelSection />} />
  if (history.location && document.role)
    return <LazyHistoryPane location={history.location}>{panes}</LazyHistoryPane>
  return (
    <div className={styles.commented}>
      <div className={styles.shown}>{panes}</div>
      {comments?.isOpen && !isEmbedded && <LazyCommentsPanel comments={comments} />}
      {views.isOpen && !comments?.isOpen && !isEmbedded && <LazyViewsPanel />}
    </div>
  )
}
