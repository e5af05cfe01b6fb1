import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { listSamples, NO_SAMPLES } from '../archive/testing/samples.ts'
import { readDefinition } from '../definition/read-definition.ts'
import { writeDefinition } from '../definition/write-definition.ts'
import { countChangedLines } from '../testing/count-changed-lines.ts'
import { EDIT_KINDS, editOnce } from '../testing/edit-at-random.ts'
import { toJson } from '../testing/read-objects.ts'
import { toReadingText } from './index.ts'

/** Edits of one fact. Adding and removing nodes and groups takes as many lines as they have facts. */
const SMALL = EDIT_KINDS.filter((kind) =>
  ['move', 'rename', 'toggleStatus', 'rewire', 'choose', 'flag', 'setLiteral', 'pin'].includes(kind),
)

test('[GHT-18] given edits of real definitions, when their texts are compared, then half of them change at most five lines', {
  skip: NO_SAMPLES,
}, () => {
  const samples = listSamples('gh').filter(({ bytes }) => bytes.length < 25_000)
  const counts: number[] = []
  // Not a property: the median is that of all of them.
  for (const [number, g] of fc.sample(fc.gen(), { seed: 18, numRuns: 6 * SMALL.length }).entries()) {
    const kind = SMALL[number % SMALL.length]!
    const { name, bytes: original } = samples[(7 * number) % samples.length]!
    const content = toJson(readDefinition(original).content)
    const [before, after] = [content, editOnce(content, g, kind)].map((one) =>
      toReadingText(writeDefinition({ name, ...one }, { original }).bytes),
    )
    const { removed, added } = countChangedLines(before!, after!)
    if (removed + added > 0) counts.push(Math.max(removed, added))
  }
  counts.sort((a, b) => a - b)
  assert.ok(counts.length > 2 * SMALL.length, `${counts.length} edits changed a line`)
  assert.ok(counts[Math.floor(counts.length / 2)]! <= 5, counts.join(' '))
})
