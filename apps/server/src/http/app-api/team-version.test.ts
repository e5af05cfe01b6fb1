import assert from 'node:assert/strict'
import { test } from 'node:test'
import { APP_ENDPOINTS } from '@meadow/contract/web'
import { changeTeam } from '../../team/team-transaction.ts'
import { addCredits } from '../../team/teams.ts'
import { createDefinitionFile } from '../../testing/definition-file.ts'
import { startWebApp } from '../../testing/start-web-app.ts'

/** What changes nothing that the API returns about a team. */
const APART = [
  'signIn',
  'signOut',
  'changeMe',
  'changePassword',
  'signInAgain',
  'startAuthenticator',
  'addAuthenticator',
  'startPasskey',
  'addPasskey',
  'startPasskeyUse',
  'removeSecondFactor',
  'replaceRecoveryCodes',
  'giveSecondFactor',
  'endSession',
  'endOtherSessions',
  'lookAtInvitation',
  'lookAtDevice',
  'refuseDevice',
  'exportFromEditor',
  'exportVersion',
  'previewUpload',
  'priceSolves',
  'createThread',
  'changeThread',
  'addComment',
  'changeComment',
  'deleteComment',
  'markCommentsRead',
  'createView',
  'changeView',
  'deleteView',
  'restoreView',
  'requestPasswordReset',
  'resetPassword',
  'requestConfirmation',
  'changeEmail',
  'confirmAddress',
  'markOpened',
  'placeLibraryItem',
  'changeFavourites',
]

test('[APP-10] given every endpoint that changes a team, when it does, then the team has a higher version, so that no cached response is sent any more', async (t) => {
  const { signIn, team, fixtures, database, request } = await startWebApp(t)
  const ann = await signIn('Ann', 'owner')
  const ben = await signIn('Ben', 'viewer')
  await changeTeam(database, team.key, (change) => addCredits(change, 10))
  const [folder, other] = [await fixtures.folder(team, 'Folder'), await fixtures.folder(team, 'Other')]
  const document = await fixtures.document(team, { folder: folder.key })
  const spare = await fixtures.folder(team, 'Spare')
  const file = await fixtures.file(team, folder.key)
  const binned = async () => {
    const id = await fixtures.document(team)
    await ann.request('DELETE', `/documents/${id}`)
    return (await ann.get(`/teams/${team.id}/bin`)).json.items[0].id
  }
  const invite = async () =>
    (await ann.request('POST', `/teams/${team.id}/invitations`, { role: 'viewer' })).json
  const [items, invitations] = [
    [await binned(), await binned(), await binned()],
    [await invite(), await invite()],
  ]
  const { id: token } = await fixtures.token(team)
  const address = { name: 'CI', url: 'https://hooks.example.org/', events: ['document.solved'] }
  const { webhook } = (await ann.request('POST', `/teams/${team.id}/webhooks`, address)).json
  const webhookPath = `/teams/${team.id}/webhooks/${webhook.id}`
  const { deliveryId } = (await ann.request('POST', `${webhookPath}/tests`)).json
  const stranger = await signIn('Cem')
  const octets = { headers: { 'content-type': 'application/octet-stream' } }
  const teamPath = `/teams/${team.id}`
  const version = async () => {
    const { versions } = (await ann.get(`/documents/${document}/versions`)).json
    return `/documents/${document}/versions/${versions[0].id}`
  }
  const changes: Record<string, () => ReturnType<typeof ann.request>> = {
    changeTeamSettings: () => ann.request('PATCH', teamPath, { name: 'Changed' }),
    changeTeamSecurity: () => ann.request('PATCH', `${teamPath}/security`, { requiresSecondFactor: false }),
    changeMember: () => ann.request('PATCH', `${teamPath}/members/${ben.userId}`, { role: 'member' }),
    removeMember: () => ann.request('DELETE', `${teamPath}/members/${ben.userId}`),
    createInvitation: () => ann.request('POST', `${teamPath}/invitations`, { role: 'viewer' }),
    withdrawInvitation: () =>
      ann.request('DELETE', `${teamPath}/invitations/${invitations[0].invitation.id}`),
    acceptInvitation: () =>
      stranger.request('POST', '/invitations/accept', { secret: invitations[1].url.split('#')[1] }),
    createApiToken: () => ann.request('POST', `${teamPath}/tokens`, { name: 'CI' }),
    async confirmDevice() {
      const body = new URLSearchParams({ client_id: 'CI' })
      const { json } = await request('/oauth/device_authorization', { method: 'POST', body })
      return ann.request('POST', `${teamPath}/device`, { code: json.user_code, token: { name: 'CI' } })
    },
    downloadAuditEvents: () => ann.request('POST', `${teamPath}/audit/downloads`, { format: 'csv' }),
    replaceApiToken: () =>
      ann.request('POST', `${teamPath}/tokens/${token}/replacement`, { overlapHours: 1 }),
    revokeApiToken: () => ann.request('DELETE', `${teamPath}/tokens/${token}`),
    changeTokenPolicy: () => ann.request('PATCH', `${teamPath}/token-policy`, { longestDays: 30 }),
    createWebhook: () => ann.request('POST', `${teamPath}/webhooks`, address),
    testWebhook: () => ann.request('POST', `${webhookPath}/tests`),
    replayDelivery: () => ann.request('POST', `${webhookPath}/deliveries/${deliveryId}/replay`),
    replayFailed: () => ann.request('POST', `${webhookPath}/replays`, { since: '2026-01-01T00:00:00.000Z' }),
    showWebhookSecret: () => ann.request('POST', `${webhookPath}/secret`),
    rotateWebhookSecret: () => ann.request('POST', `${webhookPath}/rotation`, { overlapHours: 1 }),
    changeWebhook: () => ann.request('PATCH', webhookPath, { enabled: false }),
    removeWebhook: () => ann.request('DELETE', webhookPath),
    createAppFolder: () => ann.request('POST', `/folders/${folder.id}/folders`, { name: 'New' }),
    changeAppFolder: () => ann.request('PATCH', `/folders/${folder.id}`, { parentId: other.id }),
    createAppDocument: () => ann.request('POST', `/folders/${folder.id}/documents`, { name: 'New' }),
    duplicateDocument: () => ann.request('POST', `/documents/${document}/duplicate`, {}),
    changeAppDocument: () => ann.request('PATCH', `/documents/${document}`, { name: 'Changed' }),
    createVersion: () => ann.request('POST', `/documents/${document}/versions`, { name: 'First' }),
    changeVersion: async () => ann.request('PATCH', await version(), { name: 'Changed' }),
    restoreVersion: async () => ann.request('POST', `${await version()}/restore`, { appliedBy: 'server' }),
    copyVersion: async () => ann.request('POST', `${await version()}/copy`, {}),
    deleteVersion: async () => ann.request('DELETE', await version()),
    changeFile: () => ann.request('PATCH', `/files/${file}`, { name: 'Changed' }),
    askForSolve: () => ann.request('POST', `/documents/${document}/solves`),
    stopSolves: () => ann.request('POST', `${teamPath}/solves/stop`, { documentIds: [document] }),
    solveDocuments: () => ann.request('POST', `${teamPath}/solves`, { documentIds: [document] }),
    uploadFile: () =>
      ann.request('POST', `/folders/${folder.id}/uploads?fileName=a.gh`, createDefinitionFile(), octets),
    moveItems: () =>
      ann.request('POST', `${teamPath}/items/move`, {
        items: [{ kind: 'document', id: document }],
        folderId: other.id,
      }),
    binItems: () =>
      ann.request('POST', `${teamPath}/items/bin`, { items: [{ kind: 'folder', id: spare.id }] }),
    restoreBinItems: () => ann.request('POST', `${teamPath}/items/restore`, { binItemIds: [items[2]] }),
    restoreBinItem: () => ann.request('POST', `/bin/${items[0]}/restore`),
    deleteBinItem: () => ann.request('DELETE', `/bin/${items[1]}`),
    emptyBin: () => ann.request('DELETE', `${teamPath}/bin`),
    binFile: () => ann.request('DELETE', `/files/${file}`),
    binDocument: () => ann.request('DELETE', `/documents/${document}`),
    binFolder: () => ann.request('DELETE', `/folders/${folder.id}`),
    deleteTeam: () => ann.request('POST', `${teamPath}/deletion`, { name: 'Changed' }),
    restoreTeam: () => ann.request('POST', `/me/deletions/${team.id}/restore`),
    deleteAccount: () => stranger.request('POST', '/me/deletion', { email: stranger.email }),
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
