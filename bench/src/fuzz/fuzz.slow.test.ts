import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { fuzz, type Target } from './engine.ts'
import { instrument } from './instrument.ts'

test('given a fault behind four bytes, when inputs are led by coverage, then it is found, with its input; mutations of the first input alone do not find it', async () => {
  const coverage = instrument((path) => path.endsWith('fuzz/testing/locked.ts'))
  const { readLocked } = await import('./testing/locked.ts')
  coverage.stop()
  const target: Target = {
    name: 'locked',
    seeds: [new Uint8Array(4)],
    words: [],
    maxLength: 16,
    run: (input) => void readLocked(input),
    isRejection: () => false,
  }
  const isOver = (inputs: number) => inputs >= 400_000
  const led = fuzz(target, { coverage, isOver, seed: 1 })
  assert.equal(led.faults.length, 1)
  assert.deepEqual([...led.faults[0]!.input.subarray(0, 4)], [0x4d, 0x44, 0x57, 0x33])
  assert.match(String(led.faults[0]!.error), /the fault/)
  assert.ok(led.reached > led.reachedBySeeds && led.corpus.length >= 3)
  const unled = fuzz(target, { coverage, isOver, seed: 1, isLed: false })
  assert.deepEqual([unled.inputs, unled.faults], [400_000, []])
})

test('given each reader of foreign bytes, when some thousand inputs are read, then each is read or rejected, and more code runs than the first inputs run', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [
    new URL('main.ts', import.meta.url).pathname,
    '--inputs=2000',
  ])
  const rows = stdout
    .trim()
    .split('\n')
    .slice(2)
    .map((line) =>
      line
        .replaceAll(',', '')
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
  assert.ok(rows.length >= 10)
  for (const [name, inputs, , , , first, all, , faults] of rows) {
    assert.deepEqual([inputs, faults], ['2000', '0'], name)
    assert.ok(Number(all) > Number(first), name)
  }
})
