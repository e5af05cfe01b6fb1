import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'

const draw = "import fc from 'fast-check'; console.log(String(fc.sample(fc.nat(), 5)))"

test('given a seed, when a file draws values, then they are the same each time, and others for another seed', async () => {
  const drawWith = async (seed: number) => {
    const preload = new URL(`seed-properties.ts?seed=${seed}`, import.meta.url).href
    const { stdout } = await promisify(execFile)(process.execPath, [
      '--import',
      preload,
      '--input-type=module',
      '--eval',
      draw,
    ])
    return stdout
  }
  const [first, again, other] = await Promise.all([drawWith(7), drawWith(7), drawWith(8)])
  assert.equal(first.split(',').length, 5)
  assert.equal(first, again)
  assert.notEqual(first, other)
})
