import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ALL_SCOPES } from '@meadow/contract'
import { ensureFolder, findFolder } from '../library/folders.ts'
import type { Database } from '../platform/database/database.ts'
import { changeTeam } from '../team/team-transaction.ts'
import { createTeam, listTeams } from '../team/teams.ts'
import { DATABASES } from '../testing/databases.ts'
import { givenTeam } from '../testing/given-team.ts'
import { until } from '../testing/until.ts'
import { createToken, type NewToken, revokeToken } from './team-tokens.ts'
import { createTokenPrincipalStore } from './token-principal.store.ts'
import { createTokenSecret } from './tokens.ts'

const NOW = Date.UTC(2026, 10, 20)

async function givenToken(database: Database, facts: Partial<NewToken> = {}) {
  const { team } = await givenTeam(database)
  const secret = createTokenSecret()
  const token = await changeTeam(database, team, (change) =>
    createToken(change, { name: 'pipeline', secret, scopes: ALL_SCOPES, ...facts }),
  )
  const { findPrincipal } = createTokenPrincipalStore(database)
  return {
    database,
    team,
    token,
    find: (host = 'localhost', now = NOW) => findPrincipal(secret, host, now),
  }
}

for (const kind of DATABASES) {
  describe(`the reader of a token on ${kind.name}`, kind.options, () => {
    test('given a token, then its reader has its team and scopes', async (t) => {
      const { token, team, database, find } = await givenToken(await kind.open(t), { scopes: ['team:read'] })
      const [record] = await listTeams(database.read)
      const { commitCounter, ...principal } = (await find())!
      assert.equal(typeof commitCounter, 'number')
      assert.deepEqual(principal, {
        tokenId: token.id,
        scopes: new Set(['team:read']),
        resourceScope: team,
        teamId: record?.id,
        teamName: 'Acme',
        teamVersion: 2,
        atHostOfTeam: false,
        atHostOfAnotherTeam: false,
        allowsAddress: undefined,
        origins: undefined,
        expiresAt: null,
      })
    })

    test('[D2] given an unknown token, then there is no principal', async (t) => {
      const { findPrincipal } = createTokenPrincipalStore(await kind.open(t))
      assert.equal(await findPrincipal(createTokenSecret(), 'localhost', NOW), undefined)
    })

    test('[C5.4, D2] given a token, when it is revoked, then it has no reader any more', async (t) => {
      const { database, team, token, find } = await givenToken(await kind.open(t))
      assert.ok(await find())
      assert.ok(await changeTeam(database, team, (change) => revokeToken(change, token.id)))
      assert.equal(await find(), undefined)
    })

    test('[D2] given a token that expires, then it has a reader until then', async (t) => {
      const { find } = await givenToken(await kind.open(t), { expiresAt: NOW })
      assert.ok(await find('localhost', NOW - 1))
      assert.equal(await find('localhost', NOW), undefined)
    })

    test("[D3] given the host of a team, then it is another's for every other team", async (t) => {
      const database = await kind.open(t)
      const { find } = await givenToken(database)
      await createTeam(database, { name: 'Other', host: 'other.example.org' })
      assert.equal((await find('other.example.org'))?.atHostOfAnotherTeam, true)
      assert.equal((await find('nobody.example.org'))?.atHostOfAnotherTeam, false)

      const own = await createTeam(database, { name: 'Own', host: 'own.example.org' })
      const secret = createTokenSecret()
      await changeTeam(database, own.key, (change) =>
        createToken(change, { name: 't', secret, scopes: ALL_SCOPES }),
      )
      const { findPrincipal } = createTokenPrincipalStore(database)
      const reader = await findPrincipal(secret, 'own.example.org', NOW)
      assert.equal(reader?.atHostOfAnotherTeam, false)
      // Of a team that was made before it too: the order of the two is not significant.
      const elsewhere = await findPrincipal(secret, 'other.example.org', NOW)
      assert.equal(elsewhere?.atHostOfAnotherTeam, true)
    })

    test('given hosts that are longer than any team can have, then they share one cache entry', async (t) => {
      const { find } = await givenToken(await kind.open(t))
      // Something else may be committed at any time.
      await until('both are one', async () => {
        const reader = await find('a'.repeat(60_000))
        assert.ok(reader)
        return (await find('b'.repeat(60_000))) === reader
      })
    })

    test('given any change of the team, then the principal has a newer version', async (t) => {
      const { database, team, find } = await givenToken(await kind.open(t))
      const before = (await find())?.teamVersion ?? Number.NaN
      const root = (await findFolder(database.read, team, 'root'))!
      await changeTeam(database, team, (change) => ensureFolder(change, root.key, 'New'))
      assert.equal((await find())?.teamVersion, before + 1)
    })
  })
}
