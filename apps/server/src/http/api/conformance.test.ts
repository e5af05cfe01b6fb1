import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { runChecks, SENTENCES, type Settings } from '@meadow/conformance'
import { SCOPES, type Scope } from '@meadow/contract'
import { revokeToken } from '../../access/team-tokens.ts'
import { startExports } from '../../features/exports/testing/start-exports.ts'
import { numbers, tubes } from '../../features/solutions/testing/graphs.ts'
import { keepTime } from '../../platform/database/database-clock.ts'
import { changeTeam } from '../../team/team-transaction.ts'
import { setHost } from '../../team/teams.ts'
import { DATABASES, type TestDatabase } from '../../testing/databases.ts'

const HOUR_MS = 3_600_000

/** A server with everything that the checks of the contract need: documents in each state, and tokens of each kind. */
async function startComplete(t: TestContext, kind: TestDatabase): Promise<Settings> {
  const { address, database, fixtures, team, secret, ...server } = await startExports(t, kind)
  const place = ['Projects', 'Tower 10', 'Old'] as const
  const names = ['Tower', 'My tower', 'Old tower', 'A new tower', '100% wood', 'under_score', 'Größe "x" \\']
  for (let i = 0; i < 56; i++) {
    const path = place.slice(0, i % 4)
    const folder = path.length > 0 ? await fixtures.folder(team, ...path) : await fixtures.root(team)
    await fixtures.document(team, {
      folder: folder.key,
      name: names[i] ?? `Item ${i}`,
      createdAt: Date.UTC(2026, 0, 1 + ((i * 11) % 97)),
      updatedAt: Date.UTC(2026, 4, 1 + ((i * 37) % 97)),
    })
  }

  const withGeometry = await server.document(tubes())
  await server.solve(withGeometry)
  const withoutGeometry = await server.document(numbers())
  await server.solve(withoutGeometry)
  const failed = await server.document(numbers())
  await server.fail(failed, 'For a test.')
  const solving = await server.document(numbers())
  await server.run(solving)

  const limited = (Object.keys(SCOPES) as Scope[]).map((lacking) =>
    fixtures.token(team, { scopes: (Object.keys(SCOPES) as Scope[]).filter((scope) => scope !== lacking) }),
  )
  const revoked = await fixtures.token(team)
  await changeTeam(database, team.key, (change) => revokeToken(change, revoked.id))
  const other = await fixtures.team('Other')
  await fixtures.document(other)
  const rootless = await fixtures.team('Rootless')
  await database.transaction((write) =>
    write.deleteFrom('folder').where('team_id', '=', rootless.key).execute(),
  )
  await changeTeam(database, team.key, (change) => setHost(change, 'localhost'))

  // The test sets the clock of this process; that of PostgreSQL is taken for the same.
  keepTime(database.read, () => Date.now())
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() - 2 * HOUR_MS })
  const { url: expiredLink } = await server.exportOf(withGeometry, 'format=.3dm')
  t.mock.timers.reset()

  return {
    baseUrl: address,
    token: secret,
    limitedTokens: (await Promise.all(limited)).map((token) => token.secret),
    revokedToken: revoked.secret,
    otherToken: (await fixtures.token(other)).secret,
    rootlessToken: (await fixtures.token(rootless)).secret,
    teamUrl: address.replace('127.0.0.1', 'localhost'),
    neverSolved: await server.document(tubes()),
    solving,
    failed,
    solved: withGeometry,
    withGeometry,
    withoutGeometry,
    expiredLink,
  }
}

for (const kind of DATABASES) {
  describe(`the contract on ${kind.name}`, kind.options, () => {
    test('[C1–C9] given documents in each state and tokens of each kind, then every sentence that can be checked holds', async (t) => {
      const results = await runChecks(await startComplete(t, kind))
      const cannot = SENTENCES.filter((sentence) => 'cannot' in sentence).map(({ id }) => id)
      assert.deepEqual(
        results.filter(({ id, outcome }) => outcome.kind !== 'passed' && !cannot.includes(id)),
        [],
      )
    })
  })
}
