import '@xyflow/react/dist/base.css'
import type { GraphContent } from '@meadow/contract'
import type { Wire } from '@meadow/document/live'
import { IconMaximize } from '@tabler/icons-react'
import {
  type Connection,
  ControlButton,
  Controls,
  ReactFlow,
  useReactFlow,
  ViewportPortal,
} from '@xyflow/react'
import { type MouseEvent, type ReactNode, useCallback, useMemo, useRef } from 'react'
import type { Drag, Positions } from '../layout/drag.ts'
import type { FlowNode } from '../layout/flow-nodes.ts'
import { rectangleOf } from '../layout/rectangle.ts'
import { findWireAt, listWires, wouldCloseCycle } from '../layout/wires.ts'
import { NODE_TYPES } from '../nodes/node-types.ts'
import styles from './graph-canvas.module.css'
import { GraphPicture } from './graph-picture.tsx'
import { GroupLayer } from './group-layer.tsx'
import { useBoxSelection } from './use-box-selection.ts'
import { useFlowNodes } from './use-flow-nodes.ts'
import type { RovingFocus } from './use-roving-focus.ts'
import { FAR, MIN_ZOOM, type RenderedView, useFit, useRenderedView } from './viewport.ts'

/** Graphs with more nodes are painted when they are zoomed out too far to be read. */
const MAX_FAR_ELEMENTS = 150
/** The distance at which a click selects a wire, in CSS pixels. */
const WIRE_REACH = 7
const MOUSE_MIDDLE_AND_RIGHT = [1, 2]

/** How a new wire changes the wires of its input, as in Grasshopper: without a modifier key it replaces them. */
export type WireMode = 'replace' | 'add' | 'remove'

/** A point of the canvas, in both coordinate systems. */
export interface CanvasPoint {
  /** In canvas units. */
  canvas: { x: number; y: number }
  /** In CSS pixels of the window. */
  screen: { x: number; y: number }
}

interface GraphCanvasProps {
  content: GraphContent
  isReadOnly: boolean
  selectedIds: ReadonlySet<string>
  onSelect: (ids: ReadonlySet<string>) => void
  /** By the ids of `listWires`. */
  selectedWires: ReadonlySet<string>
  onSelectWires: (ids: ReadonlySet<string>) => void
  /** Called after a drag: `isCopy` (Alt) leaves the nodes and drops copies of them. */
  onDropped: (drag: Drag, isCopy: boolean) => void
  onDragged: (positions: Positions | undefined) => void
  onWire: (wire: Wire, mode: WireMode) => void
  onOpenPalette: (point: CanvasPoint) => void
  onMenu: (point: CanvasPoint, nodeId: string | undefined) => void
  onPointer: (position: CanvasPoint['canvas'] | undefined) => void
  roving: RovingFocus
  /** Further layers of the canvas. */
  children?: ReactNode
}

/** Renders a graph and reports what the user does with it. */
export function GraphCanvas(props: GraphCanvasProps) {
  const {
    content,
    isReadOnly,
    selectedIds,
    selectedWires,
    onSelect,
    onWire,
    onOpenPalette,
    onMenu,
    onPointer,
    roving,
  } = props
  const view = useRenderedView()
  const isFar = view !== undefined && view.zoom < FAR
  const isPainted = isFar && Object.keys(content.nodes).length > MAX_FAR_ELEMENTS
  const isCopy = useRef(false)
  const { onDropped } = props
  const onDrop = useCallback((drag: Drag) => onDropped(drag, isCopy.current), [onDropped])
  const { nodes, onNodesChange, drag, move, drop, setHoveredId } = useFlowNodes(
    { ...props, onDropped: onDrop, tabbableId: roving.nodeId },
    view,
    isPainted,
  )
  const wires = useMemo(() => listWires(content.nodes), [content.nodes])
  useBoxSelection(content, selectedIds, onSelect)
  const fit = useFit(content)
  const { screenToFlowPosition, getZoom } = useReactFlow()
  const mode = useRef<WireMode>('replace')
  const frame = useRef<HTMLDivElement>(null)
  const pointOf = ({ clientX: x, clientY: y }: Pick<MouseEvent, 'clientX' | 'clientY'>): CanvasPoint => ({
    canvas: screenToFlowPosition({ x, y }),
    screen: { x, y },
  })
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys and the menu do the same as a double click.
    <div
      ref={frame}
      className={styles.canvas}
      data-far={isFar || undefined}
      {...roving.handlers}
      onPointerMove={(event) => {
        const position = pointOf(event).canvas
        onPointer(position)
        if (isPainted && event.buttons === 0) setHoveredId(findNodeAt(content, position)?.instanceId)
      }}
      onPointerLeave={() => onPointer(undefined)}
      // Captured before React Flow handles it, whose callbacks do not report modifier keys.
      onPointerUpCapture={({ shiftKey, ctrlKey, metaKey, altKey }) => {
        isCopy.current = altKey
        mode.current = shiftKey ? 'add' : ctrlKey || metaKey ? 'remove' : 'replace'
      }}
      onKeyDown={({ key, target }) => {
        if (key === 'Enter' && target instanceof Element && target.matches('.react-flow__node'))
          startEdit(target)
      }}
      onDoubleClick={(event) => {
        if (!isReadOnly && isPane(event.target)) onOpenPalette(pointOf(event))
      }}
    >
      <ReactFlow<FlowNode>
        nodes={nodes}
        nodeTypes={NODE_TYPES}
        onNodesChange={onNodesChange}
        onConnect={(connection) => onWire(toWire(connection), mode.current)}
        isValidConnection={({ source, target }) => !wouldCloseCycle(content.nodes, source, target)}
        onPaneClick={(event) => {
          const wire = findWireAt(wires, pointOf(event).canvas, WIRE_REACH / getZoom())
          const others = event.shiftKey ? selectedWires : []
          if (!event.shiftKey) onSelect(new Set())
          props.onSelectWires(new Set(wire ? [...others, wire.id] : others))
        }}
        onNodeContextMenu={(event, node) => {
          event.preventDefault()
          onMenu(pointOf(event), node.id)
        }}
        onPaneContextMenu={(event) => {
          event.preventDefault()
          onMenu(pointOf(event), undefined)
        }}
        // Not in React's state: the canvas would render again.
        onMoveStart={() => frame.current?.setAttribute('data-moving', '')}
        onMoveEnd={() => frame.current?.removeAttribute('data-moving')}
        nodesConnectable={!isReadOnly}
        deleteKeyCode={null}
        multiSelectionKeyCode="Shift"
        selectionKeyCode={null}
        selectionOnDrag
        panOnDrag={MOUSE_MIDDLE_AND_RIGHT}
        zoomOnDoubleClick={false}
        minZoom={MIN_ZOOM}
        maxZoom={3}
        elevateNodesOnSelect={false}
        connectionRadius={24}
      >
        <Controls showInteractive={false} showFitView={false}>
          <ControlButton onClick={fit} aria-label="Fit the graph" title="Fit the graph">
            <IconMaximize aria-hidden />
          </ControlButton>
        </Controls>
        {view && <GridLayer view={view} />}
        <GroupLayer
          content={content}
          drag={drag}
          isReadOnly={isReadOnly}
          onSelect={(ids, isAdded) => onSelect(new Set(isAdded ? [...selectedIds, ...ids] : ids))}
          onMenu={(event, ids) => {
            onSelect(new Set(ids))
            onMenu(pointOf(event), undefined)
          }}
          onDrag={move}
          onDrop={drop}
        />
        {view && (
          <GraphPicture
            nodes={content.nodes}
            wires={wires}
            view={view}
            drag={drag}
            isPainted={isPainted}
            selectedIds={selectedIds}
            selectedWires={selectedWires}
          />
        )}
        {props.children}
      </ReactFlow>
    </div>
  )
}

/** The distance of two grid lines, in canvas units. */
const GRID_GAP = 100

/** The grid. An element of the viewport, so that nothing is painted again while the canvas moves. */
function GridLayer({ view: { area, zoom } }: { view: RenderedView }) {
  const [left, top] = [
    Math.floor(area.left / GRID_GAP) * GRID_GAP,
    Math.floor(area.top / GRID_GAP) * GRID_GAP,
  ]
  return (
    <ViewportPortal>
      <div
        className={styles.grid}
        style={{
          left,
          top,
          width: area.right - left,
          height: area.bottom - top,
          backgroundSize: `${GRID_GAP}px ${GRID_GAP}px`,
          ['--line' as string]: `${1 / zoom}px`,
        }}
      />
    </ViewportPortal>
  )
}

/** Focuses the slider, toggle or list of a node, or opens the text of its panel. */
function startEdit(node: Element): void {
  const editor = node.querySelector<HTMLElement>('input, select, button, [data-edit]')
  if (editor?.matches('[data-edit]')) editor.dispatchEvent(new MouseEvent('dblclick', { bubbles: true }))
  else editor?.focus()
}

const isPane = (target: EventTarget) =>
  target instanceof Element && target.classList.contains('react-flow__pane')

function toWire({ source, sourceHandle, target, targetHandle }: Connection): Wire {
  return {
    from: { nodeInstanceId: source, portInstanceId: sourceHandle ?? '' },
    to: { nodeInstanceId: target, portInstanceId: targetHandle ?? '' },
  }
}

/** The topmost node at a position. */
const findNodeAt = ({ nodes }: GraphContent, { x, y }: CanvasPoint['canvas']) =>
  Object.values(nodes).findLast((node) => {
    const { left, top, right, bottom } = rectangleOf(node)
    return x >= left && x <= right && y >= top && y <= bottom
  })
