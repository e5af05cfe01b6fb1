import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Options, readOptions } from './options.ts'

const read = (...args: string[]) => readOptions(args) as Options

test('given no arguments, when the options are read, then everything is measured on all sizes', () => {
  const { sizes, memory, postgres, peers, chosen } = read()
  assert.deepEqual(sizes, [1_000, 100_000, 1_000_000])
  assert.deepEqual([memory, postgres, peers, chosen('folder')], [true, false, false, true])
})

test('given --quick, cases and peers, when the options are read, then less is measured, and peers imply PostgreSQL', () => {
  const { sizes, memory, chosen } = read('--quick', '--case', 'folder', '--case', '304')
  assert.deepEqual(sizes, [1_000, 100_000])
  assert.deepEqual(
    [memory, chosen('folder, first'), chosen('team, 304'), chosen('search')],
    [false, true, true, false],
  )
  assert.equal(read('--peers').postgres, true)
  assert.deepEqual(read('--sizes', '10,20').sizes, [10, 20])
})

test('given --solutions or --no-solutions, when the options are read, then only solutions are measured, or all but solutions', () => {
  const parts = (...args: string[]) => {
    const { solutions, teams, memory } = read(...args)
    return [solutions, teams, memory]
  }
  assert.deepEqual(parts(), [true, true, true])
  assert.deepEqual(parts('--solutions'), [true, false, false])
  assert.deepEqual(parts('--no-solutions'), [false, true, true])
})

test('given an invalid number or an unknown option, when the options are read, then it throws', () => {
  for (const args of [['--sizes', '1e3'], ['--rounds', '0'], ['--round-ms', '-5'], ['--fast']]) {
    assert.throws(() => readOptions(args), args.join(' '))
  }
})
