import assert from 'node:assert/strict'
import { test } from 'node:test'
import { planObjects } from '../file/plan-objects.ts'
import { encodeGeometry } from '../geometry/encode-geometry.ts'
import { BENT, box, net, plateWithHole, SADDLE } from '../testing/geometries.ts'
import { encode, rhino } from '../testing/rhino.ts'
import { OPTIONS, toValues } from '../testing/values.ts'
import { loadLibrary, measureObject, simplifyObject } from './library.ts'
import { writeDraft } from './write-draft.ts'

const GEOMETRIES = [BENT, box(1, 2, 3), plateWithHole(), SADDLE, net(8)]
const repeat = <T>(items: readonly T[], count: number) =>
  Array.from({ length: count }, (_, i) => items[i % items.length]!)

test('[MOD-53] given 2,000 objects after 2,000 others, when they are worked on, then memory does not grow', async () => {
  const library = await loadLibrary(1024 ** 3)
  const circle = rhino.ArcCurve.createFromCircle(new rhino.Circle([1, 2, 3] as never, 2))
  const extrusion = encode(rhino.Extrusion.create(circle, 4, true))
  const encoded = repeat([...GEOMETRIES.map((geometry) => encodeGeometry(geometry)!), extrusion], 800)
  const plan = planObjects(toValues(repeat(GEOMETRIES, 400)), OPTIONS)
  const workOn2000 = () => {
    for (const each of encoded) {
      measureObject(library, each)
      simplifyObject(library, each)
    }
    writeDraft(library, plan, OPTIONS)
  }
  workOn2000()
  const before = library.getHeapSize()
  workOn2000()
  assert.equal(library.getHeapSize(), before)
})

test('[MOD-54] given an object larger than the memory it may have, when it is worked on, then the library reports it', async () => {
  const library = await loadLibrary(24 * 1024 ** 2)
  const mesh = encodeGeometry(net(400))!
  assert.equal(library.isExhausted(), false)
  try {
    measureObject(library, mesh)
  } catch {
    // Some rejected inputs make the library throw, others go unnoticed: hence the flag.
  }
  assert.equal(library.isExhausted(), true)
  assert.ok(library.getHeapSize() <= 24 * 1024 ** 2)
})
