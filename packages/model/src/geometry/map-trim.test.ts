import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getPoint } from '@meadow/geometry/curves/evaluate'
import { polyline } from '@meadow/geometry/values/curves'
import { createArcSpans } from './arc-to-nurbs.ts'
import { mapTrim } from './map-trim.ts'

const at = (x: number, y: number) => ({ x, y, z: 0 })
const surface = { type: 'nurbsSurface', degreeU: 1, degreeV: 1, points: [], knotsU: [], knotsV: [] } as const

test('[MOD-6] given a trim across a surface of revolution, when it is mapped, then it is followed at its own parameters', () => {
  const { toNurbs } = createArcSpans(2 * Math.PI, 0, 2 * Math.PI)
  const trim = polyline([at(0.2, 0), at(5, 3), at(6, 1)])
  const mapped = mapTrim(trim, { surface, mapU: toNurbs })
  for (let t = 0; t <= 2; t += 1 / 64) {
    const [is, was] = [getPoint(mapped, t), getPoint(trim, t)]
    assert.ok(Math.abs(is.x - toNurbs(was.x)) < 1e-6, `x at ${t}`)
    assert.ok(Math.abs(is.y - was.y) < 1e-6, `y at ${t}`)
  }
  const along = polyline([at(0, 0), at(0, 3)])
  assert.equal(mapTrim(along, { surface, mapU: toNurbs }).type, 'polyline')
})

test('[MOD-6] given a trim that takes too many pieces, when it is mapped, then it has no exact form', () => {
  const wave = (x: number) => x + 1e-3 * Math.sin(1e4 * x)
  assert.throws(
    () => mapTrim(polyline([at(0, 0), at(5, 3)]), { surface, mapU: wave }),
    /a trim across a surface whose parameters change/,
  )
})
