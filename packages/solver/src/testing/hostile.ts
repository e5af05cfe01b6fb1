import { arc, circle, line, polyline } from '@meadow/geometry/values/curves'
import { quad, triangle } from '@meadow/geometry/values/mesh'
import { xyPlane } from '@meadow/geometry/values/planes'
import { point, vector, type Xyz } from '@meadow/geometry/values/points'
import { colour, domain, integer, pathValue, type Value } from '@meadow/geometry/values/value'
import type { PortType } from '../conversions/port-types.ts'

/** The data of an input: a list in `{0}`, or no data. */
export type HostileData = readonly (Value | null)[] | undefined

const at = (x: number, y: number, z = 0): Xyz => ({ x, y, z })
const ORIGIN = at(0, 0)
const XY = xyPlane(ORIGIN)
const SQUARE = [at(0, 0), at(2, 0), at(2, 2), at(0, 2)]
const nurbs = (points: readonly Xyz[], weights?: readonly number[]): Value => ({
  type: 'nurbsCurve',
  degree: 3,
  points,
  knots: [0, 0, 0, 1, 1, 1],
  ...(weights ? { weights } : {}),
})
const bilinear = (a: Xyz, b: Xyz, c: Xyz, d: Xyz): Value => ({
  type: 'nurbsSurface',
  degreeU: 1,
  degreeV: 1,
  points: [
    [a, b],
    [c, d],
  ],
  knotsU: [0, 1],
  knotsV: [0, 1],
})
const far = (size: number) => [at(size, 0), at(0, size), at(-size, 0, size), at(0, -size)]

/** Nothing, nulls, numbers at the limits of their type, texts of all sorts, and degenerate geometry. */
export const HOSTILE: Readonly<Record<string, HostileData>> = {
  'no data': undefined,
  'an empty list': [],
  'a null': [null],
  'nulls among values': [null, 1, null, point(1, 2, 3), null],
  NaN: [Number.NaN],
  infinity: [Number.POSITIVE_INFINITY],
  'minus infinity': [Number.NEGATIVE_INFINITY],
  'the largest numbers': [1e308, -1e308, Number.MAX_VALUE],
  'the smallest numbers': [1e-308, -1e-308, Number.MIN_VALUE],
  'a negative count': [integer(-1)],
  'a count of billions': [integer(2 ** 31 - 1)],
  'the smallest integer': [integer(-(2 ** 31))],
  'a number beyond integers': [1e15],
  'truth values': [true, false],
  'an empty text': [''],
  'a long text': ['ab'.repeat(50_000)],
  'a text of brackets': ['{0;[*](,'],
  'a text beyond ASCII': ['\ud800 😀 \u0000 ∞'],
  'texts of numbers': ['NaN', '1e999', '-0', '0x10', '1/0', '1 to NaN'],
  'a colour': [colour(1, 2, 3)],
  'a path': [pathValue([2 ** 31 - 1, 0])],
  'empty domains': [domain(0, 0), domain(1, -1)],
  'domains without end': [domain(Number.NaN, 1), domain(0, Number.POSITIVE_INFINITY)],
  'a zero vector': [vector(0, 0, 0)],
  'far points': [point(1e308, -1e308, 1e308), point(1e200, 0, 0)],
  'equal points': [point(1, 1, 1), point(1, 1, 1), point(1, 1, 1)],
  'points in a line': [0, 1, 2, 3].map((x) => point(x, x, x)),
  'a plane far away': [xyPlane(at(1e300, 0, -1e300))],
  'a line without length': [line(at(1, 1), at(1, 1))],
  'a line of the smallest length': [line(ORIGIN, at(Number.MIN_VALUE, 0))],
  'a polyline in one point': [polyline([ORIGIN, ORIGIN, ORIGIN])],
  'a closed polyline': [polyline([...SQUARE, at(0, 0)])],
  'a polyline that goes back': [polyline([at(0, 0), at(2, 0), at(0, 0)])],
  'a polyline that crosses itself': [polyline([at(0, 0), at(2, 2), at(2, 0), at(0, 2), at(0, 0)])],
  'a polyline out of a plane': [polyline([at(0, 0), at(2, 0, 1), at(2, 2), at(0, 2, 1), at(0, 0)])],
  'a circle': [circle(XY, 2)],
  'circles without radius': [circle(XY, 0), circle(XY, 1e-300)],
  'a circle with a negative radius': [circle(XY, -1)],
  'a huge circle': [circle(XY, 1e300)],
  'an arc without angle': [arc(XY, 1, 1, 1)],
  'an arc of several turns': [arc(XY, 1, 0, 100)],
  'collapsed rectangles': [
    { type: 'rectangle', plane: XY, x: domain(0, 0), y: domain(0, 1) },
    { type: 'rectangle', plane: XY, x: domain(0, 0), y: domain(0, 0) },
    { type: 'rectangle', plane: XY, x: domain(1, 0), y: domain(0, -1) },
  ],
  'collapsed boxes': [
    { type: 'box', plane: XY, x: domain(0, 0), y: domain(0, 1), z: domain(0, 1) },
    { type: 'box', plane: XY, x: domain(0, 0), y: domain(0, 0), z: domain(0, 0) },
  ],
  'a NURBS curve in one point': [nurbs([ORIGIN, ORIGIN, ORIGIN, ORIGIN])],
  'a NURBS curve with extreme weights': [nurbs(SQUARE, [1e-300, 1e300, 1, 1e-300])],
  'a huge NURBS curve': [nurbs(far(1e300))],
  'a poly curve without segments': [{ type: 'polyCurve', segments: [] }],
  'a surface in one point': [bilinear(ORIGIN, ORIGIN, ORIGIN, ORIGIN)],
  'a surface in a line': [bilinear(at(0, 0), at(1, 0), at(2, 0), at(3, 0))],
  'a surface that folds': [bilinear(at(0, 0), at(2, 2), at(2, 0), at(0, 2))],
  'a brep without faces': [{ type: 'brep', vertices: [], edges: [], faces: [] }],
  'a mesh without faces': [{ type: 'mesh', vertices: SQUARE, faces: [] }],
  'a mesh without anything': [{ type: 'mesh', vertices: [], faces: [] }],
  'a mesh with faces in one point': [
    { type: 'mesh', vertices: [ORIGIN, ORIGIN, ORIGIN], faces: [triangle(0, 1, 2), triangle(0, 0, 0)] },
  ],
  'a mesh with indices that it lacks': [
    { type: 'mesh', vertices: SQUARE, faces: [quad(0, 1, 2, 9), triangle(-1, 5, 1)] },
  ],
  'a mesh with more than two faces on an edge': [
    {
      type: 'mesh',
      vertices: [...SQUARE, at(1, 1, 5)],
      faces: [triangle(0, 1, 2), triangle(0, 1, 3), triangle(0, 1, 4)],
    },
  ],
  'an empty group': [{ type: 'group', members: [] }],
  'matrices of zeros and of nothing': [
    { type: 'matrix', rows: 2, columns: 2, values: [0, 0, 0, 0] },
    { type: 'matrix', rows: 1, columns: 3, values: [Number.NaN, 1e308, 1] },
  ],
  'twisted boxes in one point, and far away': [
    { type: 'twistedBox', corners: Array<Xyz>(8).fill(ORIGIN) },
    { type: 'twistedBox', corners: [...far(1e300), ...far(-1e300)] },
  ],
  'complex numbers of nothing, and far away': [
    { type: 'complex', real: 0, imaginary: 0 },
    { type: 'complex', real: Infinity, imaginary: -1e300 },
  ],
  'a transformation to zero': [{ type: 'transform', matrix: Array<number>(16).fill(0) }],
}

/** An ordinary value of each type. */
export const ORDINARY: { readonly [T in PortType]: Value } = {
  any: 1,
  boolean: true,
  integer: integer(2),
  number: 1,
  text: 'a',
  complex: { type: 'complex', real: 1, imaginary: 2 },
  time: { type: 'time', day: 0, ms: 0 },
  colour: colour(1, 2, 3),
  domain: domain(0, 1),
  domain2: { type: 'domain2', u: domain(0, 1), v: domain(0, 1) },
  path: pathValue([0]),
  point: point(1, 2, 0),
  vector: vector(0, 0, 1),
  plane: XY,
  line: line(at(0, 0), at(3, 0)),
  circle: circle(XY, 2),
  arc: arc(XY, 2, 0, 1),
  rectangle: { type: 'rectangle', plane: XY, x: domain(0, 2), y: domain(0, 3) },
  box: { type: 'box', plane: XY, x: domain(0, 1), y: domain(0, 2), z: domain(0, 3) },
  curve: polyline([...SQUARE, at(0, 0)]),
  surface: bilinear(at(0, 0), at(0, 2), at(2, 0), at(2, 2, 1)),
  brep: { type: 'box', plane: XY, x: domain(0, 1), y: domain(0, 2), z: domain(0, 3) },
  mesh: { type: 'mesh', vertices: SQUARE, faces: [quad(0, 1, 2, 3)] },
  meshFace: triangle(0, 1, 2),
  geometry: line(at(0, 0), at(3, 0)),
  group: { type: 'group', members: [point(1, 2, 3)] },
  transform: { type: 'transform', matrix: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1] },
  matrix: { type: 'matrix', rows: 2, columns: 2, values: [1, 2, 3, 4] },
  twistedBox: { type: 'twistedBox', corners: [...SQUARE, ...SQUARE.map(({ x, y }) => at(x, y, 1 + x * y))] },
  shader: {
    type: 'shader',
    diffuse: colour(1, 2, 3),
    specular: colour(1, 2, 3),
    emission: colour(1, 2, 3),
    transparency: 0,
    shine: 0,
  },
  opaque: 1,
}
