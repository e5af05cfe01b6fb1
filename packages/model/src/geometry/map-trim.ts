import type { BrepTrim } from '@meadow/geometry/values/brep'
import type { Xyz } from '@meadow/geometry/values/points'
import type { Curve } from '@meadow/geometry/values/value'
import { UnsupportedForm } from '../opennurbs/model-fault.ts'
import { arcToNurbs } from './arc-to-nurbs.ts'
import type { ReadSurface } from './read-surface.ts'

/**
 * Maps a trim to the parameters of the NURBS form of its surface. Where these differ from those of the surface,
 * only trims along u or v keep their shape; nearly all are, since modelers trim such surfaces at their ends.
 * Fails: `UnsupportedForm` for other trims and for curves that cannot be trims.
 */
export function mapTrim(curve: Curve, { mapU, mapV }: ReadSurface): BrepTrim['curve'] {
  const flat = toTrimCurve(curve)
  if (!mapU && !mapV) return flat
  const points = flat.type === 'polyline' ? flat.vertices : flat.points
  const [first] = points
  const alongV = points.every(({ x }) => isNear(x, first!.x))
  const alongU = points.every(({ y }) => isNear(y, first!.y))
  if (!alongU && !alongV) throw new UnsupportedForm('a trim across a surface whose parameters change')
  const move = ({ x, y }: Xyz): Xyz => ({ x: mapU?.(x) ?? x, y: mapV?.(y) ?? y, z: 0 })
  return flat.type === 'polyline'
    ? { ...flat, vertices: points.map(move) }
    : { ...flat, points: points.map(move) }
}

function isNear(a: number, b: number): boolean {
  return Math.abs(a - b) <= 1e-10 * (1 + Math.abs(a))
}

function toTrimCurve(curve: Curve): BrepTrim['curve'] {
  switch (curve.type) {
    case 'polyline':
    case 'nurbsCurve':
      return curve
    case 'line':
      return {
        type: 'polyline',
        vertices: [curve.from, curve.to],
        ...(curve.domain && { domain: curve.domain }),
      }
    case 'arc':
    case 'circle':
      return arcToNurbs(curve).curve
    default:
      throw new UnsupportedForm(`a trim that is a ${curve.type}`)
  }
}
