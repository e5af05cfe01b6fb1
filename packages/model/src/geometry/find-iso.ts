import type { BrepTrim } from '@meadow/geometry/values/brep'
import type { NurbsSurface } from '@meadow/geometry/values/nurbs-surface'
import { getKnotDomain } from './domains.ts'

/** The direction of a trim in its surface: any, along u or v inside, or along one of the four sides. */
export const ISO = { none: 0, constantU: 1, constantV: 2, west: 3, south: 4, east: 5, north: 6 } as const
export type Iso = (typeof ISO)[keyof typeof ISO]

type Range = readonly [start: number, end: number]

/**
 * The direction that openNURBS finds for a trim; a brep with any other is invalid.
 * Source: `ON_Surface::IsIsoparametric` and `ON_GetParameterTolerance`.
 */
export function findIso(curve: BrepTrim['curve'], surface: NurbsSurface): Iso {
  const points = curve.type === 'polyline' ? curve.vertices : curve.points
  const u = findRange(points.map(({ x }) => x))
  const v = findRange(points.map(({ y }) => y))
  const domainU = getKnotDomain(surface.knotsU, surface.degreeU)
  const domainV = getKnotDomain(surface.knotsV, surface.degreeV)
  const isAlongV = size(u) * size(domainV) <= size(v) * size(domainU)
  return isAlongV
    ? findSide(u, domainU, ISO.west, ISO.east, ISO.constantU)
    : findSide(v, domainV, ISO.south, ISO.north, ISO.constantV)
}

function findSide(range: Range, domain: Range, atStart: Iso, atEnd: Iso, interior: Iso): Iso {
  const [start, end] = domain
  const near =
    8 * Math.sqrt(Number.EPSILON) * size(domain) + (Math.abs(start) + Math.abs(end)) * Number.EPSILON
  const isAt = (index: number) => index - near <= range[0] && range[1] <= index + near
  if (isAt(start)) return atStart
  if (isAt(end)) return atEnd
  return isAt((range[0] + range[1]) / 2) ? interior : ISO.none
}

function findRange(numbers: readonly number[]): Range {
  return numbers.reduce<Range>(
    ([low, high], n) => [Math.min(low, n), Math.max(high, n)],
    [Infinity, -Infinity],
  )
}

function size([start, end]: Range): number {
  return end - start
}
