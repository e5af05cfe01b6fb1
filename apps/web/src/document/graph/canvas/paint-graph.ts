import type { Node } from '@meadow/contract'
import { type Scheme, shownFill } from '../layout/colours.ts'
import type { GraphPart } from '../layout/drag.ts'
import type { GroupBox } from '../layout/groups.ts'
import { shapeOf } from '../layout/node-box.ts'
import { type Rectangle, rectangleOf, touches } from '../layout/rectangle.ts'
import { boxOfWire, isWireSelected, wireStyleOf } from '../layout/wires.ts'
import type { GraphContextValue } from '../nodes/graph-context.ts'
import { type NodeLook, paintNodes } from './paint-nodes.ts'
import { paintWires } from './paint-wires.ts'

/** What determines the colours of a painted graph. */
export interface GraphLook extends Pick<GraphContextValue, 'messages' | 'solution'> {
  scheme: Scheme
  selectedIds: ReadonlySet<string>
  selectedWires: ReadonlySet<string>
}

export interface PaintDetail {
  area: Rectangle
  /** CSS pixels per canvas unit. */
  zoom: number
  /** Device pixels per canvas unit. */
  scale: number
  fontFamily: string
  /** Whether notes are elements of the page, and not painted. */
  skipsNotes: boolean
}

/** Below this zoom wires are thin straight lines where there are many. */
const STRAIGHT_ZOOM = 0.2
const MANY_WIRES = 500

/** Paints what of a part lies in an area: groups, then wires, then nodes. Returns the steps that write names. */
export function paintGraph(
  context: CanvasRenderingContext2D,
  { groups, wires, nodes }: GraphPart,
  look: GraphLook,
  { area, ...detail }: PaintDetail,
): Iterator<void> {
  const { scheme, solution } = look
  const { zoom, scale } = detail
  paintGroups(
    context,
    groups.filter(({ box }) => touches(box, area)),
    { scheme, scale },
  )
  const visibleWires = wires.filter((wire) => touches(boxOfWire(wire), area))
  paintWires(context, visibleWires, {
    isFar: zoom < STRAIGHT_ZOOM && visibleWires.length > MANY_WIRES,
    scheme,
    scale,
    styleOf: ({ from }) => wireStyleOf(solution?.nodes[from.nodeInstanceId]?.ports[from.portInstanceId]),
    isSelected: (wire) => isWireSelected(wire, look),
  })
  return paintNodes(
    context,
    nodes.filter((node) => touches(rectangleOf(node), area)),
    { scheme, lookOf: (node) => lookOf(node, look), ...detail },
  )
}

function lookOf(node: Node, { selectedIds, messages, solution }: GraphLook): NodeLook {
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

const RADIUS = 14

/** Paints groups, from the back to the front. */
function paintGroups(
  context: CanvasRenderingContext2D,
  groups: readonly GroupBox[],
  { scheme, scale }: { scheme: Scheme; scale: number },
): void {
  for (const { group, box } of groups) {
    const { left, top, right, bottom } = box
    context.fillStyle = shownFill(group.colour, scheme)
    if (RADIUS * scale < MIN_RADIUS) {
      context.fillRect(left, top, right - left, bottom - top)
      continue
    }
    context.beginPath()
    context.roundRect(left, top, right - left, bottom - top, RADIUS)
    context.fill()
  }
}

/** The least radius of a corner that can be seen, in device pixels. */
const MIN_RADIUS = 2
