import { checkpoint } from '../budget/budget.ts'
import { findVertices } from '../curves/vertices.ts'
import type { Brep } from '../values/brep.ts'
import type { Xyz } from '../values/points.ts'
import { distance, dot, subtract } from '../values/vector.ts'
import { findBrepHits, locateInBrep } from './brep-hits.ts'

export type Segment = readonly [from: Xyz, to: Xyz]

/** The position of a shape in relation to a closed brep. A shape that is partly on the brep crosses it. */
export type Relation = 'inside' | 'crossing' | 'outside'

/**
 * Determines where segments are in relation to a closed brep. They are taken to be connected, or on one side where they
 * do not cross it. Undefined where it is unclear, as along a face.
 */
export function locateSegments(
  brep: Brep,
  segments: readonly Segment[],
  tolerance: number,
): Relation | undefined {
  let isUnclear = false
  for (const [from, to] of segments) {
    checkpoint()
    const size = distance(from, to)
    if (size <= tolerance) continue
    const along = subtract(to, from)
    const hits = findBrepHits(brep, from, along, tolerance)
    if (!hits) {
      isUnclear = true
      continue
    }
    const isCrossed = hits.some(({ point }) => {
      const reached = dot(subtract(point, from), along) / size
      return reached >= -tolerance && reached <= size + tolerance
    })
    if (isCrossed) return 'crossing'
  }
  const [first] = segments
  const position = first && locateInBrep(brep, first[0], tolerance)
  if (position === 'on') return 'crossing'
  return isUnclear ? undefined : position
}

/** The straight edges of a brep; undefined if an edge or a face is bent. */
export function listStraightEdges(brep: Brep): Segment[] | undefined {
  const segments: Segment[] = []
  for (const { curve } of brep.edges) {
    const vertices = findVertices(curve)
    if (!vertices) return undefined
    for (let i = 1; i < vertices.length; i++) segments.push([vertices[i - 1] as Xyz, vertices[i] as Xyz])
  }
  const isFlat = brep.faces.every(({ surface }) => surface.degreeU === 1 && surface.degreeV === 1)
  return isFlat ? segments : undefined
}
