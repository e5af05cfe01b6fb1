import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ModelFault } from '../model-fault.ts'
import { BENT, box, net, plateWithHole } from '../testing/geometries.ts'
import { mutate } from '../testing/mutate.ts'
import { OPTIONS, toValues } from '../testing/values.ts'
import { openModelLibrary } from '../worker/model-library.ts'
import { walkModel } from './walk-model.ts'

/** Far above the mean of a tenth, of this thread's own time: a garbage collection may fall into any run. */
const LONGEST_MS = 2000

test('[MOD-33] given a file with bytes changed, cut and put in, when it is walked, then objects or a fault, soon', async () => {
  await using library = openModelLibrary()
  const { bytes } = await library.write(toValues([BENT, box(1, 2, 3), plateWithHole(), net(8)]), OPTIONS)
  let longest = 0
  let faults = 0
  fc.assert(
    fc.property(fc.infiniteStream(fc.nat()), (numbers) => {
      const mutated = mutate(Buffer.from(bytes), numbers)
      const started = process.threadCpuUsage()
      try {
        for (const object of walkModel(mutated)) assert.ok(object.encode().data.length <= 2 * mutated.length)
      } catch (error) {
        if (!(error instanceof ModelFault)) throw error
        faults++
      }
      const { user, system } = process.threadCpuUsage(started)
      longest = Math.max(longest, (user + system) / 1000)
    }),
    { numRuns: 5000 },
  )
  assert.ok(longest < LONGEST_MS, `one took ${longest} ms`)
  assert.ok(faults > 500, `only ${faults} were found faulty: the changes miss what matters`)
})
