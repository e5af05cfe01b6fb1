import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MAX_FACTS_BYTES } from '@meadow/contract/web'
import fc from 'fast-check'
import { ModelFault } from '../model-fault.ts'
import { BENT, box, net, plateWithHole } from '../testing/geometries.ts'
import { mutate } from '../testing/mutate.ts'
import { OPTIONS, toValues } from '../testing/values.ts'
import { openModelLibrary } from '../worker/model-library.ts'
import { readModelSummary } from './read-model-summary.ts'

/** Far above the mean of a tenth, of this thread's own time: a garbage collection may fall into any run. */
const LONGEST_MS = 2000

test('[MOD-65] given a file with bytes changed, cut and put in, when it is read, then facts or a fault, soon', async () => {
  await using library = openModelLibrary()
  const { bytes } = await library.write(toValues([BENT, box(1, 2, 3), plateWithHole(), net(8)]), OPTIONS)
  let [longest, faults, unread] = [0, 0, 0]
  fc.assert(
    fc.property(fc.infiniteStream(fc.nat()), (numbers) => {
      const mutated = mutate(Buffer.from(bytes), numbers)
      const started = process.threadCpuUsage()
      try {
        const { facts, objectIds } = readModelSummary(mutated)
        if (facts.unread.length > 0) unread++
        assert.ok(Buffer.byteLength(JSON.stringify(facts)) <= MAX_FACTS_BYTES)
        assert.equal(new Set(objectIds).size, objectIds.length)
      } catch (error) {
        if (!(error instanceof ModelFault)) throw error
        faults++
      }
      const { user, system } = process.threadCpuUsage(started)
      longest = Math.max(longest, (user + system) / 1000)
    }),
    { numRuns: 3000 },
  )
  assert.ok(longest < LONGEST_MS, `one took ${longest} ms`)
  assert.ok(faults > 300 && unread > 2, `${faults} faults, ${unread} in part: the changes miss what matters`)
})
