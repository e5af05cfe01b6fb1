import type { GraphContent, Port, PortReference } from '@meadow/contract'
import type { PortSummary } from '@meadow/contract/web'
import { boxOf, type PortPosition } from './node-box.ts'
import type { Rectangle } from './rectangle.ts'

/** A wire and its end points, in canvas units. */
export interface DrawnWire {
  id: string
  from: PortReference
  to: PortReference
  startX: number
  startY: number
  endX: number
  endY: number
  /**
   * How the wire's input says that it is drawn; undefined for the usual way. A hidden wire is drawn only while it or
   * one of its nodes is selected.
   */
  display: Port['wireDisplay']
}

/** All wires of a document whose two ports exist. */
export function listWires(nodes: GraphContent['nodes']): DrawnWire[] {
  const wires: DrawnWire[] = []
  for (const node of Object.values(nodes)) {
    const box = boxOf(node)
    for (const { id, x, y } of box.inputs) {
      const to = { nodeInstanceId: node.instanceId, portInstanceId: id }
      for (const from of node.sources[id] ?? []) {
        const source = nodes[from.nodeInstanceId]
        const start = source && findPort(boxOf(source).outputs, from.portInstanceId)
        if (!start) continue
        const { x: left, y: top } = boxOf(source)
        wires.push({
          id: `${from.nodeInstanceId}:${from.portInstanceId}>${to.nodeInstanceId}:${id}`,
          from,
          to,
          startX: left + start.x,
          startY: top + start.y,
          endX: box.x + x,
          endY: box.y + y,
          display: node.ports[id]?.wireDisplay,
        })
      }
    }
  }
  return wires
}

const findPort = (ports: readonly PortPosition[], id: string) => ports.find((port) => port.id === id)

/** Whether a wire between these nodes would close a cycle, which cannot be solved. */
export function wouldCloseCycle(nodes: GraphContent['nodes'], fromId: string, toId: string): boolean {
  const seen = new Set<string>()
  const pending = [fromId]
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    if (id === toId) return true
    if (seen.has(id)) continue
    seen.add(id)
    const node = nodes[id]
    if (node)
      for (const sources of Object.values(node.sources))
        for (const { nodeInstanceId } of sources) pending.push(nodeInstanceId)
  }
  return false
}

/** The nodes that depend on a node, or that it depends on, with itself. */
export function listReachable(
  wires: readonly DrawnWire[],
  nodeId: string,
  direction: 'upstream' | 'downstream',
): ReadonlySet<string> {
  const [near, far] = direction === 'upstream' ? (['to', 'from'] as const) : (['from', 'to'] as const)
  const byNode = Map.groupBy(wires, (wire) => wire[near].nodeInstanceId)
  const found = new Set([nodeId])
  for (const id of found) for (const wire of byNode.get(id) ?? []) found.add(wire[far].nodeInstanceId)
  return found
}

/** The style of a wire, as in Grasshopper: one line for an item, two for a list, two dashed ones for a tree. */
export type WireStyle = 'unknown' | 'empty' | 'item' | 'list' | 'tree'

export function wireStyleOf(summary: PortSummary | undefined): WireStyle {
  if (!summary) return 'unknown'
  const { branches, values } = summary
  if (values === 0) return 'empty'
  if (branches > 1) return 'tree'
  return values > 1 ? 'list' : 'item'
}

/**
 * The horizontal distance of a wire's two Bézier control points from its ends, in canvas units. Gives the curves of
 * Grasshopper.
 */
export const controlOffset = (fromX: number, fromY: number, toX: number, toY: number): number =>
  Math.max(Math.abs(toX - fromX) * 0.5, Math.min(80, Math.abs(toY - fromY) * 0.5 + 20))

/** The curve of a wire as SVG path data. */
export function pathOfWire({ startX, startY, endX, endY }: DrawnWire): string {
  const offset = controlOffset(startX, startY, endX, endY)
  return `M${startX} ${startY}C${startX + offset} ${startY} ${endX - offset} ${endY} ${endX} ${endY}`
}

/** The bounding box of the wire's four Bézier points, which the curve never leaves. */
export function boxOfWire({ startX, startY, endX, endY }: DrawnWire): Rectangle {
  const offset = controlOffset(startX, startY, endX, endY)
  return {
    left: Math.min(startX, endX - offset),
    right: Math.max(startX + offset, endX),
    top: Math.min(startY, endY),
    bottom: Math.max(startY, endY),
  }
}

/** Whether a wire is selected, or one of its nodes is: as in Grasshopper, it is then drawn as selected. */
export const isWireSelected = (
  { id, from, to }: DrawnWire,
  selected: { selectedIds: ReadonlySet<string>; selectedWires: ReadonlySet<string> },
): boolean =>
  selected.selectedWires.has(id) ||
  selected.selectedIds.has(from.nodeInstanceId) ||
  selected.selectedIds.has(to.nodeInstanceId)

/** The nearest wire to a point, at most `maxDistance` away. */
export function findWireAt(
  wires: readonly DrawnWire[],
  { x, y }: { x: number; y: number },
  maxDistance: number,
): DrawnWire | undefined {
  let best: DrawnWire | undefined
  let nearest = maxDistance
  for (const wire of wires) {
    const { left, top, right, bottom } = boxOfWire(wire)
    if (x < left - maxDistance || x > right + maxDistance) continue
    if (y < top - maxDistance || y > bottom + maxDistance) continue
    const distance = distanceToWire(wire, x, y)
    if (distance > nearest) continue
    nearest = distance
    best = wire
  }
  return best
}

/** A curve is approximated by this many segments, which is close enough for hit testing. */
const SEGMENTS = 24

function distanceToWire({ startX, startY, endX, endY }: DrawnWire, x: number, y: number): number {
  const offset = controlOffset(startX, startY, endX, endY)
  let [lastX, lastY] = [startX, startY]
  let nearest = Number.POSITIVE_INFINITY
  for (let segment = 1; segment <= SEGMENTS; segment++) {
    const t = segment / SEGMENTS
    const s = 1 - t
    const [a, b, c, d] = [s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t]
    const nextX = a * startX + b * (startX + offset) + c * (endX - offset) + d * endX
    const nextY = (a + b) * startY + (c + d) * endY
    nearest = Math.min(nearest, distanceToSegment(x, y, lastX, lastY, nextX, nextY))
    lastX = nextX
    lastY = nextY
  }
  return nearest
}

function distanceToSegment(x: number, y: number, ax: number, ay: number, bx: number, by: number): number {
  const [dx, dy] = [bx - ax, by - ay]
  const length = dx * dx + dy * dy
  const t = length === 0 ? 0 : Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / length))
  return Math.hypot(x - ax - t * dx, y - ay - t * dy)
}
