import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, type TestContext, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { numbers } from '../../../../apps/server/src/features/solutions/testing/graphs.ts'
import { startSolutions } from '../../../../apps/server/src/features/solutions/testing/start-solutions.ts'
import { atEnd } from '../../../../apps/server/src/testing/at-end.ts'
import { startFaultProxy } from '../../../../apps/server/src/testing/fault-proxy.ts'
import {
  ApiError,
  BadAnswer,
  ConnectionFailed,
  Meadow,
  type MeadowOptions,
  NotFound,
  ServiceFault,
  SolveFailed,
  TimedOut,
  TooManyRequests,
  Unavailable,
} from './index.ts'

/** A real server behind a connection that breaks when the test wants it. */
async function startBehindProxy(t: TestContext, options: Partial<MeadowOptions> = {}) {
  const server = await startSolutions(t)
  const proxy = await startFaultProxy(t, server.address)
  const meadow = new Meadow({ baseUrl: proxy.url, token: server.secret, ...options })
  return { ...server, proxy, meadow }
}

/** A server that gives these answers in turn; the last one again and again. Counts the requests. */
async function startScripted(t: TestContext, answers: { status: number; body: string; headers?: object }[]) {
  const requests: { url: string }[] = []
  const server = createServer((request, response) => {
    const { status, body, headers } = answers[Math.min(requests.length, answers.length - 1)]!
    requests.push({ url: request.url! })
    response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers }).end(body)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(t, () => void server.close())
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { requests, meadow: new Meadow({ baseUrl, token: 'mdw_any' }) }
}

const TEAM = { status: 200, body: '{"team":{"name":"Acme","rootFolderId":"fld_1"}}' }
const refused = (status: number, headers?: object) => ({
  status,
  body: '{"error":"Try again shortly."}',
  ...(headers && { headers }),
})
const PROXY_PAGE = { status: 502, body: '<h1>Bad gateway</h1>', headers: { 'content-type': 'text/html' } }

/** Pauses of no length, so that tests do not wait for them. */
const withoutPauses = (t: TestContext) => t.mock.method(Math, 'random', () => 0)

describe('faults', () => {
  test('[SDK-8] given answers that pass, when a call gets one, then it is repeated; the last one is thrown', async (t) => {
    withoutPauses(t)
    for (const passing of [refused(429), refused(503), PROXY_PAGE, { ...PROXY_PAGE, status: 504 }]) {
      const { meadow, requests } = await startScripted(t, [passing, passing, TEAM])
      assert.equal((await meadow.readTeam()).name, 'Acme')
      assert.equal(requests.length, 3)
    }
    const busy = await startScripted(t, [refused(429)])
    await assert.rejects(busy.meadow.readTeam(), TooManyRequests)
    assert.equal(busy.requests.length, 5)
    const { meadow } = await startScripted(t, [refused(503)])
    await assert.rejects(meadow.readTeam(), Unavailable)
    const behindProxy = await startScripted(t, [PROXY_PAGE])
    await assert.rejects(behindProxy.meadow.readTeam(), (error) => {
      assert.ok(error instanceof ApiError && !(error instanceof SolveFailed))
      assert.match(error.message, /answers with status 502, and not as Meadow does\.$/)
      return true
    })
    const raw = await busy.meadow.request('/team')
    assert.deepEqual([raw.status, await raw.json()], [429, { error: 'Try again shortly.' }])
  })

  test('[SDK-9] given an answer that would be the same, when a call gets it, then it is not repeated', async (t) => {
    for (const [status, Class] of [
      [404, NotFound],
      [500, ServiceFault],
      [502, SolveFailed],
    ] as const) {
      const { meadow, requests } = await startScripted(t, [refused(status), TEAM])
      await assert.rejects(meadow.readTeam(), Class)
      assert.equal(requests.length, 1)
    }
  })

  test('[SDK-6] given an answer without an end, when it is read, then BadAnswer, once, and the connection is given up', async () => {
    const chunk = new Uint8Array(2 ** 24).fill(32)
    for (const status of [200, 404]) {
      let [calls, ends] = [0, 0]
      const fetch: typeof globalThis.fetch = async () => {
        calls++
        const pull = (controller: ReadableStreamDefaultController) => controller.enqueue(chunk)
        const body = new ReadableStream({ pull, cancel: () => void ends++ }, { highWaterMark: 0 })
        return new Response(body, { status, headers: { 'content-type': 'application/json' } })
      }
      const meadow = new Meadow({ baseUrl: 'http://127.0.0.1:1', token: 'mdw_any', fetch })
      await assert.rejects(meadow.readTeam(), BadAnswer)
      assert.deepEqual([calls, ends], [1, 1])
    }
  })

  test('[SDK-35] given 202 at once with any Retry-After, when a solution is waited for, then it is not asked for again and again', async (t) => {
    for (const retryAfter of ['0', '99999999999', '-1', 'tomorrow']) {
      const { meadow, requests } = await startScripted(t, [refused(202, { 'retry-after': retryAfter })])
      await assert.rejects(meadow.waitForSolution('doc_1', { timeoutMs: 300 }), TimedOut)
      assert.equal(requests.length, 1, retryAfter)
    }
  })

  test('[SDK-14] given an address that redirects, when it is asked, then the error names the other address, and the token goes nowhere', async (t) => {
    const elsewhere = await startScripted(t, [TEAM])
    const location = `${elsewhere.meadow.baseUrl}/api/v1/team`
    const { meadow } = await startScripted(t, [
      { status: 301, body: '', headers: { location, 'content-type': 'text/html' } },
    ])
    await assert.rejects(meadow.readTeam(), (error) => {
      assert.ok(error instanceof ApiError)
      const address = `${meadow.baseUrl}/api/v1/team redirects to ${elsewhere.meadow.baseUrl}`
      assert.equal(error.message, `${address}: give the address of Meadow itself as baseUrl.`)
      return true
    })
    assert.equal(elsewhere.requests.length, 0)
  })

  test('[SDK-10] given Retry-After, when a call is repeated, then not before; if that is after the deadline, the error is thrown at once', async (t) => {
    withoutPauses(t)
    const { secret, address } = await startSolutions(t)
    let calls = 0
    const fetch: typeof globalThis.fetch = async () =>
      calls++ === 0
        ? Response.json({ error: 'Busy.' }, { status: 503, headers: { 'retry-after': '7' } })
        : Response.json({ team: { name: 'Acme' } })
    const meadow = new Meadow({ baseUrl: address, token: secret, fetch })
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const team = meadow.readTeam()
    for (let turn = 0; turn < 5; turn++) await nextTurn()
    t.mock.timers.tick(6999)
    for (let turn = 0; turn < 5; turn++) await nextTurn()
    assert.equal(calls, 1)
    t.mock.timers.tick(1)
    assert.equal((await team).name, 'Acme')
    calls = 0
    await assert.rejects(meadow.readTeam({ timeoutMs: 6000 }), (error) => {
      assert.ok(error instanceof Unavailable)
      assert.equal(error.retryAfterSeconds, 7)
      return true
    })
    assert.equal(calls, 1)
  })

  test('[SDK-11] given a pause before each repetition, then it is a random part of a time that doubles up to 20 seconds', async (t) => {
    t.mock.method(Math, 'random', () => 0.999999)
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const pauses: number[] = []
    const fetch: typeof globalThis.fetch = async () => Response.json({ error: 'Busy.' }, { status: 503 })
    const meadow = new Meadow({
      baseUrl: 'http://127.0.0.1:1',
      token: 'mdw_any',
      fetch,
      retries: 8,
      timeoutMs: 1e9,
    })
    let isOver = false
    const failed = assert.rejects(meadow.readTeam(), Unavailable).finally(() => {
      isOver = true
    })
    const { setTimeout: before } = globalThis
    t.mock.method(globalThis, 'setTimeout', (...args: Parameters<typeof before>) => {
      const ms = Math.round(args[1]!)
      // Servers of other tests in this process have shorter ones.
      if (ms >= 500) pauses.push(ms)
      return before(...args)
    })
    while (!isOver) {
      await nextTurn()
      t.mock.timers.tick(20_000)
    }
    await failed
    // The first one is the deadline.
    assert.deepEqual(pauses.slice(1), [500, 1000, 2000, 4000, 8000, 16_000, 20_000, 20_000])
  })

  test('[SDK-12] given a connection that cannot be made, or breaks in the middle of an answer, when there are attempts left, then the call is repeated and the answer whole', async (t) => {
    withoutPauses(t)
    const { address, secret, document, run, leaveBody } = await startSolutions(t)
    const proxy = await startFaultProxy(t, address)
    const id = await document(numbers())
    // More than the buffers on the way hold.
    const filler = Buffer.alloc(12 * 2 ** 20, '-').toString()
    await leaveBody(await run(id), [Buffer.from(`{"data":{"solutionId":"sol_1"},"filler":"${filler}"}`)])
    let cuts = 0
    const fetch: typeof globalThis.fetch = async (input, init) => {
      const identity = { ...(init!.headers as Record<string, string>), 'accept-encoding': 'identity' }
      const response = await globalThis.fetch(input, { ...init, headers: identity })
      if (cuts++ < 2) proxy.cut()
      return response
    }
    const meadow = new Meadow({ baseUrl: proxy.url, token: secret, fetch })
    const solution = (await meadow.readSolution(id)) as unknown as { filler: string }
    assert.equal(solution.filler.length, filler.length)
    assert.equal(cuts, 3)
    proxy.refuse()
    await assert.rejects(new Meadow({ baseUrl: proxy.url, token: secret }).readTeam(), (error) => {
      assert.ok(error instanceof ConnectionFailed)
      assert.match(
        error.message,
        /^No answer from http:\/\/127\.0\.0\.1:\d+ \(ECONNREFUSED\)\. Check the address/,
      )
      assert.ok(error.cause instanceof TypeError)
      return true
    })
  })

  test('[SDK-13] given a service that is silent, when the deadline passes, then TimedOut; when the signal is aborted, then its reason, also before anything is sent and while a body is read', async (t) => {
    const { proxy, meadow, document, run, leaveBody } = await startBehindProxy(t)
    const id = await document(numbers())
    proxy.freeze()
    await assert.rejects(meadow.readTeam({ timeoutMs: 100 }), (error) => {
      assert.ok(error instanceof TimedOut)
      assert.match(error.message, /^GET http:\/\/127\.0\.0\.1:\d+\/api\/v1\/team took longer than 0\.1 s\.$/)
      return true
    })
    const reason = new Error('The user has left.')
    const controller = new AbortController()
    const reading = meadow.readTeam({ signal: controller.signal })
    controller.abort(reason)
    await assert.rejects(reading, reason)
    await assert.rejects(meadow.readTeam({ signal: controller.signal }), reason)
    await assert.rejects(meadow.readTeam({ signal: AbortSignal.abort() }), { name: 'AbortError' })
    await proxy.resume()

    const filler = Buffer.alloc(12 * 2 ** 20, '-').toString()
    await leaveBody(await run(id), [Buffer.from(`{"data":{"solutionId":"sol_1"},"filler":"${filler}"}`)])
    const later = new AbortController()
    const response = await meadow.request(`/documents/${id}/solution`, {
      signal: later.signal,
      headers: { 'accept-encoding': 'identity' },
    })
    proxy.freezeOpen()
    later.abort(reason)
    await assert.rejects(response.text())
  })

  test('[SDK-13] given a body that does not end when its fetch is aborted, as sometimes in Node 20, when the deadline passes or the signal is aborted, then the call ends', async (t) => {
    const { meadow: real } = await startBehindProxy(t)
    const endless = () =>
      new Response(new ReadableStream(), { headers: { 'content-type': 'application/json' } })
    const { baseUrl } = real
    const meadow = new Meadow({ baseUrl, token: 'mdw_x', fetch: async () => endless() })
    await assert.rejects(meadow.readTeam({ timeoutMs: 50 }), TimedOut)
    const controller = new AbortController()
    const reading = meadow.readTeam({ signal: controller.signal })
    const reason = new Error('The user has left.')
    setImmediate(() => controller.abort(reason))
    await assert.rejects(reading, reason)
  })
})
