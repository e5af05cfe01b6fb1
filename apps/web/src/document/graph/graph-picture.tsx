import { useComputedColorScheme } from '@mantine/core'
import type { GraphContent, Node } from '@meadow/contract'
import { ViewportPortal } from '@xyflow/react'
import { memo, useMemo } from 'react'
import { boxOfWire, type DrawnWire, follow } from './drawn-wires.ts'
import type { Drag } from './flow.ts'
import { type GraphContextValue, useGraph } from './graph-context.ts'
import { shapeOf } from './node-shape.ts'
import { type FarLook, paintNodes, paintWires } from './paint-graph.ts'
import { type Paint, Picture } from './picture.tsx'
import { intersect, moveBy, rectangleOf, touches } from './rectangle.ts'
import { areaOf, type Part, splitByDrag } from './split-by-drag.ts'
import { type Cover, FAR } from './use-cover.ts'
import { wireStyleOf } from './wire-style.ts'

interface GraphPictureProps {
  nodes: GraphContent['nodes']
  wires: readonly DrawnWire[]
  cover: Cover
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
  const still = useMemo(() => paintPart(parts.still), [paintPart, parts])
  return (
    <ViewportPortal>
      <div data-wires={wires.length}>
        <Picture area={cover.area} zoom={cover.zoom} paint={still} />
        {drag && <Carried part={parts.carried} cover={cover} drag={drag} paintPart={paintPart} />}
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
  cover: Cover
  drag: Drag
  paintPart: PaintPart
}

/** What moves as it is: painted once, but again when it was carried so far that more of it comes into sight. */
function Carried({ part, cover, drag, paintPart }: DraggedProps & { part: Part }) {
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
  const part = useMemo(() => ({ nodes: [], wires: wires.map((wire) => follow(wire, drag)) }), [wires, drag])
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
