import { useComputedColorScheme } from '@mantine/core'
import type { GraphContent } from '@meadow/contract'
import { ReactFlowProvider, ViewportPortal } from '@xyflow/react'
import { memo, useMemo, useState } from 'react'
import { GraphCanvas } from '../graph/canvas/graph-canvas.tsx'
import { type Paint, Picture } from '../graph/canvas/picture.tsx'
import { useRovingFocus } from '../graph/canvas/use-roving-focus.ts'
import { useRenderedView } from '../graph/canvas/viewport.ts'
import { listGroupBoxes } from '../graph/layout/groups.ts'
import { listWires } from '../graph/layout/wires.ts'
import { GraphContext, type GraphContextValue } from '../graph/nodes/graph-context.ts'
import { createDrafts } from '../preview/drafts.ts'
import styles from './diff-view.module.css'
import type { Marks } from './list-marks.ts'
import type { ChangeLocation, Side } from './locate-change.ts'
import { paintMarksAbove, paintMarksBelow, wireKey } from './paint-marks.ts'
import { SyncedCanvas, type SyncedViews } from './synced-views.ts'

interface DiffCanvasProps {
  side: Side
  content: GraphContent
  /** The nodes of both documents: both canvases begin with the same part of them. */
  extent: Pick<GraphContent, 'nodes'>
  marks: Marks
  /** The location of the chosen change in this graph. */
  chosen: ChangeLocation | undefined
  views: SyncedViews
  /** Called with the nodes that were clicked, or are in a group or box that was. */
  onNodes: (nodeIds: readonly string[]) => void
  onOpenCluster: (nodeId: string) => void
}

/** One of two graphs that are compared: the canvas of the editor, read-only, with marks at what differs. */
export function DiffCanvas(props: DiffCanvasProps) {
  const [drafts] = useState(createDrafts)
  const context = useMemo<GraphContextValue>(
    () => ({
      ...NO_CONTEXT,
      drafts,
      openCluster: props.onOpenCluster,
    }),
    [drafts, props.onOpenCluster],
  )
  return (
    <ReactFlowProvider>
      <GraphContext value={context}>
        <Canvas {...props} />
      </GraphContext>
    </ReactFlowProvider>
  )
}

function Canvas({ side, content, extent, marks, chosen, views, onNodes, onOpenCluster }: DiffCanvasProps) {
  const roving = useRovingFocus(content)
  const open = (nodeId: string) => {
    if (content.nodes[nodeId]?.state?.kind === 'cluster') onOpenCluster(nodeId)
    else onNodes([nodeId])
  }
  return (
    <GraphCanvas
      document={NOT_REMEMBERED}
      content={content}
      extent={extent}
      hasMap={side === 'after'}
      isReadOnly
      selectedIds={NONE}
      selectedWires={NONE}
      onSelect={(ids) => onNodes([...ids])}
      onSelectWires={nothing}
      onDropped={nothing}
      onDragged={nothing}
      onWire={nothing}
      onOpenPalette={nothing}
      onMenu={nothing}
      onOpen={open}
      onInspect={open}
      onPointer={nothing}
      roving={roving}
    >
      <SyncedCanvas side={side} views={views} />
      <MarksLayer content={content} marks={marks} chosen={chosen} />
    </GraphCanvas>
  )
}

const MarksLayer = memo(function MarksLayer({
  content,
  marks,
  chosen,
}: Pick<DiffCanvasProps, 'content' | 'marks' | 'chosen'>) {
  const view = useRenderedView()
  const scheme = useComputedColorScheme('light')
  const graph = useMemo(
    () => ({
      nodes: content.nodes,
      groups: listGroupBoxes(content),
      wires: new Map(listWires(content.nodes).map((wire) => [wireKey(wire), wire])),
    }),
    [content],
  )
  const zoom = view?.zoom ?? 1
  const [below, above] = useMemo(
    () =>
      [paintMarksBelow, paintMarksAbove].map(
        (paint): Paint =>
          (context, area) => {
            const { fontFamily } = getComputedStyle(context.canvas)
            paint(context, { ...graph, marks, chosen }, { scheme, area, zoom, fontFamily })
            return NO_STEPS[Symbol.iterator]()
          },
      ),
    [graph, marks, chosen, scheme, zoom],
  )
  if (!view) return null
  return (
    <ViewportPortal>
      <div
        data-marked-nodes={marks.nodes.size}
        data-marked-wires={marks.wires.length}
        data-chosen={chosen?.nodeIds.join(' ')}
      >
        <Picture area={view.area} zoom={view.zoom} paint={below!} />
        <Picture area={view.area} zoom={view.zoom} paint={above!} className={styles.marks} />
      </div>
    </ViewportPortal>
  )
})

const NO_STEPS: readonly never[] = []
const NONE: ReadonlySet<string> = new Set()
const NOT_REMEMBERED = { id: undefined, view: null }
function nothing(): void {}

const NO_CONTEXT: Omit<GraphContextValue, 'drafts'> = {
  documentId: '',
  teamId: undefined,
  doc: undefined,
  origin: undefined,
  solution: undefined,
  preview: undefined,
  messages: new Map(),
  pinnedIds: new Set(),
  edit: nothing,
  openDialog: nothing,
  openCluster: nothing,
  goTo: () => undefined,
  addressOf: () => '',
  isInCluster: true,
  showValues: undefined,
  showsIcons: false,
  showPort: nothing,
  closePort: nothing,
}
