import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { BENT, box, net, plateWithHole, SADDLE } from '../testing/geometries.ts'
import { mutate } from '../testing/mutate.ts'
import { encode, rhino } from '../testing/rhino.ts'
import { decodeGeometry } from './decode-geometry.ts'
import { encodeGeometry } from './encode-geometry.ts'

const objects = [
  ...[BENT, box(1, 2, 3), plateWithHole(), SADDLE, net(3), net(12)].map(
    (geometry) => encodeGeometry(geometry)!,
  ),
  encode(new rhino.Sphere([0, 0, 0] as never, 2).toBrep()),
]

test('[MOD-7] given objects with bytes changed, cut and put in, when they are decoded, then a value or undefined', () => {
  fc.assert(
    fc.property(fc.constantFrom(...objects), fc.infiniteStream(fc.nat()), (object, numbers) => {
      const data = mutate(Buffer.from(object.data, 'base64'), numbers).toString('base64')
      const geometry = decodeGeometry({ ...object, data })
      assert.ok(geometry === undefined || typeof geometry.type === 'string')
    }),
    { numRuns: 4000 },
  )
})
