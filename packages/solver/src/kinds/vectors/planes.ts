import { fitPlane } from '../../geometry/fit-plane.ts'
import { findPlaneFromAxes, findPlaneFromNormal, plane, pointAt } from '../../values/planes.ts'
import { toPoint, toVector, type Xyz } from '../../values/points.ts'
import { cross, subtract, X_AXIS, Y_AXIS, Z_AXIS } from '../../values/vector.ts'
import { defineKind, type Kind } from '../define-kind.ts'
import { item, list, named, present } from '../ports.ts'
import { givePlane } from './give-plane.ts'

const worldPlane = (guid: string, name: string, xAxis: Xyz, yAxis: Xyz): Kind =>
  defineKind({
    guid,
    description: `A plane parallel to the world's ${name} plane.`,
    inputs: { origin: item.point },
    outputs: { plane: item.plane },
    solve: ({ origin }) => ({ plane: plane(origin, xAxis, yAxis, cross(xAxis, yAxis)) }),
  })

export const PLANES: readonly Kind[] = [
  worldPlane('17b7152b-d30d-4d50-b9ef-c9fe25576fc2', 'XY', X_AXIS, Y_AXIS),
  worldPlane('8cc3a196-f6a0-49ea-9ed9-0cb343a3ae64', 'XZ', X_AXIS, Z_AXIS),
  worldPlane('fad344bc-09b1-4855-a2e6-437ef5715fe3', 'YZ', Y_AXIS, Z_AXIS),
  defineKind({
    guid: 'bc3e379e-7206-4e7b-b63a-ff61f4b38a3e',
    description: 'A plane from its origin and the directions of its x and y axes.',
    inputs: { origin: item.point, x: item.vector, y: item.vector },
    outputs: { plane: item.plane },
    solve: ({ origin, x, y }, context) =>
      givePlane(findPlaneFromAxes(origin, x, y), 'The axes are parallel or have no length', context),
  }),
  defineKind({
    guid: '3cd2949b-4ea8-4ffb-a70c-5c380f9f46ea',
    description: 'The origin and the three axes of a plane.',
    inputs: { plane: item.plane },
    outputs: { origin: item.point, x: item.vector, y: item.vector, z: item.vector },
    solve: ({ plane: { origin, xAxis, yAxis, zAxis } }) => ({
      origin: toPoint(origin),
      x: toVector(xAxis),
      y: toVector(yAxis),
      z: toVector(zAxis),
    }),
  }),
  defineKind({
    guid: '75eec078-a905-47a1-b0d2-0934182b1e3d',
    description: 'A plane moved to another origin.',
    inputs: { base: item.plane, origin: item.point },
    outputs: { plane: item.plane },
    solve: ({ base, origin }) => ({ plane: { ...base, origin } }),
  }),
  defineKind({
    guid: 'cfb6b17f-ca82-4f5d-b604-d4f69f569de3',
    name: 'Plane Normal',
    description: 'The plane square to a vector.',
    inputs: { origin: named('Origin (O)', item.point), normal: named('Z-Axis (Z)', item.vector) },
    outputs: { plane: named('Plane (P)', item.plane) },
    solve: ({ origin, normal }, context) =>
      givePlane(findPlaneFromNormal(origin, normal), 'The normal has no length', context),
  }),
  defineKind({
    guid: '3a0c7bda-3d22-4588-8bab-03f57a52a6ea',
    name: 'Plane Offset',
    description: 'A plane moved along its normal.',
    inputs: { base: named('Base Plane (P)', item.plane), offset: named('Offset (O)', item.number) },
    outputs: { plane: named('Plane (Pl)', item.plane) },
    solve: ({ base, offset }) => ({ plane: { ...base, origin: pointAt(base, 0, 0, offset) } }),
  }),
  defineKind({
    guid: 'c98a6015-7a2f-423c-bc66-bdc505249b45',
    name: 'Plane 3Pt',
    description:
      'The plane through three points: from the first, x to the second, y to the side of the third.',
    inputs: {
      a: named('Point A (A)', item.point),
      b: named('Point B (B)', item.point),
      c: named('Point C (C)', item.point),
    },
    outputs: { plane: named('Plane (Pl)', item.plane) },
    solve: ({ a, b, c }, context) =>
      givePlane(findPlaneFromAxes(a, subtract(b, a), subtract(c, a)), 'The points lie on one line', context),
  }),
  defineKind({
    guid: 'ccc3f2ff-c9f6-45f8-aa30-8a924a9bda36',
    name: 'Line + Pt',
    description:
      "The plane through a line and a point: from the line's start, x along it, y to the side of the point.",
    inputs: { line: named('Line (L)', item.line), point: named('Point (P)', item.point) },
    outputs: { plane: named('Plane (Pl)', item.plane) },
    solve: ({ line: { from, to }, point }, context) =>
      givePlane(
        findPlaneFromAxes(from, subtract(to, from), subtract(point, from)),
        'The point lies on the line',
        context,
      ),
  }),
  defineKind({
    guid: '33bfc73c-19b2-480b-81e6-f3523a012ea6',
    name: 'Plane Fit',
    description: 'The plane from which points are least far, and how far the furthest is.',
    inputs: { points: named('Points (P)', list.point) },
    outputs: { plane: named('Plane (Pl)', item.plane), deviation: named('Deviation (dx)', item.number) },
    solve: ({ points }, context) => {
      const fit = fitPlane(present(points))
      if (fit) return { ...fit }
      context.error('Points that do not lie on one line are needed, three at least')
      return {}
    },
  }),
]
