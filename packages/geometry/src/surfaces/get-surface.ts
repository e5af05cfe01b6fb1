import type { BrepFace } from '../values/brep.ts'
import type { NurbsSurface } from '../values/nurbs-surface.ts'
import type { Surface } from '../values/value.ts'

/** The untrimmed surface, and whether its outside is opposite to its normal. */
export function getSurface(surface: Surface): { surface: NurbsSurface; isReversed: boolean } {
  if (surface.type === 'nurbsSurface') return { surface, isReversed: false }
  return getOnlyFace(surface.faces)
}

function getOnlyFace([face]: readonly BrepFace[]): BrepFace {
  if (!face) throw new Error('A surface has one face')
  return face
}
