import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { APP_ENDPOINTS } from '@meadow/contract/web'
import { FEATURE_DATABASES } from '../../testing/databases.ts'
import { startWebApp } from '../../testing/start-web-app.ts'
import { enrol } from './testing/enrol.ts'

for (const kind of FEATURE_DATABASES) {
  describe(`teams that require a second factor, on ${kind.name}`, kind.options, () => {
    test('[SIGN-36] given a team whose owner requires a second factor, when a member has none, then every endpoint is as for strangers, and the team opens when they have one', async (t) => {
      const { signIn, team, fixtures, get, secret } = await startWebApp(t, kind)
      const [ann, ben] = [await signIn('Ann', 'owner'), await signIn('Ben', 'owner')]
      const folder = await fixtures.folder(team, 'Folder')
      const document = await fixtures.document(team)
      const shown = await fixtures.document(team)
      await ann.request('PATCH', `/documents/${shown}`, { visibility: 'public' })
      const require = (requiresSecondFactor: boolean) =>
        ann.request('PATCH', `/teams/${team.id}/security`, { requiresSecondFactor })
      const early = await require(true)
      assert.equal(early.status, 409)
      await enrol(ann)
      const required = await require(true)
      assert.deepEqual([required.status, required.json.team.requiresSecondFactor], [200, true])

      const stateOf = async () => (await ben.get('/me')).json.teams[0].needsSecondFactor
      assert.equal(await stateOf(), true)
      const ids: Record<string, string> = { teamId: team.id, folderId: folder.id, documentId: document }
      for (const { name, method, path, needs } of APP_ENDPOINTS) {
        const parameter = /:(\w+)/.exec(path)?.[1]
        if (parameter === undefined || !ids[parameter] || needs === 'anyone') continue
        const filled = path.replace(`:${parameter}`, ids[parameter]).replaceAll(/:\w+/g, 'x')
        const { status } = await ben.request(method, filled, method === 'GET' ? undefined : {})
        assert.equal(status, 404, name)
      }
      assert.equal((await ben.get(`/documents/${shown}`)).json.document.role, null)
      assert.equal((await get('/team', { token: secret })).status, 200)

      await enrol(ben)
      assert.equal(await stateOf(), false)
      assert.equal((await ben.get(`/teams/${team.id}`)).status, 200)
      const { members } = (await ann.get(`/teams/${team.id}/members`)).json
      assert.deepEqual(
        members.map(({ hasSecondFactor }: { hasSecondFactor: boolean }) => hasSecondFactor),
        [true, true],
      )
    })
  })
}
