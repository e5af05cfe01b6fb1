import type { Xyz } from '@meadow/geometry/values/points'
import type { Shape } from './listed-shapes.ts'
import {
  createFlat,
  createRamp,
  createRaster,
  type Ramp,
  type Raster,
  type Rgba,
  SAMPLES,
  shadeOf,
} from './raster.ts'

/** The size of a picture in pixels. */
export interface PictureSize {
  width: number
  height: number
}

/** The colour of bodies, between those of the light and the dark 3D view: the picture is shown on both. */
const BODY: Rgba = [190, 202, 194, 255]
const EDGE: Rgba = [62, 74, 67, 255]
/** The colour of curves, which has a contrast of at least 3 to 1 on white and on black. */
const CURVE: Rgba = [86, 138, 104, 255]

/** The widths and the radius in samples. */
const EDGE_WIDTH = 2
const CURVE_WIDTH = 4
const POINT_RADIUS = 5
/** The number of lines from which they are drawn thinner, so that they do not become one area. */
const MANY_LINES = 3000
/** The share of the width and height that stays empty on each side. */
export const MARGIN = 0.05

/** The direction from the model to the viewer, with which the 3D view begins. */
const DIRECTION = normalize({ x: 1, y: -1.6, z: 1.1 })
/** The height, as a share of the width, up to which geometry counts as flat and is seen from above. */
const FLAT = 1e-3

/**
 * Returns the pixels of a picture of the shapes, in the form of `Raster.resolve`; undefined when nothing would be
 * visible, and when the time is over before all is drawn. It calls `isLate` before each shape.
 */
export function drawShapes(
  shapes: readonly Shape[],
  size: PictureSize,
  isLate: () => boolean = () => false,
): Uint8Array | undefined {
  const view = fitView(shapes, size)
  if (!view) return undefined
  const raster = createRaster(size.width, size.height)
  for (const shape of shapes) {
    if (isLate()) return undefined
    paintBody(raster, shape, view)
  }
  const lines = shapes.reduce((count, { edges, curves }) => count + edges.length + curves.length, 0)
  const thin = lines > MANY_LINES ? 0.5 : 1
  for (const shape of shapes) {
    if (isLate()) return undefined
    paintLines(raster, shape, view, thin)
  }
  return raster.resolve()
}

// The view.

/** A view of the model. Its axes have length 1 and point to the right, down, and towards the viewer. */
interface View {
  right: Xyz
  down: Xyz
  towards: Xyz
  /** The number of samples per unit of length. `x`, `y` and `z` are added to scaled positions. */
  scale: number
  x: number
  y: number
  z: number
}

const OBLIQUE = lookFrom(DIRECTION)
const FROM_ABOVE = { right: { x: 1, y: 0, z: 0 }, down: { x: 0, y: -1, z: 0 }, towards: { x: 0, y: 0, z: 1 } }

function lookFrom(towards: Xyz): Pick<View, 'right' | 'down' | 'towards'> {
  const right = normalize({ x: -towards.y, y: towards.x, z: 0 })
  const down = {
    x: right.y * towards.z,
    y: -right.x * towards.z,
    z: right.x * towards.y - right.y * towards.x,
  }
  return { right, down, towards }
}

function normalize({ x, y, z }: Xyz): Xyz {
  const length = Math.hypot(x, y, z)
  return { x: x / length, y: y / length, z: z / length }
}

const dot = (axis: Xyz, x: number, y: number, z: number): number => axis.x * x + axis.y * y + axis.z * z

/** The number of points below which a picture of points alone would show less than one of the graph. */
const MIN_POINTS = 10

/**
 * Returns the view in which the shapes fill the raster; undefined if there are none. Points only count where there is
 * nothing else.
 */
function fitView(shapes: readonly Shape[], size: PictureSize): View | undefined {
  const count = shapes.reduce((sum, { points }) => sum + points.length, 0)
  const extents = measure(shapes, false) ?? (count < MIN_POINTS ? undefined : measure(shapes, true))
  if (!extents) return undefined
  const [width, height] = [SAMPLES * size.width, SAMPLES * size.height]
  const [spanX, spanY, spanZ] = [spanOf(extents.x), spanOf(extents.y), spanOf(extents.z)]
  const isFlat = spanZ <= FLAT * Math.max(spanX, spanY)
  const axes = isFlat ? FROM_ABOVE : OBLIQUE
  const across = isFlat ? extents.x : extents.right
  const along = isFlat ? { min: -extents.y.max, max: -extents.y.min } : extents.down
  const room = 1 - 2 * MARGIN
  const scale = Math.min((room * width) / spanOf(across), (room * height) / spanOf(along))
  const usable = Number.isFinite(scale) && scale > 0 ? scale : 1
  return {
    ...axes,
    scale: usable,
    x: width / 2 - (usable * (across.min + across.max)) / 2,
    y: height / 2 - (usable * (along.min + along.max)) / 2,
    // Depths are stored with seven digits: they start near the geometry, however far from the origin it is.
    z: -usable * (isFlat ? extents.z : extents.towards).max,
  }
}

interface Extent {
  min: number
  max: number
}

const spanOf = ({ min, max }: Extent): number => max - min

function measure(shapes: readonly Shape[], withPoints: boolean) {
  const none = (): Extent => ({ min: Number.POSITIVE_INFINITY, max: Number.NEGATIVE_INFINITY })
  const extents = { x: none(), y: none(), z: none(), right: none(), down: none(), towards: none() }
  const extend = (extent: Extent, value: number) => {
    if (value < extent.min) extent.min = value
    if (value > extent.max) extent.max = value
  }
  const add = (x: number, y: number, z: number) => {
    extend(extents.x, x)
    extend(extents.y, y)
    extend(extents.z, z)
    extend(extents.right, dot(OBLIQUE.right, x, y, z))
    extend(extents.down, dot(OBLIQUE.down, x, y, z))
    extend(extents.towards, dot(OBLIQUE.towards, x, y, z))
  }
  // Edges need not be measured: they are at the faces.
  for (const { positions, curves, points } of shapes) {
    for (let i = 0; i < positions.length; i += 3) add(positions[i]!, positions[i + 1]!, positions[i + 2]!)
    for (const line of curves) for (const { x, y, z } of line) add(x, y, z)
    if (withPoints) for (const { x, y, z } of points) add(x, y, z)
  }
  return extents.x.min <= extents.x.max ? extents : undefined
}

// The painting.

const ramps = new Map<string, Ramp>()

function rampOf(colour: Rgba): Ramp {
  const key = colour.join()
  const ramp = ramps.get(key) ?? createRamp(colour)
  if (ramps.size < 1000) ramps.set(key, ramp)
  return ramp
}

const EDGE_RAMP = createFlat(EDGE)
const CURVE_RAMP = createFlat(CURVE)

function paintBody(raster: Raster, { positions, triangles, normals, colour }: Shape, view: View): void {
  if (triangles.length === 0) return
  const count = positions.length / 3
  const spots = new Float32Array(3 * count)
  for (let i = 0; i < 3 * count; i += 3)
    setSpot(spots, i, positions[i]!, positions[i + 1]!, positions[i + 2]!, view)
  let shades: Float32Array | undefined
  if (normals) {
    shades = new Float32Array(count)
    for (let i = 0; i < count; i++) {
      const [x, y, z] = [normals[3 * i]!, normals[3 * i + 1]!, normals[3 * i + 2]!]
      shades[i] = shadeOf(dot(view.right, x, y, z), dot(view.down, x, y, z), dot(view.towards, x, y, z))
    }
  }
  raster.fillFaces({ spots, triangles, shades }, rampOf(colour ?? BODY))
}

function paintLines(
  raster: Raster,
  { edges, curves, points, colour }: Shape,
  view: View,
  thin: number,
): void {
  const own = colour && createFlat(colour)
  const isClear = colour !== undefined && colour[3] < 255
  if (!isClear) for (const line of edges) raster.drawLine(toSpots(line, view), EDGE_WIDTH * thin, EDGE_RAMP)
  for (const line of curves) raster.drawLine(toSpots(line, view), CURVE_WIDTH * thin, own ?? CURVE_RAMP)
  if (points.length === 0) return
  const spots = toSpots(points, view)
  for (let i = 0; i < spots.length; i += 3)
    raster.drawDisc(spots[i]!, spots[i + 1]!, spots[i + 2]!, POINT_RADIUS, own ?? CURVE_RAMP)
}

function toSpots(points: readonly Xyz[], view: View): Float32Array {
  const spots = new Float32Array(3 * points.length)
  for (const [i, { x, y, z }] of points.entries()) setSpot(spots, 3 * i, x, y, z, view)
  return spots
}

function setSpot(spots: Float32Array, at: number, x: number, y: number, z: number, view: View): void {
  spots[at] = view.x + view.scale * dot(view.right, x, y, z)
  spots[at + 1] = view.y + view.scale * dot(view.down, x, y, z)
  spots[at + 2] = view.z + view.scale * dot(view.towards, x, y, z)
}
