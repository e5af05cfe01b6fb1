import { useComputedColorScheme } from '@mantine/core'
import type { GraphContent, Node } from '@meadow/contract'
import { ViewportPortal } from '@xyflow/react'
import { type CSSProperties, memo, useLayoutEffect, useMemo, useRef } from 'react'
import { areaOf, type Part, splitByDrag } from '../layout/drag.ts'
import type { Drag } from '../layout/flow-nodes.ts'
import { shapeOf } from '../layout/node-box.ts'
import { intersect, moveBy, type Rectangle, rectangleOf, touches } from '../layout/rectangle.ts'
import { boxOfWire, type DrawnWire, moveWireEnds, wireStyleOf } from '../layout/wires.ts'
import { type GraphContextValue, useGraph } from '../nodes/graph-context.ts'
import styles from './graph-canvas.module.css'
import { type FarLook, paintNodes, paintWires } from './paint-graph.ts'
import { FAR, type RenderedView } from './viewport.ts'

interface GraphPictureProps {
  nodes: GraphContent['nodes']
  wires: readonly DrawnWire[]
  cover: RenderedView
  drag: Drag | undefined
  /** Whether nodes are painted too: there are many, and they are far away. */
  isPainted: boolean
  selectedIds: ReadonlySet<string>
  selectedWires: ReadonlySet<string>
}

/**
 * All wires of a document, and nodes that are too small to be read: as pictures, for thousands of elements of the page
 * could not be moved fluidly. What is being dragged has pictures of its own, no larger than it is, so that nothing else
 * is painted again.
 */
export const GraphPicture = memo(function GraphPicture(props: GraphPictureProps) {
  const { nodes, wires, cover, drag, isPainted } = props
  const paintPart = usePaint(props)
  const dragged = drag?.ids
  const parts = useMemo(
    () => splitByDrag(isPainted ? Object.values(nodes) : [], wires, dragged),
    [nodes, wires, dragged, isPainted],
  )
  const still = useMemo(() => paintPart(parts.fixed), [paintPart, parts])
  return (
    <ViewportPortal>
      <div data-wires={wires.length}>
        <Picture area={cover.area} zoom={cover.zoom} paint={still} />
        {drag && <Moved part={parts.moved} cover={cover} drag={drag} paintPart={paintPart} />}
        {drag && <Stretched wires={parts.stretched} cover={cover} drag={drag} paintPart={paintPart} />}
      </div>
    </ViewportPortal>
  )
})

type PaintPart = (part: Part) => Paint

function usePaint({ cover, isPainted, selectedIds, selectedWires }: GraphPictureProps): PaintPart {
  const { solution, messages } = useGraph()
  const scheme = useComputedColorScheme('light')
  return useMemo(
    () => (part) => (context, area) => {
      const seenWires = part.wires.filter((wire) => touches(boxOfWire(wire), area))
      const seenNodes = part.nodes.filter((node) => touches(rectangleOf(node), area))
      paintWires(context, seenWires, {
        isFar: isPainted && cover.zoom < FAR / 2,
        scheme,
        styleOf: ({ from }) => wireStyleOf(solution?.nodes[from.nodeInstanceId]?.ports[from.portInstanceId]),
        isSelected: ({ id }) => selectedWires.has(id),
      })
      paintNodes(context, seenNodes, { scheme, lookOf: (node) => lookOf(node, selectedIds, messages) })
    },
    [cover.zoom, isPainted, scheme, solution, messages, selectedIds, selectedWires],
  )
}

interface DraggedProps {
  cover: RenderedView
  drag: Drag
  paintPart: PaintPart
}

/** What moves as it is: painted once, but again when it was carried so far that more of it comes into sight. */
function Moved({ part, cover, drag, paintPart }: DraggedProps & { part: Part }) {
  const paint = useMemo(() => paintPart(part), [paintPart, part])
  const whole = useMemo(() => areaOf(part), [part])
  const { left, top, right, bottom } = cover.area
  const away = (by: number, size: number) => Math.round(by / (size / 5)) * (size / 5)
  const [x, y] = [away(drag.x, right - left), away(drag.y, bottom - top)]
  const area = whole && intersect(whole, moveBy(cover.area, -x, -y))
  const transform = `translate(${drag.x}px, ${drag.y}px)`
  return area && <Picture area={area} zoom={cover.zoom} paint={paint} transform={transform} />
}

/** Wires between what moves and what does not. */
function Stretched({ wires, cover, drag, paintPart }: DraggedProps & { wires: readonly DrawnWire[] }) {
  const part = useMemo(
    () => ({ nodes: [], wires: wires.map((wire) => moveWireEnds(wire, drag)) }),
    [wires, drag],
  )
  const paint = useMemo(() => paintPart(part), [paintPart, part])
  const whole = areaOf(part)
  const area = whole && intersect(whole, cover.area)
  return area && <Picture area={area} zoom={cover.zoom} paint={paint} />
}

function lookOf(
  node: Node,
  selectedIds: ReadonlySet<string>,
  messages: GraphContextValue['messages'],
): FarLook {
  if (selectedIds.has(node.instanceId)) return 'selected'
  if (!node.status.isEnabled) return 'disabled'
  const said = messages.get(node.instanceId)
  if (said?.some(({ level }) => level === 'error')) return 'error'
  if (said?.some(({ level }) => level === 'warning')) return 'warning'
  if (shapeOf(node) === 'panel') return 'panel'
  return node.status.isPreviewed ? 'plain' : 'hidden'
}

/** Paints what lies in an area of the canvas. */
export type Paint = (context: CanvasRenderingContext2D, area: Rectangle) => void

interface PictureProps {
  /** What of the canvas it shows, in canvas units: small is fast. */
  area: Rectangle
  zoom: number
  /** Another function paints again. */
  paint: Paint
  transform?: CSSProperties['transform']
}

/** A part of the canvas that is painted, sharp at a zoom. */
function Picture({ area, zoom, paint, transform }: PictureProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const { left, top, right, bottom } = area
  useLayoutEffect(() => {
    const area = { left, top, right, bottom }
    const context = openContext(canvas.current!, area, zoom)
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

/** An empty canvas of a sharp size, that takes canvas units. */
function openContext(canvas: HTMLCanvasElement, area: Rectangle, zoom: number) {
  const scale = zoom * Math.min(devicePixelRatio, 2)
  canvas.width = Math.ceil((area.right - area.left) * scale)
  canvas.height = Math.ceil((area.bottom - area.top) * scale)
  const context = canvas.getContext('2d')
  context?.setTransform(scale, 0, 0, scale, -area.left * scale, -area.top * scale)
  return context
}
