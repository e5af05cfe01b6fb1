import { checkpoint } from '../budget/budget.ts'
import { getEnd, getPoint, getStart } from '../curves/evaluate.ts'
import { getLength, getParameterAtLength } from '../curves/length.ts'
import type { Brep, BrepEdge, BrepFace, BrepTrim } from '../values/brep.ts'
import { getCurveDomain } from '../values/curve-domain.ts'
import type { NurbsSurface } from '../values/nurbs-surface.ts'
import type { Xyz } from '../values/points.ts'
import type { Curve } from '../values/value.ts'
import { areEqual, distance } from '../values/vector.ts'
import { createBrepOfSurface } from './surface-brep.ts'

/** A side of a loop for the builder: its edge as a curve, or no edge at a pole. */
export interface LooseTrim {
  readonly curve: BrepTrim['curve']
  readonly edge?: Curve
  /** The trim runs opposite to its edge. */
  readonly isReversed: boolean
}

/** Builds a brep from faces. Coincident open edges are shared. */
export interface BrepBuilder {
  addFace(surface: NurbsSurface, loops: readonly (readonly LooseTrim[])[], isReversed?: boolean): void
  /** Adds an untrimmed surface. */
  addSurface(surface: NurbsSurface, isReversed?: boolean): void
  /** Adds all faces of another brep. `turn` flips them. */
  addBrep(brep: Brep, turn?: boolean): void
  build(): Brep
}

/** Points within `tolerance` of each other are the same vertex. */
export function createBrepBuilder(tolerance: number): BrepBuilder {
  const vertices = createVertexGrid(tolerance)
  const edges: BrepEdge[] = []
  const faces: BrepFace[] = []
  const uses: number[] = []
  const edgesBetween = new Map<string, number[]>()

  function takeEdge(curve: Curve): { edge: number; isReversed: boolean } {
    const [start, end] = [vertices.take(getStart(curve)), vertices.take(getEnd(curve))]
    const key = start < end ? `${start},${end}` : `${end},${start}`
    const others = edgesBetween.get(key) ?? []
    checkpoint(others.length)
    for (const edge of others) {
      if ((uses[edge] as number) > 1) continue
      const match = compareCurves((edges[edge] as BrepEdge).curve, curve, tolerance)
      if (match) {
        uses[edge] = (uses[edge] as number) + 1
        return { edge, isReversed: match === 'opposite' }
      }
    }
    const edge = edges.push({ curve, start, end }) - 1
    uses.push(1)
    edgesBetween.set(key, [...others, edge])
    return { edge, isReversed: false }
  }

  const builder: BrepBuilder = {
    addFace(surface, loops, isReversed = false) {
      const orientedLoops = loops.map((loop) =>
        loop.map((trim): BrepTrim => {
          if (!trim.edge) return { curve: trim.curve, isReversed: false }
          const { edge, isReversed: isOpposite } = takeEdge(trim.edge)
          return { curve: trim.curve, edge, isReversed: trim.isReversed !== isOpposite }
        }),
      )
      faces.push({ surface, isReversed, loops: orientedLoops })
    },
    addSurface(surface, isReversed = false) {
      builder.addBrep(createBrepOfSurface(surface), isReversed)
    },
    addBrep(brep, turn = false) {
      for (const face of brep.faces) {
        builder.addFace(face.surface, listLooseLoops(brep, face), face.isReversed !== turn)
      }
    },
    build: () => ({ type: 'brep', vertices: [...vertices.points], edges, faces }),
  }
  return builder
}

/** The loops of a face with their edges as curves. */
function listLooseLoops(brep: Brep, { loops }: BrepFace): LooseTrim[][] {
  return loops.map((loop) =>
    loop.map(({ curve, edge, isReversed }) => {
      const shared = edge === undefined ? undefined : brep.edges[edge]?.curve
      return { curve, ...(shared ? { edge: shared } : {}), isReversed }
    }),
  )
}

const PROBES = [0.25, 0.5, 0.75]

/** Whether two curves between the same points coincide, and whether they run in the same direction. */
function compareCurves(one: Curve, other: Curve, tolerance: number): 'same' | 'opposite' | undefined {
  if (one === other) return 'same'
  for (const probe of [probeByParameter, probeByLength]) {
    const [a, b] = [probe(one), probe(other)]
    if (a.every((point, i) => areEqual(point, b[i] as Xyz, tolerance))) return 'same'
    if (a.every((point, i) => areEqual(point, b[a.length - 1 - i] as Xyz, tolerance))) return 'opposite'
  }
  return undefined
}

/** Samples at equal steps of the parameter: sufficient where both curves have the same parameterisation. */
const probeByParameter = remember((curve) => {
  const { start, end } = getCurveDomain(curve)
  const inner = PROBES.map((t) => getPoint(curve, start + (end - start) * t))
  return [getStart(curve), ...inner, getEnd(curve)]
})

/** Samples at equal steps of length, independent of the parameterisation. */
const probeByLength = remember((curve) => {
  const size = getLength(curve)
  const inner = PROBES.map((t) => getPoint(curve, getParameterAtLength(curve, size * t)))
  return [getStart(curve), ...inner, getEnd(curve)]
})

function remember(probe: (curve: Curve) => Xyz[]): (curve: Curve) => Xyz[] {
  const known = new WeakMap<Curve, Xyz[]>()
  return (curve) => {
    const points = known.get(curve) ?? probe(curve)
    known.set(curve, points)
    return points
  }
}

/** Merges points within the tolerance. */
export interface VertexGrid {
  readonly points: readonly Xyz[]
  /** The index of a point, which is added if no known point is within the tolerance. */
  take(point: Xyz): number
}

export function createVertexGrid(tolerance: number): VertexGrid {
  const points: Xyz[] = []
  const cells = new Map<string, number[]>()
  // Cells are so large that the points within the tolerance of another one are mostly in one, and seldom in eight.
  const size = Math.max(8 * tolerance, 1e-12)
  const cellOf = (value: number) => Math.floor(value / size)
  const key = (x: number, y: number, z: number) => `${x},${y},${z}`

  /**
   * Lists the one or two cells of an axis that are within the tolerance of a value. They are not counted up, because a
   * huge value has no next cell.
   */
  function cellsNear(value: number): number[] {
    const [low, high] = [cellOf(value - tolerance), cellOf(value + tolerance)]
    return low === high ? [low] : [low, high]
  }

  function find(point: Xyz): number {
    const [xs, ys, zs] = [cellsNear(point.x), cellsNear(point.y), cellsNear(point.z)]
    let best = -1
    let bestGap = tolerance
    for (const x of xs) {
      for (const y of ys) {
        for (const z of zs) {
          for (const index of cells.get(key(x, y, z)) ?? []) {
            checkpoint()
            const gap = distance(points[index] as Xyz, point)
            // A gap that is not a number is never accepted.
            const isNearer = best < 0 ? gap <= tolerance : gap < bestGap
            if (!isNearer) continue
            best = index
            bestGap = gap
          }
        }
      }
    }
    return best
  }

  return {
    points: points,
    take(point) {
      const known = find(point)
      if (known >= 0) return known
      const index = points.push({ x: point.x, y: point.y, z: point.z }) - 1
      const at = key(cellOf(point.x), cellOf(point.y), cellOf(point.z))
      const cell = cells.get(at)
      if (cell) cell.push(index)
      else cells.set(at, [index])
      return index
    },
  }
}
