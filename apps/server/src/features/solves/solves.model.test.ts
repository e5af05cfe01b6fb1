import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { Database } from '../../platform/database/database.ts'
import { DATABASES } from '../../testing/databases.ts'
import type { SolveLease } from './solve-leases.store.ts'
import { createSolveStore, type SolveStore } from './solves.store.ts'
import {
  failedIn,
  givenDocuments,
  readSolves,
  readTeam,
  removeSolves,
  solvedIn,
  TERMS,
} from './testing/given-solves.ts'
import { SolveModel } from './testing/solve-model.ts'

type Step =
  | { do: 'request'; document: number }
  | { do: 'lease' }
  | { do: 'complete'; lease: number; state: 'solved' | 'failed'; durationMs: number }
  | { do: 'renew'; lease: number }
  | { do: 'abandon'; lease: number }
  | { do: 'wait'; ms: number }

/** A solver that dies does nothing more, and its leases expire. */
const steps = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ do: fc.constant('request' as const), document: fc.nat(4) }) },
    { weight: 6, arbitrary: fc.record({ do: fc.constant('lease' as const) }) },
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constant('complete' as const),
        lease: fc.nat(20),
        state: fc.constantFrom('solved' as const, 'failed' as const),
        durationMs: fc.constantFrom(0, 100, 101, 1000, 2500, 9000),
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('renew' as const), lease: fc.nat(20) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('abandon' as const), lease: fc.nat(20) }) },
    {
      weight: 3,
      arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(1, 400, 2000) }),
    },
  ),
  { minLength: 20, maxLength: 60, size: 'max' },
)

/** A regression: which of the two came next was undefined. */
const TWO_ABANDONED: Step[] = [
  { do: 'request', document: 3 },
  { do: 'request', document: 0 },
  { do: 'lease' },
  { do: 'lease' },
  { do: 'abandon', lease: 0 },
  { do: 'abandon', lease: 1 },
  { do: 'lease' },
]

/** A regression: an abandoned lease could be renewed and completed. */
const COMPLETED_AFTER_ABANDONED: Step[] = [
  { do: 'request', document: 3 },
  { do: 'lease' },
  { do: 'abandon', lease: 0 },
  { do: 'renew', lease: 0 },
  { do: 'abandon', lease: 0 },
  { do: 'complete', lease: 0, state: 'failed', durationMs: 0 },
  { do: 'complete', lease: 0, state: 'failed', durationMs: 0 },
  { do: 'lease' },
]

for (const kind of DATABASES) {
  describe(`the queue of solves on ${kind.name}`, kind.options, () => {
    test('[JOB-1, JOB-2, JOB-3, JOB-4, JOB-5, JOB-6, JOB-7, JOB-8, JOB-9] given any sequence of calls and pauses, then the queue is in the state of the model', async (t) => {
      const database = await kind.open(t)
      await fc.assert(
        fc.asyncProperty(
          fc.tuple(fc.integer({ min: 0, max: 9 }), fc.nat(9), steps),
          async ([one, two, steps]) => {
            await removeSolves(database)
            await followModel(database, [one, two], steps)
          },
        ),
        { numRuns: 20, examples: [[[9, 9, TWO_ABANDONED]], [[9, 9, COMPLETED_AFTER_ABANDONED]]] },
      )
    })
  })
}

async function followModel(database: Database, credits: [number, number], steps: Step[]): Promise<void> {
  const clock = { now: 10_000 }
  const store = createSolveStore(database, () => clock.now)
  const one = await givenDocuments(database, credits[0], [{}, {}, {}])
  const two = await givenDocuments(database, credits[1], [{}, {}])
  const documents = [one, two].flatMap(({ team, documents }) =>
    documents.map(({ key }) => ({ key, team: team.key })),
  )
  const model = new SolveModel(
    [one, two].map(({ team }) => ({ key: team.key, tenths: team.creditTenths })),
    TERMS,
  )
  const leases: { real: SolveLease; model: number }[] = []
  let before = await readState(database, model)
  for (const step of steps) {
    clock.now++
    await takeStep(step, { store, model, documents, leases, clock })
    const after = await readState(database, model)
    assert.deepEqual(after.solves, model.list())
    assert.deepEqual(
      after.teams.map(({ tenths }) => tenths),
      model.teams.map(({ tenths }) => tenths),
    )
    for (const { tenths } of after.teams) assert.ok(tenths > -TERMS.maxTenths, `${tenths} tenths`)
    // What callers can see of a team does not change while its version stays the same.
    for (const [i, team] of after.teams.entries()) {
      if (team.visible !== before.teams[i]!.visible) assert.ok(team.version > before.teams[i]!.version)
    }
    before = after
  }
}

interface Context {
  store: SolveStore
  model: SolveModel
  documents: { key: number; team: number }[]
  leases: { real: SolveLease; model: number }[]
  clock: { now: number }
}

async function takeStep(step: Step, { store, model, documents, leases, clock }: Context): Promise<void> {
  if (step.do === 'wait') {
    clock.now += step.ms
  } else if (step.do === 'request') {
    const { key, team } = documents[step.document]!
    const requested = await store.request(team as never, [key as never])
    const solve = 'solves' in requested ? requested.solves[0]! : undefined
    const expected = model.request(team, key, solve?.id ?? '')
    assert.equal(expected === 'rejected', solve === undefined)
    if (expected === 'existing')
      assert.ok(model.list().some(({ id, state }) => id === solve!.id && state === 'queued'))
  } else if (step.do === 'lease') {
    const real = await store.lease(TERMS)
    const expected = model.lease(clock.now)
    assert.deepEqual(
      [real?.id, real?.attempt, real?.team],
      [expected?.id, expected?.attempts, expected?.team],
    )
    if (real) leases.push({ real, model: expected!.lease! })
  } else {
    const lease = leases[step.lease % Math.max(leases.length, 1)]
    if (!lease) return
    if (step.do === 'renew') {
      assert.equal(await store.renew(lease.real, TERMS.leaseMs), model.renew(lease.model, clock.now))
    } else if (step.do === 'abandon') {
      await store.abandon(lease.real)
      model.abandon(lease.model)
    } else {
      // The outcomes of two leases are never equal.
      const { leaseId } = lease.real
      const digest = createHash('sha256').update(leaseId).digest('hex')
      const outcome =
        step.state === 'solved'
          ? solvedIn(step.durationMs, digest)
          : failedIn(step.durationMs, `Lease ${leaseId}.`)
      assert.equal(
        await store.complete(lease.real, outcome),
        model.complete(lease.model, step.state, step.durationMs),
      )
    }
  }
}

async function readState(database: Database, model: SolveModel) {
  const solves = await readSolves(database)
  const teams = await Promise.all(
    model.teams.map(async ({ key }) => {
      const states = solves
        .filter((solve) => solve.team_id === key)
        .map(({ public_id, state }) => [public_id, state])
      return { ...(await readTeam(database, key)), visible: JSON.stringify(states) }
    }),
  )
  return {
    solves: solves.map(({ public_id, state, attempts }) => ({ id: public_id, state, attempts })),
    teams,
  }
}
