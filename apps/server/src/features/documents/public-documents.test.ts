import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { APP_ERRORS } from '@meadow/contract/web'
import { endPublicDocuments } from '../../library/documents.ts'
import { keepTime } from '../../platform/database/database-clock.ts'
import { changeTeam } from '../../team/team-transaction.ts'
import { setPublicPolicy } from '../../team/teams.ts'
import { FEATURE_DATABASES } from '../../testing/databases.ts'
import { createCommandLine } from '../../testing/meadow-server.ts'
import { startWebApp } from '../../testing/start-web-app.ts'

const DAY_MS = 86_400_000
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString()

for (const kind of FEATURE_DATABASES) {
  describe(`public documents on ${kind.name}`, kind.options, () => {
    test('[PUB-1] [PUB-2] given a team that does not allow public documents, when a member shares one, then that is refused until an owner allows it; when it stops, all are private with the next request', async (t) => {
      const { signIn, open, team, fixtures, database, get, dataDir, databaseUrl } = await startWebApp(t, kind)
      const location = databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }
      const { json } = await createCommandLine(t, { ...location, MEADOW_DATA_DIR: dataDir })
      await changeTeam(database, team.key, (change) => setPublicPolicy(change, { allowed: false }))
      const [ann, ben, visitor] = [await signIn('Ann', 'owner'), await signIn('Ben', 'member'), open()]
      const ids = [await fixtures.document(team), await fixtures.document(team)]
      const share = (id: string) => ben.request('PATCH', `/documents/${id}`, { visibility: 'public' })
      const allow = (allowed: boolean) =>
        ann.request('PATCH', `/teams/${team.id}`, { publicDocuments: { allowed } })
      const seen = async () =>
        (await Promise.all(ids.map((id) => visitor.get(`/documents/${id}/graph`)))).map(
          ({ status }) => status,
        )
      const refused = await share(ids[0]!)
      assert.deepEqual([refused.status, refused.json.error], [409, APP_ERRORS.public_not_allowed.sentence])
      assert.equal(
        (await ben.request('PATCH', `/teams/${team.id}`, { publicDocuments: { allowed: true } })).status,
        403,
      )
      assert.deepEqual((await allow(true)).json.team.publicDocuments, { allowed: true, days: 90 })
      for (const id of ids) assert.equal((await share(id)).json.document.visibility, 'public')
      assert.deepEqual(await seen(), [200, 200])
      assert.equal((await get(`/documents?q=tower`)).json.documents[0].visibility, 'public')
      await allow(false)
      assert.deepEqual(await seen(), [404, 404])
      assert.equal((await get(`/documents?q=tower`)).json.documents[0].visibility, 'private')
      await allow(true)
      assert.deepEqual(await seen(), [404, 404], 'what was public is not public again')
      const made = await json('team', 'create', 'New')
      assert.deepEqual(await json('team', 'public', made.id), { id: made.id, allowed: false, days: 90 })
      assert.deepEqual(await json('team', 'public', made.id, '--allow', '--days', 'none'), {
        id: made.id,
        allowed: true,
        days: null,
      })
    })

    test('[PUB-3] given public documents with and without a chosen end, when it comes, or the team shortens the time, then visitors get 404 at that moment, and lists follow', async (t) => {
      const { signIn, open, team, fixtures, get, database } = await startWebApp(t, kind)
      // The test sets the clock of this process; that of PostgreSQL is taken for the same.
      keepTime(database.read, () => Date.now())
      const [ann, visitor] = [await signIn('Ann', 'owner'), open()]
      const ids = [await fixtures.document(team), await fixtures.document(team)] as const
      const share = (id: string, publicUntil?: string) =>
        ann.request('PATCH', `/documents/${id}`, { visibility: 'public', publicUntil })
      for (const end of [inDays(-1), inDays(92), 'soon'])
        assert.equal((await share(ids[0], end)).status, 400, end)
      const chosen = inDays(5)
      assert.equal((await share(ids[0], chosen)).json.document.publicUntil, chosen)
      const latest = Date.parse((await share(ids[1])).json.document.publicUntil)
      assert.ok(Math.abs(latest - Date.now() - 90 * DAY_MS) < 60_000)
      const seen = async () =>
        (await Promise.all(ids.map((id) => visitor.get(`/documents/${id}`)))).map(({ status }) => status)
      assert.deepEqual(await seen(), [200, 200])
      await ann.request('PATCH', `/teams/${team.id}`, { publicDocuments: { days: 10 } })
      t.mock.timers.enable({ apis: ['Date'], now: Date.parse(chosen) })
      assert.deepEqual(await seen(), [404, 200])
      t.mock.timers.setTime(Date.now() + 6 * DAY_MS)
      assert.deepEqual(await seen(), [404, 404])
      assert.equal(await endPublicDocuments(database, Date.now()), 2)
      t.mock.timers.reset()
      const { documents } = (await get('/documents?q=tower')).json
      assert.deepEqual(
        documents.map(({ visibility }: { visibility: string }) => visibility),
        ['private', 'private'],
      )
      const events = await database.read
        .selectFrom('audit_event')
        .where('action', '=', 'document.visibility_changed')
        .where('actor_kind', '=', 'service')
        .select('thing_id')
        .execute()
      assert.deepEqual(new Set(events.map(({ thing_id }) => thing_id)), new Set(ids))
    })

    test('[PUB-1, PUB-2, PUB-3] given documents that are shared as their players, when the end comes, the team shortens the time or shares nothing, then they are private at that moment, and the audit log says so', async (t) => {
      const { signIn, open, team, fixtures, get, database } = await startWebApp(t, kind)
      keepTime(database.read, () => Date.now())
      const [ann, visitor] = [await signIn('Ann', 'owner'), open()]
      const ids = [await fixtures.document(team), await fixtures.document(team)] as const
      const share = (id: string, publicUntil?: string) =>
        ann.request('PATCH', `/documents/${id}`, { visibility: 'player', publicUntil })
      const set = (publicDocuments: object) => ann.request('PATCH', `/teams/${team.id}`, { publicDocuments })
      const seen = async () =>
        (await Promise.all(ids.map((id) => visitor.get(`/documents/${id}/player`)))).map(
          ({ status }) => status,
        )
      const listed = async () => {
        const { json } = await ann.get(`/folders/${(await fixtures.root(team)).id}`)
        return json.folder.documents.map(({ visibility }: { visibility: string }) => visibility)
      }
      assert.equal((await share(ids[0], inDays(92))).status, 400)
      const chosen = inDays(5)
      const { document } = (await share(ids[0], chosen)).json
      assert.deepEqual([document.visibility, document.publicUntil], ['player', chosen])
      assert.ok((await share(ids[1])).json.document.publicUntil)
      const { documents } = (await get('/documents?q=tower')).json
      assert.deepEqual(
        new Set(documents.map(({ visibility }: { visibility: string }) => visibility)),
        new Set(['private']),
      )
      assert.deepEqual(
        [await seen(), await listed()],
        [
          [200, 200],
          ['player', 'player'],
        ],
      )
      await set({ days: 10 })
      t.mock.timers.enable({ apis: ['Date'], now: Date.parse(chosen) })
      assert.deepEqual(await seen(), [404, 200])
      t.mock.timers.setTime(Date.now() + 6 * DAY_MS)
      assert.deepEqual(await seen(), [404, 404])
      assert.equal(await endPublicDocuments(database, Date.now()), 2)
      t.mock.timers.reset()
      assert.deepEqual(await listed(), ['private', 'private'])
      await share(ids[0])
      assert.deepEqual(await seen(), [200, 404])
      await set({ allowed: false })
      assert.deepEqual(
        [await seen(), await listed()],
        [
          [404, 404],
          ['private', 'private'],
        ],
      )
      assert.equal((await share(ids[0])).status, 409)
      const events = await database.read
        .selectFrom('audit_event')
        .where('action', '=', 'document.visibility_changed')
        .where('chain', '=', team.id)
        .orderBy('seq')
        .select('details')
        .execute()
      assert.deepEqual(
        events.map(({ details }) => JSON.parse(details!).to),
        ['player', 'player', 'private', 'private', 'player'],
      )
    })
  })
}

test('[PUB-4] given a document that is public, when its pages and its frames are requested, then all say that they are not to be listed', async (t) => {
  const { address, team, fixtures } = await startWebApp(t)
  const id = await fixtures.document(team, { visibility: 'public' })
  for (const path of [`/documents/${id}`, `/embed/${id}`, `/play/${id}`, `/embed/${id}/play`]) {
    const response = await fetch(address + path)
    assert.equal(response.headers.get('x-robots-tag'), 'noindex', path)
    assert.match(await response.text(), /<meta name="robots" content="noindex">/, path)
  }
})
