import { findBrepHits, locateInBrep, withoutRepeats } from '@meadow/geometry/breps/brep-hits'
import {
  listStraightEdges,
  locateSegments,
  type Relation,
  type Segment,
} from '@meadow/geometry/breps/segments-in-brep'
import { toBrep } from '@meadow/geometry/breps/to-brep'
import { findVertices } from '@meadow/geometry/curves/vertices'
import { listCurveHits } from '@meadow/geometry/meshes/hits'
import { createMeshTopology } from '@meadow/geometry/meshes/topology'
import { findTightBounds } from '@meadow/geometry/tight-bounds'
import { overlap } from '@meadow/geometry/values/bounding-box'
import type { Brep } from '@meadow/geometry/values/brep'
import { isCurve, line } from '@meadow/geometry/values/curves'
import { isClosedBrep } from '@meadow/geometry/values/describe-geometry'
import { WORLD_XY } from '@meadow/geometry/values/planes'
import { toPoint, type Xyz } from '@meadow/geometry/values/points'
import type { Geometry } from '@meadow/geometry/values/value'
import { distance, subtract } from '@meadow/geometry/values/vector'
import { defineKind, type Kind, type KindContext } from '../declaration/define-kind.ts'

export const BREP_INCLUSION: readonly Kind[] = [
  defineKind({
    guid: 'e03561f8-0e66-41d3-afde-62049f152443',
    description: 'Whether a point is inside a closed brep; strictly, when it is not on it either.',
    solve: ([brep, point, isStrict], context) => [isInside(brep, point, isStrict, context)],
  }),
  defineKind({
    guid: '859daa86-3ab7-49cb-9eda-f2811c984070',
    description:
      'The first of several closed breps that a point is inside of; strictly, when it is not on it either.',
    solve: ([breps, point, isStrict], context) => {
      const index = breps.findIndex((brep) => brep !== null && isInside(brep, point, isStrict, context))
      return [index >= 0, index]
    },
  }),
  defineKind({
    guid: '2ba64356-be21-4c12-bbd4-ced54f04c8ef',
    description: 'Whether a shape is inside a closed brep (0), crosses it (1) or is outside (2).',
    solve: ([brep, shape], context) => {
      if (!isClosedBrep(brep)) {
        context.error('The brep must be closed')
        return []
      }
      const relation = isApart(brep, shape) ? 'outside' : relate(brep, shape, context.tolerance)
      if (relation) return [RELATIONS.indexOf(relation)]
      context.limit('Only points and shapes with straight edges and flat faces are compared with such breps')
      return []
    },
  }),
]

const RELATIONS: readonly Relation[] = ['inside', 'crossing', 'outside']

function isApart(one: Geometry, other: Geometry): boolean {
  const [a, b] = [findTightBounds(one, WORLD_XY), findTightBounds(other, WORLD_XY)]
  return a !== undefined && b !== undefined && !overlap(a, b, 0)
}

function relate(brep: Brep, shape: Geometry, tolerance: number): Relation | undefined {
  if (shape.type === 'point') {
    const position = locateInBrep(brep, shape, tolerance)
    return position === 'on' ? 'crossing' : position
  }
  if (isCurve(shape)) {
    const vertices = findVertices(shape)
    return vertices && locateSegments(brep, toSegments(vertices), tolerance)
  }
  const edges = listStraightEdges(brep)
  if (shape.type === 'mesh') {
    const { points, edges: sides } = createMeshTopology(shape)
    const ours = sides.map(({ start, end }): Segment => [points[start] as Xyz, points[end] as Xyz])
    const relation = locateSegments(brep, ours, tolerance)
    const isCrossed = edges?.some(([from, to]) => listCurveHits(shape, line(from, to), tolerance).length > 0)
    return relation === 'crossing' || !edges ? checkBent(relation) : isCrossed ? 'crossing' : relation
  }
  const other = toBrep(shape)
  const sides = other && listStraightEdges(other)
  if (!other || !sides || !edges) return undefined
  const relation = locateSegments(brep, sides, tolerance)
  if (relation === 'crossing') return relation
  // An edge of the brep may pass through a face of the shape.
  const isCrossed = edges.some(([from, to]) => {
    const hits = findBrepHits(other, from, subtract(to, from), tolerance)
    const size = distance(from, to)
    return hits?.some(({ point }) => distance(point, from) + distance(point, to) <= size + tolerance)
  })
  return isCrossed ? 'crossing' : relation
}

/** Keeps a relation only if it is `crossing`: a brep with bent edges may pass through a face of the shape. */
function checkBent(relation: Relation | undefined): Relation | undefined {
  return relation === 'crossing' ? relation : undefined
}

function toSegments(vertices: readonly Xyz[]): Segment[] {
  return vertices.slice(1).map((to, i): Segment => [vertices[i] as Xyz, to])
}

function isInside(brep: Brep, point: Xyz, isStrict: boolean, context: KindContext): boolean | undefined {
  if (!isClosedBrep(brep)) {
    context.limit('Inclusion is solved for closed breps only')
    return undefined
  }
  const position = locateInBrep(brep, point, context.tolerance)
  if (!position) context.limit('It is unclear on which side of the brep the point is')
  return position && (position === 'inside' || (position === 'on' && !isStrict))
}

export const BREP_LINES: readonly Kind[] = [
  defineKind({
    guid: 'ed0742f9-6647-4d95-9dfd-9ad17080ae9c',
    description: 'The points of a brep on an infinite line.',
    solve: ([brep, line], context) => {
      const hits = findBrepHits(brep, line.from, subtract(line.to, line.from), context.tolerance)
      if (!hits) {
        context.limit('Lines that touch a face or lie on it are not supported')
        return []
      }
      const distinct = withoutRepeats(hits, context.tolerance)
      if (distinct.length > 1)
        context.approximate('The points are in the order of the faces, which may be another in Rhino')
      return [[], distinct.map(({ point }) => toPoint(point))]
    },
  }),
]
