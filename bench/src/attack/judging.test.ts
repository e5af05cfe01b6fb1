import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ATTACK_FAMILIES, type Attack, Tally } from './attacks/attack.ts'
import { ATTACKS } from './attacks/attacks.ts'
import { countStatuses } from './attacks/connections.ts'
import { judge } from './judge.ts'
import { type AttackOptions, FULL, readAttackOptions } from './options.ts'
import { printReport } from './print-attacks.ts'
import type { AttackFigures } from './testbed/testbed.ts'

const MB = 1e6
const PLAIN: Attack = { family: 'waits', name: 'plain', run: async () => new Tally() }
const memory = (own: number, descendants = 0) => ({ own: own * MB, descendants: descendants * MB })

const UNHARMED: AttackFigures = {
  family: 'waits',
  name: 'plain',
  store: 'sqlite',
  seconds: 1,
  tally: { sent: 1, answers: { 429: 1 }, faults: [] },
  normal: { read: { count: 9, medianMs: 2, worstMs: 9 }, solve: { count: 2, medianMs: 50, worstMs: 60 } },
  attacked: { read: { count: 9, medianMs: 9, worstMs: 900 }, solve: { count: 2, medianMs: 90, worstMs: 99 } },
  wrong: 0,
  examples: [],
  retried: 0,
  memory: { before: memory(200, 100), most: memory(450, 150), after: memory(210, 100), backAfterMs: 1 },
  ended: undefined,
}

const judged = (change: Partial<AttackFigures>, attack: Partial<Attack> = {}) =>
  judge({ ...UNHARMED, ...change }, { ...PLAIN, ...attack })

test('given figures within every limit, when they are judged, then none is exceeded, and each limit is checked by itself', () => {
  assert.deepEqual(judged({}), [])
  const read = (medianMs: number, worstMs: number) => ({
    attacked: { read: { count: 9, medianMs, worstMs } },
  })
  assert.deepEqual(judged(read(9, 1000)), ['reads took up to 1.0 s'])
  assert.deepEqual(judged(read(11, 900)), ['reads took 5.5 times as long'])
  assert.deepEqual(judged({ ended: 'SIGABRT' }), ['the server ended (SIGABRT)'])
  assert.deepEqual(judged({ wrong: 3 }), ['3 wrong or missing answers'])
  assert.deepEqual(judged({ tally: { sent: 1, answers: {}, faults: ['smuggled'] } }), ['smuggled'])
  const { before, most, after } = UNHARMED.memory
  assert.deepEqual(judged({ memory: { before, most: memory(500), after, backAfterMs: 1 } }), [
    'the server grew by 300 MB',
  ])
  assert.deepEqual(judged({ memory: { before, most, after: memory(340, 110), backAfterMs: undefined } }), [
    '150 MB were not given back',
  ])
})

test('given jobs that occupy a solver, or an outage of the database, when figures are judged, then solves may wait for a job, and all work for the database', () => {
  const slow = { attacked: { solve: { count: 1, medianMs: 1500, worstMs: 2500 } } }
  assert.equal(judged(slow).length, 2)
  assert.deepEqual(judged(slow, { longestJobMs: 2000 }), [])
  const late = { attacked: { read: { count: 9, medianMs: 9, worstMs: 9000 } } }
  assert.deepEqual(judged(late, { outageMs: 5000 }), [])
  assert.equal(judged(late, { outageMs: 0 }).length, 1)
})

test('given responses in pieces of any size, when their statuses are counted, then each is counted once', () => {
  const stream = Buffer.from(
    ['200 OK', '429 Too Many Requests', '200 OK', '503 Service Unavailable']
      .map((line) => `HTTP/1.1 ${line}\r\ncontent-length: 9\r\n\r\nsome body`)
      .join(''),
  )
  for (let size = 1; size <= stream.length; size++) {
    const seen: number[] = []
    const count = countStatuses((status) => seen.push(status))
    for (let at = 0; at < stream.length; at += size) count(stream.subarray(at, at + size))
    assert.deepEqual(seen, [200, 429, 200, 503], `in pieces of ${size}`)
  }
})

test('given families and words, when the options are read, then the matching attacks are selected, and unknown ones throw', () => {
  const read = (...args: string[]) => readAttackOptions(args) as AttackOptions
  assert.deepEqual([read().attacks, read().pace, read().postgres], [ATTACKS, FULL, false])
  assert.ok(
    read('--only', 'waits,live').attacks.every(({ family }) => family === 'waits' || family === 'live'),
  )
  assert.deepEqual(
    read('--only', 'sockets of nobody').attacks.map(({ family }) => family),
    ['live'],
  )
  assert.ok(read('--quick').pace.share < 1)
  for (const args of [['--only', 'no such'], ['--only', 'waits,'], ['--fast']])
    assert.throws(() => read(...args))
})

test('given all attacks, when they are listed, then names are unique, and each family has some', () => {
  assert.equal(new Set(ATTACKS.map(({ name }) => name)).size, ATTACKS.length)
  assert.deepEqual(new Set(ATTACKS.map(({ family }) => family)), new Set(ATTACK_FAMILIES))
})

test('given an attack that exceeded a limit, when the report is printed, then it shows the limit and the responses', () => {
  const machine = {
    commit: 'abc',
    node: 'v24',
    processor: 'A',
    cores: 2,
    memoryGb: 4,
    system: 'Linux',
    takenAt: '2026-11-22T00:00:00Z',
  }
  const attacks = [
    { ...UNHARMED, misses: ['reads took up to 2.0 s'], examples: ['read: late'], lostEdits: [] },
  ]
  const report = printReport({ machine, loadBefore: 0.1, attacks })
  assert.match(report, /2.00 \/ 9.00 → 9.00 \/ 900/)
  assert.match(report, /200 \+ 100, 450 \+ 150, 210 \+ 100 \(0 s\)/)
  assert.match(report, /\*\*plain\*\*: reads took up to 2.0 s.\n1 sent in 1 s; answers 429: 1.\n- read: late/)
  assert.match(report, /1 of 1 attacks broke limits/)
})
