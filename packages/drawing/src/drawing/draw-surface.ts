import { evaluateGrid } from '@meadow/geometry/surfaces/evaluate-surface'
import type { NurbsSurface } from '@meadow/geometry/values/nurbs-surface'
import type { Drawing } from './drawing.ts'
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
  const { positions, normals } = evaluateGrid(surface, us, vs)
  const sign = isReversed ? -1 : 1
  for (let i = 0; i < positions.length; i += 3) {
    drawing.positions.push(positions[i]!, positions[i + 1]!, positions[i + 2]!)
    const [x, y, z] = [normals[i]!, normals[i + 1]!, normals[i + 2]!]
    if (x === 0 && y === 0 && z === 0) drawing.normals.push(0, 0, sign)
    else drawing.normals.push(sign * x, sign * y, sign * z)
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
