import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { DATABASES } from '@meadow/server/src/testing/databases.ts'
import type { Attack } from './attacks/attack.ts'
import { ATTACKS } from './attacks/attacks.ts'
import { judge, type Limits } from './judge.ts'
import { openTestbed, type Pace, type Testbed } from './testbed/testbed.ts'

/*
 * A small version of `npm run attack`, with up to a few hundred requests per attack: the server survives, and the other team
 * gets only correct responses. Times are not judged, since the machine may be busy.
 */

const SHORT: Pace = { share: 0.06, durationMs: 400, warmUpMs: 0, normalMs: 0, afterMs: 0 }

const WITHOUT_TIMES: Limits = {
  worstMs: Infinity,
  medianRatio: Infinity,
  grownBytes: 400e6,
  comesBack: false,
}

/** There are few open files, and hostile documents are ended soon: the solves of the other team take a few milliseconds. */
const SERVER = {
  maxOpenFiles: 1024,
  env: { MEADOW_SOLVE_SECONDS: '3', MEADOW_SOLVE_MEMORY_MB: '256' },
}
/** Each document that is waited for takes some two seconds to solve. */
const WAITS: Pace = { ...SHORT, share: 0.02 }
/** Hostile documents whose solves fail quickly. */
const HOSTILE: Pace = { ...SHORT, share: 0.03 }
const HOSTILE_DOCUMENTS = 6

const CHOSEN: [name: RegExp, pace?: Pace][] = [
  [/^5000 requests of 80 KB, unread/],
  [/public graph over one connection/],
  [/wait=30 over one connection/, WAITS],
  [/connections that read nothing/],
  [/silent uploads/],
  [/headers drip/],
  [/floods of presences/],
  [/frames that are none/],
  [/upgrades that are not taken/],
  [/deep files/],
  [/hostile documents/, HOSTILE],
]

async function endure(testbed: Testbed, attack: Attack, pace: Pace): Promise<void> {
  const figures = await testbed.run(attack, pace)
  const misses = judge(figures, attack, WITHOUT_TIMES)
  const message = `${figures.examples.join('\n')}\nThe attacker got ${JSON.stringify(figures.tally.answers)}.`
  assert.deepEqual(misses, [], message)
  assert.ok(figures.tally.sent > 0 && figures.attacked.read!.count > 0)
}

describe('given one team that attacks, when another one works', () => {
  let testbed: Testbed
  before(async () => {
    testbed = await openTestbed({ server: SERVER, hostile: HOSTILE_DOCUMENTS, queued: 1 })
  })
  after(() => testbed?.[Symbol.asyncDispose]())

  for (const [name, pace = SHORT] of CHOSEN) {
    for (const attack of ATTACKS.filter((known) => name.test(known.name))) {
      test(`then it gets its answers and the server survives: ${attack.name}`, () =>
        endure(testbed, attack, pace))
    }
  }

  test('then every edit that was acknowledged is there in the end', async () => {
    assert.deepEqual(await testbed.finish(), [])
  })
})

const postgres = DATABASES.find(({ name }) => name === 'postgres')!
describe('given PostgreSQL', postgres.options, () => {
  test('when its connections are killed while two teams work, then the server survives, and both get their answers and lose no edit', async (t) => {
    const attack = ATTACKS.find(({ name }) => name.includes('kills'))!
    const { databaseUrl } = await postgres.createLocation(t)
    await using testbed = await openTestbed({ ...attack, databaseUrl, hostile: 0, queued: 0 })
    await endure(testbed, attack, SHORT)
    assert.deepEqual(await testbed.finish(), [])
  })
})
