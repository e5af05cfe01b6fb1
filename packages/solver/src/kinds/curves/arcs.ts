import { arc, line } from '../../values/curves.ts'
import { plane as createPlane, findPlaneFromNormal, flipPlane, toLocal } from '../../values/planes.ts'
import type { Plane, Xyz } from '../../values/points.ts'
import {
  add,
  addScaled,
  cross,
  distance,
  dot,
  findUnit,
  length,
  scale,
  subtract,
} from '../../values/vector.ts'
import { defineKind, type Kind } from '../define-kind.ts'
import { item, named } from '../ports.ts'

const THROUGH = {
  arc: named('Arc (A)', item.curve),
  plane: named('Plane (P)', item.plane),
  radius: named('Radius (R)', item.number),
}

export const ARCS: readonly Kind[] = [
  defineKind({
    guid: 'bb59bffc-f54c-4682-9778-f6c3fe74fce3',
    name: 'Arc',
    description: 'An arc in a plane around its origin, through a range of angles.',
    inputs: {
      plane: named('Plane (P)', item.plane),
      radius: named('Radius (R)', item.number),
      angle: named('Angle (A)', item.domain),
    },
    outputs: { arc: named('Arc (A)', item.arc), length: named('Length (L)', item.number) },
    solve: ({ plane, radius, angle: { start, end } }, context) => {
      if (!(radius > 0) || start === end) {
        context.error('The radius must be larger than zero, and the angle too')
        return {}
      }
      // One that goes backwards goes forwards around the plane turned over.
      const own = end > start ? arc(plane, radius, start, end) : arc(turnOver(plane), radius, -start, -end)
      return { arc: own, length: radius * Math.abs(end - start) }
    },
  }),
  defineKind({
    guid: '9fa1b081-b1c7-4a12-a163-0aa8da9ff6c4',
    name: 'Arc 3Pt',
    description: 'The arc through three points.',
    inputs: {
      a: named('Point A (A)', item.point),
      b: named('Point B (B)', item.point),
      c: named('Point C (C)', item.point),
    },
    outputs: THROUGH,
    solve: ({ a, b, c }) => {
      const centre = findCircumcentre(a, b, c)
      return centre ? createArc(centre, cross(subtract(b, a), subtract(c, a)), a, c) : createStraight(a, c)
    },
  }),
  defineKind({
    guid: '9d2583dd-6cf5-497c-8c40-c9a290598396',
    name: 'Arc SED',
    description: 'The arc from one point to another that leaves in a direction.',
    inputs: {
      start: named('Start (S)', item.point),
      end: named('End (E)', item.point),
      direction: named('Direction (D)', item.vector),
    },
    outputs: THROUGH,
    solve: ({ start, end, direction }) => {
      const chord = subtract(end, start)
      const normal = findUnit(cross(direction, chord))
      const forwards = findUnit(direction)
      const inwards = normal && forwards && cross(normal, forwards)
      const reach = inwards ? dot(inwards, chord) : 0
      if (!normal || !inwards || reach < 1e-12 * length(chord)) return createStraight(start, end)
      return createArc(addScaled(start, inwards, dot(chord, chord) / (2 * reach)), normal, start, end)
    },
  }),
]

function turnOver({ origin, xAxis, yAxis, zAxis }: Plane): Plane {
  return createPlane(origin, xAxis, scale(yAxis, -1), scale(zAxis, -1))
}

/** Around a centre from one point to another, the plane's x axis towards the first. */
function createArc(centre: Xyz, normal: Xyz, from: Xyz, to: Xyz) {
  const [xAxis, zAxis] = [findUnit(subtract(from, centre)), findUnit(normal)]
  if (!xAxis || !zAxis) return {}
  const plane = createPlane(centre, xAxis, cross(zAxis, xAxis), zAxis)
  const { x, y } = toLocal(plane, to)
  const angle = Math.atan2(y, x)
  const radius = distance(from, centre)
  return { arc: arc(plane, radius, 0, angle > 0 ? angle : angle + 2 * Math.PI), plane, radius }
}

/** What cannot bend is a line, of a radius without end. */
function createStraight(from: Xyz, to: Xyz) {
  const square = findPlaneFromNormal(from, subtract(to, from))
  if (!square) return {}
  const plane = flipPlane(createPlane(from, square.xAxis, square.zAxis, square.yAxis))
  return { arc: line(from, to), plane, radius: Infinity }
}

/** Undefined for three points on one line. */
function findCircumcentre(a: Xyz, b: Xyz, c: Xyz): Xyz | undefined {
  const [ab, ac] = [subtract(b, a), subtract(c, a)]
  const normal = cross(ab, ac)
  const square = dot(normal, normal)
  if (square <= 1e-12 * dot(ab, ab) * dot(ac, ac)) return undefined
  const sum = add(scale(cross(normal, ab), dot(ac, ac)), scale(cross(ac, normal), dot(ab, ab)))
  return addScaled(a, sum, 1 / (2 * square))
}
