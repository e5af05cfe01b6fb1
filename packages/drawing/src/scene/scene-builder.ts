import type { SolutionId } from '@meadow/contract'
import type { SceneHeader } from '@meadow/contract/web'
import { COARSE, type Detail, FINE } from '../drawing/detail.ts'
import type { Drawing } from '../drawing/drawing.ts'
import { PortBuilder, type SceneLocation, type ValueTraits } from './port-builder.ts'
import { createPut } from './put-numbers.ts'
import { writeHeader } from './write-header.ts'

type Xyz = Drawing['points'][number]

/** The maximum size of a scene that a browser can still show, and that fits into the memory of a process. */
const MAX_VERTICES = 4_000_000
/** The size of a scene up to which values are drawn finely. */
const MAX_FINE_VERTICES = 1_000_000

export interface SceneProperties {
  /** The id of the solution. Left out where the values are not from a stored one. */
  solutionId?: SolutionId
  units: string
  /** The maximum number of vertices: further values are left out. 4,000,000 by default. */
  maxVertices?: number
}

/** Collects the drawings of values, in the order of branches, into a scene (`scene.ts` of the contract). */
export interface SceneBuilder {
  /**
   * Adds the drawing of a value, or of one more member of a group. Returns false when the scene is full, after which
   * nothing can be added any more.
   */
  add(location: SceneLocation, drawing: Drawing, traits?: Partial<ValueTraits>): boolean
  /** The detail with which the next value should be drawn: coarser in a large scene. */
  readonly detail: Detail
  /** Counts a value that is geometry and has no drawing. */
  skip(): void
  /** Whether something did not fit. */
  readonly isTruncated: boolean
  /** Returns the bytes of the scene, in pieces. */
  finish(): Generator<Uint8Array<ArrayBuffer>>
}

export function createSceneBuilder({
  solutionId,
  units,
  maxVertices = MAX_VERTICES,
}: SceneProperties): SceneBuilder {
  const ports = new Map<string, PortBuilder>()
  const bounds = createBounds()
  let vertices = 0
  let skipped = 0
  let truncated = false

  return {
    get detail() {
      return vertices < MAX_FINE_VERTICES ? FINE : COARSE
    },

    add(location, drawing, { colour = 0, type = 'geometry', measure = Number.NaN } = {}) {
      vertices += countVertices(drawing)
      if (vertices > maxVertices) {
        truncated = true
        return false
      }
      bounds.add(drawing)
      const key = `${location.nodeInstanceId}/${location.portInstanceId}`
      const port = ports.get(key) ?? new PortBuilder(location, bounds.origin)
      ports.set(key, port)
      if (!port.add(location, drawing, { colour, type, measure })) skipped++
      return true
    },

    skip() {
      skipped++
    },

    get isTruncated() {
      return truncated
    },

    *finish() {
      const numbers: Uint8Array<ArrayBuffer>[] = []
      const put = createPut(numbers)
      const batches = [...ports.values()].flatMap((port) => port.finish(put))
      const { origin, box } = bounds
      yield writeHeader({
        ...(solutionId !== undefined && { solutionId }),
        units,
        origin: [origin.x, origin.y, origin.z],
        boundingBox: box,
        batches,
        skipped,
        truncated,
      })
      yield* numbers
    },
  }
}

/** Returns the size of a drawing in a scene: the number of its vertices, at least 1. */
export function countVertices({ positions, edges, isocurves, meshEdges, curves, points }: Drawing): number {
  let lines = 0
  for (const list of [edges, isocurves, meshEdges, curves]) for (const { length } of list) lines += length
  return Math.max(positions.length / 3 + lines + points.length, 1)
}

/** Packs the colour of a value in a scene as `0xrrggbbaa`, from numbers from 0 to 255. */
export function packColour(colour: { red: number; green: number; blue: number; alpha: number }): number {
  const { red, green, blue, alpha } = colour
  return ((red << 24) | (green << 16) | (blue << 8) | alpha) >>> 0
}

/** The bounding box of all drawings. */
interface Bounds {
  add(drawing: Drawing): void
  /** The middle of the first drawing, in whole numbers. All positions are relative to it. */
  readonly origin: Xyz
  /** The box relative to the origin. */
  readonly box: SceneHeader['boundingBox']
}

function createBounds(): Bounds {
  const min = [Infinity, Infinity, Infinity]
  const max = [-Infinity, -Infinity, -Infinity]
  let origin: Xyz | undefined

  const extend = (axis: number, value: number) => {
    if (value < min[axis]!) min[axis] = value
    if (value > max[axis]!) max[axis] = value
  }
  const addPoint = ({ x, y, z }: Xyz) => {
    extend(0, x)
    extend(1, y)
    extend(2, z)
  }
  const middle = (axis: number) => Math.round((min[axis]! + max[axis]!) / 2)

  return {
    add({ positions, edges, curves, points }) {
      for (let i = 0; i < positions.length; i++) extend(i % 3, positions[i]!)
      for (const line of [...edges, ...curves, points]) for (const point of line) addPoint(point)
      origin ??= { x: middle(0), y: middle(1), z: middle(2) }
    },
    get origin() {
      return origin ?? { x: 0, y: 0, z: 0 }
    },
    get box(): SceneHeader['boundingBox'] {
      if (!origin) return null
      const { x, y, z } = origin
      const relative = ([a, b, c]: number[]): [number, number, number] => [a! - x, b! - y, c! - z]
      return [relative(min), relative(max)]
    },
  }
}
