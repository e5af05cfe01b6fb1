import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Brep } from '@meadow/geometry/values/brep'
import { circle, line, polyline } from '@meadow/geometry/values/curves'
import { isClosedBrep } from '@meadow/geometry/values/describe-geometry'
import type { NurbsSurface } from '@meadow/geometry/values/nurbs-surface'
import { WORLD_XY, xyPlane } from '@meadow/geometry/values/planes'
import {
  type Box,
  type Plane,
  type Point,
  point,
  type Vector,
  vector,
  type Xyz,
} from '@meadow/geometry/values/points'
import { domain, integer, type Value } from '@meadow/geometry/values/value'
import { run } from '../../testing/run.ts'

const GUIDS = {
  sphere: 'dabc854d-f50e-408a-b001-d043c7de151d',
  planeSurface: '439a55a5-2f9e-4f66-9de2-32f24fec2ef5',
  cone: '03e331ed-c4d1-4a23-afa2-f57b87d2043c',
  box2Pt: '2a43ef96-8f87-4892-8b94-237a47e8d3cf',
  centerBox: '28061aae-04fb-4cb5-ac45-16f3b66bc0a4',
  domainBox: '79aa7f47-397c-4d3f-9761-aaf421bb7f5f',
  boxRectangle: 'd0a56c9e-2483-45e7-ab98-a450b97f1bc0',
  boxCorners: 'a10e8cdf-7c7a-4aac-aa70-ddb7010ab231',
  deconstructBox: 'db7d83b1-2898-4ef9-9be5-4e94b4e2048d',
  boxProperties: 'af9cdb9d-9617-4827-bb3c-9efd88c76a70',
  boundingBox: '0bb3d234-9097-45db-9998-621639c87d3b',
  boundarySurfaces: 'd51e9b65-aa4e-4fd6-976c-cef35d421d05',
  fourPoint: 'c77a8b3b-c569-4d81-9b59-1c27299a1c45',
  extrude: '962034e9-cc27-4394-afc4-5c16e3447cf9',
  extrudePoint: 'be6636b2-2f1a-4d42-897b-fdef429b6f17',
  cylinder: '0373008a-80ee-45be-887d-ab5a244afc29',
  ruled: '6e5de495-ba76-42d0-9985-a5c265e9aeca',
  loft: 'a7a41d0a-2188-4f7a-82cc-1a2c4e4ec850',
  loftOptions: '45f19d16-1c9f-4b0f-a9a6-45a77f3d206c',
  pipe: 'c277f778-6fdf-4890-8f78-347efb23c406',
  revolution: 'cdee962f-4202-456b-a1b4-f3ed9aa0dc29',
  evaluate: '353b206e-bde5-4f02-a913-b3b8a977d4b9',
  closestPoint: '4a9e9a8e-0943-4438-b360-129c30f2bb0f',
  divide: '5106bafc-d5d4-4983-83e7-7be3ed07f502',
  frames: '332378f4-acb2-43fe-8593-ed22bfeb2721',
  isotrim: '6a9ccaab-1b03-484e-bbda-be9c81584a66',
  deconstruct: '8d372bdc-9800-45e9-8a26-6e33c5253e21',
  edges: '0148a65d-6f42-414a-9db7-9a9b2eb78437',
  join: '1addcc85-b04e-46e6-bd4a-6f6c93bf7efd',
  cap: 'b648d933-ddea-4e75-834c-8f6f3793e311',
  fromPoints: '4b04a1e1-cddf-405d-a7db-335aaa940541',
  dimensions: 'f241e42e-8983-4ed3-b869-621c07630b00',
  area: '2e205f24-9279-47b2-b414-d06dcd0b21a7',
  volume: '224f7648-5956-4b26-80d9-8d771f3dfd5d',
} as const

type Inputs = Parameters<typeof run>[1]
/** The values of an output, of all its branches one after the other. */
const all = (kind: keyof typeof GUIDS, inputs: Inputs, output = 0) =>
  Object.values(run(GUIDS[kind], inputs).outputs[output] ?? {}).flat()
const one = (kind: keyof typeof GUIDS, inputs: Inputs, output = 0) => all(kind, inputs, output)[0] as Value
const complaints = (kind: keyof typeof GUIDS, inputs: Inputs) => run(GUIDS[kind], inputs).messages
const near = (value: Value, expected: number) =>
  assert.ok(Math.abs(Number(value) - expected) < 1e-7, `${JSON.stringify(value)} is not ${expected}`)
const nearXyz = (value: Value, { x, y, z }: Xyz) => {
  const location = value as Point | Vector
  assert.ok(Math.hypot(location.x - x, location.y - y, location.z - z) < 1e-7, JSON.stringify(value))
}

const p = (x: number, y: number, z = 0): Xyz => ({ x, y, z })
const SQUARE = polyline([p(0, 0), p(2, 0), p(2, 2), p(0, 2), p(0, 0)])
const BOX: Box = { type: 'box', plane: WORLD_XY, x: domain(0, 1), y: domain(0, 2), z: domain(0, 3) }
const FULL = domain(0, 2 * Math.PI)

// All worked out by hand: areas and volumes of known bodies, coordinates of known points.
test('Box 2Pt, Center Box, Domain Box, Box Rectangle: given sizes, then boxes along the plane', () => {
  const plane = xyPlane(p(1, 1, 1))
  const sides = (box: Value) => {
    const { x, y, z } = box as Box
    return [x, y, z].map(({ start, end }) => [start, end])
  }
  assert.deepEqual(sides(one('box2Pt', [point(3, 0, 0), point(0, 2, 5), plane])), [
    [-1, 2],
    [-1, 1],
    [-1, 4],
  ])
  assert.deepEqual(sides(one('centerBox', [plane, 1, -2, 3])), [
    [-1, 1],
    [-2, 2],
    [-3, 3],
  ])
  assert.deepEqual(sides(one('domainBox', [plane, domain(1, 2), 3, domain(5, 4)])), [
    [1, 2],
    [0, 3],
    [5, 4],
  ])
  const rectangle = { type: 'rectangle', plane, x: domain(0, 2), y: domain(-1, 1) } as const
  assert.deepEqual(sides(one('boxRectangle', [rectangle, 4])), [
    [0, 2],
    [-1, 1],
    [0, 4],
  ])
})

test('Box Corners, Deconstruct Box, Box Properties: given a box of 1 by 2 by 3, then what it is made of', () => {
  const corners = Array.from({ length: 8 }, (_, i) => one('boxCorners', [BOX], i) as Point)
  assert.deepEqual(
    corners.map(({ x, y, z }) => [x, y, z].join('')),
    ['000', '100', '120', '020', '003', '103', '123', '023'],
  )
  assert.deepEqual(one('deconstructBox', [BOX], 3), domain(0, 3))
  assert.deepEqual(one('boxProperties', [BOX]), point(0.5, 1, 1.5))
  assert.deepEqual(one('boxProperties', [BOX], 1), vector(1, 2, 3))
  assert.deepEqual(
    [2, 3, 4].map((i) => one('boxProperties', [BOX], i)),
    [22, 6, integer(0)],
  )
  assert.deepEqual(one('boxProperties', [{ ...BOX, z: domain(1, 1) }], 4), integer(1))
})

test('Bounding Box: given two circles, then a tight box each, or one around both by its menu switch', () => {
  const circles = [circle(WORLD_XY, 1), circle(xyPlane(p(5, 0)), 2), null]
  const [first, second, third] = all('boundingBox', [circles, WORLD_XY])
  assert.deepEqual([(first as Box).x, (second as Box).x, third], [domain(-1, 1), domain(3, 7), null])
  const union = { state: { kind: 'options', options: { unionBox: true } } }
  const { outputs } = run(GUIDS.boundingBox, [circles, WORLD_XY], union)
  assert.deepEqual((Object.values(outputs[0] ?? {})[0]?.[0] as Box | undefined)?.x, domain(-1, 7))
})

test('Sphere, Cone, Plane Surface: given sizes, then surfaces of known area', () => {
  near(one('area', [one('sphere', [WORLD_XY, 2])]), 16 * Math.PI)
  near(one('volume', [one('sphere', [xyPlane(p(9, 9, 9)), 2])]), (32 / 3) * Math.PI)
  near(one('area', [one('cone', [WORLD_XY, 3, 4])]), 15 * Math.PI)
  assert.deepEqual(one('cone', [WORLD_XY, 3, 4], 1), point(0, 0, 4))
  const surface = one('planeSurface', [xyPlane(p(0, 0, 1)), domain(3, -1), 2])
  near(one('area', [surface]), 8)
  nearXyz(one('evaluate', [surface, point(2, 1, 0)]), p(2, 1, 1))
  for (const [kind, inputs] of [
    ['sphere', [WORLD_XY, 0]],
    ['cone', [WORLD_XY, 1, 0]],
    ['planeSurface', [WORLD_XY, 0, 1]],
  ] as const) {
    assert.equal(one(kind, inputs), null)
    assert.equal(complaints(kind, inputs).length, 1)
  }
})

test('Boundary Surfaces: given curves in a curve, then a hole; open and non-planar curves are reported', () => {
  const [face, ...others] = all('boundarySurfaces', [[SQUARE, circle(xyPlane(p(1, 1)), 0.5)]])
  assert.equal(others.length, 0)
  near(one('area', [face as Value]), 4 - Math.PI / 4)
  const open = [line(p(0, 0), p(1, 0))]
  assert.deepEqual(all('boundarySurfaces', [open]), [])
  assert.deepEqual(complaints('boundarySurfaces', [open]), ['warning: Boundary curves have to be closed'])
  const bent = [polyline([p(0, 0), p(2, 0), p(2, 2, 1), p(0, 2), p(0, 0)])]
  assert.deepEqual(complaints('boundarySurfaces', [bent]), ['warning: Boundary curves have to be planar'])
})

test('[G-2] Boundary Surfaces, Cap Holes: given outlines that overlap or cross themselves, then a limit', () => {
  const eight = polyline([p(0, 0), p(2, 2), p(2, 0), p(0, 3), p(0, 0)])
  for (const [curves, start] of [
    [[SQUARE, SQUARE], 'error: Surfaces inside curves that overlap or are equal'],
    [[SQUARE, circle(WORLD_XY, 1)], 'error: Surfaces inside curves that overlap or are equal'],
    [[eight], 'error: Surfaces inside curves that cross themselves'],
  ] as const) {
    const [message, ...others] = complaints('boundarySurfaces', [curves])
    assert.ok(message?.startsWith(start), message)
    assert.deepEqual(others, [])
  }
  const walls = [1, 2].map((radius) => one('extrude', [circle(WORLD_XY, radius), vector(0, 0, 3)]) as Brep)
  const [inner, outer] = walls as [Brep, Brep]
  const shift = { vertices: inner.vertices.length, edges: inner.edges.length }
  const both: Brep = {
    type: 'brep',
    vertices: [...inner.vertices, ...outer.vertices],
    edges: [
      ...inner.edges,
      ...outer.edges.map((edge) => ({
        ...edge,
        start: edge.start + shift.vertices,
        end: edge.end + shift.vertices,
      })),
    ],
    faces: [
      ...inner.faces,
      ...outer.faces.map((face) => ({
        ...face,
        loops: face.loops.map((loop) =>
          loop.map((trim) => (trim.edge === undefined ? trim : { ...trim, edge: trim.edge + shift.edges })),
        ),
      })),
    ],
  }
  assert.ok(complaints('cap', [both])[0]?.startsWith('error: Openings inside of others'))
})

test('[G-4] Area, Volume: given a box of any sizes, also 0, then those of the formula, without NaN', () => {
  for (const [a, b, c] of [
    [2, 3, 0],
    [2, 0, 3],
    [0, 2, 3],
    [0, 0, 3],
    [0, 0, 0],
    [2, 3, 4],
  ] as const) {
    const box: Value = { type: 'box', plane: WORLD_XY, x: domain(0, a), y: domain(b, 0), z: domain(1, 1 + c) }
    near(one('area', [box]), 2 * (a * b + b * c + c * a))
    near(one('volume', [box]), a * b * c)
    assert.deepEqual([...complaints('area', [box]), ...complaints('volume', [box])], [])
  }
})

test('4Point Surface: given three or four corners, then a surface over them', () => {
  const corners = [point(0, 0, 0), point(2, 0, 0), point(2, 3, 0)]
  near(one('area', [one('fourPoint', [...corners, point(0, 3, 0)])]), 6)
  near(one('area', [one('fourPoint', [...corners, undefined])]), 3)
  assert.equal(one('fourPoint', [point(0, 0, 0), point(0, 0, 0), point(1, 0, 0), undefined]), null)
})

test('Extrude: given a curve, then an open tube; given a surface, then a solid', () => {
  const tube = one('extrude', [SQUARE, vector(0, 0, 3)]) as Brep
  assert.deepEqual([tube.faces.length, isClosedBrep(tube)], [4, false])
  near(one('area', [tube]), 24)
  const [face] = all('boundarySurfaces', [[SQUARE]])
  for (const direction of [vector(1, 1, 3), vector(0, 0, -3)]) {
    const solid = one('extrude', [face as Value, direction]) as Brep
    assert.deepEqual([solid.faces.length, isClosedBrep(solid)], [6, true])
    near(one('volume', [solid]), 12)
  }
  assert.deepEqual(complaints('extrude', [SQUARE, vector(0, 0, 0)]), [
    'error: Extrusion direction has no length',
  ])
  assert.equal(complaints('extrude', [point(0, 0, 0), vector(0, 0, 1)]).length, 1)
})

test('Extrude Point, Revolution: given a base, then cones and bodies of known size', () => {
  const [face] = all('boundarySurfaces', [[circle(WORLD_XY, 2)]])
  near(one('volume', [one('extrudePoint', [face as Value, point(1, 0, 3)])]), 4 * Math.PI)
  near(
    one('area', [one('revolution', [line(p(2, 0), p(2, 0, 3)), line(p(0, 0), p(0, 0, 1)), FULL])]),
    12 * Math.PI,
  )
  const stuck = [line(p(2, 0), p(2, 0, 3)), line(p(0, 0), p(0, 0)), FULL]
  assert.deepEqual(complaints('revolution', stuck), ['error: Axis has no length'])
})

test('Loft: given two lines, then the surface between; given one, or open and closed ones, then an error', () => {
  near(one('area', [one('loft', [[line(p(0, 0), p(4, 0)), line(p(0, 3), p(4, 3))], undefined])]), 12)
  assert.deepEqual(complaints('loft', [[SQUARE], undefined]), ['error: At least two curves are needed'])
  assert.equal(one('loft', [[SQUARE, line(p(0, 0, 1), p(1, 0, 1))], undefined]), null)
})

test('Cylinder: given a plane, radius and length, then its area, and its points by angle and height', () => {
  const cylinder = one('cylinder', [xyPlane(p(1, 2, 3)), 2, 5])
  near(one('area', [cylinder]), 20 * Math.PI)
  nearXyz(one('evaluate', [cylinder, point(Math.PI / 2, 4, 0)]), p(1, 4, 7))
  nearXyz(one('evaluate', [cylinder, point(Math.PI / 2, 4, 0)], 1), p(0, 1))
  near(one('area', [one('cylinder', [WORLD_XY, 2, -5])]), 20 * Math.PI)
  assert.deepEqual(complaints('cylinder', [WORLD_XY, 0, 5]), ['error: Radius and length must not be 0'])
})

test('Ruled Surface: given two curves, then lines between equal parameters, v from 0 to 1', () => {
  const [low, high] = [line(p(0, 0), p(4, 0)), line(p(0, 3, 2), p(4, 3, 2))]
  near(one('area', [one('ruled', [low, high])]), 4 * Math.hypot(3, 2))
  const twisted = one('ruled', [line(p(0, 0), p(4, 0)), line(p(4, 0, 2), p(0, 0, 2))])
  nearXyz(one('evaluate', [twisted, point(2, 0.5, 0)]), p(2, 0, 1))
  nearXyz(one('evaluate', [twisted, point(4, 0.5, 0)]), p(2, 0, 1))
  near(one('area', [one('ruled', [circle(WORLD_XY, 2), circle(xyPlane(p(0, 0, 3)), 2)])]), 12 * Math.PI)
})

const LOFT_TYPE = (description: string): Value => ({
  type: 'opaque',
  wire: { type: 'unknown', value: { description } },
})

test('Loft: given options of a type, then the loft; given others, a limit', () => {
  const steps = [0, 1, 3].map((z) => line(p(0, z * z, z), p(4, z * z, z)))
  const usual = LOFT_TYPE('Loft options of type 0 (otherwise unchanged)')
  const straight = LOFT_TYPE('Loft options of type 3 (otherwise unchanged)')
  near(one('area', [one('loft', [steps.slice(0, 2), usual])]), 4 * Math.SQRT2)
  near(one('area', [one('loft', [steps, straight])]), 4 * (Math.SQRT2 + Math.hypot(8, 2)))
  assert.deepEqual(run(GUIDS.loft, [steps, straight]).codes, ['approximate'])
  for (const description of [
    'Loft options of type 0 (closed, simplified)',
    'Loft options of type 0 (with ends)',
    'Loft options of type 0',
    'Loft options of type 4 (otherwise unchanged)',
  ]) {
    assert.deepEqual(run(GUIDS.loft, [steps, LOFT_TYPE(description)]).codes, ['limit'])
  }
})

test('Loft: given three sections, then a surface through them, and a message unless they are on one ruled surface', () => {
  const level = [0, 1, 3].map((z) => circle(xyPlane(p(0, 0, z)), 2))
  near(one('area', [one('loft', [level, undefined])]), 12 * Math.PI)
  const cone = [0, 1, 3].map((z) => circle(xyPlane(p(0, 0, z)), 4 - z))
  near(one('area', [one('loft', [cone, undefined])]), 5 * 3 * Math.SQRT2 * Math.PI)
  const bulged = [0, 1, 3].map((z) => circle(xyPlane(p(0, 0, z)), 4 - z * z))
  assert.deepEqual(run(GUIDS.loft, [bulged.slice(0, 2), undefined]).codes, [])
  assert.deepEqual(
    run(GUIDS.loft, [[...bulged.slice(0, 2), circle(xyPlane(p(0, 0, 3)), 2)], undefined]).codes,
    ['approximate'],
  )
})

test('Loft, Loft Options: given lines and a type, then the surface has the control points or the parameters of the type', () => {
  const options = (type: number, { isClosed = false, isAdjusted = false, rebuild = 0 } = {}) =>
    one('loftOptions', [isClosed, isAdjusted, integer(rebuild), 0, integer(type)])
  // Parabolas through three points: at the parameters 0, 1 and 9 of their distances, their roots 0, 1 and 3 …
  const steps = [0, 1, 9].map((y) => line(p(0, y, y === 1 ? 4 : 0), p(4, y, y === 1 ? 4 : 0)))
  const middle = (type: number) => {
    const surface = one('loft', [steps, options(type)]) as Value & {
      faces: readonly { surface: NurbsSurface }[]
    }
    const { knotsV, degreeV } = surface.faces[0]!.surface
    const v = (knotsV[degreeV - 1]! + knotsV.at(-degreeV)!) / 2
    return one('evaluate', [surface, point(0, v, 0)])
  }
  nearXyz(middle(1), p(0, 11 / 4, 2))
  nearXyz(middle(5), p(0, 1, 4))
  assert.deepEqual(run(GUIDS.loft, [steps, options(0, { isAdjusted: true })]).codes, ['approximate'])
  assert.deepEqual(run(GUIDS.loft, [steps.slice(0, 2), options(0, { isClosed: true })]).codes, ['limit'])
  assert.deepEqual(run(GUIDS.loft, [steps, options(2, { rebuild: 9 })]).codes, ['limit'])
})

test('Loft: given options to close it, then it ends where it starts; given seams that are not aligned, then a limit', () => {
  const around = [p(2, 0), p(0, 3), p(-4, 0), p(0, -5)].map((from) => line(from, { ...from, z: 1 }))
  for (const type of [0, 1, 2, 5]) {
    const brep = one('loft', [around, LOFT_TYPE(`Loft options of type ${type} (closed)`)]) as Brep
    const { points } = brep.faces[0]!.surface as NurbsSurface
    nearXyz(points[0]!.at(-1)! as never, points[0]![0]!)
    assert.equal(brep.edges.length, 3, 'a seam and both ends of the lines')
  }
  const turned = circle({ ...xyPlane(p(0, 0, 1)), xAxis: p(0, 1), yAxis: p(-1, 0) }, 2)
  const options = LOFT_TYPE('Loft options of type 0 (adjusted)')
  assert.deepEqual(run(GUIDS.loft, [[circle(xyPlane(p(0, 0)), 2), turned], options]).codes, ['limit'])
})

test('Pipe: given a bent NURBS curve, then a remark that its form is not that of Rhino; given arcs and lines, none', () => {
  const wave: Value = {
    type: 'nurbsCurve',
    degree: 3,
    points: [p(0, 0), p(4, 8), p(8, -8), p(12, 0)],
    knots: [0, 0, 0, 1, 1, 1],
  }
  assert.deepEqual(run(GUIDS.pipe, [wave, 0.5, integer(0)]).codes, ['approximate'])
  assert.deepEqual(run(GUIDS.pipe, [circle(WORLD_XY, 5), 0.5, integer(0)]).codes, [])
})

test('Pipe: given a line and each kind of caps, then tube, cylinder and capsule', () => {
  const rail = line(p(0, 0), p(0, 0, 5))
  near(one('area', [one('pipe', [rail, 1, 0])]), 10 * Math.PI)
  near(one('volume', [one('pipe', [rail, 1, 1])]), 5 * Math.PI)
  near(one('volume', [one('pipe', [rail, 1, 2])]), (5 + 4 / 3) * Math.PI)
  assert.deepEqual(complaints('pipe', [rail, 0, 0]), ['error: Radius must be more than 0'])
})

test('Evaluate Surface, Surface Closest Point: given a sphere, then its points by angle and by nearness', () => {
  const sphere = one('sphere', [WORLD_XY, 2])
  const uv = point(2 * (Math.PI / 6), 2 * (Math.PI / 3), 0)
  const location = p(Math.cos(Math.PI / 6), 0.5, Math.sqrt(3))
  nearXyz(one('evaluate', [sphere, uv]), location)
  nearXyz(one('evaluate', [sphere, uv], 1), p(location.x / 2, location.y / 2, location.z / 2))
  nearXyz(one('evaluate', [sphere, uv], 2), p(-0.5, Math.cos(Math.PI / 6)))
  nearXyz((one('evaluate', [sphere, uv], 4) as Plane).xAxis as Value & Xyz, p(-0.5, Math.cos(Math.PI / 6)))
  nearXyz(one('closestPoint', [point(location.x * 5, location.y * 5, location.z * 5), sphere]), location)
  nearXyz(one('closestPoint', [point(location.x * 5, location.y * 5, location.z * 5), sphere], 1), uv)
  near(one('closestPoint', [point(location.x * 5, location.y * 5, location.z * 5), sphere], 2), 8)
})

test('Divide Surface, Surface Frames: given counts, then a branch per step along u', () => {
  const surface = one('planeSurface', [WORLD_XY, 2, 4])
  const rows = (output: number) => Object.entries(run(GUIDS.divide, [surface, 2, 4]).outputs[output] ?? {})
  assert.deepEqual(
    rows(0).map(([path, values]) => [path.at(-2), values.length]),
    [
      ['0', 5],
      ['1', 5],
      ['2', 5],
    ],
  )
  assert.deepEqual(rows(0)[1]?.[1][3], point(1, 3, 0))
  assert.deepEqual(rows(1)[2]?.[1][0], vector(0, 0, 1))
  assert.deepEqual(rows(2)[2]?.[1][4], point(2, 4, 0))
  assert.deepEqual((all('frames', [surface, 1, 1])[3] as Plane).xAxis, p(1, 0))
  assert.deepEqual(all('divide', [surface, 0, 1]), [])
  assert.deepEqual(complaints('divide', [surface, -1, 1]), ['error: Counts must not be less than 0'])
})

test('Isotrim: given a quarter of a sphere by angle, then a quarter of its area', () => {
  const sphere = one('sphere', [WORLD_XY, 1])
  const quarter = {
    type: 'domain2',
    u: domain(0.3, 0.3 + Math.PI / 2),
    v: domain(-Math.PI / 2, Math.PI / 2),
  } as const
  near(one('area', [one('isotrim', [sphere, quarter])]), Math.PI)
  const outside = { ...quarter, u: domain(7, 8) }
  assert.equal(complaints('isotrim', [sphere, outside]).length, 1)
})

test('Deconstruct Brep, Brep Edges, Brep Join, Cap Holes: given a box, then apart and together again', () => {
  const faces = all('deconstruct', [BOX])
  assert.deepEqual(
    [faces.length, all('deconstruct', [BOX], 1).length, all('deconstruct', [BOX], 2).length],
    [6, 12, 8],
  )
  assert.deepEqual(
    [0, 1, 2].map((i) => all('edges', [faces[0] as Value], i).length),
    [4, 0, 0],
  )
  assert.deepEqual(all('join', [faces], 1), [true])
  assert.deepEqual(all('join', [faces.slice(0, 5)], 1), [false])
  const [open] = all('join', [faces.slice(0, 5)])
  near(one('volume', [one('cap', [open as Value])]), 6)
})

test('Area, Volume: given what has none, then an error and null', () => {
  assert.deepEqual(complaints('area', [line(p(0, 0), p(1, 0))]), ['error: Area needs a closed curve'])
  assert.deepEqual(complaints('volume', [one('extrude', [SQUARE, vector(0, 0, 1)])]), [
    'error: Volume needs a closed brep',
  ])
  assert.deepEqual(one('area', [circle(xyPlane(p(3, 4)), 2)], 1), point(3, 4, 0))
})

// Recorded outputs of Grasshopper 8, from github.com/ezzahiranass/pyhopper (tests/golden/components/Surface).
test('Surface From Points, Dimensions: given a grid, then its points are control points, along v first', () => {
  const grid = [0, 3, 6].flatMap((x) => [point(x, 0, 0), point(x, 1, x === 3 ? 4 : 0)])
  const surface = one('fromPoints', [grid, 3, false]) as NurbsSurface
  assert.deepEqual(
    [surface.degreeU, surface.degreeV, surface.knotsU, surface.knotsV],
    [2, 1, [0, 0, 1, 1], [0, 1]],
  )
  assert.deepEqual(surface.points[1], [p(3, 0), p(3, 1, 4)])
  near(one('dimensions', [surface]), 10)
  near(one('dimensions', [surface], 1), 4.123105625617661)
  assert.equal(one('fromPoints', [grid, 4, false]), null)
})

test('Extrude Point: given a line and an apex, then u leads to the apex by the distance from its start', () => {
  const brep = one('extrudePoint', [line(p(0, 0), p(4, 0)), point(2, 2, 3)]) as Brep
  assert.deepEqual(brep.faces[0]?.surface.points, [
    [p(0, 0), p(4, 0)],
    [p(2, 2, 3), p(2, 2, 3)],
  ])
  assert.deepEqual(brep.faces[0]?.surface.knotsU, [0, 4.123105625617661])
})
