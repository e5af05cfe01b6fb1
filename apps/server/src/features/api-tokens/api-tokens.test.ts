import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ALL_SCOPES } from '@meadow/contract'
import { DATABASES } from '../../testing/databases.ts'
import { startWebApp } from '../../testing/start-web-app.ts'

for (const kind of DATABASES) {
  describe(`API tokens on ${kind.name}`, kind.options, () => {
    test('[TOK-1, TOK-2, TOK-3] given a member, when they make a token, use it and revoke it, then the API takes it, the list tells it, and then it is refused', async (t) => {
      const { signIn, team, get } = await startWebApp(t, kind)
      const ann = await signIn('Ann', 'member')
      const path = `/teams/${team.id}/tokens`
      const expiresAt = new Date(Date.now() + 3_600_000).toISOString()
      const { status, json } = await ann.ask('POST', path, { name: 'CI', scopes: ['team:read'], expiresAt })
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
      const [mine, operators] = await listed()
      assert.ok(Date.parse(mine.lastUsedAt) >= before)
      assert.deepEqual([operators.createdBy, operators.scopes], [null, ALL_SCOPES])

      assert.equal((await ann.ask('DELETE', `${path}/${token.id}`)).status, 204)
      assert.equal((await get('/team', { token: secret })).status, 401)
      assert.deepEqual([(await listed())[0].state, (await listed())[0].revokedAt !== null], ['revoked', true])
    })

    test('[TOK-3] given tokens of others, when they are to be revoked, then an owner can, and a member cannot', async (t) => {
      const { signIn, team, given, get } = await startWebApp(t, kind)
      const [ann, ben] = [await signIn('Ann', 'owner'), await signIn('Ben', 'member')]
      const { id, secret } = await given.token(team)
      const theirs = await given.token(await given.team('Other'))
      const revoke = (who: typeof ann, token: string) =>
        who.ask('DELETE', `/teams/${team.id}/tokens/${token}`)
      assert.deepEqual([(await revoke(ben, id)).status, (await revoke(ann, theirs.id)).status], [403, 404])
      assert.equal((await get('/team', { token: secret })).status, 200)
      assert.equal((await revoke(ann, id)).status, 204)
      assert.equal((await get('/team', { token: secret })).status, 401)
    })
  })
}

test('[TOK-1] given an expiry in the past, beyond ten years, or that is no time, when a token is made, then it is refused', async (t) => {
  const { signIn, team } = await startWebApp(t)
  const ann = await signIn('Ann', 'member')
  const create = (expiresAt: unknown) =>
    ann.ask('POST', `/teams/${team.id}/tokens`, { name: 'CI', expiresAt })
  for (const expiry of ['2020-01-01T00:00:00.000Z', '2200-01-01T00:00:00.000Z', 'tomorrow', '', 5]) {
    assert.equal((await create(expiry)).status, 400, String(expiry))
  }
  const { json } = await create(null)
  assert.deepEqual([json.token.expiresAt, json.token.scopes], [null, ALL_SCOPES])
})

test('[TOK-4] given answers that are ready, when a token reads them, then its use is known, and the team has the version it had', async (t) => {
  const { signIn, team, get, given, database } = await startWebApp(t)
  const ann = await signIn('Ann', 'member')
  const { id, secret } = await given.token(team)
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
