import { findValueNumber } from '@meadow/contract/web'
import { type Ray, Vector3 } from 'three'
import { LOOK } from './looks.ts'
import { extendBox, type ScenePart, type SceneValues, vertexAt } from './scene-values.ts'

/** What a ray meets first. */
export interface Hit {
  value: number
  part: ScenePart
  /** The point, relative to the scene's origin. */
  point: Vector3
  /** The distance from the ray's origin. */
  distance: number
}

export interface PickOptions {
  looks: Uint8Array
  isShown(part: ScenePart): boolean
  /** How far from the ray a line or point may be, at a distance from the ray's origin. */
  toleranceAt(distance: number): number
  /** Whether the section plane removes a point. */
  isCut(point: Vector3): boolean
}

/** The number of indices or points that share a box. */
const CHUNK = 1536
const ELEMENTS = { triangles: 3, lines: 2, points: 1 } as const

/** Finds what a ray meets. The boxes of elements are computed with the first ray. */
export function createPicker({ parts }: SceneValues): {
  pick(ray: Ray, options: PickOptions): Hit | undefined
} {
  const boxes = new Map<ScenePart, Float32Array>()
  const boxesOf = (part: ScenePart): Float32Array => {
    const known = boxes.get(part) ?? measureChunks(part)
    boxes.set(part, known)
    return known
  }
  return {
    pick(ray, options) {
      let found: Hit | undefined
      // A line on a face is as far away as the face, but whoever points at it means the line.
      let rank = Number.POSITIVE_INFINITY
      for (const part of parts) {
        if (!options.isShown(part)) continue
        const test = TESTS[part.kind]
        const chunks = boxesOf(part)
        const end = part.starts.at(-1)!
        for (let chunk = 0; 6 * chunk < chunks.length; chunk++) {
          const entry = enterBox(ray, chunks, 6 * chunk, options, part.kind !== 'triangles')
          if (entry === undefined || entry > rank) continue
          const last = Math.min((chunk + 1) * CHUNK, end)
          for (let element = chunk * CHUNK; element < last; element += ELEMENTS[part.kind]) {
            const distance = test(ray, part, element, options)
            if (distance === undefined) continue
            const order = part.kind === 'triangles' ? distance : distance - 2 * options.toleranceAt(distance)
            if (order >= rank) continue
            const value = findValue(part, element)
            const point = ray.at(distance, new Vector3())
            if (options.looks[value] === LOOK.hidden || options.isCut(point)) continue
            rank = order
            found = { value, part, point, distance }
          }
        }
      }
      return found
    },
  }
}

function measureChunks(part: ScenePart): Float32Array {
  const end = part.starts.at(-1)!
  const count = Math.ceil(end / CHUNK)
  const boxes = new Float32Array(6 * count)
  for (let chunk = 0; chunk < count; chunk++) {
    boxes.fill(Number.POSITIVE_INFINITY, 6 * chunk, 6 * chunk + 3)
    boxes.fill(Number.NEGATIVE_INFINITY, 6 * chunk + 3, 6 * chunk + 6)
    extendBox(boxes, 6 * chunk, part, chunk * CHUNK, Math.min((chunk + 1) * CHUNK, end))
  }
  return boxes
}

/** The number of the value that an element belongs to. */
export const findValue = ({ starts, port }: ScenePart, element: number): number =>
  port.first + findValueNumber(starts, element)

/**
 * Returns where a ray enters a box, or 0 if it begins inside; undefined if it passes by, for lines and points by more
 * than the tolerance.
 */
function enterBox(
  { origin, direction }: Ray,
  boxes: Float32Array,
  at: number,
  { toleranceAt }: PickOptions,
  isWide: boolean,
): number | undefined {
  let margin = 0
  if (isWide) {
    const far = Math.hypot(
      Math.max(Math.abs(boxes[at]! - origin.x), Math.abs(boxes[at + 3]! - origin.x)),
      Math.max(Math.abs(boxes[at + 1]! - origin.y), Math.abs(boxes[at + 4]! - origin.y)),
      Math.max(Math.abs(boxes[at + 2]! - origin.z), Math.abs(boxes[at + 5]! - origin.z)),
    )
    margin = toleranceAt(far)
  }
  let from = 0
  let to = Number.POSITIVE_INFINITY
  for (const [axis, name] of (['x', 'y', 'z'] as const).entries()) {
    const low = boxes[at + axis]! - margin - origin[name]
    const high = boxes[at + axis + 3]! + margin - origin[name]
    if (direction[name] === 0) {
      if (low > 0 || high < 0) return undefined
      continue
    }
    const [a, b] = [low / direction[name], high / direction[name]]
    from = Math.max(from, Math.min(a, b))
    to = Math.min(to, Math.max(a, b))
    if (from > to) return undefined
  }
  return from
}

type Test = (ray: Ray, part: ScenePart, element: number, options: PickOptions) => number | undefined

const TESTS: Record<ScenePart['kind'], Test> = { triangles: hitTriangle, lines: hitSegment, points: hitPoint }

/** Source: Möller and Trumbore, "Fast, Minimum Storage Ray/Triangle Intersection" (1997). Both sides count. */
function hitTriangle({ origin, direction }: Ray, part: ScenePart, element: number): number | undefined {
  const { positions } = part
  const a = 3 * vertexAt(part, element)
  const b = 3 * vertexAt(part, element + 1)
  const c = 3 * vertexAt(part, element + 2)
  const [ax, ay, az] = [positions[a]!, positions[a + 1]!, positions[a + 2]!]
  const [ux, uy, uz] = [positions[b]! - ax, positions[b + 1]! - ay, positions[b + 2]! - az]
  const [vx, vy, vz] = [positions[c]! - ax, positions[c + 1]! - ay, positions[c + 2]! - az]
  const px = direction.y * vz - direction.z * vy
  const py = direction.z * vx - direction.x * vz
  const pz = direction.x * vy - direction.y * vx
  const determinant = ux * px + uy * py + uz * pz
  if (determinant === 0) return undefined
  const [tx, ty, tz] = [origin.x - ax, origin.y - ay, origin.z - az]
  const u = (tx * px + ty * py + tz * pz) / determinant
  if (!(u >= 0 && u <= 1)) return undefined
  const qx = ty * uz - tz * uy
  const qy = tz * ux - tx * uz
  const qz = tx * uy - ty * ux
  const v = (direction.x * qx + direction.y * qy + direction.z * qz) / determinant
  if (!(v >= 0 && u + v <= 1)) return undefined
  const distance = (vx * qx + vy * qy + vz * qz) / determinant
  return distance > 0 ? distance : undefined
}

const [from, to, nearest] = [new Vector3(), new Vector3(), new Vector3()]

function hitSegment(
  ray: Ray,
  part: ScenePart,
  element: number,
  { toleranceAt }: PickOptions,
): number | undefined {
  from.fromArray(part.positions, 3 * vertexAt(part, element))
  to.fromArray(part.positions, 3 * vertexAt(part, element + 1))
  const squared = ray.distanceSqToSegment(from, to, nearest)
  const distance = nearest.sub(ray.origin).dot(ray.direction)
  return distance > 0 && squared <= toleranceAt(distance) ** 2 ? distance : undefined
}

function hitPoint(
  ray: Ray,
  part: ScenePart,
  element: number,
  { toleranceAt }: PickOptions,
): number | undefined {
  from.fromArray(part.positions, 3 * vertexAt(part, element))
  const squared = ray.distanceSqToPoint(from)
  const distance = from.sub(ray.origin).dot(ray.direction)
  return distance > 0 && squared <= toleranceAt(distance) ** 2 ? distance : undefined
}
