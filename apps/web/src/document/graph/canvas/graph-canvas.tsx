import { useRemembered } from '../../../shell/first-render.ts'
import '@xyflow/react/dist/base.css'
import type { GraphContent } from '@meadow/contract'
import type { SavedView } from '@meadow/contract/web'
import type { Wire } from '@meadow/document/live'
import {
  type Connection,
  ControlButton,
  Controls,
  type OnConnectStart,
  ReactFlow,
  useKeyPress,
  useReactFlow,
  ViewportPortal,
} from '@xyflow/react'
import { type MouseEvent, type PointerEvent, type ReactNode, useId, useMemo, useRef, useState } from 'react'
import { IconMap, IconMaximize } from '../../../shell/icons.ts'
import type { Drag, Positions } from '../layout/drag.ts'
import type { FlowNode } from '../layout/flow-nodes.ts'
import { findGroupAt, listGroupBoxes } from '../layout/groups.ts'
import { rectangleOf } from '../layout/rectangle.ts'
import { MAX_ZOOM } from '../layout/view.ts'
import {
  type DrawnWire,
  findWireAt,
  isWireSelected,
  listReachable,
  listWires,
  pathOfWire,
  wouldCloseCycle,
} from '../layout/wires.ts'
import { NODE_TYPES } from '../nodes/node-types.ts'
import styles from './graph-canvas.module.css'
import { GraphPicture } from './graph-picture.tsx'
import { GroupLabels } from './group-labels.tsx'
import { OverviewLayer, OverviewMap } from './overview-map.tsx'
import { TEXT_ZOOM } from './paint-nodes.ts'
import { useBoxSelection } from './use-box-selection.ts'
import { trackDrag, useIsTouch, useLongPress } from './use-canvas-gestures.ts'
import { useFlowNodes } from './use-flow-nodes.ts'
import { useOverview } from './use-overview.ts'
import type { RovingFocus } from './use-roving-focus.ts'
import { FAR, type RenderedView, useDocumentView, useRenderedView } from './viewport.ts'

/** The number of nodes above which a graph is painted when it is zoomed out too far to be read. */
const MAX_FAR_ELEMENTS = 150
/** The least number of nodes in a graph with an overview map. */
const MIN_MAPPED_NODES = 60
/** The distance at which a click selects a wire, in CSS pixels. */
const WIRE_REACH = 7
const MOUSE_MIDDLE_AND_RIGHT = [1, 2]

/** How a new wire changes the wires of its input, as in Grasshopper: without a modifier key it replaces them. */
export type WireMode = 'replace' | 'add' | 'remove'

/** A point of the canvas, in both coordinate systems. */
export interface CanvasPoint {
  /** The position in canvas units. */
  canvas: { x: number; y: number }
  /** The position in CSS pixels of the window. */
  screen: { x: number; y: number }
}

export interface ShownGraph {
  /**
   * The id of the document or of a cluster in it, under which the reader's view is remembered; undefined to remember
   * none.
   */
  id: string | undefined
  /** The view that the document's file stores. */
  view: SavedView | null
}

export interface GraphCanvasProps {
  document: ShownGraph
  content: GraphContent
  /** The nodes that the view of the whole graph shows; by default those of the content. */
  extent?: Pick<GraphContent, 'nodes'>
  /** Whether a large graph has an overview map: by default it has. */
  hasMap?: boolean
  isReadOnly: boolean
  selectedIds: ReadonlySet<string>
  onSelect: (ids: ReadonlySet<string>) => void
  /** The selected wires, by the ids that `listWires` gives them. */
  selectedWires: ReadonlySet<string>
  onSelectWires: (ids: ReadonlySet<string>) => void
  /** Called after a drag: `isCopy` (Alt) leaves the nodes and drops copies of them. */
  onDropped: (drag: Drag, isCopy: boolean) => void
  onDragged: (positions: Positions | undefined) => void
  onWire: (wire: Wire, mode: WireMode) => void
  onOpenPalette: (point: CanvasPoint) => void
  onMenu: (point: CanvasPoint, nodeId: string | undefined) => void
  /** Called with a node that is double-clicked. */
  onOpen: (nodeId: string) => void
  /** Called for Enter on a node that is not edited in place. */
  onInspect: (nodeId: string) => void
  onPointer: (position: CanvasPoint['canvas'] | undefined) => void
  roving: RovingFocus
  /** Further buttons of the canvas. */
  controls?: ReactNode
  /** Further layers of the canvas. */
  children?: ReactNode
}

/** Renders a graph and reports what the user does with it. */
export function GraphCanvas(props: GraphCanvasProps) {
  const { document, content, isReadOnly, selectedIds, selectedWires, onSelect, onWire } = props
  const { onOpenPalette, onMenu, onPointer, roving } = props
  const id = useId()
  const view = useRenderedView()
  const isTouch = useIsTouch()
  const isFar = view !== undefined && view.zoom < FAR
  const isPainted = isFar && Object.keys(content.nodes).length > MAX_FAR_ELEMENTS
  const isCopy = useRef(false)
  const onDropped = (drag: Drag) => props.onDropped(drag, isCopy.current)
  const [wired, setWired] = useState<{ nodeId: string; side: 'source' | 'target' }>()
  const { nodes, onNodesChange, drag, move, drop, setHoveredId } = useFlowNodes(
    { ...props, isTouch, onDropped, tabbableId: roving.nodeId, wiredId: wired?.nodeId },
    view,
    isPainted,
  )
  const wires = useMemo(() => listWires(content.nodes), [content.nodes])
  const groups = useMemo(() => listGroupBoxes(content), [content])
  const overview = useOverview(content, wires, groups)
  const [isMapOpen, setIsMapOpen] = useRemembered('meadow.map', true)
  const isMapped = (props.hasMap ?? true) && Object.keys(content.nodes).length >= MIN_MAPPED_NODES
  useBoxSelection(content, selectedIds, onSelect)
  const { minZoom, fit, remember } = useDocumentView(document.id, props.extent ?? content, document.view)
  const { screenToFlowPosition, getZoom } = useReactFlow()
  const mode = useRef<WireMode>('replace')
  const frame = useRef<HTMLDivElement>(null)
  const [hoveredWire, setHoveredWire] = useState<DrawnWire>()
  const isPanKeyPressed = useKeyPress('Space')
  const pointOf = ({ clientX: x, clientY: y }: Pick<MouseEvent, 'clientX' | 'clientY'>): CanvasPoint => ({
    canvas: screenToFlowPosition({ x, y }),
    screen: { x, y },
  })
  /** Returns the painted node at a point, for taps of a finger. The node under a mouse is an element instead. */
  const paintedNodeAt = ({ canvas }: CanvasPoint) => (isPainted ? findNodeAt(content, canvas) : undefined)
  const wireAt = ({ canvas }: CanvasPoint) => {
    const drawn = wires.filter(
      (wire) => wire.display !== 'hidden' || isWireSelected(wire, { selectedIds, selectedWires }),
    )
    return findWireAt(drawn, canvas, WIRE_REACH / getZoom())
  }

  /** Starts to drag the nodes of a group. Groups are painted, so a press on one would start a selection otherwise. */
  const startGroupDrag = (event: PointerEvent) => {
    const isPlain = event.button === 0 && !event.shiftKey && !event.ctrlKey && !event.metaKey
    if (isReadOnly || event.pointerType === 'touch' || !isPlain || isPanKeyPressed) return
    const group = isPane(event.target) && findGroupAt(groups, pointOf(event).canvas)
    if (!group) return
    event.stopPropagation()
    const ids = new Set(group.members)
    const dragBy = (x: number, y: number) => ({ ids, x: x / getZoom(), y: y / getZoom() })
    trackDrag(event, {
      move: (x, y) => move(dragBy(x, y)),
      end: (x, y) => drop(dragBy(x, y)),
      click: () => selectAt(event),
    })
  }
  const selectAt = (event: Pick<MouseEvent, 'clientX' | 'clientY' | 'shiftKey' | 'ctrlKey' | 'metaKey'>) => {
    const point = pointOf(event)
    const node = paintedNodeAt(point)
    const wire = node ? undefined : wireAt(point)
    const group = node || wire ? undefined : findGroupAt(groups, point.canvas)
    const members = node ? [node.instanceId] : (group?.members ?? [])
    const isRemoved = event.ctrlKey || event.metaKey
    const others = event.shiftKey || isRemoved ? selectedIds : new Set<string>()
    onSelect(isRemoved ? others.difference(new Set(members)) : others.union(new Set(members)))
    const otherWires = event.shiftKey ? selectedWires : []
    props.onSelectWires(new Set(wire ? [...otherWires, wire.id] : otherWires))
  }
  const openMenu = (event: Pick<MouseEvent, 'clientX' | 'clientY'>, element?: string) => {
    const point = pointOf(event)
    const nodeId = element ?? paintedNodeAt(point)?.instanceId
    const group = nodeId === undefined ? findGroupAt(groups, point.canvas) : undefined
    if (group) onSelect(new Set(group.members))
    onMenu(point, nodeId)
  }
  const startLongPress = useLongPress((target, at) => {
    const node = target.closest<HTMLElement>('.react-flow__node')
    if (node || isPane(target)) openMenu(at, node?.dataset.id)
  })
  const startWire: OnConnectStart = (_event, { nodeId, handleType }) => {
    if (nodeId === null || handleType === null) return
    setWired({ nodeId, side: handleType })
    const cyclic = listReachable(wires, nodeId, handleType === 'source' ? 'upstream' : 'downstream')
    for (const node of listElements(frame.current))
      node.toggleAttribute('data-cyclic', cyclic.has(node.dataset.id ?? ''))
  }
  const endWire = () => {
    setWired(undefined)
    for (const node of listElements(frame.current)) node.removeAttribute('data-cyclic')
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys and the menu do the same as a double click.
    <div
      ref={frame}
      className={styles.canvas}
      data-keys="graph"
      data-far={(view && view.zoom < TEXT_ZOOM) || undefined}
      data-wiring={wired?.side}
      data-on-wire={hoveredWire ? '' : undefined}
      {...roving.handlers}
      onPointerDownCapture={(event) => {
        startLongPress(event)
        startGroupDrag(event)
      }}
      onPointerMove={(event) => {
        const point = pointOf(event)
        onPointer(point.canvas)
        if (isPainted && (event.buttons === 0 || wired))
          setHoveredId(findNodeAt(content, point.canvas)?.instanceId)
        setHoveredWire(event.buttons === 0 && isPane(event.target) ? wireAt(point) : undefined)
      }}
      onPointerLeave={() => {
        onPointer(undefined)
        setHoveredWire(undefined)
      }}
      // The event is captured before React Flow handles it, whose callbacks do not report modifier keys.
      onPointerUpCapture={({ shiftKey, ctrlKey, metaKey, altKey }) => {
        isCopy.current = altKey
        mode.current = shiftKey ? 'add' : ctrlKey || metaKey ? 'remove' : 'replace'
      }}
      onKeyDown={({ key, target }) => {
        if (key !== 'Enter' || !(target instanceof HTMLElement) || !target.matches('.react-flow__node'))
          return
        if (isReadOnly || !startEdit(target)) props.onInspect(target.dataset.id!)
      }}
      onDoubleClick={(event) => {
        if (!isPane(event.target)) return
        const painted = paintedNodeAt(pointOf(event))
        if (painted) props.onOpen(painted.instanceId)
        else if (!isReadOnly) onOpenPalette(pointOf(event))
      }}
    >
      <ReactFlow<FlowNode>
        // The ids of the canvas's elements begin with this id, since a page may have several canvases.
        id={id}
        nodes={nodes}
        nodeTypes={NODE_TYPES}
        onNodesChange={onNodesChange}
        onConnect={(connection) => onWire(toWire(connection), mode.current)}
        onConnectStart={startWire}
        onConnectEnd={endWire}
        isValidConnection={({ source, target }) => !wouldCloseCycle(content.nodes, source, target)}
        onPaneClick={selectAt}
        onNodeDoubleClick={(_event, node) => props.onOpen(node.id)}
        onNodeContextMenu={(event, node) => {
          event.preventDefault()
          openMenu(event, node.id)
        }}
        onPaneContextMenu={(event) => {
          event.preventDefault()
          // Where nodes cannot be moved, the right button moves the canvas even on a node, whose menu is then opened
          // here.
          const target = event.target instanceof Element ? event.target : undefined
          openMenu(event, target?.closest<HTMLElement>('.react-flow__node')?.dataset.id)
        }}
        // The attribute is not set through React's state, which would render the canvas again.
        onMoveStart={() => frame.current?.setAttribute('data-moving', '')}
        onMoveEnd={() => {
          frame.current?.removeAttribute('data-moving')
          remember()
        }}
        nodesConnectable={!isReadOnly}
        deleteKeyCode={null}
        multiSelectionKeyCode="Shift"
        selectionKeyCode={null}
        selectionOnDrag
        panOnDrag={MOUSE_MIDDLE_AND_RIGHT}
        zoomOnDoubleClick={false}
        minZoom={minZoom}
        maxZoom={MAX_ZOOM}
        elevateNodesOnSelect={false}
        connectionRadius={24}
      >
        <Controls showInteractive={false} showFitView={false}>
          {props.controls}
          <ControlButton onClick={fit} aria-label="Fit the graph" title="Fit the graph">
            <IconMaximize aria-hidden />
          </ControlButton>
          {isMapped && (
            <ControlButton
              onClick={() => setIsMapOpen(!isMapOpen)}
              aria-label="Overview map"
              aria-pressed={isMapOpen}
              title="Overview map"
            >
              <IconMap aria-hidden />
            </ControlButton>
          )}
        </Controls>
        {overview && <OverviewLayer overview={overview} />}
        {overview && isMapped && isMapOpen && <OverviewMap overview={overview} />}
        {view && <GridLayer view={view} />}
        {view && (
          <GraphPicture
            nodes={content.nodes}
            wires={wires}
            groups={groups}
            view={view}
            drag={drag}
            isPainted={isPainted}
            selectedIds={selectedIds}
            selectedWires={selectedWires}
          />
        )}
        {view && <GroupLabels groups={groups} view={view} drag={drag} />}
        {hoveredWire && !drag && <HoveredWire wire={hoveredWire} />}
        {props.children}
      </ReactFlow>
    </div>
  )
}

/** The wire under the pointer, which a click selects. */
function HoveredWire({ wire }: { wire: DrawnWire }) {
  return (
    <ViewportPortal>
      <svg className={styles.hoveredWire} aria-hidden="true">
        <path d={pathOfWire(wire)} />
      </svg>
    </ViewportPortal>
  )
}

const listElements = (frame: HTMLElement | null) =>
  frame?.querySelectorAll<HTMLElement>('.react-flow__node') ?? []

/** The distance of two grid lines, in canvas units, and the least one in CSS pixels. */
const GRID_GAP = 100
const MIN_GRID_PIXELS = 16

/**
 * The background with its grid. An element of the viewport, so that nothing is painted again while the canvas moves. It
 * covers the overview where the graph is rendered.
 */
function GridLayer({ view: { area, zoom } }: { view: RenderedView }) {
  const gap =
    GRID_GAP * 5 ** Math.max(0, Math.ceil(Math.log(MIN_GRID_PIXELS / (GRID_GAP * zoom)) / Math.log(5)))
  const [left, top] = [Math.floor(area.left / gap) * gap, Math.floor(area.top / gap) * gap]
  return (
    <ViewportPortal>
      <div
        className={styles.grid}
        style={{
          left,
          top,
          width: area.right - left,
          height: area.bottom - top,
          backgroundSize: `${gap}px ${gap}px`,
          ['--line' as string]: `${1 / zoom}px`,
        }}
      />
    </ViewportPortal>
  )
}

/** Focuses the slider, toggle or list of a node, or opens the text of its panel. False for other nodes. */
function startEdit(node: Element): boolean {
  const editor = node.querySelector<HTMLElement>('input, select, button, [data-edit]')
  if (editor?.matches('[data-edit]')) editor.dispatchEvent(new MouseEvent('dblclick', { bubbles: true }))
  else editor?.focus()
  return editor !== null
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
export const findNodeAt = ({ nodes }: GraphContent, { x, y }: CanvasPoint['canvas']) =>
  Object.values(nodes).findLast((node) => {
    const { left, top, right, bottom } = rectangleOf(node)
    return x >= left && x <= right && y >= top && y <= bottom
  })
