import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judge } from './growth.ts'

const OPERATIONS = 10

/** The names of measures that grow, given their values in one sample after the other. */
function listGrowing(measures: Record<string, readonly number[]>): string[] {
  const length = Object.values(measures)[0]!.length
  const samples = Array.from({ length }, (_, index) => ({
    operations: (index + 1) * OPERATIONS,
    sample: Object.fromEntries(Object.entries(measures).map(([name, values]) => [name, values[index]!])),
  }))
  return judge(samples)
    .filter(({ isGrowing }) => isGrowing)
    .map(({ name }) => name)
}

test('[LIFE-1] given a level that varies, a level that is reached late, and a steady rise, when they are judged, then the rise alone grows without bound', () => {
  const of = (value: (index: number) => number) => Array.from({ length: 12 }, (_, index) => value(index))
  const growing = listGrowing({
    sockets: of((index) => 10 + (index % 3)),
    blobs: of((index) => Math.min(60, 10 * index)),
    'open files': of((index) => 20 + index),
    'heap bytes': of((index) => 5e7 + 1e6 * (index % 2)),
  })
  assert.deepEqual(growing, ['open files'])
})

test('[LIFE-1] given rows that are kept, when there are as many as operations need, then they do not grow without bound; when there are more, they do', () => {
  const values = (each: number) => Array.from({ length: 12 }, (_, index) => each * OPERATIONS * (index + 1))
  assert.deepEqual(listGrowing({ 'rows of token': values(1) }), [])
  assert.deepEqual(listGrowing({ 'rows of token': values(3) }), ['rows of token'])
})
