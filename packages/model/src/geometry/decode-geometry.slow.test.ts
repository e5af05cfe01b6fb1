import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { NurbsSurface } from '@meadow/geometry/values/nurbs-surface'
import type { Geometry } from '@meadow/geometry/values/value'
import fc from 'fast-check'
import type { Curve as RhinoCurve, Line as RhinoLine, Surface as RhinoSurface } from 'rhino3dm'
import { arbitraryGeometry } from '../testing/arbitrary-geometry.ts'
import { BENT, box, plateWithHole, WORLD } from '../testing/geometries.ts'
import { decode, encode, getBox, rhino } from '../testing/rhino.ts'
import { readSampleModels, skipWithoutSamples } from '../testing/samples.ts'
import { walkModel } from '../walker/walk-model.ts'
import { decodeGeometry } from './decode-geometry.ts'
import { encodeGeometry } from './encode-geometry.ts'
import { xyz } from './xyz.ts'

// The declared types of these take the library's classes; it takes arrays.
const line = (from: number[], to: number[]) => new rhino.Line(from as never, to as never) as RhinoLine
const circle = (centre: number[], radius: number) => new rhino.Circle(centre as never, radius)

const byKey = ([a]: [string, unknown], [b]: [string, unknown]) => (a < b ? -1 : 1)

/** The numbers of a value at any depth, in order of their keys. */
function listNumbers(value: unknown): number[] {
  if (typeof value === 'number') return [value]
  return typeof value === 'object' && value !== null
    ? Object.entries(value)
        .sort(byKey)
        .flatMap(([, part]) => listNumbers(part))
    : []
}

/** Equal in all but the last digits, which a weight multiplied and divided by or a scaled knot can change. */
function assertAlike(actual: Geometry | undefined, expected: Geometry): void {
  assert.deepEqual(Object.keys(actual ?? {}).sort(), Object.keys(expected).sort())
  const [a, b] = [listNumbers(actual), listNumbers(expected)]
  assert.equal(a.length, b.length)
  a.forEach((number, i) => {
    assert.ok(Math.abs(number - b[i]!) <= 1e-9 * (1 + Math.abs(b[i]!)), `${number} is not ${b[i]}`)
  })
}

test('[MOD-5] given any geometry, when it is encoded and decoded, then the same', () => {
  fc.assert(
    fc.property(arbitraryGeometry, (geometry) => {
      assertAlike(decodeGeometry(encodeGeometry(geometry)!), geometry)
    }),
  )
})

test('[MOD-5] given a polycurve, a rectangle and a box, when they come back, then as curve, polyline and brep', () => {
  assertAlike(decodeGeometry(encodeGeometry(BENT)!), {
    ...BENT,
    segments: [
      BENT.segments[0]!,
      { ...BENT.segments[1]!, domain: { type: 'domain', start: 2, end: 2 + Math.PI / 2 } },
    ],
  } as Geometry)
  const side = { type: 'domain', start: 0, end: 2 } as const
  const corners = [xyz(0, 0, 0), xyz(2, 0, 0), xyz(2, 2, 0), xyz(0, 2, 0), xyz(0, 0, 0)]
  assert.deepEqual(decodeGeometry(encodeGeometry({ type: 'rectangle', plane: WORLD, x: side, y: side })!), {
    type: 'polyline',
    vertices: corners,
  })
  const brep = decodeGeometry(encodeGeometry(box(1, 2, 3))!)
  assert.equal(brep?.type === 'brep' && brep.faces.length, 6)
})

test('[MOD-6] given surfaces of revolution, when they are decoded, then NURBS surfaces of the same points', () => {
  const profiles = [
    new rhino.LineCurve([1, 0, 0] as never, [2, 0, 3] as never),
    rhino.ArcCurve.createFromArc(new rhino.Arc(circle([3, 0, 0], 1), 1.2)),
  ]
  for (const profile of profiles) {
    const turned = rhino.RevSurface.create(profile, line([0, 0, 0], [0, 1, 0]), 0.3, 2.2)
    const surface = decodeGeometry(encode(turned)) as NurbsSurface
    const nurbs = decode<RhinoSurface>(encodeGeometry(surface))
    for (const direction of [0, 1]) assert.deepEqual(nurbs.domain(direction), turned.domain(direction))
    const [u, v] = [nurbs.domain(0), nurbs.domain(1)] as unknown as [[number, number], [number, number]]
    for (const [a, b] of [
      [u[0], v[0]],
      [u[1], v[0]],
      [u[0], v[1]],
      [u[1], v[1]],
    ]) {
      const [expected, actual] = [turned.pointAt(a!, b!), nurbs.pointAt(a!, b!)] as unknown as [
        number[],
        number[],
      ]
      assert.ok(Math.hypot(...expected.map((n, i) => n - actual[i]!)) < 1e-12)
    }
    assert.ok(isOnCircles(surface, nurbs), 'rotated around the y axis, a point keeps its distance')
  }
})

/** Along u the distance from the y axis stays. */
function isOnCircles({ knotsU, knotsV }: NurbsSurface, nurbs: RhinoSurface): boolean {
  const [start, end] = [knotsU[0]!, knotsU.at(-1)!]
  const distances = Array.from({ length: 33 }, (_, i) => {
    const [x, , z] = nurbs.pointAt(start + ((end - start) * i) / 32, knotsV[0]!) as unknown as number[]
    return Math.hypot(x!, z!)
  })
  return distances.every((distance) => Math.abs(distance - distances[0]!) < 1e-12)
}

test('[MOD-6] given solids that the library makes, when they are decoded, then breps that are valid and as large', () => {
  const solids = [
    new rhino.Sphere([1, 2, 3] as never, 2).toBrep(),
    new rhino.Cylinder(circle([1, 2, 3], 2), 4).toBrep(true, true),
    rhino.Brep.createFromSurface(
      rhino.NurbsSurface.createRuledSurface(
        new rhino.LineCurve([0, 0, 0] as never, [1, 0, 0] as never),
        new rhino.LineCurve([0, 1, 0] as never, [1, 1, 1] as never),
      ),
    ),
  ]
  for (const solid of solids) {
    const brep = decodeGeometry(encode(solid))
    assert.equal(brep?.type, 'brep')
    const again = decode<typeof solid & { isValidWithLog: unknown }>(encodeGeometry(brep!))
    assert.deepEqual(again.isValidWithLog, [true, ''])
    assert.equal(again.isSolid, solid.isSolid)
    const [a, b] = [getBox(again), getBox(solid)]
    assert.ok(a.every((number, i) => Math.abs(number - b[i]!) < 1e-9))
  }
})

test('[MOD-6] given a polyline whose parameter runs unevenly, when it is decoded, then a curve with that parameter', () => {
  const corners = [xyz(0, 0, 0), xyz(1, 0, 0), xyz(4, 0, 0)]
  const curve = { type: 'nurbsCurve', degree: 1, points: corners, knots: [0, 1, 4] } as const
  const cut = decode<RhinoCurve>(
    encodeGeometry({ type: 'polyline', vertices: [...corners, xyz(8, 0, 0)] }),
  ).trim(0, 2.5)
  const decoded = decodeGeometry(encode(cut))
  assert.deepEqual(decoded, { ...curve, points: [...corners, xyz(6, 0, 0)], knots: [0, 1, 2, 2.5] })
})

test('[MOD-7] given bytes that are no object, when they are decoded, then undefined', () => {
  const brep = encodeGeometry(plateWithHole())!
  const broken = [
    { ...brep, data: '' },
    { ...brep, data: '....' },
    { ...brep, data: Buffer.alloc(300, 7).toString('base64') },
    { ...brep, data: brep.data.slice(0, 4000) },
    { ...brep, archive3dm: 4 },
    encode(new rhino.PointCloud()),
  ]
  assert.deepEqual(
    broken.map(decodeGeometry),
    broken.map(() => undefined),
  )
})

test('[MOD-8] given every object of real files, when it is decoded and encoded, then as valid as it was', {
  skip: skipWithoutSamples,
}, () => {
  let count = 0
  for (const { name, bytes } of readSampleModels()) {
    for (const object of walkModel(bytes)) {
      const encoded = object.encode()
      const geometry = decodeGeometry(encoded)
      if (!geometry) continue
      const [before, after] = [decode(encoded), decode(encodeGeometry(geometry))]
      if (before.isValid) assert.deepEqual(after.isValidWithLog, [true, ''], `${name} ${object.id}`)
      const [a, b] = [getBox(before), getBox(after)]
      const size = Math.hypot(b[3]! - b[0]!, b[4]! - b[1]!, b[5]! - b[2]!)
      assert.ok(
        a.every((number, i) => Math.abs(number - b[i]!) <= 1e-6 * size),
        `${name} ${object.id}: ${a} is not ${b}`,
      )
      before.delete()
      after.delete()
      count++
    }
  }
  assert.ok(count > 300, `only ${count} objects`)
})
