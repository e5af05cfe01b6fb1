import { isCurve } from './curves.ts'
import type { Geometry, Value } from './value.ts'

const OTHERS: ReadonlySet<string> = new Set<Geometry['type']>([
  'point',
  'plane',
  'box',
  'nurbsSurface',
  'brep',
  'mesh',
  'group',
])

/** Whether a value is geometry. Vectors are not. */
export function isGeometry(value: Value): value is Geometry {
  return typeof value === 'object' && (OTHERS.has(value.type) || isCurve(value))
}
