import { touchAlong } from '../geometry/surfaces/evaluate-surface.ts'
import type { NurbsSurface } from '../values/nurbs-surface.ts'
import { cross, findUnit, scale, Z_AXIS } from '../values/vector.ts'
import { addVertex, type Drawing } from './drawing.ts'
import type { SurfaceGrid } from './surface-grid.ts'

/**
 * Draws an untrimmed surface, on a grid as fine as its curvature requires. `isReversed`: the outside is
 * opposite to the surface normal.
 */
export function drawSurface(
  drawing: Drawing,
  surface: NurbsSurface,
  { alongU, alongV }: SurfaceGrid,
  isReversed = false,
): void {
  for (const us of alongU.parts) {
    for (const vs of alongV.parts) drawPatch(drawing, surface, nudge(us), nudge(vs), isReversed)
  }
}

/**
 * A small step inwards: at a crease the derivative is that of this side, and at a pole it does not vanish.
 */
const NUDGE = 1e-6

function nudge(parameters: readonly number[]): number[] {
  const [first, last] = [parameters[0]!, parameters.at(-1)!]
  const step = NUDGE * (last - first)
  return parameters.map((t) => Math.min(Math.max(t, first + step), last - step))
}

function drawPatch(
  drawing: Drawing,
  surface: NurbsSurface,
  us: readonly number[],
  vs: readonly number[],
  isReversed: boolean,
): void {
  const first = drawing.positions.length / 3
  for (const v of vs) {
    const touch = touchAlong(surface, v)
    for (const u of us) {
      const { point, du, dv } = touch(u)
      const normal = findUnit(cross(du, dv)) ?? Z_AXIS
      addVertex(drawing, point, isReversed ? scale(normal, -1) : normal)
    }
  }
  for (let j = 1; j < vs.length; j++) {
    for (let i = 1; i < us.length; i++) {
      const d = first + j * us.length + i
      const [a, b, c] = [d - us.length - 1, d - us.length, d - 1]
      if (isReversed) drawing.triangles.push(a, d, b, a, c, d)
      else drawing.triangles.push(a, b, d, a, d, c)
    }
  }
}
