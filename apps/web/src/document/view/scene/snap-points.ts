import { type Camera, Vector3 } from 'three'
import { LOOK } from './looks.ts'
import { findValue } from './picker.ts'
import type { ScenePart, SceneValues } from './scene-values.ts'

/** Points that measuring snaps to. */
export interface SnapPoints {
  /** Three numbers for each point. */
  positions: Float32Array
  /** The part and value of each point. */
  parts: ScenePart[]
  values: Uint32Array
}

/** A line that turns by more than this, in radians, has a corner. */
const CORNER = 0.3

/** Lists points, and the ends and corners of curves and edges. For meshes, these are the vertices. */
export function listSnapPoints(values: SceneValues): SnapPoints {
  const found: number[] = []
  const parts: ScenePart[] = []
  const numbers: number[] = []
  for (const part of values.parts) {
    if (part.role === 'body' || part.role === 'isocurve') continue
    const add = (vertex: number, element: number) => {
      found.push(
        part.positions[3 * vertex]!,
        part.positions[3 * vertex + 1]!,
        part.positions[3 * vertex + 2]!,
      )
      parts.push(part)
      numbers.push(findValue(part, element))
    }
    const { indices } = part
    const end = part.starts.at(-1)!
    if (!indices) {
      for (let point = 0; point < end; point++) add(point, point)
      continue
    }
    for (let element = 0; element < end; element += 2) {
      const [from, to] = [indices[element]!, indices[element + 1]!]
      const goesOn = element > 0 && indices[element - 1] === from
      if (!goesOn || isCorner(part.positions, indices[element - 2]!, from, to)) add(from, element)
      if (element + 2 >= end || indices[element + 2] !== to) add(to, element)
    }
  }
  return { positions: new Float32Array(found), parts, values: new Uint32Array(numbers) }
}

const [before, after] = [new Vector3(), new Vector3()]

function isCorner(positions: Float32Array, a: number, b: number, c: number): boolean {
  const [x, y, z] = [positions[3 * b]!, positions[3 * b + 1]!, positions[3 * b + 2]!]
  before.set(x - positions[3 * a]!, y - positions[3 * a + 1]!, z - positions[3 * a + 2]!)
  after.set(positions[3 * c]! - x, positions[3 * c + 1]! - y, positions[3 * c + 2]! - z)
  return before.angleTo(after) > CORNER
}

export interface SnapOptions {
  camera: Camera
  /** The width of the view in CSS pixels. */
  width: number
  height: number
  /** The position of the pointer, from the upper left corner. */
  x: number
  y: number
  looks: Uint8Array
  isShown(part: ScenePart): boolean
  isCut(point: Vector3): boolean
  /** Whether something is in front of a point. */
  isCovered(point: Vector3): boolean
}

/** How far from the pointer a point may be, in CSS pixels. */
const REACH = 12

/** The snap point nearest to the pointer that can be seen. */
export function findSnapPoint(points: SnapPoints, options: SnapOptions): Vector3 | undefined {
  const { camera, width, height, x, y } = options
  const found: { point: Vector3; far: number }[] = []
  const point = new Vector3()
  for (let at = 0; at < points.values.length; at++) {
    if (options.looks[points.values[at]!] === LOOK.hidden || !options.isShown(points.parts[at]!)) continue
    point.fromArray(points.positions, 3 * at).project(camera)
    if (!(Math.abs(point.z) <= 1)) continue
    const far = Math.hypot(((point.x + 1) * width) / 2 - x, ((1 - point.y) * height) / 2 - y)
    if (far <= REACH) found.push({ point: new Vector3().fromArray(points.positions, 3 * at), far })
  }
  found.sort((a, b) => a.far - b.far)
  return found.find((one) => !options.isCut(one.point) && !options.isCovered(one.point))?.point
}
