import { checkpoint } from '../budget/budget.ts'
import type { Xyz } from '../values/points.ts'
import { dot, interpolate } from '../values/vector.ts'

/** A face of a convex solid: its corners counter-clockwise around the outer normal. */
interface ConvexFace {
  readonly corners: readonly Xyz[]
  /** Whether a half space made it. Otherwise it is a side of the first box. */
  readonly isCut: boolean
}

/** A convex solid. Corners of different faces in one place are the same object. */
export type ConvexSolid = readonly ConvexFace[]

/** The box between two corners, with six sides. */
export function createConvexBox(min: Xyz, max: Xyz): ConvexSolid {
  const [a, b, c, d, e, f, g, h] = [0, 1, 2, 3, 4, 5, 6, 7].map(
    (i): Xyz => ({ x: i & 1 ? max.x : min.x, y: i & 2 ? max.y : min.y, z: i & 4 ? max.z : min.z }),
  ) as [Xyz, Xyz, Xyz, Xyz, Xyz, Xyz, Xyz, Xyz]
  return [
    [a, c, d, b],
    [e, f, h, g],
    [a, b, f, e],
    [c, g, h, d],
    [a, e, g, c],
    [b, d, h, f],
  ].map((corners) => ({ corners, isCut: false }))
}

/**
 * The part of a convex solid whose component along a unit vector is at most `reach`, with a new face if it is smaller.
 * Corners that are closer to the plane than the tolerance are on it.
 */
export function cutConvex(solid: ConvexSolid, normal: Xyz, reach: number, tolerance: number): ConvexSolid {
  checkpoint(solid.length)
  const getHeight = (corner: Xyz) => dot(corner, normal) - reach
  if (!solid.some(({ corners }) => corners.some((corner) => getHeight(corner) > tolerance))) return solid
  const heights = new Map(
    solid.flatMap(({ corners }) => corners.map((corner) => [corner, getHeight(corner)] as const)),
  )
  const cutCorners = createCutCorners(heights)
  const nextOnCut = new Map<Xyz, Xyz>()
  const faces = solid.flatMap((face): ConvexFace[] => {
    const kept = cutFace(face.corners, heights, tolerance, cutCorners, nextOnCut)
    return kept.length > 2 ? [{ ...face, corners: kept }] : []
  })
  const corners = chain(nextOnCut)
  return corners.length > 2 ? [...faces, { corners, isCut: true }] : faces
}

/** Corners on edges through the plane, one for both faces of an edge. */
function createCutCorners(heights: ReadonlyMap<Xyz, number>): (a: Xyz, b: Xyz) => Xyz {
  const known = new Map<Xyz, Map<Xyz, Xyz>>()
  return (a, b) => {
    const found = known.get(a)?.get(b) ?? known.get(b)?.get(a)
    if (found) return found
    const [from, to] = [heights.get(a) as number, heights.get(b) as number]
    const corner = interpolate(a, b, from / (from - to))
    known.set(a, (known.get(a) ?? new Map<Xyz, Xyz>()).set(b, corner))
    return corner
  }
}

/** The corners of a face that stay, and the edge of the new face along it, in the direction of that face. */
function cutFace(
  corners: readonly Xyz[],
  heights: ReadonlyMap<Xyz, number>,
  tolerance: number,
  getCutCorner: (a: Xyz, b: Xyz) => Xyz,
  nextOnCut: Map<Xyz, Xyz>,
): Xyz[] {
  const kept: Xyz[] = []
  let [leaving, entering]: [Xyz | undefined, Xyz | undefined] = [undefined, undefined]
  for (const [i, a] of corners.entries()) {
    const b = corners[(i + 1) % corners.length] as Xyz
    const [from, to] = [heights.get(a) as number, heights.get(b) as number]
    if (from <= tolerance) kept.push(a)
    if (from <= tolerance === to <= tolerance) continue
    const isOn = Math.abs(from <= tolerance ? from : to) <= tolerance
    const corner = isOn ? (from <= tolerance ? a : b) : getCutCorner(a, b)
    if (!isOn) kept.push(corner)
    if (from <= tolerance) leaving = corner
    else entering = corner
  }
  if (leaving && entering && leaving !== entering) nextOnCut.set(entering, leaving)
  return kept
}

/** The corners of a loop whose edges are given by their starts. */
function chain(next: ReadonlyMap<Xyz, Xyz>): Xyz[] {
  const [first] = next.keys()
  const corners: Xyz[] = []
  for (let corner = first; corner && corners.length < next.size; corner = next.get(corner))
    corners.push(corner)
  return corners
}
