import { listBoxCorners } from '../values/bounding-box.ts'
import type { Brep, BrepFace, BrepTrim } from '../values/brep.ts'
import { line, polyline } from '../values/curves.ts'
import type { NurbsSurface } from '../values/nurbs-surface.ts'
import type { Box, Xyz } from '../values/points.ts'
import type { Surface, Value } from '../values/value.ts'
import { distance } from '../values/vector.ts'
import { createBrepOfSurface } from './surface-brep.ts'

/** A brep unchanged, a box as six faces, a surface as one face. */
export function toBrep(value: Value): Brep | undefined {
  if (typeof value !== 'object') return undefined
  if (value.type === 'brep') return value
  if (value.type === 'box') return createBoxBrep(value)
  return value.type === 'nurbsSurface' ? createBrepOfSurface(value) : undefined
}

/** A surface, or a brep that has one face only. */
export function toSurface(value: Value): Surface | undefined {
  if (typeof value !== 'object') return undefined
  if (value.type === 'nurbsSurface') return value
  return value.type === 'brep' && value.faces.length === 1 ? value : undefined
}

/** Corners of a box in the order of `listBoxCorners`; each face counter-clockwise seen from outside. */
const BOX_FACES = [
  [0, 1, 5, 4],
  [1, 3, 7, 5],
  [3, 2, 6, 7],
  [2, 0, 4, 6],
  [2, 3, 1, 0],
  [4, 5, 7, 6],
] as const

/** The length of a side, which is the domain of its faces; of a side without length the domain is 0 to 1. */
function measureSide(from: Xyz, to: Xyz): number {
  return distance(from, to) || 1
}

function createBoxBrep(box: Box): Brep {
  const vertices = listBoxCorners(straighten(box))
  const at = (corner: number) => vertices[corner] as Xyz
  const edges: { start: number; end: number; curve: ReturnType<typeof line> }[] = []
  const findEdge = (start: number, end: number) =>
    edges.findIndex(
      (edge) => (edge.start === start && edge.end === end) || (edge.start === end && edge.end === start),
    )
  const faces = BOX_FACES.map(([a, b, c, d]): BrepFace => {
    const [width, height] = [measureSide(at(a), at(b)), measureSide(at(a), at(d))]
    const corners = [
      [a, { x: 0, y: 0, z: 0 }],
      [b, { x: width, y: 0, z: 0 }],
      [c, { x: width, y: height, z: 0 }],
      [d, { x: 0, y: height, z: 0 }],
    ] as const
    const loop = corners.map(([start, from], i): BrepTrim => {
      const [end, to] = corners[(i + 1) % corners.length] as (typeof corners)[number]
      if (findEdge(start, end) < 0) edges.push({ start, end, curve: line(at(start), at(end)) })
      const edge = findEdge(start, end)
      return { curve: polyline([from, to]), edge, isReversed: edges[edge]?.start !== start }
    })
    return {
      surface: createRectangle([at(a), at(b), at(c), at(d)], width, height),
      isReversed: false,
      loops: [loop],
    }
  })
  return { type: 'brep', vertices, edges, faces }
}

/** Orders the ends of each side, so that faces point outwards. */
function straighten(box: Box): Box {
  const order = ({ start, end, ...rest }: Box['x']) =>
    start <= end ? { ...rest, start, end } : { ...rest, start: end, end: start }
  return { ...box, x: order(box.x), y: order(box.y), z: order(box.z) }
}

/** Creates the surface of a rectangle with these corners in their order, over the domains from 0 to its width and its height. */
export function createRectangle(
  [a, b, c, d]: readonly [Xyz, Xyz, Xyz, Xyz],
  width: number,
  height: number,
): NurbsSurface {
  return {
    type: 'nurbsSurface',
    degreeU: 1,
    degreeV: 1,
    points: [
      [a, d],
      [b, c],
    ],
    knotsU: [0, width],
    knotsV: [0, height],
  }
}
