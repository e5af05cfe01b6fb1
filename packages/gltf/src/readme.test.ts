import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { listPromises, readExamples, runExample } from './testing/readme.ts'

test('given the example of the README that needs no server, when it is run, then it prints what it says', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'meadow-gltf-'))
  t.after(() => rm(folder, { recursive: true }))
  const [example] = readExamples('ts')
  assert.equal(await runExample(example!, folder), listPromises(example!))
})
