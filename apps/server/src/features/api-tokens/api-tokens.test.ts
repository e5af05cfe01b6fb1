import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ALL_SCOPES, API_ERRORS } from '@meadow/contract'
import { setMember } from '../../access/members.ts'
import { changeTeam } from '../../team/team-transaction.ts'
import { FEATURE_DATABASES } from '../../testing/databases.ts'
import { startWebApp } from '../../testing/start-web-app.ts'

for (const kind of FEATURE_DATABASES) {
  describe(`API tokens on ${kind.name}`, kind.options, () => {
    test('[TOK-1, TOK-2, TOK-3] given a member, when they create a token, use it and revoke it, then the API accepts it, the list shows it, and then it is rejected', async (t) => {
      const { signIn, team, get } = await startWebApp(t, kind)
      const ann = await signIn('Ann', 'member')
      const path = `/teams/${team.id}/tokens`
      const expiresAt = new Date(Date.now() + 3_600_000).toISOString()
      const { status, json } = await ann.request('POST', path, {
        name: 'CI',
        scopes: ['team:read'],
        expiresAt,
      })
      assert.equal(status, 201)
      const { token, secret } = json
      assert.match(secret, /^mdw_[0-9a-z]{39}$/)
      assert.deepEqual(
        [token.name, token.scopes, token.expiresAt, token.state, token.lastUsedAt, token.createdBy],
        ['CI', ['team:read'], expiresAt, 'valid', null, { id: ann.userId, name: 'Ann' }],
      )
      assert.ok(secret.startsWith(token.prefix) && token.prefix.length === 8)
      const listed = async () => (await ann.get(path)).json.tokens
      assert.ok(!JSON.stringify(await listed()).includes(secret))

      const before = Date.now()
      assert.equal((await get('/team', { token: secret })).status, 200)
      assert.equal((await get('/documents', { token: secret })).status, 403)
      const [mine, ...others] = await listed()
      assert.ok(Date.parse(mine.lastUsedAt) >= before)
      assert.deepEqual(others, [])
      const owner = await signIn('Olga', 'owner')
      const { tokens } = (await owner.get(path)).json
      assert.deepEqual(
        tokens.map(({ kind, createdBy, scopes }: Record<string, unknown>) => [kind, createdBy, scopes]),
        [
          ['personal', { id: ann.userId, name: 'Ann' }, ['team:read']],
          ['service', null, ALL_SCOPES],
        ],
      )

      assert.equal((await ann.request('DELETE', `${path}/${token.id}`)).status, 204)
      assert.equal((await get('/team', { token: secret })).status, 401)
      assert.deepEqual([(await listed())[0].state, (await listed())[0].revokedAt !== null], ['revoked', true])
    })

    test('[TOK-26] given folders, when a member creates a token for them, then it reads those only, and the list shows them; other folders, none and too many are rejected', async (t) => {
      const { signIn, team, fixtures, get } = await startWebApp(t, kind)
      const ann = await signIn('Ann', 'member')
      const path = `/teams/${team.id}/tokens`
      const [tower, bridge] = [await fixtures.folder(team, 'Tower'), await fixtures.folder(team, 'Bridge')]
      const create = (folders: string[] | null) => ann.request('POST', path, { name: 'Site', folders })
      const { status, json } = await create([tower.id, bridge.id, tower.id])
      assert.equal(status, 201)
      const expected = [bridge, tower].map(({ id, name }) => ({ id, name }))
      assert.deepEqual(json.token.folders, expected)
      assert.deepEqual((await ann.get(path)).json.tokens[0].folders, expected)
      const { folder } = (await get('/folders/root', { token: json.secret })).json
      assert.deepEqual(folder.folders, expected)
      assert.deepEqual((await create(null)).json.token.folders, null)

      const theirs = await fixtures.root(await fixtures.team('Other'))
      assert.equal((await ann.request('DELETE', `/folders/${bridge.id}`)).status, 204)
      for (const none of [theirs.id, bridge.id, 'fld_0000000000000000', 'root']) {
        const rejected = await create([tower.id, none])
        assert.deepEqual(
          [rejected.status, rejected.json.error],
          [404, API_ERRORS.folder_not_found.sentence],
          none,
        )
      }
      assert.equal((await create([])).status, 400)
      assert.equal((await create(Array.from({ length: 21 }, () => tower.id))).status, 400)
      assert.equal((await ann.get(path)).json.tokens.length, 2)
    })

    test('[TOK-3] given tokens of others, then an owner can revoke them, and a member cannot', async (t) => {
      const { signIn, team, fixtures, get } = await startWebApp(t, kind)
      const [ann, ben] = [await signIn('Ann', 'owner'), await signIn('Ben', 'member')]
      const { id, secret } = await fixtures.token(team)
      const theirs = await fixtures.token(await fixtures.team('Other'))
      const revoke = (who: typeof ann, token: string) =>
        who.request('DELETE', `/teams/${team.id}/tokens/${token}`)
      assert.deepEqual([(await revoke(ben, id)).status, (await revoke(ann, theirs.id)).status], [404, 404])
      assert.equal((await get('/team', { token: secret })).status, 200)
      assert.equal((await revoke(ann, id)).status, 204)
      assert.equal((await get('/team', { token: secret })).status, 401)
    })

    for (const [how, reason] of [
      ['is removed', 'maker_left'],
      ['leaves', 'maker_left'],
      ['becomes a viewer', 'maker_role'],
    ] as const) {
      test(`[TOK-5] given tokens of a member and of others, when the member ${how}, then their tokens end with the next request, and no others`, async (t) => {
        const { signIn, team, fixtures, database, get } = await startWebApp(t, kind)
        const [ann, ben] = [await signIn('Ann', 'owner'), await signIn('Ben', 'owner')]
        const other = await fixtures.team('Other')
        await changeTeam(database, other.key, (change) => setMember(change, ben.userId, 'member'))
        const make = async (who: typeof ann, to = team): Promise<string> =>
          (await who.request('POST', `/teams/${to.id}/tokens`, { name: 'CI' })).json.secret
        const { secret: operators } = await fixtures.token(team)
        const [bens, anns, elsewhere] = [await make(ben), await make(ann), await make(ben, other)]
        const statusOf = async (token: string) => (await get('/team', { token })).status
        assert.deepEqual(
          await Promise.all([bens, anns, elsewhere, operators].map(statusOf)),
          [200, 200, 200, 200],
        )
        const membership = `/teams/${team.id}/members/${ben.userId}`
        const asMember = await ann.request('PATCH', membership, { role: 'member' })
        assert.deepEqual([asMember.status, await statusOf(bens)], [200, 200])
        const ended =
          how === 'becomes a viewer'
            ? await ann.request('PATCH', membership, { role: 'viewer' })
            : await (how === 'leaves' ? ben : ann).request('DELETE', membership)
        assert.ok(ended.status < 300)
        assert.deepEqual(
          await Promise.all([bens, anns, elsewhere, operators].map(statusOf)),
          [401, 200, 200, 200],
        )
        const { tokens } = (await ann.get(`/teams/${team.id}/tokens`)).json
        const reported = tokens.map(({ state, endReason }: Record<string, unknown>) => [state, endReason])
        assert.deepEqual(reported, [
          ['valid', null],
          ['revoked', reason],
          ['valid', null],
          ['valid', null],
        ])
        await changeTeam(database, team.key, (change) => setMember(change, ben.userId, 'owner'))
        assert.equal(await statusOf(bens), 401)
      })
    }

    test('[TOK-3] given a former member who is a viewer now, then they see and revoke only their own tokens', async (t) => {
      const { signIn, team, fixtures, database } = await startWebApp(t, kind)
      const ben = await signIn('Ben', 'member')
      const { id: others } = await fixtures.token(team)
      const { token } = (await ben.request('POST', `/teams/${team.id}/tokens`, { name: 'Bens' })).json
      // A token from before tokens ended with the role.
      await database.transaction((write) =>
        write.updateTable('membership').set({ role: 'viewer' }).where('user_id', '=', ben.userId).execute(),
      )
      const path = `/teams/${team.id}/tokens`
      const list = async () => (await ben.get(path)).json.tokens
      assert.deepEqual(
        (await list()).map(({ id, state }: Record<string, string>) => [id, state]),
        [[token.id, 'valid']],
      )
      assert.equal((await ben.request('DELETE', `${path}/${others}`)).status, 404)
      assert.equal((await ben.request('DELETE', `${path}/${token.id}`)).status, 204)
      assert.deepEqual(
        (await list()).map(({ state, endReason }: Record<string, string>) => [state, endReason]),
        [['revoked', null]],
      )
      assert.equal((await ben.request('POST', path, { name: 'Another' })).status, 403)
    })
  })
}

test('[TOK-1] given an expiry in the past, beyond ten years, or that is not a time, when a token is created, then it is rejected', async (t) => {
  const { signIn, team } = await startWebApp(t)
  const ann = await signIn('Ann', 'member')
  const create = (expiresAt: unknown) =>
    ann.request('POST', `/teams/${team.id}/tokens`, { name: 'CI', expiresAt })
  for (const expiry of ['2020-01-01T00:00:00.000Z', '2200-01-01T00:00:00.000Z', 'tomorrow', '', 5]) {
    assert.equal((await create(expiry)).status, 400, String(expiry))
  }
  const { json } = await create(null)
  assert.deepEqual([json.token.expiresAt, json.token.scopes], [null, ALL_SCOPES])
})

test('[TOK-4] given cached responses, when a token reads them, then its use is recorded, and the version of the team is unchanged', async (t) => {
  const { signIn, team, get, fixtures, database } = await startWebApp(t)
  const ann = await signIn('Ann', 'owner')
  const { id, secret } = await fixtures.token(team)
  const version = async () =>
    (await database.read.selectFrom('team').where('id', '=', team.key).select('version').executeTakeFirst())
      ?.version
  const lastUse = async () => {
    const { tokens } = (await ann.get(`/teams/${team.id}/tokens`)).json
    return Date.parse(tokens.find((token: { id: string }) => token.id === id).lastUsedAt)
  }
  await get('/team', { token: secret })
  const [first, before] = [await lastUse(), await version()]
  await get('/team', { token: secret })
  await get('/team', { token: secret })
  assert.ok((await lastUse()) >= first)
  assert.equal(await version(), before)
})
