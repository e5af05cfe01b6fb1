import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { setMember } from '../../access/members.ts'
import { changeTeam } from '../../team/team-transaction.ts'
import { addCredits, type TeamRecord } from '../../team/teams.ts'
import { FEATURE_DATABASES, type TestDatabase } from '../../testing/databases.ts'
import { startWebApp } from '../../testing/start-web-app.ts'

/** Two teams with the same two owners, and one of everything that a team has. */
async function startTwoTeams(t: TestContext, kind: TestDatabase) {
  const app = await startWebApp(t, kind, { MEADOW_SOLVE_WORKERS: '0' })
  const { fixtures, database, signIn } = app
  const [acme, beta] = [app.team, await fixtures.team('Beta')]
  const [ann, ben] = [await signIn('Ann'), await signIn('Ben')]

  async function fill(team: TeamRecord, credits: number) {
    const path = `/teams/${team.id}`
    await changeTeam(database, team.key, async (change) => {
      for (const { userId } of [ann, ben]) await setMember(change, userId, 'owner')
      for (const count of [credits, -1]) await addCredits(change, count)
    })
    await fixtures.folder(team, `${team.name} folder`)
    await fixtures.document(team, { name: `${team.name} tower` })
    await ann.request('DELETE', `/documents/${await fixtures.document(team, { name: `${team.name} gone` })}`)
    for (const [who, note] of [
      [ann, 'first of Ann'],
      [ann, 'second of Ann'],
      [ben, 'of Ben'],
    ] as const) {
      await who.request('POST', `${path}/invitations`, { role: 'viewer', note: `${team.name}, ${note}` })
    }
    await ben.request('POST', `${path}/tokens`, { name: `${team.name} token` })
  }
  await fill(acme, 10)
  await fill(beta, 20)

  /** What the API returns to an owner about a team. */
  async function report({ id }: TeamRecord) {
    const read = async (path: string) => (await ann.get(`/teams/${id}${path}`)).json
    const { team } = await read('')
    const { entries, spentThisMonth } = await read('/credits')
    type Named = Record<string, string>
    return {
      team: [team.name, team.creditTenths],
      credits: [spentThisMonth, ...entries.map(({ tenths }: { tenths: number }) => tenths)],
      members: (await read('/members')).members.map(({ name, role }: Named) => `${name}, ${role}`),
      invitations: (await read('/invitations')).invitations.map(({ note }: Named) => note),
      tokens: (await read('/tokens')).tokens.map(({ name, state }: Named) => `${name}, ${state}`),
      bin: (await read('/bin')).items.map(({ name }: Named) => name),
      folders: (await read('/folders')).folders.map(({ name }: Named) => name),
      found: (await read('/search?q=tower')).documents.map(({ name }: Named) => name),
      foundInRoot: (await read('/search?q=tower&folderId=root')).documents.map(({ name }: Named) => name),
    }
  }
  return { ...app, acme, beta, ann, ben, report }
}

const untouched = (name: string, credits: number) => ({
  team: [name, 10 * (credits - 1)],
  credits: [10, -10, 10 * credits],
  members: ['Ann, owner', 'Ben, owner'],
  invitations: [`${name}, of Ben`, `${name}, second of Ann`, `${name}, first of Ann`],
  tokens: [`${name} token, valid`],
  bin: [`${name} gone`],
  folders: [name, `${name} folder`],
  found: [`${name} tower`],
  foundInRoot: [`${name} tower`],
})

for (const kind of FEATURE_DATABASES) {
  describe(`two teams with the same people on ${kind.name}`, kind.options, () => {
    test('[APP-12] given people who are in two teams, when they read either, then they get data of that team, and nothing of the other', async (t) => {
      const { acme, beta, report, get, fixtures } = await startTwoTeams(t, kind)
      const [ours, theirs] = [untouched('Acme', 10), untouched('Beta', 20)]
      // The operator's, which every team of these tests begins with.
      ours.tokens.push('test, valid')
      assert.deepEqual(await report(acme), ours)
      assert.deepEqual(await report(beta), theirs)
      const { secret: token } = await fixtures.token(beta)
      const names = async (path: string) =>
        (await get(path, { token })).json.documents.map(({ name }: { name: string }) => name)
      assert.deepEqual(await names('/documents?q=tower'), ['Beta tower'])
      assert.deepEqual(await names('/documents?q=tower&folderId=root'), ['Beta tower'])
      const { folder } = (await get('/folders/root', { token })).json
      assert.deepEqual(
        [...folder.folders, ...folder.documents].map(({ name }) => name),
        ['Beta folder', 'Beta tower'],
      )
    })

    test('[APP-12] given people who are in two teams, in one, or in none, when they request their account, then they get their teams; what they change of themselves changes no other user', async (t) => {
      const { beta, ann, ben, signIn } = await startTwoTeams(t, kind)
      const [cem, dan] = [await signIn('Cem', 'viewer', beta), await signIn('Dan')]
      const teamsOf = async (who: typeof ann) =>
        (await who.get('/me')).json.teams.map(({ name, role }: Record<string, string>) => `${name}, ${role}`)
      assert.deepEqual(await teamsOf(ann), ['Acme, owner', 'Beta, owner'])
      assert.deepEqual(await teamsOf(cem), ['Beta, viewer'])
      assert.deepEqual(await teamsOf(dan), [])
      assert.equal((await ann.request('PATCH', '/me', { name: 'Anna' })).status, 200)
      const names = await Promise.all(
        [ann, ben, cem, dan].map(async (who) => (await who.get('/me')).json.person.name),
      )
      assert.deepEqual(names, ['Anna', 'Ben', 'Cem', 'Dan'])
    })

    test('[APP-12] given people who are in two teams, when things of one end, then those of the other, and of others in it, stay', async (t) => {
      const { acme, beta, ann, ben, report } = await startTwoTeams(t, kind)
      const path = `/teams/${acme.id}`
      const { invitations } = (await ann.get(`${path}/invitations`)).json
      const first = invitations.find(({ note }: { note: string }) => note === 'Acme, first of Ann')
      const act = async (method: string, to: string, body?: object) => {
        const { status, text } = await ann.request(method, path + to, body)
        assert.ok(status < 300, text)
        assert.deepEqual(await report(beta), untouched('Beta', 20), `${method} ${to}`)
        return report(acme)
      }
      const withdrawn = await act('DELETE', `/invitations/${first.id}`)
      assert.deepEqual(withdrawn.invitations, ['Acme, of Ben', 'Acme, second of Ann'])
      const demoted = await act('PATCH', `/members/${ben.userId}`, { role: 'viewer' })
      assert.deepEqual(demoted.members, ['Ann, owner', 'Ben, viewer'])
      assert.deepEqual(demoted.invitations, ['Acme, second of Ann'])
      assert.deepEqual(demoted.tokens, ['Acme token, revoked', 'test, valid'])
      // Of the other team there is another owner still.
      assert.equal((await ann.request('DELETE', `${path}/members/${ann.userId}`)).status, 409)
      const removed = await act('DELETE', `/members/${ben.userId}`)
      assert.deepEqual(removed.members, ['Ann, owner'])
      const emptied = await act('DELETE', '/bin')
      assert.deepEqual(emptied.bin, [])
    })

    test('[APP-12] given people who are in two teams, when they move or copy something of one to a folder of the other, then it is rejected, whichever team is older, and nothing moves', async (t) => {
      const { acme, beta, ann, fixtures, report } = await startTwoTeams(t, kind)
      for (const [from, to] of [
        [acme, beta],
        [beta, acme],
      ] as const) {
        const folder = await fixtures.folder(from, `${from.name} folder`)
        const document = await fixtures.document(from, { name: 'Bridge' })
        const { id: target } = await fixtures.folder(to, `${to.name} folder`)
        const responses = [
          await ann.request('PATCH', `/folders/${folder.id}`, { parentId: target }),
          await ann.request('PATCH', `/documents/${document}`, { folderId: target }),
          await ann.request('POST', `/documents/${document}/duplicate`, { folderId: target }),
        ]
        for (const { status, json } of responses) {
          assert.deepEqual(
            [status, json.error],
            [409, 'Things cannot be moved from one team to another.'],
            from.name,
          )
        }
      }
      assert.deepEqual((await report(acme)).folders, ['Acme', 'Acme folder'])
      assert.deepEqual((await report(beta)).folders, ['Beta', 'Beta folder'])
    })
  })
}
