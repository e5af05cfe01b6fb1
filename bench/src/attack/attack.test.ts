import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { DATABASES } from '@meadow/server/src/testing/databases.ts'
import type { Attack } from './attack.ts'
import { ATTACKS } from './attacks.ts'
import { judge, type Limits } from './judge.ts'
import { openStage, type Pace, type Stage } from './stage.ts'

/*
 * `npm run attack` in small, a few hundred requests an attack: the server survives, and the other team gets right
 * answers only. How fast these are, a busy machine cannot tell.
 */

const SHORT: Pace = { share: 0.06, durationMs: 1000, warmUpMs: 0, normalMs: 300, afterMs: 0 }

/** Times are not judged, since others may use the same processors. */
const WITHOUT_TIMES: Limits = {
  worstMs: Infinity,
  medianRatio: Infinity,
  grownBytes: 400e6,
  comesBack: false,
}

/** Few open files. A solve may take so long that those of the other team end, however busy the machine is. */
const SERVER = {
  maxOpenFiles: 1024,
  env: { MEADOW_SOLVE_SECONDS: '10', MEADOW_SOLVE_MEMORY_MB: '256' },
}
/** Memory-hungry ones, and points that are nowhere. None takes long where these are refused. */
const HOSTILE: Pace = { ...SHORT, share: 0.03 }
const HOSTILE_DOCUMENTS = 6

const CHOSEN: [name: RegExp, pace?: Pace][] = [
  [/^5000 requests of 80 KB, unread/],
  [/public graph over one connection/],
  [/wait=30 over one connection/],
  [/connections that read nothing/],
  [/silent uploads/],
  [/headers drip/],
  [/floods of presences/],
  [/frames that are none/],
  [/upgrades that are not taken/],
  [/deep files/],
  [/hostile documents/, HOSTILE],
]

async function endure(stage: Stage, attack: Attack, pace: Pace): Promise<void> {
  const figures = await stage.run(attack, pace)
  const misses = judge(figures, attack, WITHOUT_TIMES)
  const told = `${figures.examples.join('\n')}\nThe attacker got ${JSON.stringify(figures.tally.answers)}.`
  assert.deepEqual(misses, [], told)
  assert.ok(figures.tally.sent > 0 && figures.attacked.read!.count > 0)
}

describe('given one team that attacks, when another one works', () => {
  let stage: Stage
  before(async () => {
    stage = await openStage({ server: SERVER, hostile: HOSTILE_DOCUMENTS })
  })
  after(() => stage?.[Symbol.asyncDispose]())

  for (const [name, pace = SHORT] of CHOSEN) {
    for (const attack of ATTACKS.filter((known) => name.test(known.name))) {
      test(`then it gets its answers and the server survives: ${attack.name}`, () =>
        endure(stage, attack, pace))
    }
  }

  test('then every edit that was acknowledged is there in the end', async () => {
    assert.deepEqual(await stage.finish(), [])
  })
})

const postgres = DATABASES.find(({ name }) => name === 'postgres')!
describe('given PostgreSQL', postgres.options, () => {
  test('when its connections are killed while two teams work, then the server survives, and both get their answers and lose no edit', async (t) => {
    const attack = ATTACKS.find(({ name }) => name.includes('kills'))!
    const { databaseUrl } = await postgres.place(t)
    await using stage = await openStage({ ...attack, databaseUrl, hostile: 0 })
    await endure(stage, attack, SHORT)
    assert.deepEqual(await stage.finish(), [])
  })
})
