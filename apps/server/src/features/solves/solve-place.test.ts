import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSolvePlace } from './solve-place.ts'

test('[JOB-13] given a place that one thread notes, when another reads it, then it has the last note, cut where it is too long', () => {
  const watching = createSolvePlace()
  const solving = createSolvePlace(watching.memory)
  assert.equal(watching.read(), '')
  solving.note('at "Fläche" (a)')
  assert.equal(watching.read(), 'at "Fläche" (a)')
  solving.note('at b')
  assert.equal(watching.read(), 'at b')
  solving.note('€'.repeat(1000))
  assert.match(watching.read(), /^€{340}$/)
})
