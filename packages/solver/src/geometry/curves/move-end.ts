import { getCurveDomain } from '../../values/curve-domain.ts'
import type { Xyz } from '../../values/points.ts'
import type { Curve } from '../../values/value.ts'
import { trimNurbs } from './knots.ts'

/** A curve with its start or end at another place; undefined for arcs, which would have to change their form. */
export function moveEnd(curve: Curve, place: Xyz, isEnd: boolean): Curve | undefined {
  const range = getCurveDomain(curve)
  switch (curve.type) {
    case 'line':
      return { ...curve, [isEnd ? 'to' : 'from']: place, domain: range }
    case 'polyline':
      return { ...curve, vertices: replaceAt(curve.vertices, place, isEnd) }
    case 'nurbsCurve': {
      const clamped = trimNurbs(curve, range.start, range.end)
      return { ...clamped, points: replaceAt(clamped.points, place, isEnd) }
    }
    case 'polyCurve': {
      const segment = curve.segments.at(isEnd ? -1 : 0)
      const moved = segment && moveEnd(segment, place, isEnd)
      return moved && { ...curve, segments: replaceAt(curve.segments, moved, isEnd) }
    }
    default:
      return undefined
  }
}

function replaceAt<T>(items: readonly T[], item: T, isEnd: boolean): T[] {
  return isEnd ? [...items.slice(0, -1), item] : [item, ...items.slice(1)]
}
