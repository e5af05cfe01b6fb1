import { createHash } from 'node:crypto'
import type { EncodedGeometry } from '@meadow/contract'
import {
  decodeGeometry,
  drawObject,
  type ModelLibrary,
  type ModelValue,
  USER_STRING,
  walkModel,
} from '@meadow/model'
import { listMembers } from '@meadow/scene'
import {
  type Drawing,
  findRoughBounds,
  type Geometry,
  getPreviewColour,
  type Opaque,
  type Sketch,
  sketchGeometry,
} from '@meadow/solver'
import type { Rgba } from './raster.ts'

/** The drawing of a value or object. */
export type Shape = Sketch & { colour: Rgba | undefined }

export interface ShapeOptions {
  /** Whether the geometry of a node is left out. Values with a colour of their own are drawn in any case. */
  isHidden: (nodeInstanceId: string) => boolean
  /** Sketches values that the solver has no type for, such as a SubD. */
  library: Pick<ModelLibrary, 'sketch'>
  /** Whether this share of the time is over. It is called before each value. */
  isLate: (share: number) => boolean
}

export interface ListedShapes {
  shapes: Shape[]
  /** Whether something was left out because there was no time. */
  isPartial: boolean
}

/** A value or object that may be drawn. */
interface Candidate {
  colour: Rgba | undefined
  /** Resolves with geometry, or with a drawing of a value that the solver has no type for. */
  open(): Promise<(Geometry | Drawing)[]>
}

/** Lists the shapes of the values of a solution. */
export function listShapesOfValues(
  values: readonly ModelValue[],
  options: ShapeOptions,
): Promise<ListedShapes> {
  const candidates = new Map<string, Candidate>()
  const numbers = new Map<object, number>()
  for (const { value, material, nodeInstanceId } of values) {
    if (!material && options.isHidden(nodeInstanceId)) continue
    const shown = material && getPreviewColour(material)
    const colour: Rgba | undefined = shown && [shown.red, shown.green, shown.blue, shown.alpha]
    // Ports that pass a value on have the same object.
    const number = numbers.get(value) ?? numbers.size
    numbers.set(value, number)
    candidates.set(`${number} ${colour}`, { colour, open: () => openValue(value, options.library) })
  }
  return listShapes([...candidates.values()], options)
}

/** Lists the shapes of the objects of a model file. */
export function listShapesOfModel(model: Uint8Array, options: ShapeOptions): Promise<ListedShapes> {
  const candidates: Candidate[] = []
  const known = new Set<string>()
  for (const { userStrings, colour: own, encode } of walkModel(model)) {
    if (!own && options.isHidden(userStrings.get(USER_STRING.node) ?? '')) continue
    const colour: Rgba | undefined = own && [own.red, own.green, own.blue, own.alpha]
    candidates.push({
      colour,
      async open() {
        const encoded = encode()
        const key = `${createHash('sha1').update(encoded.data).digest('base64')} ${colour}`
        if (known.has(key)) return []
        known.add(key)
        const geometry = decodeGeometry(encoded)
        return geometry ? listMembers(geometry) : drawOther(encoded, options.library)
      },
    })
  }
  return listShapes(candidates, options)
}

/** The approximate width of a picture in pixels. */
const PIXELS = 480
/** The share of the time in which values may be read from a file. */
const OPENING = 0.5

/**
 * Lists the shapes of the candidates. If there is not enough time for all, the listed ones are spread over all of them,
 * so that they show the whole.
 */
async function listShapes(candidates: readonly Candidate[], { isLate }: ShapeOptions): Promise<ListedShapes> {
  const opened: { colour: Rgba | undefined; drawn: Geometry | Drawing }[] = []
  const shapes: Shape[] = []
  let isPartial = false
  for (const position of spread(candidates.length)) {
    isPartial = opened.length > 0 && isLate(OPENING)
    if (isPartial) break
    const { colour, open } = candidates[position]!
    for (const drawn of await open()) opened.push({ colour, drawn })
  }
  const pixel = findSize(opened.map(({ drawn }) => drawn)) / PIXELS
  for (const { colour, drawn } of opened) {
    if (shapes.length > 0 && isLate(1)) return { shapes, isPartial: true }
    const sketch = 'type' in drawn ? sketchGeometry(drawn, pixel) : drawn
    if (sketch) shapes.push({ ...sketch, colour })
  }
  return { shapes, isPartial }
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

async function openValue(
  value: Geometry | Opaque,
  library: ShapeOptions['library'],
): Promise<(Geometry | Drawing)[]> {
  if (value.type !== 'opaque') return listMembers(value)
  return value.wire.geometry ? drawOther(value.wire.geometry, library) : []
}

async function drawOther(encoded: EncodedGeometry, library: ShapeOptions['library']): Promise<Drawing[]> {
  const drawn = await drawObject(encoded, library)
  return drawn ? [drawn.drawing] : []
}
