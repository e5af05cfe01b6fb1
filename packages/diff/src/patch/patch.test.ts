import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { editAtRandom } from '../../../grasshopper/src/testing/edit-at-random.ts'
import { applyPatch } from '../testing/apply-patch.ts'
import { anyDocument } from '../testing/documents.ts'
import { createPatch } from './create-patch.ts'

const toJson = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T

test('[DIFF-20] given any two documents, when the patch between them is sent as JSON and applied to the old one, then the result is the new one, and the old one stays', () => {
  fc.assert(
    fc.property(fc.gen(), (g) => {
      const before = toJson(anyDocument(g))
      const after = toJson(editAtRandom(before, g, 20))
      const kept = structuredClone(before)
      const patch = toJson(createPatch(before, after))
      assert.deepEqual(toJson(applyPatch(before, patch)), after)
      assert.deepEqual(before, kept)
    }),
    { numRuns: 500, endOnFailure: true },
  )
})

test('[DIFF-20] given two documents that have nothing to do with each other, when patched, then the old becomes the new', () => {
  fc.assert(
    fc.property(fc.gen(), (g) => {
      const [before, after] = [toJson(anyDocument(g)), toJson(anyDocument(g))]
      assert.deepEqual(toJson(applyPatch(before, createPatch(before, after))), after)
    }),
    { numRuns: 60, endOnFailure: true },
  )
})
