import assert from 'node:assert/strict'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import type { LiveDocument } from '@meadow/client/live'
import { createQuickFolder } from '@meadow/server/src/testing/quick-folder.ts'
import { createRandom } from '@meadow/server/src/testing/random.ts'
import { FaultLog, type FaultTarget, inject, RECOVERY_MS } from './faults.ts'
import { listLoggedErrors } from './logged-errors.ts'
import { readClusterOptions } from './options.ts'
import { nameOf, OWN_NAME } from './work/editors.ts'
import { Ledger } from './work/ledger.ts'
import { readOne } from './work/readers.ts'
import { judgeCharges } from './work/solves.ts'
import { arrive } from './work/watchers.ts'
import type { Work } from './work/work.ts'

const response = (body: string, headers: Record<string, string>) => ({
  status: 200,
  headers,
  body: Buffer.from(body),
})

/** A ledger whose last fault ended so long ago. */
const ledgerAfter = (ms: number) => new Ledger({ sinceLast: () => ms })
const invariantsOf = ({ violations }: Ledger) => violations.map(({ invariant }) => invariant)

describe('given a ledger', () => {
  test('[CLU-1] when a response lacks an edit that was acknowledged or seen before, or has an older one, then an edit is lost', () => {
    const ledger = ledgerAfter(0)
    ledger.promise('doc', 'a', 3)
    ledger.noteEdits('serve 1', 'doc', new Map([['a', 4]]), ledger.promised('doc'))
    const promised = ledger.promised('doc')
    // Acknowledged after the request was sent: it may be missing.
    ledger.promise('doc', 'a', 5)
    ledger.noteEdits('serve 2', 'doc', new Map([['a', 4]]), promised)
    assert.deepEqual(invariantsOf(ledger), [])
    ledger.noteEdits('serve 2', 'doc', new Map([['a', 4]]), ledger.promised('doc'))
    ledger.noteEdits('serve 2', 'doc', new Map(), ledger.promised('doc'))
    assert.deepEqual(invariantsOf(ledger), ['lost edits', 'lost edits'])
  })

  test('[CLU-1] when an edit was not acknowledged, then its node is not judged any more, since it may win over later ones; others are', () => {
    const ledger = ledgerAfter(0)
    ledger.doubt('doc', 'a')
    for (const node of ['a', 'b']) ledger.promise('doc', node, 5)
    ledger.noteEdits('serve 1', 'doc', new Map([['a', 4]]), ledger.promised('doc'))
    assert.deepEqual(invariantsOf(ledger), ['lost edits'])
    assert.match(ledger.violations[0]!.message, /node b/)
  })

  test('[CLU-4] when a response has an edit that a removed member has made, then access was kept; once they may edit again, it was not', () => {
    const ledger = ledgerAfter(0)
    ledger.forbid('doc', 'a', 3)
    for (const edit of [2, 3]) ledger.noteEdits('serve 1', 'doc', new Map([['a', edit]]), new Map())
    assert.deepEqual(invariantsOf(ledger), ['access kept'])
    ledger.permit()
    ledger.noteEdits('serve 1', 'doc', new Map([['a', 3]]), new Map())
    assert.equal(ledger.violations.length, 1)
  })

  test('[CLU-2] when two processes send different bytes with the same tag, in whatever encodings, then a body is wrong; other tags are others', () => {
    const ledger = ledgerAfter(0)
    const note = (where: string, path: string, sent: ReturnType<typeof response>) =>
      ledger.noteBody(where, path, sent, sent.body)
    note('serve 1', '/a', response('one', { etag: '"1"' }))
    note('serve 2', '/a', response('zip', { etag: '"1-gzip"', 'content-encoding': 'gzip' }))
    note('serve 2', '/a', response('two', { etag: '"2"' }))
    note('serve 2', '/b', response('other', { etag: '"1"' }))
    assert.deepEqual(invariantsOf(ledger), [])
    note('serve 2', '/a', response('ONE', { etag: '"1"' }))
    assert.deepEqual(invariantsOf(ledger), ['wrong bodies'])
    assert.match(ledger.violations[0]!.message, /from byte 0 on, ONE in place of one/)
    note('serve 2', '/a', response('zip', { etag: '"2"', 'content-encoding': 'gzip' }))
    assert.equal(ledger.violations.length, 2)
  })

  test('[CLU-1] [CLU-2] when a body is said to be current that lacks what was promised, then an edit is lost', async (t) => {
    const document = { nodes: { a: { nickName: 'edit 1' } }, name: 'edit 7' }
    const server = createServer((request, response) => {
      if (request.headers['if-none-match'] === '"1"') return void response.writeHead(304).end()
      response.writeHead(200, { etag: '"1"' }).end(JSON.stringify({ document }))
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    t.after(() => {
      server.closeAllConnections()
      server.close()
    })
    const { port } = server.address() as AddressInfo
    const ledger = ledgerAfter(0)
    const random = { whole: () => 1, pick: <T>(list: readonly T[]) => list[0]! }
    const work = { team: { token: 'secret' }, ledger, random } as unknown as Work
    const read = () => readOne(work, { name: 'serve 1', host: '127.0.0.1', port }, 'doc')
    await read()
    await read()
    assert.deepEqual(invariantsOf(ledger), [])
    ledger.promise('doc', OWN_NAME, 8)
    await read()
    assert.match(ledger.violations[0]!.message, /has edit 7 of node name of doc in place of 8/)
    assert.equal(ledger.violations.length, 1)
  })

  test('[CLU-10] when a snapshot has an earlier position than before, then an old one has replaced it; each is noted by itself', () => {
    const ledger = ledgerAfter(0)
    for (const seq of [3, 3, 5]) ledger.noteSnapshot('json of document 1', seq)
    ledger.noteSnapshot('yjs of document 1', 4)
    assert.deepEqual(invariantsOf(ledger), [])
    ledger.noteSnapshot('json of document 1', 4)
    assert.deepEqual(invariantsOf(ledger), ['old snapshots'])
  })

  test('[CLU-3] when a request fails, then it is a violation from five seconds after the last fault on', () => {
    const [during, late] = [ledgerAfter(RECOVERY_MS), ledgerAfter(RECOVERY_MS + 1)]
    during.fail('serve 1 answered 503')
    late.fail('serve 1 answered 503')
    assert.deepEqual([invariantsOf(during), invariantsOf(late)], [[], ['late failures']])
    assert.deepEqual(during.failures, [{ message: 'serve 1 answered 503', afterMs: RECOVERY_MS }])
  })
})

test('[CLU-5] given solves and the list of credits, then each that ended must be in it once, with its own amount, and no other', () => {
  const row = { id: 'sol', state: 'solved', tenths: '3', entries: '1', charged: '3' }
  const right = [
    row,
    { ...row, state: null, tenths: null },
    { ...row, state: 'failed' },
    { ...row, state: 'failed', tenths: '0', entries: '0', charged: '0' },
    { ...row, state: 'running', entries: '0', charged: '0' },
  ]
  assert.deepEqual(judgeCharges(right), [])
  const wrong = [
    { ...row, entries: '2', charged: '6' },
    { ...row, entries: '0', charged: '0' },
    { ...row, state: 'running' },
    { ...row, charged: '4' },
    { ...row, state: null, tenths: null, entries: '2' },
  ]
  assert.deepEqual(judgeCharges(wrong), [
    'The solve sol (solved) was charged 2 times, not 1.',
    'The solve sol (solved) was charged 0 times, not 1.',
    'The solve sol (running) was charged 1 times, not 0.',
    'The solve sol was charged 4 tenths of a credit, not 3.',
    'The solve sol (deleted) was charged 2 times, not 1.',
  ])
})

test('[CLU-9] given a client, when a promised edit comes, then it has arrived; not when the time or the connection ends before', async () => {
  const nodes: Record<string, { nickName: string }> = {}
  const listeners = new Set<() => void>()
  const live = {
    status: 'open',
    read: () => ({ nodes }),
    on(_name: string, listener: () => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
  const tell = () => listeners.forEach((listener) => void listener())
  const isHere = (edit: number, limit = new AbortController().signal) =>
    arrive(live as unknown as LiveDocument, new Map([['a', edit]]), limit)
  const arrived = isHere(2)
  for (const number of [1, 2]) {
    nodes.a = { nickName: nameOf(number) }
    tell()
  }
  assert.equal(await arrived, true)
  assert.equal(await isHere(3, AbortSignal.abort()), false)
  const lost = isHere(3)
  live.status = 'reconnecting'
  tell()
  assert.equal(await lost, false)
  assert.equal(listeners.size, 0)
})

test('[CLU-3] given faults, then the time since the last one is 0 while one lasts, and infinite without any', async () => {
  const log = new FaultLog()
  assert.equal(log.sinceLast(5), Infinity)
  await log.record('cut clients', async () => {
    assert.equal(log.sinceLast(performance.now()), 0)
  })
  const { end } = log.faults[0]!
  assert.equal(log.sinceLast(end! + 7), 7)
  await assert.rejects(log.record('kill serve 1', () => Promise.reject(new Error('gone'))))
  assert.deepEqual(log.count(), { cut: 1, kill: 1 })
})

test('[CLU-6] given logs, when errors are listed, then those that are about a fault are left out, and each has its number', async () => {
  const folder = await createQuickFolder('meadow-logs-')
  const line = (fields: object) => `${JSON.stringify(fields)}\n`
  const deadlock = line({ level: 'error', msg: 'no edit', err: { message: 'deadlock detected' } })
  const outage = { level: 'error', msg: 'request failed', reason: 'The database cannot be reached: gone.' }
  const other = line({ level: 'warn', msg: 'slow' }) + line(outage)
  await writeFile(join(folder, 'serve-1.log'), deadlock + other)
  await writeFile(join(folder, 'work-1.log'), `${deadlock}FATAL ERROR: heap limit\n`)
  assert.deepEqual(await listLoggedErrors(folder), [
    '2 × no edit: deadlock detected',
    '1 × FATAL ERROR: heap limit',
  ])
})

test('[CLU-8] given a seed, when faults are injected twice, then they are the same', async () => {
  const list = async (seed: number) => {
    const log = new FaultLog()
    const process = (name: string) => ({ name, kill: async () => {} })
    const target = {
      processes: { serve: [process('serve 1'), process('serve 2'), process('serve 3')], work: [] },
      links: { clients: { cut() {} }, database: { cut() {} } },
      log,
      random: createRandom(seed),
    } as unknown as FaultTarget
    for (let count = 0; count < 20; count++) await inject(count % 2 === 0 ? 'kill' : 'cut', target)
    return log.faults.map(({ name }) => name)
  }
  assert.deepEqual(await list(1), await list(1))
  assert.notDeepEqual(await list(1), await list(2))
})

test('given arguments, when they are invalid, then the error says which and what is accepted', () => {
  assert.throws(() => readClusterOptions(['--faults', 'kill,fire']), /no fault "fire". There are kill, /)
  assert.throws(() => readClusterOptions(['--serve', '1']), /--serve must be a whole number from 2/)
  assert.equal(readClusterOptions(['--help']), 'help')
  const { kills, durationMs } = readClusterOptions(['--minutes', '2']) as {
    kills: number
    durationMs: number
  }
  assert.deepEqual([kills, durationMs], [Infinity, 120_000])
})
