import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { judge, type Sampled } from './growth.ts'
import { type Life, live } from './run.ts'

/* A short version of `npm run long-life`. Memory is not judged, since it has no level yet. */

const SAMPLES = 6

const lastDays = ({ samples }: Omit<Life, 'logged'>) => samples.length > SAMPLES

const listGrowing = (samples: readonly Sampled[]) =>
  judge(samples)
    .filter(({ name, isGrowing }) => isGrowing && !/resident|heap|external/.test(name))
    .map(({ name }) => name)

describe('a server that lives long', { skip: process.platform !== 'linux' }, () => {
  test('[LIFE-1] [LIFE-2] given clients that remove what they have made, when days pass, then nothing grows but what is kept, nothing fails, and no error is logged', async () => {
    const { samples, failures, logged } = await live({
      ...{ seed: 1, times: 1, days: 6, leaks: false, isDone: lastDays },
      operations: ['edit', 'upload', 'solve', 'export', 'token', 'webhook', 'session', 'invitation'],
    })
    assert.deepEqual([failures, logged], [[], []])
    assert.deepEqual(listGrowing(samples.slice(1)), [])
    assert.ok(samples.at(-1)!.sample['rows of audit_event']! > samples[0]!.sample['rows of audit_event']!)
  })

  test('[LIFE-3] given clients that keep a connection open for each operation, when samples are judged, then sockets grow without bound', async () => {
    const { samples } = await live({
      ...{ seed: 1, times: 2, days: 0, leaks: true, isDone: lastDays },
      operations: ['token', 'refused', 'changes'],
    })
    const growing = listGrowing(samples)
    assert.ok(growing.includes('sockets'), growing.join(', '))
  })
})
