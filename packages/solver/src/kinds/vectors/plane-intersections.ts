import { type Line, line } from '../../values/curves.ts'
import { type Plane, toPoint, type Xyz } from '../../values/points.ts'
import { add, cross, dot, findUnit, scale } from '../../values/vector.ts'
import { defineKind, type Kind } from '../define-kind.ts'
import { item, named } from '../ports.ts'

/** Planes whose normals span less than this are parallel. */
const PARALLEL = Number.EPSILON

export const PLANE_INTERSECTIONS: readonly Kind[] = [
  defineKind({
    guid: '290cf9c4-0711-4704-851e-4c99e3343ac5',
    name: 'Plane | Plane',
    description:
      'The line in which two planes meet: it begins at the middle of their origins, seen along it.',
    inputs: { a: named('Plane A (A)', item.plane), b: named('Plane B (B)', item.plane) },
    outputs: { line: named('Line (L)', item.line) },
    solve: ({ a, b }) => ({ line: findLine(a, b) }),
  }),
  defineKind({
    guid: 'f1ea5a4b-1a4f-4cf4-ad94-1ecfb9302b6e',
    name: 'Plane | Plane | Plane',
    description: 'The point in which three planes meet, and the lines in which each two of them do.',
    inputs: {
      a: named('Plane A (A)', item.plane),
      b: named('Plane B (B)', item.plane),
      c: named('Plane C (C)', item.plane),
    },
    outputs: {
      point: named('Point (Pt)', item.point),
      ab: named('Line AB (AB)', item.line),
      ac: named('Line AC (AC)', item.line),
      bc: named('Line BC (BC)', item.line),
    },
    solve: ({ a, b, c }) => {
      const place = findPlace([a, b, c])
      return { point: place && toPoint(place), ab: findLine(a, b), ac: findLine(a, c), bc: findLine(b, c) }
    },
  }),
]

type Side = Pick<Plane, 'origin' | 'zAxis'>

/** Source: openNURBS, `ON_Intersect` of two planes; its length is the sine of the angle between them. */
function findLine(a: Side, b: Side): Line | undefined {
  const along = cross(b.zAxis, a.zAxis)
  const zAxis = findUnit(along)
  const from = zAxis && findPlace([a, b, { origin: scale(add(a.origin, b.origin), 0.5), zAxis }])
  return from && line(from, add(from, along))
}

/** Where three planes meet; undefined where they do not, or in more than one place. */
function findPlace([a, b, c]: readonly [Side, Side, Side]): Xyz | undefined {
  const [bc, ca, ab] = [cross(b.zAxis, c.zAxis), cross(c.zAxis, a.zAxis), cross(a.zAxis, b.zAxis)]
  const span = dot(a.zAxis, bc)
  if (!(Math.abs(span) > PARALLEL)) return undefined
  const [toA, toB, toC] = [a, b, c].map(({ origin, zAxis }) => dot(origin, zAxis)) as [number, number, number]
  const sum = add(add(scale(bc, toA), scale(ca, toB)), scale(ab, toC))
  return scale(sum, 1 / span)
}
