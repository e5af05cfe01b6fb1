import { groupBy } from '@meadow/document'
import { createBrepBuilder } from '../breps/brep-builder.ts'
import { createPlanarFace } from '../breps/planar-face.ts'
import { checkpoint } from '../budget/budget.ts'
import { joinCurves } from '../curve-editing/join.ts'
import type { Brep } from '../values/brep.ts'
import type { Plane } from '../values/points.ts'
import type { Curve } from '../values/value.ts'
import { arrange, getMiddle, isInsideLoop, type Loop, type SharedEdge, toLoop } from './arrange.ts'
import { type BoundaryEdge, chain, createBoundaryEdge } from './combine.ts'
import { createOutline } from './outline.ts'

/** A closed chain of edges, with the face that it bounds on its left. */
interface Cycle {
  readonly edges: readonly BoundaryEdge[]
  readonly loop: Loop
}

/**
 * The parts into which curves divide a flat face, each a face in the given plane, which is that of the face and of the
 * curves and has its normal. Curves outside of the face divide nothing, nor do those that end inside of it.
 * Undefined where it is unclear how curves lie on each other, and for a face whose outlines are not closed or touch.
 */
export function splitFlatFace(
  { edges, faces: [face] }: Brep,
  curves: readonly Curve[],
  plane: Plane,
  tolerance: number,
): Brep[] | undefined {
  const outlines = (face?.loops ?? []).map((loop) =>
    joinCurves(
      loop.flatMap(({ edge }) => (edge === undefined ? [] : (edges[edge]?.curve ?? []))),
      tolerance,
    ),
  )
  if (!face || outlines.some((parts) => parts.length !== 1)) return undefined
  const borders = outlines.map(([outline]) => toLoop(outline!, 0, plane))
  const arrangement = arrange(
    [...borders, ...curves.map((curve) => toLoop(curve, 1, plane))],
    plane,
    tolerance,
  )
  const cycles = arrangement && traceFaces(arrangement.shared, borders, plane)
  return cycles && createFaces(cycles, plane, face.isReversed, tolerance)
}

/** The cycles around all parts. */
function traceFaces(
  shared: readonly SharedEdge[],
  borders: readonly Loop[],
  plane: Plane,
): Cycle[] | undefined {
  const outer = borders.reduce((most, loop) => (Math.abs(loop.area) > Math.abs(most.area) ? loop : most))
  const border: BoundaryEdge[] = []
  const inner: SharedEdge[] = []
  for (const edge of shared) {
    checkpoint(borders.length)
    const [use, another] = edge.uses.filter(({ loop }) => loop < borders.length)
    if (another) return undefined
    if (use) {
      const own = borders[use.loop]!
      border.push(createBoundaryEdge(edge.edge, ((own === outer) === own.area > 0) === use.isAlong))
    } else {
      const middle = getMiddle(edge.edge)
      if (borders.every((loop) => isInsideLoop(loop, plane, middle) === (loop === outer))) inner.push(edge)
    }
  }
  return traceCycles(border, inner, plane)
}

/** Inner edges have a part on both sides. One that has the same part on both is left out: it divides nothing. */
function traceCycles(
  border: readonly BoundaryEdge[],
  inner: readonly SharedEdge[],
  plane: Plane,
): Cycle[] | undefined {
  const sides = inner.map(({ edge }) => [true, false].map((isLeft) => createBoundaryEdge(edge, isLeft)))
  const chains = chain([...border, ...sides.flat()], plane)
  if (!chains) return undefined
  const owners = new Map(chains.flatMap((edges, i) => edges.map((edge) => [edge, i] as const)))
  const dividing = inner.filter((_, i) => owners.get(sides[i]![0]!) !== owners.get(sides[i]![1]!))
  if (dividing.length < inner.length) return traceCycles(border, dividing, plane)
  return chains.map((edges) => ({ edges, loop: toLoop(createOutline(edges), 0, plane) }))
}

/** A face inside each cycle that runs counter-clockwise; the others are holes of the smallest one around them. */
function createFaces(cycles: readonly Cycle[], plane: Plane, isReversed: boolean, tolerance: number): Brep[] {
  const outers = cycles.filter(({ loop }) => loop.area > 0)
  const bySize = outers.toSorted((a, b) => a.loop.area - b.loop.area)
  const holes = groupBy(
    cycles.filter(({ loop }) => loop.area < 0),
    ({ edges: [first], loop }) =>
      bySize.find(
        (outer) =>
          outer.loop.area > -loop.area + tolerance * tolerance &&
          isInsideLoop(outer.loop, plane, getMiddle(first!.edge)),
      ),
  )
  return outers.map((outer) => {
    const around = holes.get(outer) ?? []
    const { surface, loops } = createPlanarFace(
      plane,
      [outer, ...around].map(({ loop }) => loop.curve),
    )
    const builder = createBrepBuilder(tolerance)
    builder.addFace(surface, loops, isReversed)
    return builder.build()
  })
}
