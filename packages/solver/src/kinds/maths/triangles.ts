import { type Line, line } from '@meadow/geometry/values/curves'
import { findPlaneFromPoints } from '@meadow/geometry/values/planes'
import { toPoint, type Xyz } from '@meadow/geometry/values/points'
import {
  add,
  addScaled,
  cross,
  distance,
  dot,
  interpolate,
  scale,
  subtract,
} from '@meadow/geometry/values/vector'
import { defineKind, type Kind, type KindContext } from '../declaration/define-kind.ts'
import { item } from '../declaration/ports.ts'

type Corners = readonly [Xyz, Xyz, Xyz]
type Centre = readonly [centre: Xyz, lines: readonly [Line, Line, Line]]

/**
 * Centres of triangles with the three lines that meet there. Where the lines start and end: results of Grasshopper in
 * pyhopper (github.com/ezzahiranass/pyhopper).
 */
export const TRIANGLE_CENTRES: readonly Kind[] = [
  centre(
    'afbcbad4-2a2a-4954-8040-d999e316d2bd',
    'The centre of gravity of a triangle, and the lines from the middles of its edges to the corners.',
    ([a, b, c]) => [
      scale(add(add(a, b), c), 1 / 3),
      [line(middle(a, b), c), line(middle(b, c), a), line(middle(c, a), b)],
    ],
  ),
  centre(
    '21d0767c-5340-4087-aa09-398d0e706908',
    'The centre of the circle through the corners of a triangle, and the perpendiculars on the middles of its edges, to another edge.',
    ([a, b, c]) => [findCircumcentre([a, b, c]), [cut(a, b, c), cut(b, c, a), cut(c, a, b)]],
  ),
  centre(
    'c3342ea2-e181-46aa-a9b9-e438ccbfb831',
    'The centre of the circle that touches the edges of a triangle, and the lines from the corners that halve the angles.',
    ([a, b, c]) => {
      const lines = [halve(a, b, c), halve(b, c, a), halve(c, a, b)] as const
      const [across, beside] = [distance(b, c), distance(a, b) + distance(c, a)]
      return [interpolate(lines[0].from, lines[0].to, beside / (across + beside)), lines]
    },
  ),
  centre(
    '36dd5551-b6bd-4246-bd2f-1fd91eb2f02d',
    'The point where the heights of a triangle meet, and the heights, from the edges to the corners.',
    (corners) => {
      const [a, b, c] = corners
      // The three centres are on one line: the orthocentre is the sum of the corners, seen from the circumcentre.
      const around = findCircumcentre(corners)
      const meeting = addScaled(add(add(a, b), c), around, -2)
      return [meeting, [drop(c, a, b), drop(a, b, c), drop(b, c, a)]]
    },
  ),
]

function centre(guid: string, description: string, find: (corners: Corners) => Centre): Kind {
  return defineKind({
    guid,
    description,
    inputs: [item.point, item.point, item.point],
    outputs: [item.point, item.line, item.line, item.line],
    solve: (corners, context) => {
      if (!isTriangle(corners, context)) return []
      const [found, lines] = find(corners)
      return [toPoint(found), ...lines]
    },
  })
}

function isTriangle([a, b, c]: Corners, context: KindContext): boolean {
  const isFlat = findPlaneFromPoints(a, b, c) === undefined
  if (isFlat) context.error('The points lie on one line')
  return !isFlat
}

function middle(a: Xyz, b: Xyz): Xyz {
  return interpolate(a, b, 0.5)
}

/** Source: the intersection of two perpendicular bisectors, in the plane of the triangle. */
function findCircumcentre([a, b, c]: Corners): Xyz {
  const [ab, ac] = [subtract(b, a), subtract(c, a)]
  const normal = cross(ab, ac)
  const sum = add(scale(cross(normal, ab), dot(ac, ac)), scale(cross(ac, normal), dot(ab, ab)))
  return addScaled(a, sum, 1 / (2 * dot(normal, normal)))
}

/** The perpendicular from the middle of an edge to the longer one of the other two. */
function cut(a: Xyz, b: Xyz, opposite: Xyz): Line {
  const [far, near] = distance(a, opposite) > distance(b, opposite) ? [a, b] : [b, a]
  const [edge, longer] = [subtract(near, far), subtract(opposite, far)]
  return line(middle(a, b), addScaled(far, longer, dot(edge, edge) / (2 * dot(longer, edge))))
}

/** The line from a corner that divides the opposite edge in the ratio of the other two. */
function halve(corner: Xyz, a: Xyz, b: Xyz): Line {
  const [toA, toB] = [distance(corner, a), distance(corner, b)]
  return line(corner, interpolate(a, b, toA / (toA + toB)))
}

/** The line from the foot of a corner on an edge to the corner. */
function drop(corner: Xyz, a: Xyz, b: Xyz): Line {
  const edge = subtract(b, a)
  return line(addScaled(a, edge, dot(subtract(corner, a), edge) / dot(edge, edge)), corner)
}
