import type { Node } from '@meadow/contract'
import { boxOf } from '../layout/node-box.ts'
import { controlOffset, type DrawnWire, type WireStyle } from '../layout/wires.ts'

export type Scheme = 'light' | 'dark'

/** The style of a painted node. */
export type FarLook =
  | 'plain'
  | 'panel'
  | 'hidden'
  | 'disabled'
  | 'warning'
  | 'error'
  | 'unsupported'
  | 'unknown'
  | 'selected'

/** As in `nodes.module.css`. */
const NODE_COLOURS: Record<Scheme, Record<FarLook | 'edge', string>> = {
  light: {
    plain: '#d9dcd9',
    panel: '#fdf6d2',
    hidden: '#b4b8b5',
    disabled: '#c9c9c9',
    warning: '#f5bd6a',
    error: '#f0897d',
    unsupported: '#b9a4e6',
    unknown: '#e2dbf4',
    selected: '#a5dd9c',
    edge: '#5d6360',
  },
  dark: {
    plain: '#454b48',
    panel: '#57502f',
    hidden: '#343937',
    disabled: '#3a3a3a',
    warning: '#8a5d17',
    error: '#98372d',
    unsupported: '#553f8a',
    unknown: '#4a4070',
    selected: '#3b7d3f',
    edge: '#0f1110',
  },
}

/** `canvas` as in `graph-canvas.module.css`. */
const WIRE_COLOURS = {
  light: { plain: '#4f5652', empty: '#d2691e', selected: '#1f9d3f', canvas: '#eef0ee' },
  dark: { plain: '#a9b2ad', empty: '#e08a4a', selected: '#4be073', canvas: '#202423' },
}

interface WirePaint {
  /** Wires are painted as thin straight lines. */
  isFar: boolean
  scheme: Scheme
  styleOf: (wire: DrawnWire) => WireStyle
  isSelected: (wire: DrawnWire) => boolean
}

/** Line widths, in canvas units. A double line is a wide one with a gap of the canvas colour painted over it. */
const SINGLE = 1.6
const DOUBLE = 4.5
const GAP = 1.8
const DASHES = [7, 4]

/** Paints wires, all of one style as one path, which is many times faster than separate paths. */
export function paintWires(
  context: CanvasRenderingContext2D,
  wires: readonly DrawnWire[],
  { isFar, scheme, styleOf, isSelected }: WirePaint,
): void {
  const colours = WIRE_COLOURS[scheme]
  const looks = Map.groupBy(
    wires,
    (wire) =>
      `${isSelected(wire) ? 'selected' : ''} ${isFar && styleOf(wire) !== 'empty' ? 'item' : styleOf(wire)}`,
  )
  for (const [look, same] of looks) {
    const [selected, style] = look.split(' ') as ['selected' | '', WireStyle]
    const path = new Path2D()
    for (const { startX, startY, endX, endY } of same) {
      const offset = controlOffset(startX, startY, endX, endY)
      path.moveTo(startX, startY)
      if (isFar) path.lineTo(endX, endY)
      else path.bezierCurveTo(startX + offset, startY, endX - offset, endY, endX, endY)
    }
    const isDouble = style === 'list' || style === 'tree'
    context.setLineDash(style === 'tree' ? DASHES : [])
    context.strokeStyle = selected ? colours.selected : style === 'empty' ? colours.empty : colours.plain
    context.lineWidth = isDouble ? DOUBLE : SINGLE
    context.stroke(path)
    if (!isDouble) continue
    context.setLineDash([])
    context.strokeStyle = colours.canvas
    context.lineWidth = GAP
    context.stroke(path)
  }
}

/** Paints nodes as boxes. */
export function paintNodes(
  context: CanvasRenderingContext2D,
  nodes: readonly Node[],
  { scheme, lookOf }: { scheme: Scheme; lookOf: (node: Node) => FarLook },
): void {
  const colours = NODE_COLOURS[scheme]
  const edges = new Path2D()
  for (const [look, same] of Map.groupBy(nodes, lookOf)) {
    context.fillStyle = colours[look]
    for (const node of same) {
      const { x, y, width, height } = boxOf(node)
      context.fillRect(x, y, width, height)
      edges.rect(x, y, width, height)
    }
  }
  context.setLineDash([])
  context.strokeStyle = colours.edge
  context.lineWidth = 1.5
  context.stroke(edges)
}
