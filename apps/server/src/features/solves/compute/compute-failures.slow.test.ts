import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findFreePort } from '../../../testing/find-free-port.ts'
import { until } from '../../../testing/until.ts'
import type { Misbehaviour } from '../testing/compute-server.ts'
import { CSHARP, double, scripted, shareComputeSolver } from '../testing/compute-solves.ts'
import { type ComputeClient, createComputeClient, createDeadline } from './compute-client.ts'
import { COMPUTE_OUTCOMES, type ComputeOutcome } from './compute-failure.ts'

const openComputeSolver = shareComputeSolver()

interface Case {
  when: string
  misbehaviours: Misbehaviour[]
  reason: string
  outcome: ComputeOutcome
  /** How often `/grasshopper` is asked. */
  requests?: number
}

const status = (code: number, more: Partial<Misbehaviour & { kind: 'status' }> = {}): Misbehaviour => ({
  kind: 'status',
  status: code,
  ...more,
})

const LOST = 'The connection to the Rhino.Compute server was lost while it solved the document.'

const CASES: Case[] = [
  {
    when: 'closes the connection before it answers',
    misbehaviours: [{ kind: 'lose', when: 'before' }],
    reason: LOST,
    outcome: 'lost',
  },
  {
    when: 'closes the connection within its answer',
    misbehaviours: [{ kind: 'lose', when: 'within' }],
    reason: LOST,
    outcome: 'lost',
  },
  {
    when: 'rejects the key',
    misbehaviours: [status(401)],
    reason: 'The Rhino.Compute server rejected the key.',
    outcome: 'refused',
  },
  {
    when: 'redirects',
    misbehaviours: [status(302, { headers: { location: '/elsewhere' } })],
    reason: 'The Rhino.Compute server redirects (302), which is not followed.',
    outcome: 'refused',
  },
  {
    when: 'does not have the path',
    misbehaviours: [status(404)],
    reason: 'There is no Rhino.Compute server at its address (404).',
    outcome: 'refused',
  },
  {
    when: 'finds the definition too large',
    misbehaviours: [status(413)],
    reason: 'The definition is too large for the Rhino.Compute server (413).',
    outcome: 'refused',
  },
  {
    when: 'fails in a gateway',
    misbehaviours: [status(502)],
    reason: 'The Rhino.Compute server failed (502).',
    outcome: 'failed',
  },
  {
    when: 'fails without a word',
    misbehaviours: [status(500)],
    reason: 'The Rhino.Compute server failed, and did not say why.',
    outcome: 'answered',
  },
  {
    when: 'answers with a page',
    misbehaviours: [status(200, { body: '<html>' })],
    reason: 'The Rhino.Compute server failed, and did not say why.',
    outcome: 'answered',
  },
  {
    when: 'answers in another form',
    misbehaviours: [
      status(200, { body: '{"values":[{"ParamName":"RH_OUT:meadow.0","InnerTree":{"{0}":[{"type":7}]}}]}' }),
    ],
    reason: 'The answer of the Rhino.Compute server has an unknown form.',
    outcome: 'answered',
  },
  {
    when: 'stays unavailable',
    misbehaviours: [status(503), status(429), status(503), status(503)],
    reason: 'The Rhino.Compute server is not available (503).',
    outcome: 'unavailable',
    requests: 4,
  },
  {
    when: 'does not end its answer',
    misbehaviours: [{ kind: 'flood' }],
    reason: 'The answer of the Rhino.Compute server is larger than 32 MB.',
    outcome: 'too_large',
  },
]

describe('a Rhino.Compute server that fails', () => {
  for (const { when, misbehaviours, reason, outcome, requests = 1 } of CASES) {
    test(`[CMP-14, CMP-15] given a server that ${when}, when a document is solved, then the solve fails with that reason`, async (t) => {
      const { server, client, lines, solve } = await openComputeSolver(t, { [CSHARP]: double }, 'open-sesame')
      server.misbehaviours.push(...misbehaviours)
      const ended = await solve(scripted())
      assert.equal(ended?.state, 'failed')
      assert.equal(ended.reason, reason)
      assert.ok(ended.durationMs > 0)
      assert.equal(server.requests.length, requests)
      assert.ok(client.figures.requests.get(outcome)! > 0)
      assert.doesNotMatch(JSON.stringify(lines), /sesame/)
      assert.equal(
        lines.some(({ outcome: logged }) => logged === outcome),
        outcome !== 'answered',
      )
    })
  }
})

const NEVER = new AbortController().signal

/** Asks whether the server has a component, which is what a solve asks first. */
const ask = (client: ComputeClient, afterMs = 20_000, signal = NEVER) =>
  client.hasComponent(CSHARP, { signal, deadline: createDeadline(afterMs), maxResponseBytes: 1000 })

const openClient = (url: string, key?: string) => createComputeClient({ url, key, units: 'None' })

test('[CMP-12] given a wrong key, when the server is asked, then it is rejected before any definition is sent', async (t) => {
  const { server, solve } = await openComputeSolver(t, { [CSHARP]: double }, 'open-sesame')
  await assert.rejects(ask(openClient(server.url, 'open-barley')), {
    message: 'The Rhino.Compute server rejected the key.',
  })
  await assert.rejects(ask(openClient(server.url)), { message: 'The Rhino.Compute server rejected the key.' })
  assert.equal(server.requests.length, 0)
  assert.equal((await solve(scripted()))?.state, 'solved')
})

test('[CMP-14] given a server that is not there, when it is asked, then it is asked four times, and the failure says so', async () => {
  const client = openClient(`http://127.0.0.1:${await findFreePort()}`)
  await assert.rejects(ask(client), {
    message: 'The Rhino.Compute server could not be reached (ECONNREFUSED).',
  })
  assert.equal(client.figures.requests.get('unreachable'), 1)
  assert.ok(client.figures.seconds > 4)
})

test('[CMP-14] given a server that is unavailable at first, when a document is solved, then it is asked again and solves it', async (t) => {
  const { server, client, solve } = await openComputeSolver(t, { [CSHARP]: double })
  server.misbehaviours.push(status(503), status(429))
  assert.equal((await solve(scripted()))?.state, 'solved')
  assert.equal(server.requests.length, 3)
  assert.deepEqual(
    COMPUTE_OUTCOMES.map((outcome) => client.figures.requests.get(outcome)).filter((count) => count! > 0),
    [2],
  )
})

test('[CMP-13] given a server that takes too long, when a document is solved, then the solve fails at its time limit', async (t) => {
  const { server, client, solve } = await openComputeSolver(t, { [CSHARP]: double }, undefined, {
    timeMs: 1500,
  })
  server.misbehaviours.push({ kind: 'delay', ms: 60_000 })
  const ended = await solve(scripted())
  assert.equal(ended?.state, 'failed')
  assert.equal(ended.reason, 'The Rhino.Compute server took longer than 1.5 s.')
  assert.ok(ended.durationMs >= 1500)
  assert.equal(client.figures.requests.get('timed_out'), 1)
})

test('[CMP-16] given a solve that waits for the server, when it is stopped, then it ends at once without an outcome, and so does its request', async (t) => {
  const { server, client, solve } = await openComputeSolver(t, { [CSHARP]: double })
  server.misbehaviours.push({ kind: 'delay', ms: 60_000 })
  const stopping = new AbortController()
  const ended = solve(scripted(), {}, stopping.signal)
  await until('the server is asked', async () => server.requests.length === 1 && server.open() === 1)
  stopping.abort()
  assert.equal(await ended, undefined)
  await until('the request has ended', async () => server.open() === 0)
  // Who stops a solve has no failure to count.
  assert.equal(client.figures.requests.get('timed_out'), 0)
  assert.equal(client.figures.requests.get('lost'), 0)
})

test('[CMP-14] given a server without TLS, when it is asked over https, then the failure says so, and it is not asked again', async (t) => {
  const { server } = await openComputeSolver(t, {})
  const client = openClient(server.url.replace('http:', 'https:'))
  await assert.rejects(ask(client), {
    message: /^No secure connection to the Rhino\.Compute server is possible \((EPROTO|ERR_SSL_\w+)\)\.$/,
  })
  assert.equal(client.figures.requests.get('refused'), 1)
})
