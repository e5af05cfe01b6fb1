import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createTokenUse } from '../access/token-use.ts'
import { openDatabase } from '../platform/database/open-database.ts'
import { atEnd } from '../testing/at-end.ts'
import { DATABASES } from '../testing/databases.ts'
import { createCommandLine, noLauncher } from '../testing/meadow-server.ts'
import { startServer } from '../testing/start-server.ts'

for (const kind of DATABASES) {
  describe(`reads of tokens on ${kind.name}`, kind.options, () => {
    test('[AUD-10] given reads through a token, also repeated ones, when the service stops, then all are summed by day and endpoint, and refused ones are not', async (t) => {
      const location = await kind.createLocation(t)
      const { service, get, team, fixtures, secret, dataDir } = await startServer(t, {
        ...(location.databaseUrl && { DATABASE_URL: location.databaseUrl }),
      })
      const weak = await fixtures.token(team, { scopes: ['team:read'] })
      for (let n = 0; n < 7; n++) assert.equal((await get('/team')).status, 200)
      for (let n = 0; n < 3; n++)
        assert.equal((await get('/folders/root', { token: weak.secret })).status, 403)
      assert.equal((await get('/folders/root')).status, 200)
      assert.equal((await get('/folders/none')).status, 404)
      await service.stop()
      const database = await openDatabase(location.databaseUrl ? location : { dataDir })
      atEnd(t, () => database.close())
      const rows = await database.read
        .selectFrom('token_reads')
        .innerJoin('token', 'token.id', 'token_reads.token_id')
        .select(['token.hint', 'day', 'endpoint', 'reads'])
        .orderBy('endpoint')
        .execute()
      const day = new Date().toISOString().slice(0, 10)
      const hint = secret.slice(0, rows[0]!.hint.length)
      assert.deepEqual(
        rows.map((row) => ({ ...row, day: row.day >= day ? row.day : day })),
        [
          { hint, day, endpoint: '/api/v1/folders/:folderId', reads: 1 },
          { hint, day, endpoint: '/api/v1/team', reads: 7 },
        ],
      )
    })

    test('[AUD-10] given counts of two processes, and a token that is gone, when they are written, then they add up by day', async (t) => {
      const { database, fixtures, team } = await startServer(t, await envOf(kind, t))
      const { id } = await fixtures.token(team)
      let now = Date.UTC(2026, 10, 23, 23, 59)
      const log = { error: assert.fail }
      const [one, other] = [
        createTokenUse(database, log, () => now),
        createTokenUse(database, log, () => now),
      ]
      for (const reads of [one, other]) {
        reads.count(id, '/a', 2)
        reads.count('tok_gone' as typeof id, '/a')
      }
      await Promise.all([one.flush(), other.flush()])
      now += 60_000
      one.count(id, '/a')
      await Promise.all([one.close(), other.close()])
      const rows = await database.read
        .selectFrom('token_reads')
        .select(['day', 'reads'])
        .orderBy('day')
        .execute()
      assert.deepEqual(rows, [
        { day: '2026-11-23', reads: 4 },
        { day: '2026-11-24', reads: 1 },
      ])
    })
  })
}

async function envOf(kind: (typeof DATABASES)[number], t: Parameters<typeof kind.createLocation>[0]) {
  const { databaseUrl } = await kind.createLocation(t)
  return databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }
}

test('[AUD-10] given sums of reads, when they are listed, then each token has its name', {
  skip: noLauncher,
}, async (t) => {
  const { json, dataDir } = await createCommandLine(t)
  const { id: team } = await json('team', 'create', 'Acme')
  const { id } = await json('token', 'create', '--team', team, '--name', 'Nightly')
  const database = await openDatabase({ dataDir })
  atEnd(t, () => database.close())
  const reads = createTokenUse(database, { error: assert.fail }, () => Date.UTC(2026, 10, 23))
  reads.count(id, '/api/v1/team', 3)
  await reads.close()
  assert.deepEqual(await json('audit', 'reads', '--team', team), {
    reads: [{ token: { id, name: 'Nightly' }, day: '2026-11-23', endpoint: '/api/v1/team', reads: 3 }],
  })
})
