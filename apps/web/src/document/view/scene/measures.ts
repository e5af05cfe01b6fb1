import { MathUtils, Vector3 } from 'three'
import { type ScenePart, type SceneValues, vertexAt } from './scene-values.ts'

/** A length or an area, in the units of the scene. */
export interface Measure {
  what: 'Length' | 'Area'
  amount: number
  /** Whether the solver computed it, or the drawing is as exact as the geometry; otherwise it is an approximation. */
  isExact: boolean
}

/** Types whose drawing is the geometry itself. */
const DRAWN_EXACTLY = new Set(['line', 'polyline', 'rectangle', 'mesh'])

/** The length of a curve, or the area of a body; undefined for a point, and for a text, whose frame is an estimate. */
export function measureValue(values: SceneValues, value: number): Measure | undefined {
  if (values.typeOf(value) === 'text') return undefined
  const exact = values.measureOf(value)
  for (const part of values.parts) {
    const number = value - part.port.first
    if (number < 0 || number >= part.port.count) continue
    if (part.role !== 'body' && part.role !== 'curve') continue
    const [from, to] = [part.starts[number]!, part.starts[number + 1]!]
    if (from === to) continue
    const what = part.role === 'body' ? 'Area' : 'Length'
    if (exact !== undefined) return { what, amount: exact, isExact: true }
    const amount = part.role === 'body' ? sumAreas(part, from, to) : sumLengths(part, from, to)
    return { what, amount, isExact: DRAWN_EXACTLY.has(values.typeOf(value)) }
  }
  return undefined
}

const corner = (part: ScenePart, element: number, into: Vector3): Vector3 =>
  into.fromArray(part.positions, 3 * vertexAt(part, element))

function sumAreas(part: ScenePart, from: number, to: number): number {
  const [a, b, c] = [new Vector3(), new Vector3(), new Vector3()]
  let area = 0
  for (let element = from; element < to; element += 3) {
    corner(part, element, a)
    corner(part, element + 1, b).sub(a)
    corner(part, element + 2, c).sub(a)
    area += b.cross(c).length() / 2
  }
  return area
}

function sumLengths(part: ScenePart, from: number, to: number): number {
  const [a, b] = [new Vector3(), new Vector3()]
  let length = 0
  for (let element = from; element < to; element += 2)
    length += corner(part, element, a).distanceTo(corner(part, element + 1, b))
  return length
}

/** The angle at the middle of three points, in degrees; undefined when two of them are the same. */
export function measureAngle(from: Vector3, at: Vector3, to: Vector3): number | undefined {
  const [one, other] = [from.clone().sub(at), to.clone().sub(at)]
  if (one.length() === 0 || other.length() === 0) return undefined
  // More precise than the arc cosine, for angles near 0 and 180 degrees.
  return MathUtils.radToDeg(Math.atan2(one.clone().cross(other).length(), one.dot(other)))
}

/** The size of a value's box along x, y and z. */
export function measureBox({ boxes }: SceneValues, value: number): [number, number, number] {
  const size = (axis: number) => Math.max(boxes[6 * value + axis + 3]! - boxes[6 * value + axis]!, 0)
  return [size(0), size(1), size(2)]
}

/** A number for people, by default with up to six significant digits: `1,234.5`, `0.00123457`, `1.2E9`. */
export function formatNumber(number: number, digits = 6): string {
  if (Math.abs(number) < 1e-12) return '0'
  const size = Math.abs(number)
  const notation = size >= 1e9 || size < 1e-5 ? 'scientific' : 'standard'
  return number.toLocaleString('en', { maximumSignificantDigits: digits, notation })
}
