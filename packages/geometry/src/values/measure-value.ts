import { POINT_BYTES, VALUE_BYTES } from '../budget/budget.ts'
import type { Brep } from './brep.ts'
import { type CompositeGeometry, isConsistent } from './is-consistent.ts'
import type { Mesh } from './mesh.ts'
import type { Plane, Xyz } from './points.ts'
import type { Domain, Value } from './value.ts'

/** Valid large geometry. Values are immutable, so each is measured and counted once. */
const measured = new WeakSet<object>()

const OBJECT_BYTES = 64
const NUMBER_BYTES = 8
const PLANE_BYTES = OBJECT_BYTES + 4 * POINT_BYTES

/**
 * Estimates the memory of a value in bytes and validates it: undefined for a point, vector, plane, transformation or
 * geometry with a coordinate that is not a finite number, or with parts that do not fit together. Numbers and domains
 * may have any value. Large geometry that was measured before counts as a reference, as do texts, which count where
 * they are created.
 */
export function measureValue(value: Value | null): number | undefined {
  if (value === null || typeof value !== 'object') return VALUE_BYTES
  switch (value.type) {
    case 'point':
    case 'vector':
      return isFiniteXyz(value) ? POINT_BYTES : undefined
    case 'plane':
      return isFinitePlane(value) ? PLANE_BYTES : undefined
    case 'line':
      return isFiniteXyz(value.from) && isFiniteXyz(value.to) && isFiniteDomain(value.domain)
        ? 2 * POINT_BYTES
        : undefined
    case 'circle':
      return isFinitePlane(value.plane) && Number.isFinite(value.radius) && isFiniteDomain(value.domain)
        ? PLANE_BYTES
        : undefined
    case 'arc':
      return isFinitePlane(value.plane) &&
        areFinite([value.radius, value.startAngle, value.endAngle]) &&
        isFiniteDomain(value.domain)
        ? PLANE_BYTES
        : undefined
    case 'rectangle':
      return isFinitePlane(value.plane) &&
        isFiniteDomain(value.x) &&
        isFiniteDomain(value.y) &&
        isFiniteDomain(value.domain)
        ? PLANE_BYTES
        : undefined
    case 'box':
      return isFinitePlane(value.plane) &&
        isFiniteDomain(value.x) &&
        isFiniteDomain(value.y) &&
        isFiniteDomain(value.z)
        ? PLANE_BYTES
        : undefined
    case 'complex':
      return Number.isNaN(value.real + value.imaginary) ? undefined : OBJECT_BYTES
    case 'transform':
      return areFinite(value.matrix) ? OBJECT_BYTES + 16 * NUMBER_BYTES : undefined
    case 'matrix':
      return OBJECT_BYTES + NUMBER_BYTES * value.values.length
    case 'twistedBox':
      return measurePoints(value.corners)
    case 'polyline':
    case 'nurbsCurve':
    case 'polyCurve':
    case 'nurbsSurface':
    case 'brep':
    case 'mesh':
    case 'group':
      return measureOnce(value)
    default:
      return OBJECT_BYTES
  }
}

function measureOnce(value: CompositeGeometry): number | undefined {
  if (measured.has(value)) return VALUE_BYTES
  const bytes = isConsistent(value) ? measureLarge(value) : undefined
  if (bytes !== undefined) measured.add(value)
  return bytes
}

function measureLarge(value: CompositeGeometry): number | undefined {
  switch (value.type) {
    case 'polyline':
      return isFiniteDomain(value.domain) ? measurePoints(value.vertices) : undefined
    case 'nurbsCurve': {
      const { points, weights = [], knots } = value
      if (!areFinite(weights) || !areFinite(knots)) return undefined
      return addUp([measurePoints(points), NUMBER_BYTES * (weights.length + knots.length)])
    }
    case 'polyCurve':
      return isFiniteDomain(value.domain) ? addUp(value.segments.map(measureValue)) : undefined
    case 'nurbsSurface': {
      const { points, weights = [], knotsU, knotsV } = value
      if (!weights.every(areFinite) || !areFinite(knotsU) || !areFinite(knotsV)) return undefined
      return addUp(points.map(measurePoints))
    }
    case 'brep':
      return measureBrep(value)
    case 'mesh':
      return measureMesh(value)
    case 'group':
      return addUp(value.members.map(measureValue))
  }
}

function measureBrep({ vertices, edges, faces }: Brep): number | undefined {
  return addUp([
    measurePoints(vertices),
    ...edges.map(({ curve }) => measureValue(curve)),
    ...faces.map(({ surface, loops }) =>
      addUp([
        measureValue(surface),
        ...loops.flatMap((loop) => loop.map(({ curve }) => measureValue(curve))),
      ]),
    ),
  ])
}

function measureMesh({ vertices, faces, colours = [], normals = [] }: Mesh): number | undefined {
  return addUp([
    measurePoints(vertices),
    measurePoints(normals),
    OBJECT_BYTES * (faces.length + colours.length),
  ])
}

function measurePoints(points: readonly Xyz[]): number | undefined {
  for (const point of points) if (!isFiniteXyz(point)) return undefined
  return OBJECT_BYTES + POINT_BYTES * points.length
}

function addUp(parts: readonly (number | undefined)[]): number | undefined {
  let sum = OBJECT_BYTES
  for (const part of parts) {
    if (part === undefined) return undefined
    sum += part
  }
  return sum
}

function isFiniteXyz({ x, y, z }: Xyz): boolean {
  return Number.isFinite(x) && Number.isFinite(y) && Number.isFinite(z)
}

function isFinitePlane({ origin, xAxis, yAxis, zAxis }: Plane): boolean {
  return isFiniteXyz(origin) && isFiniteXyz(xAxis) && isFiniteXyz(yAxis) && isFiniteXyz(zAxis)
}

function isFiniteDomain(domain: Domain | undefined): boolean {
  return domain === undefined || (Number.isFinite(domain.start) && Number.isFinite(domain.end))
}

function areFinite(numbers: readonly number[]): boolean {
  return numbers.every(Number.isFinite)
}
