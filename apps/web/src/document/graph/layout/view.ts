import type { GraphContent } from '@meadow/contract'
import type { SavedView } from '@meadow/contract/web'
import type { Size } from '@meadow/document'
import { shapeOf } from './node-box.ts'
import { boundsOf, intersect, type Rectangle, rectangleOf, touches, unite } from './rectangle.ts'

/** What the canvas shows: the point in its middle, in canvas units, and CSS pixels per canvas unit. */
export interface View {
  x: number
  y: number
  zoom: number
}

const MAX_FIT_ZOOM = 1.1
/** Free space on each side of a graph that is fitted, as a fraction of the pane. */
const PADDING = 0.06
/** The zoom to which even small graphs can be zoomed out. */
const USUAL_MIN_ZOOM = 0.1
export const MAX_ZOOM = 4

/** The view of an area as large as it fits into the pane, in CSS pixels. */
export function fitArea({ left, top, right, bottom }: Rectangle, pane: Size, maxZoom = MAX_FIT_ZOOM): View {
  const inside = 1 - 2 * PADDING
  const zoom = Math.min(
    maxZoom,
    (pane.width * inside) / Math.max(1, right - left),
    (pane.height * inside) / Math.max(1, bottom - top),
  )
  return { x: (left + right) / 2, y: (top + bottom) / 2, zoom }
}

/** The view of a whole graph; undefined for an empty one. */
export function fitGraph({ nodes }: Pick<GraphContent, 'nodes'>, pane: Size): View | undefined {
  const bounds = boundsOf(Object.keys(nodes), nodes)
  return bounds && fitArea(bounds, pane)
}

/** The smallest zoom of a graph: a little smaller than where all of it is visible, however large it is. */
export const minZoomOf = (graph: Pick<GraphContent, 'nodes'>, pane: Size): number =>
  Math.min(USUAL_MIN_ZOOM, 0.8 * (fitGraph(graph, pane)?.zoom ?? 1))

/** The visible part of the canvas. */
export function areaOfView({ x, y, zoom }: View, { width, height }: Size): Rectangle {
  const [halfWidth, halfHeight] = [width / zoom / 2, height / zoom / 2]
  return { left: x - halfWidth, top: y - halfHeight, right: x + halfWidth, bottom: y + halfHeight }
}

/** The view that shows in another pane what a view shows of a graph: the same one where there is room for it. */
export function fitSeen(
  { nodes }: Pick<GraphContent, 'nodes'>,
  seen: { view: View; pane: Size },
  pane: Size,
): View {
  if (pane.width >= seen.pane.width && pane.height >= seen.pane.height) return seen.view
  const bounds = boundsOf(Object.keys(nodes), nodes)
  const shown = areaOfView(seen.view, seen.pane)
  return fitArea((bounds && intersect(bounds, shown)) ?? shown, pane, seen.view.zoom)
}

/** The usual size of Grasshopper's canvas, which is not in its files. */
const FILE_PANE: Size = { width: 1500, height: 850 }
/** A smaller pane shows the view of a file smaller, down to this fraction. */
const MIN_FILE_SCALE = 0.45

/**
 * The view of a document that is opened: the reader's own last one, else the one in its file, else all of it. A view without
 * nodes is not used. Undefined for an empty document.
 */
export function openingView(
  graph: Pick<GraphContent, 'nodes'>,
  pane: Size,
  { own, saved }: { own: View | undefined; saved: SavedView | null },
): View | undefined {
  const all = fitGraph(graph, pane)
  if (!all) return undefined
  const nodes = Object.values(graph.nodes).filter((node) => !DRAWINGS.has(shapeOf(node)))
  const hasNodes = (area: Rectangle) => nodes.some((node) => touches(rectangleOf(node), area))
  if (own && hasNodes(areaOfView(own, pane))) return own
  if (!saved || all.zoom >= saved.zoom) return all
  const { x, y, zoom } = saved
  const shown = {
    left: -x / zoom,
    top: -y / zoom,
    right: (FILE_PANE.width - x) / zoom,
    bottom: (FILE_PANE.height - y) / zoom,
  }
  const bounds = unite(nodes.map(rectangleOf).filter((rectangle) => touches(rectangle, shown)))
  const area = bounds && intersect(bounds, shown)
  if (!area) return all
  const view = fitArea(area, pane, zoom)
  return { ...view, zoom: Math.max(view.zoom, MIN_FILE_SCALE * zoom) }
}

const DRAWINGS: ReadonlySet<string> = new Set(['scribble', 'sketch'])
