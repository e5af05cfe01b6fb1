import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { APP_ERRORS } from '@meadow/contract/web'
import { setMember } from '../../access/members.ts'
import { openDatabase } from '../../platform/database/open-database.ts'
import { changeTeam } from '../../team/team-transaction.ts'
import { addCredits, createTeam, setHost, setLimits } from '../../team/teams.ts'
import { createCapturedLog } from '../../testing/captured-log.ts'
import { DATABASES, FEATURE_DATABASES } from '../../testing/databases.ts'
import { startServer } from '../../testing/start-server.ts'
import { startWebApp } from '../../testing/start-web-app.ts'
import { until } from '../../testing/until.ts'
import { EMPTY_GRAPH } from '../solves/testing/graphs.ts'

const HOST_SENTENCE = APP_ERRORS.host_name_of_operator.sentence

for (const kind of FEATURE_DATABASES) {
  describe(`team settings on ${kind.name}`, kind.options, () => {
    test('[TEAM-1] given an owner, when they rename the team, then the API reflects it at once; any host name is rejected, and changes nothing', async (t) => {
      const { signIn, team, fixtures, get, database } = await startWebApp(t, kind)
      const ann = await signIn('Ann', 'owner')
      assert.equal((await get('/team')).json.team.name, 'Acme')
      const path = `/teams/${team.id}`
      const changed = await ann.request('PATCH', path, { name: ' Facades ' })
      assert.deepEqual([changed.status, changed.json.team.name], [200, 'Facades'])
      assert.equal((await get('/team')).json.team.name, 'Facades')
      await changeTeam(database, team.key, (change) => setHost(change, 'facades.example.org'))
      assert.equal((await ann.get(path)).json.team.hostName, 'facades.example.org')
      // The host name of the server: as a team's host name it made the server reject the tokens of all other teams (S1).
      const other = await fixtures.team('Other')
      const { secret } = await fixtures.token(other)
      for (const hostName of ['localhost', 'meadow.example.org', 'facades.example.org', null, '', 5, 'a b']) {
        const rejected = await ann.request('PATCH', path, { name: 'Taken', hostName })
        assert.deepEqual([rejected.status, rejected.json], [403, { error: HOST_SENTENCE }], String(hostName))
      }
      const { name, hostName } = (await ann.get(path)).json.team
      assert.deepEqual([name, hostName], ['Facades', 'facades.example.org'])
      assert.equal((await get('/team', { token: secret })).status, 200)
    })

    test('[TEAM-8] given an owner, when they choose the unit of lengths, then all members see it; another unit, and a member, are rejected', async (t) => {
      const { signIn, team } = await startWebApp(t, kind)
      const [ann, ben] = [await signIn('Ann', 'owner'), await signIn('Ben', 'member')]
      const path = `/teams/${team.id}`
      const readUnits = async () => (await ben.get(path)).json.team.units
      assert.equal(await readUnits(), 'none')
      const changed = await ann.request('PATCH', path, { units: 'yards' })
      assert.deepEqual(
        [changed.status, changed.json.team.units, changed.json.team.name],
        [200, 'yards', 'Acme'],
      )
      for (const units of ['ells', '', 'Yards', null, 3]) {
        assert.equal((await ann.request('PATCH', path, { units })).status, 400, String(units))
      }
      assert.equal((await ben.request('PATCH', path, { units: 'feet' })).status, 403)
      assert.equal(await readUnits(), 'yards')
    })

    test('[TEAM-2] given members, when an owner changes a role or removes a member, then it takes effect with the next request', async (t) => {
      const { signIn, team } = await startWebApp(t, kind)
      const [ann, ben] = [await signIn('Ann', 'owner'), await signIn('Ben', 'viewer')]
      const { members } = (await ben.get(`/teams/${team.id}/members`)).json
      assert.deepEqual(
        members.map(({ name, role, email }: Record<string, string>) => [name, role, email]),
        [
          ['Ann', 'owner', ann.email],
          ['Ben', 'viewer', ben.email],
        ],
      )
      const path = `/teams/${team.id}/members/${ben.userId}`
      assert.equal((await ann.request('PATCH', path, { role: 'member' })).json.member.role, 'member')
      assert.equal((await ben.get(`/teams/${team.id}/tokens`)).status, 200)
      assert.equal((await ben.request('DELETE', `/teams/${team.id}/members/${ann.userId}`)).status, 403)
      assert.equal((await ann.request('DELETE', path)).status, 204)
      assert.equal((await ben.get(`/teams/${team.id}`)).status, 404)
      assert.deepEqual((await ben.get('/me')).json.teams, [])
      assert.equal((await ann.request('PATCH', path, { role: 'owner' })).status, 404)
      for (const id of ['nobody', '%00', 'usr_0000000000000000']) {
        assert.equal((await ann.request('DELETE', `/teams/${team.id}/members/${id}`)).status, 404)
      }
    })

    test('[TEAM-3] given two owners, when both leave, or make each other viewers, concurrently, then one stays an owner', async (t) => {
      const { signIn, team, database } = await startWebApp(t, kind)
      const [ann, ben] = [await signIn('Ann', 'owner'), await signIn('Ben', 'owner')]
      const member = (userId: string) => `/teams/${team.id}/members/${userId}`
      const demoted = await Promise.all([
        ann.request('PATCH', member(ben.userId), { role: 'viewer' }),
        ben.request('PATCH', member(ann.userId), { role: 'viewer' }),
      ])
      assert.equal(demoted.filter(({ status }) => status === 200).length, 1)
      await changeTeam(database, team.key, async (change) => {
        for (const { userId } of [ann, ben]) await setMember(change, userId, 'owner')
      })
      const left = await Promise.all([ann, ben].map((who) => who.request('DELETE', member(who.userId))))
      assert.deepEqual(left.map(({ status }) => status).sort(), [204, 409])
    })

    test('[TEAM-7] given a team with limits and without, when a viewer reads it, then its use and its limits are shown', async (t) => {
      const { signIn, team, fixtures, database } = await startWebApp(t, kind)
      const ann = await signIn('Ann', 'viewer')
      const read = async () => {
        const { stored, limits } = (await ann.get(`/teams/${team.id}`)).json.team
        return { stored, limits }
      }
      const none = { bytes: null, documents: null }
      assert.deepEqual(await read(), { stored: { bytes: 0, documents: 0 }, limits: none })
      const content = { ...EMPTY_GRAPH, configuration: { inputs: [], outputs: [], text: 'x'.repeat(5000) } }
      await fixtures.document(team, { content })
      const stored = { bytes: JSON.stringify(content).length, documents: 1 }
      assert.deepEqual(await read(), { stored, limits: none })
      const limits = { bytes: 3 * 2 ** 40, documents: 5000 }
      await changeTeam(database, team.key, (change) => setLimits(change, limits))
      assert.deepEqual(await read(), { stored, limits })
    })

    test('[TEAM-5] given credits that are added meanwhile, when a member lists them, then the sum is that of the entries', async (t) => {
      const { signIn, team, database } = await startWebApp(t, kind)
      const ann = await signIn('Ann', 'owner')
      const list = async () => (await ann.get(`/teams/${team.id}/credits`)).json
      assert.deepEqual(await list(), { left: 0, spentThisMonth: 0, entries: [], next: null })
      let isAdding = true
      const adding = (async () => {
        for (let i = 0; i < 40; i++) await changeTeam(database, team.key, (change) => addCredits(change, 1))
        isAdding = false
      })()
      while (isAdding) {
        const { left, entries } = await list()
        assert.equal(10 * entries.length, left)
      }
      await adding
    })

    test('[TEAM-5] given credits that are added and spent, when a member lists them, then each change is there, also of a deleted document, whose name is gone when it was deleted permanently', async (t) => {
      const { signIn, team, database, fixtures } = await startWebApp(t, kind, { MEADOW_SOLVE_WORKERS: '1' })
      const ann = await signIn('Ann', 'owner')
      await changeTeam(database, team.key, (change) => addCredits(change, 10))
      const id = await fixtures.document(team, { name: 'Tower', content: EMPTY_GRAPH })
      const list = async () => (await ann.get(`/teams/${team.id}/credits`)).json
      assert.equal((await ann.request('POST', `/documents/${id}/solves`)).status, 202)
      const { left, spentThisMonth, entries, next } = await until('the solve is paid for', async () => {
        const listed = await list()
        return listed.entries.length === 2 && listed
      })
      const [spent, added] = entries
      assert.ok(spent.tenths < 0)
      assert.deepEqual([left, spentThisMonth, next], [100 + spent.tenths, -spent.tenths, null])
      assert.deepEqual([added.tenths, added.solve], [100, null])
      const { documentId, documentName, state, cause, isThere, durationMs } = spent.solve
      assert.deepEqual(
        [documentId, documentName, state, cause, isThere],
        [id, 'Tower', 'solved', 'asked', true],
      )
      assert.ok(durationMs >= 0)
      await ann.request('DELETE', `/documents/${id}`)
      const { solve: binned } = (await list()).entries[0]
      assert.deepEqual([binned.isThere, binned.documentName], [false, 'Tower'])
      await ann.request('DELETE', `/teams/${team.id}/bin`)
      const [{ tenths: cost, solve: gone }] = (await list()).entries
      assert.deepEqual([cost, gone.documentId, gone.documentName], [spent.tenths, id, ''])
    })
  })
}

test('[TEAM-6] given a team that has the host name of the service, when the server starts, then it reports that; other names are not reported', async (t) => {
  const location = await DATABASES[0]!.createLocation(t)
  const database = await openDatabase(location)

  const taker = await createTeam(database, { name: 'Taker', host: 'meadow.example.org' })
  await createTeam(database, { name: 'Fine', host: 'fine.example.org' })
  await database.close()
  const { log, lines } = createCapturedLog()
  await startServer(
    t,
    { MEADOW_DATA_DIR: location.dataDir, MEADOW_BASE_URL: 'https://Meadow.example.org:8443/path' },
    log,
  )
  const warnings = lines.filter(({ level, msg }) => level === 'warn' && msg.includes('host name'))
  assert.deepEqual(
    warnings.map(({ msg }) => msg),
    [
      `The team "Taker" (${taker.id}) has the host name "meadow.example.org", under which every team reaches this ` +
        'server: the tokens of all other teams are refused there. ' +
        `Take it away with "meadow-server team host ${taker.id} --none".`,
    ],
  )
})

test('[TEAM-5] given more changes than a page holds, when the pages are read, then each is there once', async (t) => {
  const { signIn, team, database } = await startWebApp(t)
  const ann = await signIn('Ann', 'viewer')
  await changeTeam(database, team.key, async (change) => {
    for (let count = 1; count <= 120; count++) await addCredits(change, count)
  })
  const seen: number[] = []
  let after = ''
  do {
    const { entries, next } = (await ann.get(`/teams/${team.id}/credits${after}`)).json
    seen.push(...entries.map(({ tenths }: { tenths: number }) => tenths))
    after = next === null ? '' : `?after=${next}`
  } while (after)
  assert.deepEqual(
    seen,
    Array.from({ length: 120 }, (_, i) => 10 * (120 - i)),
  )
  assert.equal((await ann.get(`/teams/${team.id}/credits?after=nonsense`)).json.entries[0].tenths, 1200)
})
