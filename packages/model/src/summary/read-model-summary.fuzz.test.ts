import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MAX_FACTS_BYTES } from '@meadow/contract/web'
import fc from 'fast-check'
import { ModelFault } from '../opennurbs/model-fault.ts'
import { BENT, box, net, plateWithHole } from '../testing/geometries.ts'
import { mutate } from '../testing/mutate.ts'
import { OPTIONS, toValues } from '../testing/values.ts'
import { openModelLibrary } from '../worker/model-library.ts'
import { readModelSummary } from './read-model-summary.ts'

const ID_BYTES = 16

test('[MOD-65] given a file with bytes changed, cut and put in, when it is read, then facts or a fault, and no more objects than the bytes have room for', async () => {
  await using library = openModelLibrary()
  const { bytes } = await library.write(toValues([BENT, box(1, 2, 3), plateWithHole(), net(8)]), OPTIONS)
  let [read, faults] = [0, 0]
  fc.assert(
    fc.property(fc.infiniteStream(fc.nat()), (numbers) => {
      const mutated = mutate(Buffer.from(bytes), numbers)
      try {
        const { facts, objectIds } = readModelSummary(mutated)
        assert.ok(Buffer.byteLength(JSON.stringify(facts)) <= MAX_FACTS_BYTES)
        assert.equal(new Set(objectIds).size, objectIds.length)
        assert.ok(objectIds.length <= mutated.length / ID_BYTES)
        read++
      } catch (error) {
        if (!(error instanceof ModelFault)) throw error
        faults++
      }
    }),
    { numRuns: 3000 },
  )
  assert.ok(faults > read / 20, `${read} files and ${faults} faults: the changes miss what matters`)
})
