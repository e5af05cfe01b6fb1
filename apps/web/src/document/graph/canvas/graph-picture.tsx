import { useComputedColorScheme } from '@mantine/core'
import type { GraphContent, Node } from '@meadow/contract'
import { ViewportPortal } from '@xyflow/react'
import { type CSSProperties, memo, useLayoutEffect, useMemo, useRef } from 'react'
import { areaOf, type Drag, type GraphPart, moveWireEnds, splitByDrag } from '../layout/drag.ts'
import { shapeOf } from '../layout/node-box.ts'
import { intersect, moveBy, type Rectangle, rectangleOf, touches } from '../layout/rectangle.ts'
import { boxOfWire, type DrawnWire, wireStyleOf } from '../layout/wires.ts'
import { type GraphContextValue, useGraph } from '../nodes/graph-context.ts'
import styles from './graph-canvas.module.css'
import { type FarLook, paintNodes, paintWires } from './paint-graph.ts'
import { FAR, type RenderedView } from './viewport.ts'

interface GraphPictureProps {
  nodes: GraphContent['nodes']
  wires: readonly DrawnWire[]
  view: RenderedView
  drag: Drag | undefined
  /** Whether nodes are painted too. */
  isPainted: boolean
  selectedIds: ReadonlySet<string>
  selectedWires: ReadonlySet<string>
}

/**
 * All wires of a graph, and its nodes when they are too small to be read, painted on canvas elements: thousands of DOM
 * elements would be too slow to move. Dragged nodes and wires have pictures of their own, so that the rest is not painted
 * again.
 */
export const GraphPicture = memo(function GraphPicture(props: GraphPictureProps) {
  const { nodes, wires, view, drag, isPainted } = props
  const paintPart = usePaint(props)
  const draggedIds = drag?.ids
  const parts = useMemo(
    () => splitByDrag(isPainted ? Object.values(nodes) : [], wires, draggedIds),
    [nodes, wires, draggedIds, isPainted],
  )
  const paintFixed = useMemo(() => paintPart(parts.fixed), [paintPart, parts])
  return (
    <ViewportPortal>
      <div data-wires={wires.length}>
        <Picture area={view.area} zoom={view.zoom} paint={paintFixed} />
        {drag && <Moved part={parts.moved} view={view} drag={drag} paintPart={paintPart} />}
        {drag && <Stretched wires={parts.stretched} view={view} drag={drag} paintPart={paintPart} />}
      </div>
    </ViewportPortal>
  )
})

type PaintPart = (part: GraphPart) => Paint

function usePaint({ view, isPainted, selectedIds, selectedWires }: GraphPictureProps): PaintPart {
  const { solution, messages } = useGraph()
  const scheme = useComputedColorScheme('light')
  return useMemo(
    () => (part) => (context, area) => {
      const visibleWires = part.wires.filter((wire) => touches(boxOfWire(wire), area))
      const visibleNodes = part.nodes.filter((node) => touches(rectangleOf(node), area))
      paintWires(context, visibleWires, {
        isFar: isPainted && view.zoom < FAR / 2,
        scheme,
        styleOf: ({ from }) => wireStyleOf(solution?.nodes[from.nodeInstanceId]?.ports[from.portInstanceId]),
        isSelected: ({ id }) => selectedWires.has(id),
      })
      paintNodes(context, visibleNodes, {
        scheme,
        lookOf: (node) => lookOf(node, selectedIds, { messages, solution }),
      })
    },
    [view.zoom, isPainted, scheme, solution, messages, selectedIds, selectedWires],
  )
}

interface DraggedProps {
  view: RenderedView
  drag: Drag
  paintPart: PaintPart
}

/** Nodes and wires that move without changing shape: painted again only after a fifth of the view, when more is visible. */
function Moved({ part, view, drag, paintPart }: DraggedProps & { part: GraphPart }) {
  const paint = useMemo(() => paintPart(part), [paintPart, part])
  const bounds = useMemo(() => areaOf(part), [part])
  const { left, top, right, bottom } = view.area
  const roundToFifth = (by: number, size: number) => Math.round(by / (size / 5)) * (size / 5)
  const [x, y] = [roundToFifth(drag.x, right - left), roundToFifth(drag.y, bottom - top)]
  const area = bounds && intersect(bounds, moveBy(view.area, -x, -y))
  const transform = `translate(${drag.x}px, ${drag.y}px)`
  return area && <Picture area={area} zoom={view.zoom} paint={paint} transform={transform} />
}

/** Wires with one end at a dragged node. */
function Stretched({ wires, view, drag, paintPart }: DraggedProps & { wires: readonly DrawnWire[] }) {
  const part = useMemo(
    () => ({ nodes: [], wires: wires.map((wire) => moveWireEnds(wire, drag)) }),
    [wires, drag],
  )
  const paint = useMemo(() => paintPart(part), [paintPart, part])
  const bounds = areaOf(part)
  const area = bounds && intersect(bounds, view.area)
  return area && <Picture area={area} zoom={view.zoom} paint={paint} />
}

/** Paints the content of an area of the canvas. */
type Paint = (context: CanvasRenderingContext2D, area: Rectangle) => void

interface PictureProps {
  /** The part of the canvas that it shows, in canvas units. */
  area: Rectangle
  zoom: number
  /** A new function repaints. */
  paint: Paint
  transform?: CSSProperties['transform']
}

/** A painted part of the canvas, sharp at `zoom`. */
function Picture({ area, zoom, paint, transform }: PictureProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const { left, top, right, bottom } = area
  useLayoutEffect(() => {
    const area = { left, top, right, bottom }
    const context = resetContext(canvas.current!, area, zoom)
    if (context) paint(context, area)
  }, [left, top, right, bottom, zoom, paint])
  return (
    <canvas
      ref={canvas}
      className={styles.picture}
      style={{ left, top, width: right - left, height: bottom - top, transform }}
      aria-hidden
    />
  )
}

/** Resizes the element to device pixels, which clears it, and scales its context to canvas units. */
function resetContext(canvas: HTMLCanvasElement, area: Rectangle, zoom: number) {
  const scale = zoom * Math.min(devicePixelRatio, 2)
  canvas.width = Math.ceil((area.right - area.left) * scale)
  canvas.height = Math.ceil((area.bottom - area.top) * scale)
  const context = canvas.getContext('2d')
  context?.setTransform(scale, 0, 0, scale, -area.left * scale, -area.top * scale)
  return context
}

function lookOf(
  node: Node,
  selectedIds: ReadonlySet<string>,
  { messages, solution }: Pick<GraphContextValue, 'messages' | 'solution'>,
): FarLook {
  if (selectedIds.has(node.instanceId)) return 'selected'
  if (!node.status.isEnabled) return 'disabled'
  const state = solution?.nodes[node.instanceId]?.state
  if (state === 'unsupported' || state === 'unknown') return state
  const own = messages.get(node.instanceId)
  if (own?.some(({ level }) => level === 'error')) return 'error'
  if (own?.some(({ level }) => level === 'warning')) return 'warning'
  if (shapeOf(node) === 'panel') return 'panel'
  return node.status.isPreviewed ? 'plain' : 'hidden'
}
