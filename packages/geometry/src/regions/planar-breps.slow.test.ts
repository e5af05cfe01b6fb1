import { test } from 'node:test'
import fc from 'fast-check'
import { anyArrangement, assertAreas } from '../testing/outlines.ts'

test('[G-2] given 10,000 sets of outlines that touch in any way, then each face has its area, or they overlap', () => {
  fc.assert(
    fc.property(anyArrangement, (arrangement) => assertAreas(arrangement, 0.001)),
    { numRuns: 10_000 },
  )
})
