import type { GraphContent } from '@meadow/contract'
import type { EditorSolution } from '@meadow/contract/web'
import { useQuery } from '@tanstack/react-query'
import { ControlButton } from '@xyflow/react'
import { type ReactNode, useContext, useEffect, useState } from 'react'
import { paletteQuery } from '../../api/palette-query.ts'
import { useRemembered } from '../../shell/first-render.ts'
import { IconIcons, IconListTree } from '../../shell/icons.ts'
import { lazyPart, notLoaded } from '../../shell/lazy-part.tsx'
import type { LiveSession } from '../live/live-session.ts'
import type { PreviewController } from '../preview/preview-controller.ts'
import { EditorContext, type GraphStore } from '../state/store.ts'
import type { ValueLocation } from '../values/value-table.tsx'
import styles from './canvas/graph-canvas.module.css'
import { GraphCanvas, type ShownGraph } from './canvas/graph-canvas.tsx'
import { OthersLayer } from './canvas/others-layer.tsx'
import { EmptyNote, GraphNotices, GraphSearches } from './graph-overlays.tsx'
import { GraphContext } from './nodes/graph-context.ts'
import { type Insertion, useInsertion } from './palette/use-insertion.ts'
import { type HoveredPort, useHover } from './panels/use-hover.ts'
import { useNodeCard } from './panels/use-node-card.ts'
import { usePanels } from './panels/use-panels.ts'
import { useCanvas } from './use-canvas.ts'
import { useEdit, useGraphContext } from './use-graph-context.ts'

interface GraphPaneProps {
  document: ShownGraph & { id: string }
  /** The id of the team; undefined for readers who are not its members. */
  teamId: string | undefined
  content: GraphContent
  live?: LiveSession | undefined
  /** The stored solution, or the preview in its place. */
  solution: EditorSolution | undefined
  /** The preview, where `solution` is one. */
  preview?: PreviewController | undefined
  store: GraphStore
  /** Shows geometry in the 3D view, where there is one; undefined where values have no table. */
  onHighlight?: ((values: readonly ValueLocation[]) => void) | undefined
  /** Further layers of the canvas. */
  children?: ReactNode
}

/** The graph of a document: the canvas with its palette, menus and dialogs. Turns what the canvas reports into edits. */
export function GraphPane(props: GraphPaneProps) {
  const { document, teamId, content, live, store, onHighlight, children } = props
  const doc = live?.mayEdit ? live.doc : undefined
  const origin = live?.origin
  const [panels, show] = usePanels()
  const hover = useHover<HoveredPort>()
  const card = useNodeCard()
  const [showsIcons, setShowsIcons] = useIcons()
  const isUsed = useIsUsed()
  // The palette is requested before it is needed, so that nodes can be added without a connection.
  useQuery({ ...paletteQuery, enabled: doc !== undefined && isUsed })
  const { edit, problem, setProblem } = useEdit(doc)
  const insertion = useInsertion({
    documentId: document.id,
    ...{ content, doc, origin, edit, onSelect: store.select },
    fail: setProblem,
  })
  const context = useGraphContext({
    ...{ documentId: document.id, teamId, content, doc, origin, edit, store, show, hover, showsIcons },
    ...{ solution: props.solution, preview: props.preview, listsValues: onHighlight !== undefined },
  })
  const dock = useContext(EditorContext)?.dock
  const inspect = (inspectedId: string) => {
    store.select(new Set([inspectedId]))
    if (dock) dock.open('properties')
    else show({ inspectedId })
  }
  const canvas = useCanvas({ content, live, store, context, show, inspect, hover, insertion })
  return (
    <GraphContext value={context}>
      <div className={styles.docked}>
        {insertion.isDockOpen && (
          <LazyComponentDock
            recent={insertion.recent}
            takesFocus={insertion.takesFocus}
            teamId={teamId}
            onInsert={insertion.insert}
            close={insertion.toggleDock}
          />
        )}
        <div ref={insertion.stage} className={styles.stage} {...card.handlers} {...insertion.drops}>
          <GraphCanvas
            {...canvas}
            document={document}
            controls={
              <>
                {doc && <DockButton insertion={insertion} />}
                <IconsButton isPressed={showsIcons} onClick={() => setShowsIcons(!showsIcons)} />
              </>
            }
          >
            {live && <OthersLayer live={live} nodes={content.nodes} />}
            {children}
          </GraphCanvas>
          {Object.keys(content.nodes).length === 0 && !panels.paletteAt && <EmptyNote mayEdit={!!doc} />}
          {isUsed && (
            <LazyGraphPanels
              {...{ content, store, panels, show, inspect, hover, insertion, onHighlight }}
              card={card.shown}
            />
          )}
          <GraphSearches {...{ content, store, panels, show, insertion }} focus={canvas.roving.go} />
          <GraphNotices
            {...{ insertion, problem, undo: live?.undo }}
            closeProblem={() => setProblem(undefined)}
          />
        </div>
      </div>
      {(dock ? dock.place : panels.inspectedId) && (
        <LazyProperties
          {...{ content, store, dock, inspectedId: panels.inspectedId }}
          close={() => show({ inspectedId: undefined })}
        />
      )}
    </GraphContext>
  )
}

/**
 * Whether somebody has moved the pointer over the page, touched it or pressed a key. What only they open is loaded then, not
 * before the graph is shown.
 */
function useIsUsed(): boolean {
  const [isUsed, setIsUsed] = useState(false)
  useEffect(() => {
    const stop = new AbortController()
    for (const event of ['pointermove', 'pointerdown', 'keydown'])
      addEventListener(event, () => setIsUsed(true), { capture: true, once: true, signal: stop.signal })
    return () => stop.abort()
  }, [])
  return isUsed
}

/** Whether components show icons in place of their names, as this browser remembers. */
function useIcons(): [boolean, (showsIcons: boolean) => void] {
  const [labels, setLabels] = useRemembered<'names' | 'icons'>('meadow.labels', 'names')
  return [labels === 'icons', (showsIcons) => setLabels(showsIcons ? 'icons' : 'names')]
}

const DockButton = ({ insertion }: { insertion: Insertion }) => (
  <ControlButton
    onClick={insertion.toggleDock}
    aria-label="Components"
    aria-expanded={insertion.isDockOpen}
    data-opens-components
    title="Components"
  >
    <IconListTree aria-hidden />
  </ControlButton>
)

const IconsButton = ({ isPressed, onClick }: { isPressed: boolean; onClick: () => void }) => (
  <ControlButton
    onClick={onClick}
    aria-label="Icons in place of names"
    aria-pressed={isPressed}
    title="Icons in place of names"
  >
    <IconIcons aria-hidden />
  </ControlButton>
)

const LazyGraphPanels = lazyPart(
  () => import('./graph-panels.tsx'),
  'GraphPanels',
  notLoaded('The menus of the graph'),
)

const LazyProperties = lazyPart(
  () => import('./properties/node-properties.tsx'),
  'Properties',
  notLoaded('The properties'),
)

const LazyComponentDock = lazyPart(
  () => import('./palette/component-dock.tsx'),
  'ComponentDock',
  notLoaded('The components'),
)
