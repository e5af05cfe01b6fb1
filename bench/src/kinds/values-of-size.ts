import { circle, line, polyline } from '@meadow/geometry/values/curves'
import { type Mesh, quad } from '@meadow/geometry/values/mesh'
import { xyPlane } from '@meadow/geometry/values/planes'
import { point, vector, type Xyz } from '@meadow/geometry/values/points'
import { colour, domain, integer, pathValue, type Value } from '@meadow/geometry/values/value'
import type { PortType } from '../../../packages/solver/src/conversions/port-types.ts'

/** Returns the next number from 0 to 1. */
export type Next = () => number

/** Places of which about one falls into each unit of a square with an area of `size`, so that neighbours stay as near. */
function place(next: Next, size: number): Xyz {
  const side = Math.sqrt(size)
  return { x: next() * side, y: next() * side, z: 0 }
}

const shift = ({ x, y, z }: Xyz, dx: number, dy: number): Xyz => ({ x: x + dx, y: y + dy, z })

/** Makes one of `size` small values of a type. */
const SMALL: Readonly<Record<PortType, (next: Next, size: number) => Value>> = {
  any: (next) => next() * 100,
  boolean: (next) => next() < 0.5,
  integer: (next) => integer(Math.floor(next() * 7)),
  number: (next) => next() * 100,
  text: (next) => `t${Math.floor(next() * 1000)}`,
  colour: (next) => colour(Math.floor(next() * 256), 10, 20),
  domain: (next) => domain(next(), 1 + next()),
  domain2: () => ({ type: 'domain2', u: domain(0, 1), v: domain(0, 1) }),
  path: (next) => pathValue([Math.floor(next() * 1000)]),
  point: (next, size) => point(...toTuple(place(next, size))),
  vector: (next) => vector(next(), next(), 1),
  plane: (next, size) => xyPlane(place(next, size)),
  line: (next, size) => makeLine(next, size),
  circle: (next, size) => circle(xyPlane(place(next, size)), 0.4),
  arc: (next, size) => ({
    ...circle(xyPlane(place(next, size)), 0.4),
    type: 'arc',
    startAngle: 0,
    endAngle: 1,
  }),
  rectangle: (next, size) => ({
    type: 'rectangle',
    plane: xyPlane(place(next, size)),
    x: domain(0, 0.5),
    y: domain(0, 0.5),
  }),
  box: (next, size) => ({
    type: 'box',
    plane: xyPlane(place(next, size)),
    x: domain(0, 0.5),
    y: domain(0, 0.5),
    z: domain(0, 0.5),
  }),
  curve: (next, size) => makeLine(next, size),
  surface: (next, size) => makePatch(place(next, size)),
  brep: (next, size) => makePatch(place(next, size)),
  mesh: (next, size) => makeMesh(1, place(next, size)),
  meshFace: () => quad(0, 1, 2, 3),
  geometry: (next, size) => point(...toTuple(place(next, size))),
  group: (next, size) => ({ type: 'group', members: [point(...toTuple(place(next, size)))] }),
  transform: () => 0,
  matrix: (next) => ({ type: 'matrix', rows: 1, columns: 1, values: [1 + next()] }),
  twistedBox: (next, size) => ({ type: 'twistedBox', corners: Array(8).fill(place(next, size)) }),
  complex: (next) => next(),
  time: (next) => ({ type: 'time', day: Math.floor(next() * 1000), ms: 0 }),
  shader: (next) => colour(Math.floor(next() * 256), 10, 20),
  opaque: () => 0,
}

/** Makes `size` small values of a type. */
export function makeMany(type: PortType, size: number, next: Next): Value[] {
  return Array.from({ length: size }, () => SMALL[type](next, size))
}

/** Makes one value of a type that has `size` parts: vertices, characters, members or faces; undefined if none has. */
export function makeLarge(type: PortType, size: number, next: Next): Value | undefined {
  switch (type) {
    case 'curve':
    case 'geometry':
      return makeSpiral(size)
    case 'text':
      return Array.from({ length: size }, () => 'abcdefghij'[Math.floor(next() * 10)]).join('')
    case 'mesh':
      return makeMesh(Math.round(Math.sqrt(size)), { x: 0, y: 0, z: 0 })
    case 'group':
      return { type: 'group', members: makeMany('point', size, next) as never }
    default:
      return undefined
  }
}

const toTuple = ({ x, y, z }: Xyz): [number, number, number] => [x, y, z]

function makeLine(next: Next, size: number): Value {
  const from = place(next, size)
  return line(from, shift(from, next() - 0.5, next() - 0.5))
}

function makePatch(at: Xyz): Value {
  return {
    type: 'nurbsSurface',
    degreeU: 1,
    degreeV: 1,
    points: [
      [at, shift(at, 0, 0.5)],
      [shift(at, 0.5, 0), shift(at, 0.5, 0.5)],
    ],
    knotsU: [0, 1],
    knotsV: [0, 1],
  }
}

/** A closed polyline without crossings, whose vertices are as far apart at every size. */
function makeSpiral(size: number): Value {
  const turn = (i: number) => Math.sqrt(i) * 2
  const outward = Array.from({ length: size - 1 }, (_, i) => ({
    x: turn(i) * Math.cos(turn(i)),
    y: turn(i) * Math.sin(turn(i)),
    z: 0,
  }))
  return polyline([...outward, { x: turn(size) * 2, y: 0, z: 5 }, outward[0]!])
}

/** A mesh of `side` times `side` quads. */
function makeMesh(side: number, { x, y }: Xyz): Mesh {
  const row = side + 1
  const vertices = Array.from({ length: row * row }, (_, i) => ({
    x: x + (i % row),
    y: y + Math.floor(i / row),
    z: Math.sin(i % row) * Math.cos(Math.floor(i / row)),
  }))
  const faces = Array.from({ length: side * side }, (_, i) => {
    const corner = Math.floor(i / side) * row + (i % side)
    return quad(corner, corner + 1, corner + row + 1, corner + row)
  })
  return { type: 'mesh', vertices, faces }
}
