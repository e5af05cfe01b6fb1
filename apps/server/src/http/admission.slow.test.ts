import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { type TestContext, test } from 'node:test'
import { createCapturedLog } from '../testing/captured-log.ts'
import { startServer } from '../testing/start-server.ts'
import { until } from '../testing/until.ts'
import { type AdmissionLimits, TeamActivity } from './admission.ts'
import { FOR_ANYONE } from './route-access.ts'
import { startHttpServer } from './testing/start-http-server.ts'

/** More than the system takes off a socket's hands. */
const LARGE_MB = 20

const LIMITS: AdmissionLimits = {
  requests: { caller: 1, team: 2, process: 3 },
  responseMb: { caller: 1, team: 2, process: 3 },
  responseMbPerSecond: { caller: 1000, team: 1000 },
  openFiles: { caller: 1, team: 2, process: 3 },
  queued: { caller: 1, team: 2, process: 3 },
  queueMs: 60_000,
}

/** Whose word counts is in two headers. Pages take their time until `give` is called, or take `?mb=` of memory. */
async function startQuotas(t: TestContext, limits: Partial<AdmissionLimits> = {}, isAlone = () => true) {
  const { log, lines } = createCapturedLog()
  const begun: string[] = []
  const held = Promise.withResolvers<void>()
  t.after(() => held.resolve())
  const { app, address, metrics } = await startHttpServer(
    t,
    (app) => {
      app.get('/held', FOR_ANYONE, async ({ headers }) => {
        begun.push(String(headers['x-caller']))
        await held.promise
        return 'held'
      })
      app.get('/large', FOR_ANYONE, async ({ call: { quota } }) => {
        const bytes = Buffer.alloc(LARGE_MB * 2 ** 20)
        await quota.reserve(bytes.length)
        await quota.finish(bytes.length)
        return bytes
      })
      app.get('/small', FOR_ANYONE, async ({ call: { quota } }) => {
        await quota.finish(5)
        return 'small'
      })
      app.get('/healthz', FOR_ANYONE, () => 'well')
    },
    {
      log,
      admissionLimits: { ...LIMITS, ...limits },
      activity: { note() {}, isAlone },
      findQuotaOwner: ({ headers }) => ({
        team: String(headers['x-team']),
        caller: String(headers['x-caller']),
      }),
    },
  )
  const send = (path: string, team: string, caller = `${team}1`, signal?: AbortSignal) =>
    fetch(address + path, { headers: { 'x-team': team, 'x-caller': caller }, signal: signal ?? null })
  const waiting = async (count: number) => {
    await until(`${count} wait`, async () => {
      const text = await metrics.registry.getSingleMetricAsString('meadow_limited_waiting')
      return text.includes(`{resource="requests"} ${count}`)
    })
  }
  return { app, address, metrics, send, begun, lines, give: held.resolve, waiting }
}

/** Reads the head of a response, and nothing of its body. */
async function begin(url: string, headers: Record<string, string>): Promise<IncomingMessage> {
  const request = httpRequest(url, { headers, agent: false })
  request.end()
  const [result] = await once(request, 'response')
  return result
}

async function assertRejected(result: Promise<Response>, status: number): Promise<void> {
  const response = await result
  assert.equal(response.status, status)
  assert.match(response.headers.get('retry-after')!, /^\d+$/)
  assert.deepEqual(Object.keys((await response.json()) as object), ['error'])
}

test('[HTTP-17, D37] given a caller with all it may have, then its next request waits, the one after that is rejected with 429, and other callers pass', async (t) => {
  const { send, begun, waiting, give } = await startQuotas(t)
  const responses = [send('/held', 'a', 'a1')]
  await until('the first is worked on', async () => begun.length === 1)
  responses.push(send('/held', 'a', 'a1'))
  await waiting(1)
  await assertRejected(send('/held', 'a', 'a1'), 429)
  responses.push(send('/held', 'a', 'a2'), send('/held', 'b', 'b1'))
  await until('others pass', async () => begun.length === 3)
  assert.deepEqual(begun.toSorted(), ['a1', 'a2', 'b1'])
  give()
  for (const result of responses) assert.equal((await result).status, 200)
})

test('[HTTP-17, D37] given a process with all it may have, then requests wait, and are rejected with 503, but for the health check', async (t) => {
  const { send, address, begun, waiting, give } = await startQuotas(t)
  const responses = ['a', 'b', 'c'].map((team) => send('/held', team))
  await until('all are worked on', async () => begun.length === 3)
  responses.push(...['d', 'e', 'f'].map((team) => send('/held', team)))
  await waiting(3)
  await assertRejected(send('/held', 'g'), 503)
  assert.equal(await (await fetch(`${address}/healthz`)).text(), 'well')
  give()
  for (const result of responses) assert.equal((await result).status, 200)
})

test('[HTTP-17, D37] given a request that waits too long, then 429 for its own quota, and 503 for that of the process', async (t) => {
  const { send, begun } = await startQuotas(t, { queueMs: 50 })
  const responses = [send('/held', 'a')]
  await until('the first is worked on', async () => begun.length === 1)
  await assertRejected(send('/held', 'a'), 429)
  responses.push(send('/held', 'b'), send('/held', 'c'))
  await until('all are worked on', async () => begun.length === 3)
  await assertRejected(send('/held', 'd'), 503)
})

test('[HTTP-17] given a request that waits, when its client goes away, then its permit is released, and it is no failure', async (t) => {
  const { send, begun, waiting, lines, give } = await startQuotas(t)
  const first = send('/held', 'a')
  await until('the first is worked on', async () => begun.length === 1)
  const leaving = new AbortController()
  const second = send('/held', 'a', 'a1', leaving.signal)
  await waiting(1)
  leaving.abort()
  await assert.rejects(second)
  await waiting(0)
  const third = send('/held', 'a')
  await waiting(1)
  give()
  assert.deepEqual([(await first).status, (await third).status], [200, 200])
  assert.deepEqual(begun, ['a1', 'a1'])
  assert.deepEqual(
    lines.filter(({ level }) => level === 'error'),
    [],
  )
})

test('[HTTP-17] given a client that goes away while its token is looked up, then nothing of its quota stays taken', async (t) => {
  const found = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const admitted = Promise.withResolvers<unknown>()
  const { app, address, metrics } = await startHttpServer(
    t,
    (app) => {
      app.get('/app/v1/own', FOR_ANYONE, async ({ call: { quota } }) => {
        begun.resolve()
        await found.promise
        const outcome = (async () => quota.admit({ team: 'a', caller: 'a1' }))()
        admitted.resolve(outcome)
        outcome.catch(() => {})
        await outcome
        return 'never read'
      })
    },
    { admissionLimits: LIMITS },
  )
  const closed = new Promise((resolve) => {
    app.server.once('connection', (socket) => socket.once('close', resolve))
  })
  const leaving = new AbortController()
  const result = fetch(`${address}/app/v1/own`, { signal: leaving.signal })
  await begun.promise
  leaving.abort()
  await assert.rejects(result)
  await closed
  found.resolve()
  await assert.rejects(admitted.promise as Promise<unknown>)
  const text = await metrics.registry.getSingleMetricAsString('meadow_limited_in_use')
  assert.match(text, /\{resource="requests"\} 0/)
})

test('[HTTP-18, D37] given a caller that was sent much, when it requests more while another team is there, then that waits; what is small, and what others are sent, does not', async (t) => {
  const limits = {
    requests: { caller: 2, team: 4, process: 8 },
    responseMb: { caller: 5 * LARGE_MB, team: 5 * LARGE_MB, process: 10 * LARGE_MB },
    // A response owes minutes.
    responseMbPerSecond: { caller: 0.1, team: 1000 },
  }
  let isAlone = true
  const { send, metrics } = await startQuotas(t, limits, () => isAlone)
  const read = async (team: string, caller: string) =>
    (await (await send('/large', team, caller)).arrayBuffer()).byteLength
  const size = LARGE_MB * 2 ** 20
  // As long as it is alone it owes nothing.
  for (let i = 0; i < 3; i++) assert.equal(await read('a', 'a1'), size)
  isAlone = false
  assert.equal(await read('a', 'a1'), size)
  const leaving = new AbortController()
  const second = send('/large', 'a', 'a1', leaving.signal)
  const inUse = (count: number) =>
    until(`${count} bytes are in use`, async () => {
      const text = await metrics.registry.getSingleMetricAsString('meadow_limited_in_use')
      return text.includes(`{resource="answer_bytes"} ${count}`)
    })
  await inUse(size)
  assert.equal(await (await send('/small', 'a', 'a1')).text(), 'small')
  assert.equal(await read('a', 'a2'), size)
  assert.equal(await read('b', 'b1'), size)
  assert.equal(await Promise.race([second, 'waits']), 'waits')
  leaving.abort()
  await assert.rejects(second, { name: 'AbortError' })
  await inUse(0)
})

test('[HTTP-18, D37] given callers of a team that were sent much together, then the next of them waits until the team owes nothing', async (t) => {
  const limits = {
    responseMb: { caller: 5 * LARGE_MB, team: 5 * LARGE_MB, process: 10 * LARGE_MB },
    responseMbPerSecond: { caller: 1000, team: 2 * LARGE_MB },
  }
  const { send } = await startQuotas(t, limits, () => false)
  const startedAt = performance.now()
  for (const caller of ['a1', 'a2', 'a3', 'a4', 'a5', 'a6'])
    await (await send('/large', 'a', caller)).arrayBuffer()
  // Four at once; the last one waits for the fifth.
  assert.ok(performance.now() - startedAt >= 490)
})

test('[HTTP-18] given requests, then a team is alone when no other team requested anything within the last second', () => {
  let now = 0
  const activity = new TeamActivity(() => now)
  assert.ok(activity.isAlone('a'))
  activity.note('a')
  assert.deepEqual([activity.isAlone('a'), activity.isAlone('b')], [true, false])
  activity.note('b')
  assert.deepEqual([activity.isAlone('a'), activity.isAlone('b')], [false, false])
  now = 900
  activity.note('a')
  assert.deepEqual([activity.isAlone('a'), activity.isAlone('b')], [false, false])
  now = 1001
  assert.deepEqual([activity.isAlone('a'), activity.isAlone('b')], [true, false])
})

test('[HTTP-18] given a client that takes nothing of a large response, then the next one of its caller waits, others pass, and it is free again when it goes', async (t) => {
  const { address, metrics, send } = await startQuotas(t, {
    responseMb: { caller: LARGE_MB, team: LARGE_MB, process: 2 * LARGE_MB },
  })
  const slow = await begin(`${address}/large`, { 'x-team': 'a', 'x-caller': 'a1' })
  const inUse = (count: number) =>
    until(`${count} bytes are in use`, async () => {
      const text = await metrics.registry.getSingleMetricAsString('meadow_limited_in_use')
      return text.includes(`{resource="answer_bytes"} ${count}`)
    })
  await inUse(LARGE_MB * 2 ** 20)
  const next = send('/large', 'a', 'a2')
  assert.equal((await (await send('/large', 'b')).arrayBuffer()).byteLength, LARGE_MB * 2 ** 20)
  slow.destroy()
  assert.equal((await (await next).arrayBuffer()).byteLength, LARGE_MB * 2 ** 20)
  await inUse(0)
})

test('[HTTP-18, D37] given clients of one team that take nothing of their responses, when it has all it may have, then 429 for it, and another team reads on', async (t) => {
  const { address, fixtures, team, secret, get } = await startServer(t, {
    MEADOW_MAX_ANSWER_MB: 'caller=1, team=1, process=64',
    MEADOW_MAX_QUEUE_SECONDS: '1',
    MEADOW_CACHE_MB: '0',
  })
  const text = 'x'.repeat(LARGE_MB * 2 ** 20)
  const document = await fixtures.document(team, {
    content: { nodes: {}, groups: [], configuration: { text } },
  })
  const other = await fixtures.team('Other')
  const theirs = await fixtures.token(other)
  const slow = await begin(`${address}/api/v1/documents/${document}`, { authorization: `Bearer ${secret}` })
  t.after(() => slow.destroy())
  assert.equal(slow.statusCode, 200)
  const rejected = await get(`/documents/${document}`)
  assert.deepEqual([rejected.status, rejected.headers.get('retry-after')], [429, '5'])
  assert.equal((await get('/folders/root', { token: theirs.secret })).status, 200)
  slow.destroy()
  await until('it is free again', async () => (await get(`/documents/${document}`)).status === 200)
})

test('[HTTP-21] given the counters, then they count what is in use, what waits, and what was rejected, with few labels', async (t) => {
  const { request, get } = await startServer(t)
  await get('/team')
  const { text } = await request('/metrics')
  for (const resource of ['requests', 'answer_bytes', 'open_files']) {
    assert.match(text, new RegExp(`meadow_limited_in_use\\{resource="${resource}"\\} \\d`))
    assert.match(text, new RegExp(`meadow_limited_waiting\\{resource="${resource}"\\} 0`))
  }
})
