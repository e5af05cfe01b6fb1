import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getLength } from '../geometry/curves/length.ts'
import { run } from '../testing/run.ts'
import { circle, line } from '../values/curves.ts'
import { triangle } from '../values/mesh.ts'
import { WORLD_XY, xyPlane } from '../values/planes.ts'
import { point } from '../values/points.ts'
import { type Curve, domain, type Value } from '../values/value.ts'
import { convert } from './convert.ts'

const PARAMETERS = {
  mesh: '1e936df3-0eea-4246-8549-514cb8862b7a',
  surface: 'deaf8653-5528-4286-807c-3de8b8dad781',
  brep: '919e146f-30ae-4aae-be34-4d72f555e7da',
  plane: '4f8984c4-7c7a-4d69-b0a2-183cbb330d20',
  rectangle: 'abf9c670-5462-4cd8-acb3-f1ab0256dbf3',
  curve: 'd5967b9f-e8ee-436b-a8ad-29fdcecf32d5',
} as const

const BOX: Value = { type: 'box', plane: WORLD_XY, x: domain(0, 1), y: domain(0, 1), z: domain(0, 1) }
const BREP = convert(BOX, 'brep') as Value
const RING = circle(xyPlane(point(0, 0, 0)), 1)

test('[C-13] given geometry that Grasshopper converts, when a parameter takes it, then that is a limit', () => {
  const cases: [Value, keyof typeof PARAMETERS][] = [
    [BREP, 'mesh'],
    [BOX, 'mesh'],
    [RING, 'surface'],
    [BOX, 'surface'],
    [RING, 'brep'],
    [BREP, 'plane'],
    [BREP, 'rectangle'],
    [BOX, 'rectangle'],
  ]
  for (const [value, type] of cases) {
    const { outputs, messages, codes } = run(PARAMETERS[type], [value])
    assert.deepEqual(outputs, [{}], type)
    assert.deepEqual(codes, ['limit'])
    assert.match(messages.join(), /^error: Converting (Brep|Box|Circle) to \w+ is not supported$/)
  }
})

test('[C-13] given what Grasshopper does not convert either, when a parameter takes it, then it is null, with a warning', () => {
  const cases: [Value, keyof typeof PARAMETERS][] = [
    [BOX, 'curve'],
    [BREP, 'curve'],
    [triangle(0, 1, 2), 'mesh'],
    [line({ x: 0, y: 0, z: 0 }, { x: 1, y: 0, z: 0 }), 'surface'],
    [1, 'brep'],
  ]
  for (const [value, type] of cases) {
    const { outputs, codes } = run(PARAMETERS[type], [value])
    assert.deepEqual(outputs, [{ '{0}': [null] }], type)
    assert.deepEqual(codes, ['failed'])
  }
})

test('[C-14] given a surface, when a curve parameter takes it, then its outline, with a remark; given one with a hole, a limit', () => {
  const boundary = 'd51e9b65-aa4e-4fd6-976c-cef35d421d05'
  const side = { start: 0, end: 4, type: 'domain' } as const
  const square: Value = { type: 'rectangle', plane: WORLD_XY, x: side, y: side }
  const plate = (outlines: readonly Value[]) =>
    Object.values(run(boundary, [outlines]).outputs[0] ?? {})[0]?.[0] as Value
  const { outputs, codes } = run(PARAMETERS.curve, [plate([square])])
  const [outline] = Object.values(outputs[0] ?? {})[0] as [Curve]
  assert.deepEqual(codes, ['approximate'])
  assert.equal(outline.type, 'polyline')
  assert.equal(getLength(outline), 16)
  const hole = circle(xyPlane({ x: 2, y: 2, z: 0 }), 1)
  assert.deepEqual(run(PARAMETERS.curve, [plate([square, hole])]).codes, ['limit'])
})
