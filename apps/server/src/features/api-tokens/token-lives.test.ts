import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ALL_SCOPES } from '@meadow/contract'
import { FEATURE_DATABASES } from '../../testing/databases.ts'
import { startWebApp } from '../../testing/start-web-app.ts'

const DAY_MS = 86_400_000

/** In how many days a token of a response ends; null: never. */
const daysLeft = ({ expiresAt }: { expiresAt: string | null }) =>
  expiresAt === null ? null : Math.round((Date.parse(expiresAt) - Date.now()) / DAY_MS)

const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString()

for (const kind of FEATURE_DATABASES) {
  describe(`lives of API tokens on ${kind.name}`, kind.options, () => {
    test('[TOK-6, TOK-7] given a policy, when tokens are made, then they end after 90 days or as it says, and what is beyond it is rejected', async (t) => {
      const { signIn, team } = await startWebApp(t, kind)
      const [ann, ben] = [await signIn('Ann', 'owner'), await signIn('Ben', 'member')]
      const path = `/teams/${team.id}/tokens`
      const create = (body: object = {}) => ben.request('POST', path, { name: 'CI', ...body })
      assert.equal(daysLeft((await create()).json.token), 90)
      assert.equal(daysLeft((await create({ expiresAt: null })).json.token), null)
      assert.equal(daysLeft((await create({ expiresAt: inDays(400) })).json.token), 400)

      const policyPath = `/teams/${team.id}/token-policy`
      const policy = { longestDays: 30, scopes: ['team:read', 'folders:read'] }
      assert.equal((await ben.request('PATCH', policyPath, policy)).status, 403)
      assert.equal((await ann.request('PATCH', policyPath, { longestDays: 0 })).status, 400)
      assert.equal((await ann.request('PATCH', policyPath, { scopes: [] })).status, 400)
      const changed = await ann.request('PATCH', policyPath, policy)
      assert.deepEqual(changed.json.policy, { ...policy, addresses: [] })
      assert.deepEqual((await ben.get(path)).json.policy, { ...policy, addresses: [] })

      const { token } = (await create()).json
      assert.deepEqual([daysLeft(token), token.scopes], [30, policy.scopes])
      assert.equal(daysLeft((await create({ expiresAt: inDays(7) })).json.token), 7)
      // The clock of a browser that is ahead is no reason to reject the longest life.
      const ahead = new Date(Date.now() + 30 * DAY_MS + 60_000).toISOString()
      assert.ok(Date.parse((await create({ expiresAt: ahead })).json.token.expiresAt) < Date.parse(ahead))
      const rejected = [
        [{ expiresAt: null }, "The team's policy allows API tokens to last 30 days at most."],
        [{ expiresAt: inDays(32) }, "The team's policy allows API tokens to last 30 days at most."],
        [
          { scopes: ['team:read', 'exports:read'] },
          "The team's policy does not allow API tokens with the scope exports:read.",
        ],
      ] as const
      for (const [body, sentence] of rejected) {
        const { status, json } = await create(body)
        assert.deepEqual([status, json], [400, { error: sentence }])
      }
    })

    test('[TOK-7] given tokens beyond a new policy, when it is set, then they end and lose scopes as it says, with the next request, and do not get them back', async (t) => {
      const { signIn, team, get, fixtures } = await startWebApp(t, kind)
      const ann = await signIn('Ann', 'owner')
      const path = `/teams/${team.id}/tokens`
      const create = async (name: string, body: object) =>
        (await ann.request('POST', path, { name, ...body })).json.secret as string
      const endless = await create('endless', { expiresAt: null })
      const short = await create('short', { expiresAt: inDays(7) })
      const exporter = await create('exporter', { scopes: ['exports:read'] })
      const { secret: elsewhere } = await fixtures.token(await fixtures.team('Other'))
      const statuses = (paths: string) =>
        Promise.all(
          [endless, short, exporter, elsewhere].map(async (token) => (await get(paths, { token })).status),
        )
      assert.deepEqual(await statuses('/documents'), [200, 200, 403, 200])

      const change = async (policy: object) =>
        (await ann.request('PATCH', `/teams/${team.id}/token-policy`, policy)).json.effect
      const scopes = ALL_SCOPES.filter((scope) => scope !== 'documents:read' && scope !== 'exports:read')
      // The operator's token, which every team of these tests begins with, is one of them.
      assert.deepEqual(await change({ longestDays: 30, scopes }), { shortened: 2, narrowed: 3, ended: 1 })
      assert.deepEqual(await statuses('/documents'), [403, 403, 401, 200])
      assert.deepEqual(await statuses('/team'), [200, 200, 401, 200])
      const { tokens } = (await ann.get(path)).json
      type Listed = Record<string, unknown> & { expiresAt: string | null }
      assert.deepEqual(
        tokens.map((token: Listed) => [token.name, token.state, token.endReason, daysLeft(token)]),
        [
          ['exporter', 'revoked', 'policy', 90],
          ['short', 'valid', null, 7],
          ['endless', 'valid', null, 30],
          ['test', 'valid', null, 30],
        ],
      )
      assert.deepEqual(await change({ longestDays: null, scopes: ALL_SCOPES }), {
        shortened: 0,
        narrowed: 0,
        ended: 0,
      })
      assert.deepEqual(await statuses('/documents'), [403, 403, 401, 200])
    })

    test('[TOK-8] given service tokens, then only owners make and replace them, and they outlive the membership of their maker', async (t) => {
      const { signIn, team, get } = await startWebApp(t, kind)
      const [ann, ben, cem] = [
        await signIn('Ann', 'owner'),
        await signIn('Ben', 'owner'),
        await signIn('Cem', 'member'),
      ]
      const path = `/teams/${team.id}/tokens`
      const service = { name: 'Nightly', kind: 'service' }
      assert.equal((await cem.request('POST', path, service)).status, 403)
      const { token, secret } = (await ben.request('POST', path, service)).json
      assert.deepEqual([token.kind, token.createdBy.name], ['service', 'Ben'])
      const member = `/teams/${team.id}/members/${ben.userId}`
      assert.equal((await ann.request('PATCH', member, { role: 'member' })).status, 200)
      const replacement = `${path}/${token.id}/replacement`
      assert.equal((await ben.request('POST', replacement, { overlapHours: 1 })).status, 403)
      assert.equal((await ann.request('DELETE', member)).status, 204)
      assert.equal((await get('/team', { token: secret })).status, 200)
      assert.equal((await ann.request('POST', replacement, { overlapHours: 0 })).status, 201)
      assert.equal((await get('/team', { token: secret })).status, 401)
    })

    test('[TOK-11] given a token, when it is replaced, then the new one is like it, and the old one ends after the chosen hours', async (t) => {
      const { signIn, team, get, fixtures } = await startWebApp(t, kind)
      const [ann, ben] = [await signIn('Ann', 'owner'), await signIn('Ben', 'member')]
      const path = `/teams/${team.id}/tokens`
      const made = { name: 'CI', scopes: ['team:read'], expiresAt: inDays(20), addresses: ['127.0.0.0/8'] }
      const { token, secret } = (await ben.request('POST', path, made)).json
      const replace = (id: string, overlapHours: number, who = ben) =>
        who.request('POST', `${path}/${id}/replacement`, { overlapHours })
      assert.equal((await replace(token.id, 2)).status, 400)
      // Otherwise an owner would get a secret that acts for a member.
      assert.equal((await replace(token.id, 24, ann)).status, 403)
      const first = await replace(token.id, 24)
      assert.equal(first.status, 201)
      const { replaced, token: next, secret: nextSecret } = first.json
      const like = ({ name, kind, scopes, addresses, createdBy }: typeof token) => [
        name,
        kind,
        scopes,
        addresses,
        createdBy.name,
      ]
      assert.deepEqual(like(next), like(token))
      assert.deepEqual([daysLeft(next), daysLeft(replaced), replaced.replacedBy], [20, 1, next.id])
      const statusOf = async (token: string) => (await get('/team', { token })).status
      assert.deepEqual([await statusOf(secret), await statusOf(nextSecret)], [200, 200])
      const again = await replace(token.id, 0)
      assert.deepEqual([again.status, await statusOf(secret)], [409, 200])
      const last = await replace(next.id, 0)
      assert.deepEqual([await statusOf(nextSecret), await statusOf(last.json.secret)], [401, 200])
      assert.equal((await replace(next.id, 0)).status, 409)
      assert.equal((await replace('tok_nonsense', 0)).status, 404)
      // The new one reaches no further.
      const folder = await fixtures.folder(team, 'Folder')
      const limited = (await ben.request('POST', path, { name: 'limited', folders: [folder.id] })).json.token
      const limitedNext = (await replace(limited.id, 0)).json
      assert.deepEqual(limitedNext.token.folders, [{ id: folder.id, name: 'Folder' }])
      // One that ends soon does not go on because it was replaced.
      const short = (await ben.request('POST', path, { name: 'short', expiresAt: inDays(0.02) })).json.token
      assert.equal((await replace(short.id, 168)).json.replaced.expiresAt, short.expiresAt)
    })
  })
}
