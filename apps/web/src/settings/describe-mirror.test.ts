import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Mirror, MirrorCounts, MirrorRun } from '@meadow/contract/web'
import { describeCounts, describeLength, describeMirror } from './describe-mirror.ts'

const HOUR_MS = 3_600_000
const NOW = Date.UTC(2026, 0, 10)
const ago = (hours: number) => new Date(NOW - hours * HOUR_MS).toISOString()

const COUNTS: MirrorCounts = {
  created: 0,
  updated: 0,
  moved: 0,
  restored: 0,
  unchanged: 1200,
  binned: 0,
  gone: 0,
  left_in_bin: 0,
  conflict: 0,
  failed: 0,
  skipped: 0,
}

const run = (state: MirrorRun['state'], rest: Partial<MirrorRun> = {}): MirrorRun => ({
  state,
  startedAt: ago(2),
  endedAt: ago(1.5),
  reason: null,
  counts: COUNTS,
  ...rest,
})

const describe = (mirror: Partial<Mirror>) =>
  describeMirror(
    {
      id: 'mir_1' as Mirror['id'],
      name: 'Definitions',
      path: '/srv/definitions',
      folder: null,
      gone: 'keep',
      createdAt: ago(500),
      isWatched: false,
      completedAt: ago(1.5),
      lastRun: run('done'),
      ...mirror,
    },
    NOW,
  )

test('[WEB-82] given a mirror, when it is described, then one that failed, read a part, or has not run for long is trouble, and says why', () => {
  const labelOf = (mirror: Partial<Mirror>) => {
    const { label, isTrouble } = describe(mirror)
    return [label, isTrouble]
  }
  assert.deepEqual(labelOf({}), ['Up to date', false])
  assert.deepEqual(labelOf({ lastRun: null, completedAt: null, createdAt: ago(1) }), ['Not run yet', false])
  assert.deepEqual(labelOf({ lastRun: null, completedAt: null }), ['Not run lately', true])
  assert.deepEqual(labelOf({ lastRun: run('running') }), ['Running', false])
  assert.deepEqual(labelOf({ completedAt: ago(37) }), ['Not run lately', true])
  assert.deepEqual(labelOf({ completedAt: ago(37), isWatched: true }), ['Up to date', false])
  assert.deepEqual(labelOf({ lastRun: run('stopped') }), ['Stopped', true])
  const failed = describe({ lastRun: run('failed', { reason: 'The drive is away.' }) })
  assert.deepEqual([failed.label, failed.sentence], ['Failed', 'The drive is away.'])
  const partial = describe({ lastRun: run('partial', { counts: { ...COUNTS, failed: 1, conflict: 2 } }) })
  assert.deepEqual(
    [partial.label, partial.sentence],
    ['Incomplete', '1 file could not be imported; 2 files not updated, since people edited the documents.'],
  )
})

test('[WEB-82] given a run, when it is described, then its numbers and its length are in words', () => {
  assert.equal(describeCounts(COUNTS), `Nothing changed in ${(1200).toLocaleString()} files`)
  assert.equal(describeCounts({ ...COUNTS, created: 3, moved: 1, failed: 2 }), '3 new, 1 moved, 2 failed')
  assert.equal(describeLength(run('done', { endedAt: ago(2) })), '0.0 s')
  assert.equal(describeLength(run('done')), '30 min 0 s')
})
