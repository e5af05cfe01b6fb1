import type { Brep } from '../../values/brep.ts'
import { joinCurves } from '../curve-editing/join.ts'
import { isClosed } from '../curves/split.ts'
import { joinBreps } from './join-breps.ts'
import { countUses } from './list-faces.ts'
import { createPlanarBreps } from './planar-breps.ts'

/** Closes the planar openings of a brep. Also returns how many openings were closed and how many remain. */
export function capPlanarHoles(brep: Brep, tolerance: number): { brep: Brep; capped: number; left: number } {
  const uses = countUses(brep)
  const naked = brep.edges.filter((_, i) => uses[i] === 1).map(({ curve }) => curve)
  const openings = joinCurves(naked, tolerance)
  const caps = openings.flatMap((opening) =>
    isClosed(opening, tolerance) ? createPlanarBreps([opening], tolerance).breps : [],
  )
  const left = openings.length - caps.length
  if (caps.length === 0) return { brep, capped: 0, left }
  const [joined = brep] = joinBreps([brep, ...caps], tolerance)
  return { brep: joined, capped: caps.length, left }
}
