import { ReactFlowProvider } from '@xyflow/react'
import type { ReactNode } from 'react'
import { lazyPart, notLoaded } from '../shell/lazy-part.tsx'
import { Docked } from './dock/dock.tsx'
import { DocumentHeader } from './header/document-header.tsx'
import { EmbedLine } from './header/embed-line.tsx'
import { useKeys } from './keys/use-keys.ts'
import { ArrangedPanes } from './panes/arrange-panes.tsx'
import { GraphSection } from './panes/graph-section.tsx'
import { ModelSection } from './panes/model-section.tsx'
import styles from './panes/panes.module.css'
import { ShownUses } from './panes/shown-uses.tsx'
import { EditorContext, type EditorInput, useEditor, useEditorStore } from './state/store.ts'

const LazyShownVersion = lazyPart(
  () => import('./history/shown-version.tsx'),
  'ShownVersion',
  notLoaded('The version'),
)

interface EditorProps extends EditorInput {
  /** Shown below the header. */
  notices?: ReactNode
}

/** The graph of a document beside the geometry of its solution. In a frame, a line takes the place of the header. */
export function Editor({ notices, ...input }: EditorProps) {
  const store = useEditorStore(input)
  const { live, dock } = store
  useKeys({ undo: () => live?.undo(), redo: () => live?.redo() })
  return (
    <EditorContext value={store}>
      <ReactFlowProvider>
        <div className={styles.page}>
          {dock ? <DocumentHeader dock={dock} /> : <EmbedLine />}
          {notices}
          {dock && <ShownUses />}
          <main className={styles.panes}>
            <Docked>
              <Panes />
            </Docked>
          </main>
        </div>
      </ReactFlowProvider>
    </EditorContext>
  )
}

/** The document as it is now, or one of its versions in its place. */
function Panes() {
  const { versionId, withId } = useEditor().history.location ?? {}
  if (versionId !== undefined) return <LazyShownVersion key={versionId} {...{ versionId, withId }} />
  return <ArrangedPanes graph={<GraphSection />} model={<ModelSection />} />
}
