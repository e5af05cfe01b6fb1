import type { GraphContent } from '@meadow/contract'
import { TEXT_ZOOM } from '../graph/canvas/paint-nodes.ts'
import type { Scheme } from '../graph/layout/colours.ts'
import type { GroupBox } from '../graph/layout/groups.ts'
import { grow, type Rectangle, rectangleOf, touches } from '../graph/layout/rectangle.ts'
import { boxOfWire, type DrawnWire, pathOfWire } from '../graph/layout/wires.ts'
import type { Marks } from './list-marks.ts'
import type { ChangeLocation, Mark } from './locate-change.ts'

/**
 * The colours of marks, which have a contrast of at least 3:1 on the canvas. `diff-view.module.css` has the same
 * colours.
 */
const COLOURS: Record<Scheme, Record<Mark, string>> = {
  light: { added: '#1a7f37', removed: '#cf222e', changed: '#9a5b00', moved: '#0969da' },
  dark: { added: '#3fb950', removed: '#ff7b72', changed: '#e3a53b', moved: '#58a6ff' },
}
const CHOSEN: Record<Scheme, string> = { light: '#111', dark: '#fff' }

/** The line dashes in canvas units, by which marks can be distinguished without colours. */
const DASHES: Record<Mark, number[]> = { added: [], removed: [9, 5], changed: [], moved: [2, 4] }
/** The symbols of marks, which are also those of the list of changes. */
export const SYMBOLS: Record<Mark, string> = { added: '+', removed: '−', changed: '≠', moved: '↔' }

/** The distance from a node to its mark, in canvas units. */
const MARGIN = 5
const RADIUS = 8
const LINE = 2.5
/** Lines are at least this wide, in CSS pixels. */
const MIN_LINE = 1.5
const WIRE = 4
const BADGE = 15
/** The least size of badges in CSS pixels. They are not shown below the zoom `BADGE_ZOOM`. */
const MIN_BADGE = 11
const BADGE_ZOOM = 0.12

export interface MarkedGraph {
  nodes: GraphContent['nodes']
  groups: readonly GroupBox[]
  wires: ReadonlyMap<string, DrawnWire>
  marks: Marks
  /** The location of the chosen change in this graph. */
  chosen: ChangeLocation | undefined
}

interface MarkPaint {
  scheme: Scheme
  area: Rectangle
  /** CSS pixels per canvas unit. */
  zoom: number
  fontFamily: string
}

/** Paints the marks of groups and wires that lie in an area, which belong below the nodes. */
export function paintMarksBelow(
  context: CanvasRenderingContext2D,
  { groups, wires, marks, chosen }: MarkedGraph,
  paint: MarkPaint,
): void {
  const { area, zoom } = paint
  const width = Math.max(LINE, MIN_LINE / zoom)
  for (const { group, box } of groups) {
    const mark = marks.groups.get(group.id)
    const isChosen = chosen?.groupIds.includes(group.id) ?? false
    if ((mark || isChosen) && touches(box, area))
      paintBox(context, box, { ...paint, mark, isChosen, width: 2 * width, fill: false })
  }
  for (const { from, to, mark } of marks.wires) {
    const wire = wires.get(wireKey({ from, to }))
    if (wire && touches(boxOfWire(wire), area)) paintWire(context, wire, mark, paint)
  }
  for (const { from, to } of chosen?.wires ?? []) {
    const wire = wires.get(wireKey({ from, to }))
    if (!wire) continue
    context.setLineDash([])
    context.strokeStyle = CHOSEN[paint.scheme]
    context.lineWidth = Math.max(1.5, 1.2 / zoom)
    context.stroke(new Path2D(pathOfWire(wire)))
  }
}

/** Paints the marks of nodes that lie in an area. They cover the nodes, whose neighbours would cover them. */
export function paintMarksAbove(
  context: CanvasRenderingContext2D,
  { nodes, marks, chosen }: MarkedGraph,
  paint: MarkPaint,
): void {
  const { area, zoom } = paint
  const width = Math.max(LINE, MIN_LINE / zoom)
  const chosenIds = new Set(chosen?.nodeIds)
  for (const id of new Set([...marks.nodes.keys(), ...chosenIds])) {
    const node = nodes[id]
    if (!node) continue
    const box = grow(rectangleOf(node), MARGIN)
    if (!touches(box, area)) continue
    const [mark, isChosen] = [marks.nodes.get(id), chosenIds.has(id)]
    paintBox(context, box, { ...paint, mark, isChosen, width, fill: true })
  }
}

export const wireKey = ({ from, to }: Pick<DrawnWire, 'from' | 'to'>): string =>
  `${from.nodeInstanceId} ${from.portInstanceId} ${to.nodeInstanceId} ${to.portInstanceId}`

interface BoxPaint extends MarkPaint {
  mark: Mark | undefined
  isChosen: boolean
  width: number
  fill: boolean
}

function paintBox(
  context: CanvasRenderingContext2D,
  box: Rectangle,
  { scheme, mark, isChosen, width, fill, zoom, fontFamily }: BoxPaint,
): void {
  if (isChosen) {
    strokeBox(context, grow(box, 2.5 * width), CHOSEN[scheme], Math.max(2, 2 / zoom), [])
  }
  if (!mark) return
  const colour = COLOURS[scheme][mark]
  if (fill) {
    context.globalAlpha = zoom < TEXT_ZOOM ? 0.35 : 0.14
    context.fillStyle = colour
    context.beginPath()
    context.roundRect(box.left, box.top, box.right - box.left, box.bottom - box.top, RADIUS)
    context.fill()
    context.globalAlpha = 1
  }
  strokeBox(context, box, colour, width, DASHES[mark])
  if (zoom < BADGE_ZOOM) return
  const size = Math.max(BADGE, MIN_BADGE / zoom)
  const [x, y] = [box.left, box.top]
  context.beginPath()
  if (mark === 'added') context.arc(x, y, size / 2, 0, 2 * Math.PI)
  else if (mark === 'removed') context.rect(x - size / 2, y - size / 2, size, size)
  else context.roundRect(x - size / 2, y - size / 2, size, size, size / 4)
  context.fillStyle = colour
  context.fill()
  context.font = `bold ${size * 0.85}px ${fontFamily}`
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  context.fillStyle = scheme === 'light' ? '#fff' : '#111'
  context.fillText(SYMBOLS[mark], x, y + size * 0.04)
}

function strokeBox(
  context: CanvasRenderingContext2D,
  { left, top, right, bottom }: Rectangle,
  colour: string,
  width: number,
  dashes: number[],
): void {
  context.setLineDash(dashes)
  context.strokeStyle = colour
  context.lineWidth = width
  context.beginPath()
  context.roundRect(left, top, right - left, bottom - top, RADIUS)
  context.stroke()
  context.setLineDash([])
}

function paintWire(
  context: CanvasRenderingContext2D,
  wire: DrawnWire,
  mark: Mark,
  { scheme, zoom }: MarkPaint,
): void {
  context.setLineDash(DASHES[mark])
  context.strokeStyle = COLOURS[scheme][mark]
  context.lineWidth = Math.max(WIRE, 2 / zoom)
  context.stroke(new Path2D(pathOfWire(wire)))
  context.setLineDash([])
}
