import { getCurveDomain } from '../../values/curve-domain.ts'
import type { PolyCurve } from '../../values/curves.ts'
import { type Curve, domain } from '../../values/value.ts'
import { withDomain } from './split.ts'

/** The segments of a polycurve with the parts of its domain that they cover; of segments in segments, the innermost. */
export function listSegments(curve: PolyCurve): Curve[] {
  const { start, end } = getCurveDomain(curve)
  const sizes = curve.segments.map((segment) => {
    const range = getCurveDomain(segment)
    return range.end - range.start
  })
  const total = sizes.reduce((sum, size) => sum + size, 0)
  const rate = total === 0 ? 0 : (end - start) / total
  let from = start
  return curve.segments.flatMap((segment, i) => {
    const to = from + (sizes[i] as number) * rate
    const own = withDomain(segment, domain(from, to))
    from = to
    return own.type === 'polyCurve' ? listSegments(own) : [own]
  })
}

/** Curves end to end as one, each running as before; its parameter begins where that of the first does. */
export function createPolyCurve(curves: readonly Curve[]): PolyCurve {
  const segments = curves.flatMap((curve) => (curve.type === 'polyCurve' ? listSegments(curve) : [curve]))
  const [first] = segments
  const start = first ? getCurveDomain(first).start : 0
  const size = segments.reduce((sum, segment) => {
    const range = getCurveDomain(segment)
    return sum + range.end - range.start
  }, 0)
  return { type: 'polyCurve', segments, ...(start === 0 ? {} : { domain: domain(start, start + size) }) }
}
