import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createToken } from '../../access/team-tokens.ts'
import { createTokenSecret } from '../../access/tokens.ts'
import { createSolveStore } from '../../features/solves/solves.store.ts'
import { givenDocuments, readSolves } from '../../features/solves/testing/given-solves.ts'
import { longList } from '../../features/solves/testing/graphs.ts'
import { changeTeam } from '../../team/team-transaction.ts'
import { listTeams } from '../../team/teams.ts'
import { atEnd } from '../../testing/at-end.ts'
import { createCommandLine, noLauncher, type Running } from '../../testing/meadow-server.ts'
import { AHEAD_VARIABLE } from '../../testing/move-clock.ts'
import { until } from '../../testing/until.ts'
import { openDatabase } from './open-database.ts'

const [HOUR_MS, DAY_MS] = [3_600_000, 86_400_000]
const JUMPS = { 'two hours': 2 * HOUR_MS, '400 days': 400 * DAY_MS }
const MOVER = fileURLToPath(new URL('../../testing/move-clock.ts', import.meta.url))

const listen = async (server: Running): Promise<string> => JSON.parse(await server.firstLine()).address

for (const [length, ahead] of Object.entries(JUMPS))
  describe(`a server whose clock was ${length} ahead`, { skip: noLauncher }, () => {
    test('[CLOCK-2, CLOCK-3] when it is killed and the clock is put right, then it goes on within the length of each lease, nothing was removed and no token ended', async (t) => {
      const env = { MEADOW_PORT: '0', MEADOW_SOLVE_WORKERS: '1', MEADOW_SOLVE_LEASE_SECONDS: '5' }
      const right = await createCommandLine(t, env)
      const wrong = await createCommandLine(t, {
        ...env,
        MEADOW_DATA_DIR: right.dataDir,
        NODE_OPTIONS: `--import=${MOVER}`,
        [AHEAD_VARIABLE]: String(ahead),
      })
      const database = await openDatabase({ dataDir: right.dataDir })
      atEnd(t, () => database.close())
      const { team, documents } = await givenDocuments(database, 1000, [longList(100_000, 8)])
      const secret = createTokenSecret()
      const expiresAt = Date.now() + HOUR_MS
      await changeTeam(database, team.key, (change) =>
        createToken(change, { name: 'ends in an hour', secret, scopes: ['team:read'], expiresAt }),
      )
      const gone = await right.json('team', 'create', 'Gone')
      await right.json('team', 'delete', gone.id)
      await database.transaction((write) =>
        write.updateTable('team_deletion').set({ purge_at: expiresAt }).execute(),
      )
      const isThere = async () => (await listTeams(database.read)).some(({ id }) => id === gone.id)
      const readTeam = (address: string) =>
        fetch(`${address}/api/v1/team`, { headers: { authorization: `Bearer ${secret}` } })
      const signIn = (address: string) =>
        fetch(`${address}/app/v1/sign-in`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', origin: address },
          body: JSON.stringify({ email: 'nobody@example.org', password: 'not the right one' }),
        })

      // Somebody knows the right time before.
      const before = right.start('serve', '--json')
      await listen(before)
      before.kill('SIGTERM')
      await before.finished

      const first = wrong.start('serve', '--json')
      const there = await listen(first)
      await createSolveStore(database).request(
        team.key,
        documents.map(({ key }) => key),
      )
      await until('the solve runs', async () => (await readSolves(database))[0]?.state === 'running')
      const lease = (await readSolves(database))[0]!.lease_until!
      assert.ok(lease > Date.now() + ahead - HOUR_MS, 'the clock of the server is ahead')
      const ready = (await (await fetch(`${there}/readyz`)).json()) as { warnings: string[] }
      assert.match(ready.warnings.join(), /The clock has gone ahead by/)
      assert.equal((await readTeam(there)).status, 200)
      assert.equal(await isThere(), true)
      first.kill('SIGKILL')
      await first.finished

      const second = right.start('serve', '--json')
      const here = await listen(second)
      await until('the solve is taken over', async () => (await readSolves(database))[0]?.state === 'solved')
      assert.equal((await readSolves(database))[0]!.attempts, 2)
      assert.equal((await readTeam(here)).status, 200)
      assert.equal(await isThere(), true)
      assert.notEqual((await signIn(here)).status, 429)
      const after = (await (await fetch(`${here}/readyz`)).json()) as { warnings: string[] }
      assert.match(after.warnings.join(), /The clock was set back/)
      const tasks = await database.read
        .selectFrom('exclusive_task')
        .innerJoin('process', 'process.id', 'exclusive_task.process_id')
        .select(['exclusive_task.name', 'process.host'])
        .execute()
      assert.ok(tasks.length > 5, 'its tasks have an owner that lives')
    })
  })
