import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ModelFault } from '../opennurbs/model-fault.ts'
import { BENT, box, net, plateWithHole } from '../testing/geometries.ts'
import { mutate } from '../testing/mutate.ts'
import { OPTIONS, toValues } from '../testing/values.ts'
import { openModelLibrary } from '../worker/model-library.ts'
import { walkModel } from './walk-model.ts'

test('[MOD-33] given a file with bytes changed, cut and put in, when it is walked, then objects or a fault, and no object twice', async () => {
  await using library = openModelLibrary()
  const { bytes } = await library.write(toValues([BENT, box(1, 2, 3), plateWithHole(), net(8)]), OPTIONS)
  let [walked, faults] = [0, 0]
  fc.assert(
    fc.property(fc.infiniteStream(fc.nat()), (numbers) => {
      const mutated = mutate(Buffer.from(bytes), numbers)
      try {
        let taken = 0
        for (const object of walkModel(mutated)) taken += object.encode().data.length
        // An object is written in Base64, with a header.
        assert.ok(taken <= 2 * mutated.length, `${taken} characters of ${mutated.length} bytes`)
        walked++
      } catch (error) {
        if (!(error instanceof ModelFault)) throw error
        faults++
      }
    }),
    { numRuns: 5000 },
  )
  assert.ok(faults > walked / 20, `${walked} files and ${faults} faults: the changes miss what matters`)
})
