import { checkpoint } from '../../budget/budget.ts'
import type { Brep, BrepEdge, BrepFace, BrepTrim } from '../../values/brep.ts'
import { getCurveDomain } from '../../values/curve-domain.ts'
import type { NurbsSurface } from '../../values/nurbs-surface.ts'
import type { Xyz } from '../../values/points.ts'
import type { Curve } from '../../values/value.ts'
import { areEqual, distance } from '../../values/vector.ts'
import { getEnd, getPoint, getStart } from '../curves/evaluate.ts'
import { getLength, getParameterAtLength } from '../curves/length.ts'
import { createBrepOfSurface } from './surface-brep.ts'

/** A side of a loop as it is given to the builder: the edge as a curve, or none at a pole. */
export interface LooseTrim {
  readonly curve: BrepTrim['curve']
  readonly edge?: Curve
  /** The trim runs against its edge. */
  readonly isReversed: boolean
}

/** Puts faces together to a brep: where an open edge of one lies on that of another they share it. */
export interface BrepBuilder {
  addFace(surface: NurbsSurface, loops: readonly (readonly LooseTrim[])[], isReversed?: boolean): void
  /** A surface in its own bounds. */
  addSurface(surface: NurbsSurface, isReversed?: boolean): void
  /** All faces of another brep. `turn` changes the side on which they look. */
  addBrep(brep: Brep, turn?: boolean): void
  build(): Brep
}

/** `tolerance` is how far apart places that are one may be. */
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
      const placed = loops.map((loop) =>
        loop.map((trim): BrepTrim => {
          if (!trim.edge) return { curve: trim.curve, isReversed: false }
          const { edge, isReversed: isOpposite } = takeEdge(trim.edge)
          return { curve: trim.curve, edge, isReversed: trim.isReversed !== isOpposite }
        }),
      )
      faces.push({ surface, isReversed, loops: placed })
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

/** Whether two curves between the same places lie on each other, and how they run. */
function compareCurves(one: Curve, other: Curve, tolerance: number): 'same' | 'opposite' | undefined {
  if (one === other) return 'same'
  for (const probe of [probeByParameter, probeByLength]) {
    const [a, b] = [probe(one), probe(other)]
    if (a.every((point, i) => areEqual(point, b[i] as Xyz, tolerance))) return 'same'
    if (a.every((point, i) => areEqual(point, b[a.length - 1 - i] as Xyz, tolerance))) return 'opposite'
  }
  return undefined
}

/** Both ends and places between: enough where both curves run through their domains alike. */
const probeByParameter = remember((curve) => {
  const { start, end } = getCurveDomain(curve)
  const inner = PROBES.map((t) => getPoint(curve, start + (end - start) * t))
  return [getStart(curve), ...inner, getEnd(curve)]
})

/** The same at equal shares of the curve's length, so that it does not matter how its parameter runs. */
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

/** Places of which those within the tolerance are one. */
export interface VertexGrid {
  readonly points: readonly Xyz[]
  /** The index of the place, which is added where none is near. */
  take(point: Xyz): number
}

function createVertexGrid(tolerance: number): VertexGrid {
  const points: Xyz[] = []
  const cells = new Map<string, number[]>()
  // A place is near others in its own cell or in one beside it.
  const size = Math.max(2 * tolerance, 1e-12)
  const cellOf = (value: number) => Math.floor(value / size)
  const key = (x: number, y: number, z: number) => `${x},${y},${z}`
  return {
    points: points,
    take(point) {
      const [x, y, z] = [cellOf(point.x), cellOf(point.y), cellOf(point.z)]
      let best = -1
      for (let i = -1; i <= 1; i++) {
        for (let j = -1; j <= 1; j++) {
          for (let k = -1; k <= 1; k++) {
            for (const index of cells.get(key(x + i, y + j, z + k)) ?? []) {
              checkpoint()
              const gap = distance(points[index] as Xyz, point)
              if (gap <= tolerance && (best < 0 || gap < distance(points[best] as Xyz, point))) best = index
            }
          }
        }
      }
      if (best >= 0) return best
      const cell = cells.get(key(x, y, z))
      const index = points.push({ x: point.x, y: point.y, z: point.z }) - 1
      if (cell) cell.push(index)
      else cells.set(key(x, y, z), [index])
      return index
    },
  }
}
