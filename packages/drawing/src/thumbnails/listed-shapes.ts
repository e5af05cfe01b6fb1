import type { Colour, Geometry } from '@meadow/geometry/values/value'
import type { Drawing } from '../drawing/drawing.ts'
import { findRoughBounds, type Sketch, sketchGeometry } from '../drawing/sketch-geometry.ts'
import type { Rgba } from './raster.ts'

/** The drawing of a value or object. */
export type Shape = Sketch & { colour: Rgba | undefined }

/** A value or object that may be drawn. */
export interface Drawable {
  /** The node that it comes from. */
  nodeInstanceId: string
  /** Its own colour, if it has one. Drawables with a colour are also visible where the preview of their node is off. */
  colour: Colour | undefined
  /** The object that it is. Drawables of one object in one colour, such as of ports that pass it on, are drawn once. */
  source?: object
  /** Resolves with geometry, or with drawings of what has no type of its own; with neither if it is invisible. */
  open(): Promise<(Geometry | Drawing)[]>
}

export interface ShapeOptions {
  /** Whether the geometry of a node is left out. Drawables with a colour of their own are drawn in any case. */
  isHidden: (nodeInstanceId: string) => boolean
  /** Whether this share of the time is over. It is called before each value. */
  isLate: (share: number) => boolean
}

export interface ListedShapes {
  shapes: Shape[]
  /** Whether something was left out because there was no time. */
  isPartial: boolean
}

/** The approximate width of a picture in pixels. */
const PIXELS = 480
/** The share of the time in which values may be read from a file. */
const OPENING = 0.5

/**
 * Lists the shapes of all that is visible. If there is not enough time for everything, the listed ones are spread over
 * all of it, so that they show the whole.
 */
export async function listShapes(
  drawables: Iterable<Drawable>,
  { isHidden, isLate }: ShapeOptions,
): Promise<ListedShapes> {
  const candidates = [...listVisible(drawables, isHidden)]
  const opened: { colour: Rgba | undefined; drawn: Geometry | Drawing }[] = []
  const shapes: Shape[] = []
  let isPartial = false
  for (const position of spread(candidates.length)) {
    isPartial = opened.length > 0 && isLate(OPENING)
    if (isPartial) break
    const { colour, open } = candidates[position]!
    for (const drawn of await open()) opened.push({ colour: colour && toRgba(colour), drawn })
  }
  const pixel = findSize(opened.map(({ drawn }) => drawn)) / PIXELS
  for (const { colour, drawn } of opened) {
    if (shapes.length > 0 && isLate(1)) return { shapes, isPartial: true }
    const sketch = 'type' in drawn ? sketchGeometry(drawn, pixel) : drawn
    if (sketch) shapes.push({ ...sketch, colour })
  }
  return { shapes, isPartial }
}

const toRgba = ({ red, green, blue, alpha }: Colour): Rgba => [red, green, blue, alpha]

function* listVisible(
  drawables: Iterable<Drawable>,
  isHidden: ShapeOptions['isHidden'],
): Generator<Drawable> {
  const known = new Map<object, Set<string>>()
  for (const drawable of drawables) {
    const { colour, nodeInstanceId, source } = drawable
    if (!colour && isHidden(nodeInstanceId)) continue
    if (source) {
      const colours = known.get(source) ?? new Set()
      known.set(source, colours)
      const key = colour ? toRgba(colour).join() : ''
      if (colours.has(key)) continue
      colours.add(key)
    }
    yield drawable
  }
}

/** Returns the diagonal of the bounding box of everything. */
function findSize(drawn: readonly (Geometry | Drawing)[]): number {
  const [low, high] = [
    [Infinity, Infinity, Infinity],
    [-Infinity, -Infinity, -Infinity],
  ]
  for (const one of drawn) {
    const bounds = 'type' in one ? findRoughBounds(one) : undefined
    if (!bounds) continue
    for (const [axis, key] of (['x', 'y', 'z'] as const).entries()) {
      low[axis] = Math.min(low[axis]!, bounds.min[key])
      high[axis] = Math.max(high[axis]!, bounds.max[key])
    }
  }
  const size = Math.hypot(...high.map((value, axis) => value - low[axis]!))
  return Number.isFinite(size) && size > 0 ? size : 1
}

const GOLDEN = (Math.sqrt(5) - 1) / 2

/**
 * Yields the numbers below `count`, in an order in which any number of first ones is spread evenly over all of them.
 */
export function* spread(count: number): Generator<number> {
  let step = Math.max(1, Math.round(GOLDEN * count))
  // Steps of a length without a common divisor meet every number once.
  while (findDivisor(step, count) > 1) step++
  for (let i = 0; i < count; i++) yield (i * step) % count
}

function findDivisor(a: number, b: number): number {
  return b === 0 ? a : findDivisor(b, a % b)
}
