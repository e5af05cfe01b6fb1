import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getBrepArea } from '@meadow/geometry/breps/brep-mass'
import { getLength } from '@meadow/geometry/curves/length'
import { getMeshArea, getMeshVolume } from '@meadow/geometry/meshes/mesh-mass'
import type { Brep } from '@meadow/geometry/values/brep'
import { arc, circle, line, polyline } from '@meadow/geometry/values/curves'
import { type Mesh, quad, triangle } from '@meadow/geometry/values/mesh'
import type { NurbsSurface } from '@meadow/geometry/values/nurbs-surface'
import { WORLD_XY, xyPlane } from '@meadow/geometry/values/planes'
import { point, vector } from '@meadow/geometry/values/points'
import { toShader } from '@meadow/geometry/values/shader'
import {
  type Curve,
  colour,
  domain,
  type Geometry,
  integer,
  kindOf,
  pathValue,
  type Value,
  type ValueKind,
} from '@meadow/geometry/values/value'
import { createMessageLog } from '../solve/messages.ts'
import { processValues } from '../solve/port-data.ts'
import { createShapeMakers } from '../solve/shape-makers.ts'
import { run } from '../testing/run.ts'
import { createList } from '../tree/tree.ts'
import { CONVERSIONS, findFailure } from './conversions.ts'
import { convert } from './convert.ts'
import type { PortType } from './port-types.ts'

const at = (x: number, y: number, z = 0) => ({ x, y, z })
const MAKERS = createShapeMakers(0.001)
const SIDE = domain(0, 1)
const CORNERS = [at(0, 0), at(4, 0), at(4, 3), at(0, 3), at(0, 0)]
const BOX: Value = { type: 'box', plane: WORLD_XY, x: SIDE, y: SIDE, z: SIDE }
const BREP = convert(BOX, 'brep') as Value
const RING = circle(WORLD_XY, 1)
const SQUARE: Value = { type: 'rectangle', plane: WORLD_XY, x: SIDE, y: SIDE }
const SURFACE: Value = {
  type: 'nurbsSurface',
  degreeU: 1,
  degreeV: 1,
  points: [
    [at(0, 0), at(0, 3)],
    [at(5, 0), at(5, 3)],
  ],
  knotsU: [0, 5],
  knotsV: [0, 3],
}
/** With two outlines. */
const TUBE: Value = {
  type: 'nurbsSurface',
  degreeU: 1,
  degreeV: 1,
  points: CORNERS.map((corner) => [corner, { ...corner, z: 5 }]),
  knotsU: [0, 1, 2, 3, 4],
  knotsV: [0, 5],
}
const spline = (...points: { x: number; y: number; z: number }[]): Curve => ({
  type: 'nurbsCurve',
  degree: 2,
  points,
  knots: [1, 1, 4, 4],
})
const OUTLINE: Curve = { type: 'nurbsCurve', degree: 1, points: CORNERS, knots: [0, 1, 2, 3, 4] }
const joined = (...segments: Curve[]): Curve => ({ type: 'polyCurve', segments })
const mesh: Value = { type: 'mesh', vertices: [at(0, 0), at(1, 0), at(0, 1)], faces: [triangle(0, 1, 2)] }

/** Values of every kind: those that convert wherever the kind does, and others. */
const SAMPLES: readonly Value[] = [
  ...[2.5, 2 ** 40, Number.NaN, integer(4), true, false],
  ...['NOTHING', '12', 'true', '1,2,3', '255,0,0', '{0;1}', '0 to 2', 'Q{0,1,2,3}'],
  ...[colour(1, 2, 3), toShader(colour(1, 2, 3)), domain(0, 2), pathValue([0, 1]), vector(1, 2, 3)],
  { type: 'domain2', u: domain(0, 2), v: domain(1, 3) },
  { type: 'transform', matrix: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1] },
  { type: 'matrix', rows: 1, columns: 2, values: [3, 4] },
  { type: 'complex', real: 3, imaginary: 4 },
  { type: 'time', day: 0, ms: 0 },
  { type: 'twistedBox', corners: [...CORNERS.slice(1), ...CORNERS.slice(1)] },
  ...[
    triangle(0, 1, 2),
    point(1, 2, 3),
    point(0, 2, 0),
    xyPlane(at(1, 2, 3)),
    line(at(1, 2), at(4, 6)),
    RING,
    SQUARE,
  ],
  ...[arc(WORLD_XY, 1, 0, 2 * Math.PI), arc(WORLD_XY, 1, 0, 2)],
  ...[polyline([at(0, 0), at(1, 1), at(3, 3)]), polyline(CORNERS), polyline([at(0, 0), at(3, 0), at(1, 0)])],
  ...[spline(at(0, 0), at(1, 0), at(4, 0)), spline(at(0, 0), at(1, 1), at(2, 0)), OUTLINE],
  joined(line(at(0, 0), at(1, 0)), line(at(1, 0), at(3, 0))),
  joined(...CORNERS.slice(1).map((corner, i) => line(CORNERS[i] ?? at(0, 0), corner))),
  joined(line(at(0, 0), at(1, 0)), line(at(1, 0), at(1, 3))),
  ...[BOX, { ...BOX, z: domain(1, 1) }, SURFACE, TUBE, BREP, convert(SURFACE, 'brep') as Value, mesh],
  { type: 'group', members: [RING as Geometry] },
]
const KINDS = [...new Set(SAMPLES.map(kindOf))]
const TYPES = Object.keys(CONVERSIONS) as Exclude<PortType, 'any' | 'opaque'>[]
const PAIRS = TYPES.flatMap((type) => KINDS.map((kind) => [kind, type] as const))

test('[C-13] given the samples, when their kinds are listed, then every kind of the table is among them', () => {
  const named = new Set(TYPES.flatMap((type) => Object.keys(CONVERSIONS[type])))
  assert.deepEqual(
    [...named].filter((kind) => !KINDS.includes(kind as ValueKind)),
    [],
  )
})

test('[C-13] given values of every kind, when they reach ports of every type, then they convert as the table says', () => {
  for (const [kind, type] of PAIRS) {
    const samples = SAMPLES.filter((value) => kindOf(value) === kind)
    const done = samples.filter((value) => convert(value, type, MAKERS) !== undefined).length
    const found = done === 0 ? undefined : done === samples.length ? 'all' : 'some'
    assert.equal(found, CONVERSIONS[type][kind]?.converts, `${kind} to ${type}`)
  }
})

test('[C-13] given a value that does not convert, when a port takes it, then it is a limit unless a source says otherwise', () => {
  for (const [kind, type] of PAIRS) {
    for (const value of SAMPLES.filter((sample) => kindOf(sample) === kind)) {
      const log = createMessageLog('node')
      const port = { name: '', nickName: '', typeName: '', access: 'item', flags: [] } as const
      processValues(createList([value]), type, { ...port, flags: [] }, log, { makers: MAKERS })
      const codes = log.list().map(({ code }) => code)
      if (convert(value, type, MAKERS) === undefined)
        assert.deepEqual(codes, [findFailure(value, type) ? 'failed' : 'limit'], `${kind} to ${type}`)
      else assert.ok(!codes.includes('failed') && !codes.includes('limit'), `${kind} to ${type}`)
    }
  }
})

test('[C-13] given what a source says that Grasshopper refuses, when a parameter takes it, then it is null, with a warning', () => {
  const { outputs, messages, codes } = run('8529dbdf-9b6f-42e9-8e1f-c7a2bde56a70', [point(1, 2, 3)])
  assert.deepEqual(outputs, [{ '{0}': [null] }])
  assert.deepEqual(messages, ['warning: Data conversion failed from Point to Line'])
  assert.deepEqual(codes, ['failed'])
})

test('[C-16] given curves and surfaces, when ports for domains take them, then their own domains', () => {
  assert.deepEqual(convert(spline(at(0, 0), at(1, 1), at(2, 0)), 'domain'), domain(1, 4))
  assert.deepEqual(convert(RING, 'domain'), domain(0, 2 * Math.PI))
  const both = { type: 'domain2', u: domain(0, 5), v: domain(0, 3) }
  assert.deepEqual(convert(SURFACE, 'domain2'), both)
  assert.deepEqual(convert(convert(SURFACE, 'brep') as Value, 'domain2'), both)
})

test('[C-4] given texts, when ports for mesh faces take them, then they are read', () => {
  assert.deepEqual(convert('Q{0,1,2,3}', 'meshFace'), quad(0, 1, 2, 3))
  assert.deepEqual(convert(' t{ 1; 2 ;4 } ', 'meshFace'), triangle(1, 2, 4))
  for (const text of ['Q{0,1,2}', 'T{0,1,2,3}', '{0,1,2}', 'T{0,-1,2}', 'T{0,1.5,2}', 'T{,1,2}', 'Q{}'])
    assert.equal(convert(text, 'meshFace'), undefined, text)
})

test('[C-6, C-7] given curves, when ports for vectors and lines take them, then only straight ones have a direction', () => {
  const straight = polyline([at(4, 4), at(4.25, 4), at(4.5, 4)])
  assert.deepEqual(convert(straight, 'vector'), vector(0.5, 0, 0))
  assert.deepEqual(convert(straight, 'line'), line(at(4, 4), at(4.5, 4)))
  assert.deepEqual(convert(spline(at(0, 0), at(1, 1), at(2, 2)), 'vector'), vector(2, 2, 0))
  for (const curve of [polyline([at(0, 0), at(3, 0), at(1, 0)]), polyline(CORNERS), RING])
    assert.equal(convert(curve, 'vector'), undefined)
})

test('[C-14] given a surface, when a curve parameter takes it, then its outline, with a remark; given one with a hole, a limit', () => {
  const boundary = 'd51e9b65-aa4e-4fd6-976c-cef35d421d05'
  const curve = 'd5967b9f-e8ee-436b-a8ad-29fdcecf32d5'
  const side = { start: 0, end: 4, type: 'domain' } as const
  const square: Value = { type: 'rectangle', plane: WORLD_XY, x: side, y: side }
  const plate = (outlines: readonly Value[]) =>
    Object.values(run(boundary, [outlines]).outputs[0] ?? {})[0]?.[0] as Value
  const { outputs, codes } = run(curve, [plate([square])])
  const [outline] = Object.values(outputs[0] ?? {})[0] as [Curve]
  assert.deepEqual(codes, ['approximate'])
  assert.equal(outline.type, 'polyline')
  assert.equal(getLength(outline), 16)
  const hole = circle(xyPlane({ x: 2, y: 2, z: 0 }), 1)
  assert.deepEqual(run(curve, [plate([square, hole])]).codes, ['limit'])
})

test('[C-10] given a colour and a text, when a shader parameter takes them, then they are its diffuse colour', () => {
  const { outputs } = run('288cfe66-f3dc-4c9a-bb96-ef81f47fe724', [[colour(1, 2, 3), '255,0,0']])
  assert.deepEqual(Object.values(outputs[0] ?? {}), [
    [toShader(colour(1, 2, 3)), toShader(colour(255, 0, 0))],
  ])
})

test('[C-18] given points and vectors, when ports for numbers take them, then they are their distances from the origin', () => {
  assert.equal(convert(vector(0, 0, 3), 'number'), 3)
  assert.equal(convert(vector(2, -3, 6), 'number'), 7)
  assert.equal(convert(point(0, 2.5, 0), 'number'), 2.5)
  assert.equal(convert(point(0, 0, 0), 'number'), 0)
  assert.equal(convert(point(2, -3, 6), 'number'), 7)
  assert.equal(convert(point(-4, 0, 3), 'number'), 5)
})

test('[C-19] given a box and a surface, when a mesh parameter takes them, then they are meshed, with a remark', () => {
  const { outputs, codes } = run('1e936df3-0eea-4246-8549-514cb8862b7a', [[BOX, SURFACE, mesh]])
  const [box, surface, own] = Object.values(outputs[0] ?? {})[0] as Mesh[]
  assert.deepEqual(codes, ['approximate'])
  assert.ok(Math.abs(getMeshVolume(box!).size - 1) < 1e-12)
  assert.ok(Math.abs(getMeshArea(surface!).size - 15) < 1e-12)
  assert.equal(own, mesh)
})

test('[C-20] given curves, when ports for breps and surfaces take them, then closed planar ones are faces, with a remark', () => {
  const [parameter, surface] = [
    '919e146f-30ae-4aae-be34-4d72f555e7da',
    'deaf8653-5528-4286-807c-3de8b8dad781',
  ]
  for (const port of [parameter, surface]) {
    const { outputs, codes } = run(port, [[RING, SQUARE, polyline(CORNERS)]])
    const breps = Object.values(outputs[0] ?? {})[0] as Brep[]
    assert.deepEqual(codes, ['approximate'])
    for (const [i, area] of [Math.PI, 1, 12].entries())
      assert.ok(Math.abs(getBrepArea(breps[i] as Brep).size - area) < 1e-9)
  }
  const twisted = polyline([at(0, 0), at(2, 2), at(2, 0), at(0, 2), at(0, 0)])
  const bent = polyline([at(0, 0), at(2, 0), at(2, 2, 1), at(0, 2), at(0, 0)])
  for (const curve of [line(at(0, 0), at(1, 0)), twisted, bent])
    assert.deepEqual(run(parameter, [[curve]]).codes, ['limit'])
})

test('[C-22] given a box without height, when a surface parameter takes it, then its rectangle, with a remark; given another, also one that is a line or a point, a limit', () => {
  const surface = 'deaf8653-5528-4286-807c-3de8b8dad781'
  const flat = { ...BOX, z: domain(3, 3) }
  const { outputs, codes } = run(surface, [flat])
  assert.deepEqual(codes, ['approximate'])
  const { x, y } = flat
  const [made] = Object.values(outputs[0] ?? {})[0] as [NurbsSurface]
  assert.deepEqual(made.points, [
    [
      { x: x.start, y: y.start, z: 3 },
      { x: x.start, y: y.end, z: 3 },
    ],
    [
      { x: x.end, y: y.start, z: 3 },
      { x: x.end, y: y.end, z: 3 },
    ],
  ])
  const line = { ...flat, y: domain(1, 1) }
  for (const other of [BOX, line, { ...line, x: domain(2, 2) }])
    assert.deepEqual(run(surface, [other]).codes, ['limit'])
})

test('[C-21] given a vector, when a port for geometry takes it, then it is a point', () => {
  assert.deepEqual(convert(vector(1, 2, 3), 'geometry'), point(1, 2, 3))
})

test('[C-15] given a value, when a port of its own type takes it, then it is the same value; curves and geometry stay what they are', () => {
  const own: [PortType, readonly Value[]][] = [
    ['text', ['NOTHING', '']],
    ['boolean', [true, false]],
    ['domain', [domain(0, 2)]],
    ['vector', [vector(1, 2, 3)]],
    ['point', [point(1, 2, 3)]],
    ['curve', [RING, SQUARE, OUTLINE, polyline(CORNERS), line(at(1, 2), at(4, 6))]],
    ['geometry', [RING, SQUARE, BOX, SURFACE, mesh, point(1, 2, 3)]],
  ]
  for (const [type, values] of own)
    for (const value of values) assert.deepEqual(convert(value, type), value, `${type} of ${kindOf(value)}`)
})
