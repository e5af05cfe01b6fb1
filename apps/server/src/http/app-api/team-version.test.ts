import assert from 'node:assert/strict'
import { test } from 'node:test'
import { APP_ENDPOINTS } from '@meadow/contract/web'
import { createDefinitionFile } from '../../testing/definition-file.ts'
import { startWebApp } from '../../testing/start-web-app.ts'

/** What changes nothing that the API tells of a team. */
const APART = ['signIn', 'signOut', 'changeMe', 'changePassword', 'lookAtInvitation', 'exportFromEditor']

test('[APP-10] given every endpoint that changes a team, when it does, then the team has a higher version, so that no kept answer is told any more', async (t) => {
  const { signIn, team, fixtures, catalogue, database } = await startWebApp(t)
  const ann = await signIn('Ann', 'owner')
  const ben = await signIn('Ben', 'viewer')
  await catalogue.changeTeam(team.key, (change) => change.addCredits(10))
  const [folder, other] = [await fixtures.folder(team, 'Folder'), await fixtures.folder(team, 'Other')]
  const document = await fixtures.document(team, { folder: folder.key })
  const binned = async () => {
    const id = await fixtures.document(team)
    await ann.ask('DELETE', `/documents/${id}`)
    return (await ann.get(`/teams/${team.id}/bin`)).json.items[0].id
  }
  const invite = async () => (await ann.ask('POST', `/teams/${team.id}/invitations`, { role: 'viewer' })).json
  const [items, invitations] = [
    [await binned(), await binned(), await binned()],
    [await invite(), await invite()],
  ]
  const { id: token } = await fixtures.token(team)
  const stranger = await signIn('Cem')
  const octets = { headers: { 'content-type': 'application/octet-stream' } }
  const teamPath = `/teams/${team.id}`
  const changes: Record<string, () => ReturnType<typeof ann.ask>> = {
    changeTeamSettings: () => ann.ask('PATCH', teamPath, { name: 'Changed' }),
    changeMember: () => ann.ask('PATCH', `${teamPath}/members/${ben.userId}`, { role: 'member' }),
    removeMember: () => ann.ask('DELETE', `${teamPath}/members/${ben.userId}`),
    createInvitation: () => ann.ask('POST', `${teamPath}/invitations`, { role: 'viewer' }),
    withdrawInvitation: () => ann.ask('DELETE', `${teamPath}/invitations/${invitations[0].invitation.id}`),
    acceptInvitation: () =>
      stranger.ask('POST', '/invitations/accept', { secret: invitations[1].url.split('#')[1] }),
    createApiToken: () => ann.ask('POST', `${teamPath}/tokens`, { name: 'CI' }),
    revokeApiToken: () => ann.ask('DELETE', `${teamPath}/tokens/${token}`),
    createAppFolder: () => ann.ask('POST', `/folders/${folder.id}/folders`, { name: 'New' }),
    changeAppFolder: () => ann.ask('PATCH', `/folders/${folder.id}`, { parentId: other.id }),
    createAppDocument: () => ann.ask('POST', `/folders/${folder.id}/documents`, { name: 'New' }),
    duplicateDocument: () => ann.ask('POST', `/documents/${document}/duplicate`, {}),
    changeAppDocument: () => ann.ask('PATCH', `/documents/${document}`, { name: 'Changed' }),
    askForSolve: () => ann.ask('POST', `/documents/${document}/solves`),
    uploadFile: () =>
      ann.ask('POST', `/folders/${folder.id}/uploads?fileName=a.gh`, createDefinitionFile(), octets),
    restoreBinItem: () => ann.ask('POST', `/bin/${items[0]}/restore`),
    deleteBinItem: () => ann.ask('DELETE', `/bin/${items[1]}`),
    emptyBin: () => ann.ask('DELETE', `${teamPath}/bin`),
    binDocument: () => ann.ask('DELETE', `/documents/${document}`),
    binFolder: () => ann.ask('DELETE', `/folders/${folder.id}`),
  }
  const writes = APP_ENDPOINTS.filter(({ method }) => method !== 'GET').map(({ name }) => name)
  assert.deepEqual(Object.keys(changes).sort(), writes.filter((name) => !APART.includes(name)).sort())
  const readVersion = async () => {
    const row = await database.read
      .selectFrom('team')
      .where('id', '=', team.key)
      .select('version')
      .executeTakeFirst()
    return row!.version
  }
  for (const [name, change] of Object.entries(changes)) {
    const before = await readVersion()
    const { status, text } = await change()
    assert.ok(status < 300, `${name}: ${status} ${text}`)
    assert.ok((await readVersion()) > before, name)
  }
})
