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
import { type Drag, type FlowNode, wouldCloseCycle } from '../layout/flow-nodes.ts'
import { rectangleOf } from '../layout/rectangle.ts'
import { findWireAt, listWires } from '../layout/wires.ts'
import { NODE_TYPES } from '../nodes/node-types.ts'
import styles from './graph-canvas.module.css'
import { GraphPicture } from './graph-picture.tsx'
import { GroupLayer } from './group-layer.tsx'
import { useBoxSelection } from './use-box-selection.ts'
import { type Positions, useFlowNodes } from './use-flow-nodes.ts'
import type { RovingFocus } from './use-roving-focus.ts'
import { FAR, type RenderedView, SMALLEST_ZOOM, useFit, useRenderedView } from './viewport.ts'

/** More nodes than these are painted where they are too small to be read. */
const MANY = 150
/** How close to a wire a click must be, in CSS pixels. */
const WIRE_REACH = 7
const MOUSE_MIDDLE_AND_RIGHT = [1, 2]

/** What a new wire does to those that its input has: a plain one takes their place. As in Grasshopper. */
export type WireMode = 'replace' | 'add' | 'remove'

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
  /** With Alt, copies are to be put there, and what was dragged stays. */
  onDropped: (drag: Drag, isCopy: boolean) => void
  onDragged: (positions: Positions | undefined) => void
  onWire: (wire: Wire, mode: WireMode) => void
  /** Asked for something new at this place. */
  onOpenPalette: (place: CanvasPoint) => void
  onMenu: (place: CanvasPoint, nodeId: string | undefined) => void
  onPointer: (at: CanvasPoint['canvas'] | undefined) => void
  roving: RovingFocus
  /** What lies on the canvas beside nodes and wires. */
  children?: ReactNode
}

/** The graph of a document. It shows and reports; what is reported is for others to do. */
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
  const cover = useRenderedView()
  const isFar = cover !== undefined && cover.zoom < FAR
  const isPainted = isFar && Object.keys(content.nodes).length > MANY
  const isCopy = useRef(false)
  const { onDropped } = props
  const dropped = useCallback((drag: Drag) => onDropped(drag, isCopy.current), [onDropped])
  const { nodes, onNodesChange, drag, move, drop, setHand } = useFlowNodes(
    { ...props, onDropped: dropped, tabbableId: roving.nodeId },
    cover,
    isPainted,
  )
  const wires = useMemo(() => listWires(content.nodes), [content.nodes])
  useBoxSelection(content, selectedIds, onSelect)
  const fit = useFit(content)
  const { screenToFlowPosition, getZoom } = useReactFlow()
  const mode = useRef<WireMode>('replace')
  const frame = useRef<HTMLDivElement>(null)
  const placeOf = ({ clientX: x, clientY: y }: Pick<MouseEvent, 'clientX' | 'clientY'>): CanvasPoint => ({
    canvas: screenToFlowPosition({ x, y }),
    screen: { x, y },
  })
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys and the menu do the same as the double click.
    <div
      ref={frame}
      className={styles.canvas}
      data-far={isFar || undefined}
      {...roving.handlers}
      onPointerMove={(event) => {
        const place = placeOf(event).canvas
        onPointer(place)
        if (isPainted && event.buttons === 0) setHand(findNodeAt(content, place)?.instanceId)
      }}
      onPointerLeave={() => onPointer(undefined)}
      // Before the canvas hears of it, which tells of a new wire or place without the keys.
      onPointerUpCapture={({ shiftKey, ctrlKey, metaKey, altKey }) => {
        isCopy.current = altKey
        mode.current = shiftKey ? 'add' : ctrlKey || metaKey ? 'remove' : 'replace'
      }}
      onKeyDown={({ key, target }) => {
        if (key === 'Enter' && target instanceof Element && target.matches('.react-flow__node'))
          startEdit(target)
      }}
      onDoubleClick={(event) => {
        if (!isReadOnly && isPane(event.target)) onOpenPalette(placeOf(event))
      }}
    >
      <ReactFlow<FlowNode>
        nodes={nodes}
        nodeTypes={NODE_TYPES}
        onNodesChange={onNodesChange}
        onConnect={(connection) => onWire(toWire(connection), mode.current)}
        isValidConnection={({ source, target }) => !wouldCloseCycle(content.nodes, source, target)}
        onPaneClick={(event) => {
          const wire = findWireAt(wires, placeOf(event).canvas, WIRE_REACH / getZoom())
          const kept = event.shiftKey ? selectedWires : []
          if (!event.shiftKey) onSelect(new Set())
          props.onSelectWires(new Set(wire ? [...kept, wire.id] : kept))
        }}
        onNodeContextMenu={(event, node) => {
          event.preventDefault()
          onMenu(placeOf(event), node.id)
        }}
        onPaneContextMenu={(event) => {
          event.preventDefault()
          onMenu(placeOf(event), undefined)
        }}
        // Past React, which would draw the canvas again.
        onMoveStart={() => frame.current?.setAttribute('data-moving', '')}
        onMoveEnd={() => frame.current?.removeAttribute('data-moving')}
        nodesConnectable={!isReadOnly}
        deleteKeyCode={null}
        multiSelectionKeyCode="Shift"
        selectionKeyCode={null}
        selectionOnDrag
        panOnDrag={MOUSE_MIDDLE_AND_RIGHT}
        zoomOnDoubleClick={false}
        minZoom={SMALLEST_ZOOM}
        maxZoom={3}
        elevateNodesOnSelect={false}
        connectionRadius={24}
      >
        <Controls showInteractive={false} showFitView={false}>
          <ControlButton onClick={fit} aria-label="Fit the graph" title="Fit the graph">
            <IconMaximize aria-hidden />
          </ControlButton>
        </Controls>
        {cover && <GridLayer cover={cover} />}
        <GroupLayer
          content={content}
          drag={drag}
          isReadOnly={isReadOnly}
          onSelect={(ids, isAdded) => onSelect(new Set(isAdded ? [...selectedIds, ...ids] : ids))}
          onMenu={(event, ids) => {
            onSelect(new Set(ids))
            onMenu(placeOf(event), undefined)
          }}
          onDrag={move}
          onDrop={drop}
        />
        {cover && (
          <GraphPicture
            nodes={content.nodes}
            wires={wires}
            cover={cover}
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

/** Goes into a node: to its slider, switch or list, or into the text of its panel. */
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

/** What lies on top there. */
const findNodeAt = ({ nodes }: GraphContent, { x, y }: CanvasPoint['canvas']) =>
  Object.values(nodes).findLast((node) => {
    const { left, top, right, bottom } = rectangleOf(node)
    return x >= left && x <= right && y >= top && y <= bottom
  })

/** Between two lines, in canvas units. */
const GAP = 100

/** The lines of the canvas. They move with what lies on it, so that nothing is painted again while it is moved. */
function GridLayer({ cover: { area, zoom } }: { cover: RenderedView }) {
  const [left, top] = [Math.floor(area.left / GAP) * GAP, Math.floor(area.top / GAP) * GAP]
  return (
    <ViewportPortal>
      <div
        className={styles.grid}
        style={{
          left,
          top,
          width: area.right - left,
          height: area.bottom - top,
          backgroundSize: `${GAP}px ${GAP}px`,
          ['--line' as string]: `${1 / zoom}px`,
        }}
      />
    </ViewportPortal>
  )
}
