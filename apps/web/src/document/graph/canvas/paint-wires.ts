import type { Scheme } from '../layout/colours.ts'
import { controlOffset, type DrawnWire, type WireStyle } from '../layout/wires.ts'

/** The colours of wires. `canvas` is the colour of the canvas in `graph-canvas.module.css`. */
export const WIRE_COLOURS = {
  light: { plain: '#4f5652', faint: '#848c88', empty: '#b04a12', selected: '#12812d', canvas: '#eef0ee' },
  dark: { plain: '#a9b2ad', faint: '#737b77', empty: '#e5935a', selected: '#4be073', canvas: '#202423' },
}

interface WirePaint {
  /** Whether wires are painted as thin straight lines. */
  isFar: boolean
  scheme: Scheme
  /** Device pixels per canvas unit. */
  scale: number
  styleOf: (wire: DrawnWire) => WireStyle
  isSelected: (wire: DrawnWire) => boolean
}

/** Line widths, in canvas units. A double line is a wide one with a gap of the canvas colour painted over it. */
const SINGLE = 1.6
const DOUBLE = 4.5
const GAP = 1.8
const FAINT = 0.8
const DASHES = [7, 4]
/** The least width of a line in device pixels: thinner ones would be too pale. */
const MIN_WIDTH = 0.5

/**
 * The arcs to the left of an input that mark the end of a hidden wire: radii in canvas units, and angles in radians.
 */
const MARK_RADII = [4, 7.5]
const MARK_ANGLES = [0.75 * Math.PI, 1.25 * Math.PI] as const

/**
 * Paints wires, all of one style as one path, which is many times faster than separate paths. Wire displays are those
 * of Grasshopper: a faint wire is thin and pale, and a hidden one has only a mark at its end. Selected wires are always
 * drawn.
 */
export function paintWires(
  context: CanvasRenderingContext2D,
  wires: readonly DrawnWire[],
  { isFar, scheme, scale, styleOf, isSelected }: WirePaint,
): void {
  const colours = WIRE_COLOURS[scheme]
  const lookOf = (wire: DrawnWire): WireLook => {
    const style = styleOf(wire)
    const shown = isFar && style !== 'empty' ? 'item' : style
    return isSelected(wire) ? `selected ${shown}` : `${wire.display ?? 'plain'} ${shown}`
  }
  const looks = Map.groupBy(wires, lookOf)
  // Faint wires are behind, selected ones in front.
  const inOrder = [...looks].sort(([a], [b]) => depthOf(a) - depthOf(b))
  for (const [look, same] of inOrder) {
    const [display, style] = look.split(' ') as [WireDisplay, WireStyle]
    const path = new Path2D()
    if (display === 'hidden' || display === 'faint') {
      for (const wire of same) display === 'faint' ? addWire(path, wire, isFar) : addMark(path, wire)
      context.setLineDash([])
      context.strokeStyle = colours.faint
      context.lineWidth = Math.max(display === 'faint' ? FAINT : 1, MIN_WIDTH / scale)
      context.stroke(path)
      continue
    }
    for (const wire of same) addWire(path, wire, isFar)
    const isDouble = style === 'list' || style === 'tree'
    context.setLineDash(style === 'tree' ? DASHES : [])
    context.strokeStyle =
      display === 'selected' ? colours.selected : style === 'empty' ? colours.empty : colours.plain
    context.lineWidth = isDouble ? DOUBLE : Math.max(SINGLE, MIN_WIDTH / scale)
    context.stroke(path)
    if (!isDouble) continue
    context.setLineDash([])
    context.strokeStyle = colours.canvas
    context.lineWidth = GAP
    context.stroke(path)
  }
}

type WireDisplay = 'selected' | 'plain' | 'faint' | 'hidden'
type WireLook = `${WireDisplay} ${WireStyle}`

const DEPTHS: Record<WireDisplay, number> = { hidden: 0, faint: 1, plain: 2, selected: 3 }
const depthOf = (look: WireLook): number => DEPTHS[look.split(' ')[0] as WireDisplay]

function addMark(path: Path2D, { endX, endY }: DrawnWire): void {
  for (const radius of MARK_RADII) {
    path.moveTo(endX + radius * Math.cos(MARK_ANGLES[0]), endY + radius * Math.sin(MARK_ANGLES[0]))
    path.arc(endX, endY, radius, ...MARK_ANGLES)
  }
}

function addWire(path: Path2D, { startX, startY, endX, endY }: DrawnWire, isStraight: boolean): void {
  path.moveTo(startX, startY)
  if (isStraight) {
    path.lineTo(endX, endY)
    return
  }
  const offset = controlOffset(startX, startY, endX, endY)
  path.bezierCurveTo(startX + offset, startY, endX - offset, endY, endX, endY)
}
