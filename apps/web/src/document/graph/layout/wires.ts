import type { GraphContent, PortReference } from '@meadow/contract'
import type { PortSummary } from '@meadow/contract/web'
import type { Drag } from './flow-nodes.ts'
import { boxOf, type PortPosition } from './node-box.ts'
import type { Rectangle } from './rectangle.ts'

/** A wire, and where it starts and ends, in canvas units. */
export interface DrawnWire {
  id: string
  from: PortReference
  to: PortReference
  startX: number
  startY: number
  endX: number
  endY: number
}

/** All wires of a document whose both ends are there. */
export function listWires(nodes: GraphContent['nodes']): DrawnWire[] {
  const wires: DrawnWire[] = []
  for (const node of Object.values(nodes)) {
    const box = boxOf(node)
    for (const { id, x, y } of box.inputs) {
      const to = { nodeInstanceId: node.instanceId, portInstanceId: id }
      for (const from of node.sources[id] ?? []) {
        const sender = nodes[from.nodeInstanceId]
        const start = sender && findPlace(boxOf(sender).outputs, from.portInstanceId)
        if (!start) continue
        const { x: left, y: top } = boxOf(sender)
        wires.push({
          id: `${from.nodeInstanceId}:${from.portInstanceId}>${to.nodeInstanceId}:${id}`,
          from,
          to,
          startX: left + start.x,
          startY: top + start.y,
          endX: box.x + x,
          endY: box.y + y,
        })
      }
    }
  }
  return wires
}

const findPlace = (places: readonly PortPosition[], id: string) => places.find((place) => place.id === id)

/** Where a wire is while nodes are dragged; the same object where none of its ends is. */
export function moveWireEnds(wire: DrawnWire, { ids, x, y }: Drag): DrawnWire {
  const [starts, ends] = [ids.has(wire.from.nodeInstanceId), ids.has(wire.to.nodeInstanceId)]
  if (!starts && !ends) return wire
  return {
    ...wire,
    startX: wire.startX + (starts ? x : 0),
    startY: wire.startY + (starts ? y : 0),
    endX: wire.endX + (ends ? x : 0),
    endY: wire.endY + (ends ? y : 0),
  }
}

/** A curve never leaves the box around its four points. */
export function boxOfWire({ startX, startY, endX, endY }: DrawnWire): Rectangle {
  const reach = controlOffset(startX, startY, endX, endY)
  return {
    left: Math.min(startX, endX - reach),
    right: Math.max(startX + reach, endX),
    top: Math.min(startY, endY),
    bottom: Math.max(startY, endY),
  }
}

/** Straight pieces that are close enough to tell whether a click meets the curve. */
const PIECES = 24

/** The wire that passes nearest to a place, no further than `within`; undefined where there is none. */
export function findWireAt(
  wires: readonly DrawnWire[],
  { x, y }: { x: number; y: number },
  within: number,
): DrawnWire | undefined {
  let best: DrawnWire | undefined
  let nearest = within
  for (const wire of wires) {
    const { left, right, top, bottom } = boxOfWire(wire)
    if (x < left - within || x > right + within || y < top - within || y > bottom + within) continue
    const distance = distanceTo(wire, x, y)
    if (distance > nearest) continue
    nearest = distance
    best = wire
  }
  return best
}

function distanceTo({ startX, startY, endX, endY }: DrawnWire, x: number, y: number): number {
  const reach = controlOffset(startX, startY, endX, endY)
  let [lastX, lastY] = [startX, startY]
  let nearest = Number.POSITIVE_INFINITY
  for (let piece = 1; piece <= PIECES; piece++) {
    const t = piece / PIECES
    const s = 1 - t
    const [a, b, c, d] = [s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t]
    const nextX = a * startX + b * (startX + reach) + c * (endX - reach) + d * endX
    const nextY = (a + b) * startY + (c + d) * endY
    nearest = Math.min(nearest, distanceToPiece(x, y, lastX, lastY, nextX, nextY))
    lastX = nextX
    lastY = nextY
  }
  return nearest
}

function distanceToPiece(x: number, y: number, ax: number, ay: number, bx: number, by: number): number {
  const [dx, dy] = [bx - ax, by - ay]
  const length = dx * dx + dy * dy
  const at = length === 0 ? 0 : Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / length))
  return Math.hypot(x - ax - at * dx, y - ay - at * dy)
}

/** As Grasshopper draws wires: one line for an item, two for a list, two dashed ones for a tree. */
export type WireStyle = 'unknown' | 'empty' | 'item' | 'list' | 'tree'

export function wireStyleOf(summary: PortSummary | undefined): WireStyle {
  if (!summary) return 'unknown'
  const { branches, values } = summary
  if (values === 0) return 'empty'
  if (branches > 1) return 'tree'
  return values > 1 ? 'list' : 'item'
}

/**
 * How far the grips of a wire's curve lie from its ends, level with them: it leaves and arrives as Grasshopper's do.
 * In canvas units.
 */
export const controlOffset = (fromX: number, fromY: number, toX: number, toY: number): number =>
  Math.max(Math.abs(toX - fromX) * 0.5, Math.min(80, Math.abs(toY - fromY) * 0.5 + 20))
