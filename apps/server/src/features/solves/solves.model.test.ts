import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { Database } from '../../platform/database/database.ts'
import { DATABASES } from '../../testing/databases.ts'
import type { Claim } from './solve-record.ts'
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
  | { do: 'ask'; document: number }
  | { do: 'claim' }
  | { do: 'end'; claim: number; state: 'solved' | 'failed'; durationMs: number }
  | { do: 'renew'; claim: number }
  | { do: 'giveBack'; claim: number }
  | { do: 'wait'; ms: number }

/** Solvers die by doing nothing more: time then takes their claims from them. */
const steps = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ do: fc.constant('ask' as const), document: fc.nat(4) }) },
    { weight: 6, arbitrary: fc.record({ do: fc.constant('claim' as const) }) },
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constant('end' as const),
        claim: fc.nat(20),
        state: fc.constantFrom('solved' as const, 'failed' as const),
        durationMs: fc.constantFrom(0, 1000, 1001, 2500, 9000),
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('renew' as const), claim: fc.nat(20) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('giveBack' as const), claim: fc.nat(20) }) },
    {
      weight: 3,
      arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(1, 400, 2000) }),
    },
  ),
  { minLength: 20, maxLength: 60, size: 'max' },
)

/** Whose turn it is then was once left to chance. */
const TWO_GIVEN_BACK: Step[] = [
  { do: 'ask', document: 3 },
  { do: 'ask', document: 0 },
  { do: 'claim' },
  { do: 'claim' },
  { do: 'giveBack', claim: 0 },
  { do: 'giveBack', claim: 1 },
  { do: 'claim' },
]

/** A claim that was given back could once be renewed and ended. */
const ENDED_AFTER_GIVEN_BACK: Step[] = [
  { do: 'ask', document: 3 },
  { do: 'claim' },
  { do: 'giveBack', claim: 0 },
  { do: 'renew', claim: 0 },
  { do: 'giveBack', claim: 0 },
  { do: 'end', claim: 0, state: 'failed', durationMs: 0 },
  { do: 'end', claim: 0, state: 'failed', durationMs: 0 },
  { do: 'claim' },
]

for (const kind of DATABASES) {
  describe(`the queue of solves on ${kind.name}`, kind.options, () => {
    test('[JOB-1, JOB-2, JOB-3, JOB-4, JOB-5, JOB-6, JOB-7, JOB-8, JOB-9] given anything that solvers do and do not do, then the queue is as the model', async (t) => {
      const database = await kind.open(t)
      await fc.assert(
        fc.asyncProperty(
          fc.tuple(fc.integer({ min: 0, max: 9 }), fc.nat(9), steps),
          async ([one, two, steps]) => {
            await removeSolves(database)
            await followModel(database, [one, two], steps)
          },
        ),
        { numRuns: 20, examples: [[[9, 9, TWO_GIVEN_BACK]], [[9, 9, ENDED_AFTER_GIVEN_BACK]]] },
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
    [one, two].map(({ team }) => ({ key: team.key, credits: team.credits })),
    TERMS,
  )
  const claims: { real: Claim; model: number }[] = []
  let before = await readState(database, model)
  for (const step of steps) {
    clock.now++
    await takeStep(step, { store, model, documents, claims, clock })
    const after = await readState(database, model)
    assert.deepEqual(after.solves, model.list())
    assert.deepEqual(
      after.teams.map(({ credits }) => credits),
      model.teams.map(({ credits }) => credits),
    )
    for (const { credits } of after.teams) assert.ok(credits > -TERMS.maxCredits, `${credits} credits`)
    // What anybody can see of a team does not change under one version.
    for (const [i, team] of after.teams.entries()) {
      if (team.seen !== before.teams[i]!.seen) assert.ok(team.version > before.teams[i]!.version)
    }
    before = after
  }
}

interface Stage {
  store: SolveStore
  model: SolveModel
  documents: { key: number; team: number }[]
  claims: { real: Claim; model: number }[]
  clock: { now: number }
}

async function takeStep(step: Step, { store, model, documents, claims, clock }: Stage): Promise<void> {
  if (step.do === 'wait') {
    clock.now += step.ms
  } else if (step.do === 'ask') {
    const { key, team } = documents[step.document]!
    const asked = await store.ask(team as never, [key as never])
    const solve = 'solves' in asked ? asked.solves[0]! : undefined
    const expected = model.ask(team, key, solve?.id ?? '')
    assert.equal(expected === 'refused', solve === undefined)
    if (expected === 'kept')
      assert.ok(model.list().some(({ id, state }) => id === solve!.id && state === 'queued'))
  } else if (step.do === 'claim') {
    const real = await store.claim(TERMS)
    const expected = model.claim(clock.now)
    assert.deepEqual(
      [real?.id, real?.attempt, real?.team],
      [expected?.id, expected?.attempts, expected?.team],
    )
    if (real) claims.push({ real, model: expected!.claim! })
  } else {
    const claim = claims[step.claim % Math.max(claims.length, 1)]
    if (!claim) return
    if (step.do === 'renew') {
      assert.equal(await store.renew(claim.real, TERMS.leaseMs), model.renew(claim.model, clock.now))
    } else if (step.do === 'giveBack') {
      await store.giveBack(claim.real)
      model.giveBack(claim.model)
    } else {
      // No two claims end in the very same way.
      const { claimedBy } = claim.real
      const digest = createHash('sha256').update(claimedBy).digest('hex')
      const outcome =
        step.state === 'solved'
          ? solvedIn(step.durationMs, digest)
          : failedIn(step.durationMs, `Claim ${claimedBy}.`)
      assert.equal(await store.end(claim.real, outcome), model.end(claim.model, step.state, step.durationMs))
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
      return { ...(await readTeam(database, key)), seen: JSON.stringify(states) }
    }),
  )
  return {
    solves: solves.map(({ public_id, state, attempts }) => ({ id: public_id, state, attempts })),
    teams,
  }
}
