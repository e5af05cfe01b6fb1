import { joinBreps } from '../breps/join-breps.ts'
import { countUses } from '../breps/list-faces.ts'
import { joinCurves } from '../curve-editing/join.ts'
import type { Brep } from '../values/brep.ts'
import { createPlanarBreps } from './planar-breps.ts'

/** A brep with faces in its planar openings, and how many openings were closed and how many remain. */
interface CappedBrep {
  readonly brep: Brep
  readonly capped: number
  readonly left: number
}

/**
 * Closes the planar openings of a brep. Undefined where openings in one plane are inside of each other or overlap: it is
 * not published whether one is a hole in the cap of the other.
 */
export function capPlanarHoles(brep: Brep, tolerance: number): CappedBrep | undefined {
  const uses = countUses(brep)
  const naked = brep.edges.filter((_, i) => uses[i] === 1).map(({ curve }) => curve)
  const openings = joinCurves(naked, tolerance)
  const { breps: caps, open, bent, fault } = createPlanarBreps(openings, tolerance)
  const left = open + bent
  if (fault || caps.length + left < openings.length || caps.some(isPierced)) return undefined
  if (caps.length === 0) return { brep, capped: 0, left }
  const [joined = brep] = joinBreps([brep, ...caps], tolerance)
  return { brep: joined, capped: caps.length, left }
}

function isPierced({ faces }: Brep): boolean {
  return faces.some(({ loops }) => loops.length > 1)
}
