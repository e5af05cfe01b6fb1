import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { APP_ENDPOINTS } from '@meadow/contract/web'
import { currentContext } from '../../audit/request-context.ts'
import type { Database } from '../../platform/database/database.ts'
import { changeTeam } from '../../team/team-transaction.ts'
import { addCredits } from '../../team/teams.ts'
import { DATABASES, type TestDatabase } from '../../testing/databases.ts'
import { createDefinitionFile } from '../../testing/definition-file.ts'
import { createClusterFile } from '../../testing/library-files.ts'
import { type Signed, startWebApp } from '../../testing/start-web-app.ts'

/**
 * Writes that need a role in a team. Files of exports have no owner: each download is authorized. A previewed file is not
 * written, and prices are only read. A person's own lists are read with their role of that moment.
 */
const APART = [
  'exportFromEditor',
  'exportVersion',
  'previewUpload',
  'priceSolves',
  'markOpened',
  'changeFavourites',
]
const WRITES = APP_ENDPOINTS.filter(
  ({ name, method, needs }) =>
    method !== 'GET' && !APART.includes(name) && !['anyone', 'person', 'visitor'].includes(needs),
).map(({ name }) => name)

/** Writes of viewers, who lose no right to them with a higher role. */
const FOR_VIEWERS = [
  'createThread',
  'changeThread',
  'addComment',
  'changeComment',
  'deleteComment',
  'markCommentsRead',
]

/** The next transaction that somebody's request begins waits, after the request was checked, until it is let go. */
function holdNextTransaction(database: Database, sender: Signed) {
  const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const { transaction } = database
  database.transaction = async (work) => {
    // Neither what the service does by itself meanwhile, nor what is left to do for requests of others.
    if (currentContext().actor.id !== sender.userId) return transaction(work)
    // Before it is named or restored, a version is one that the service might have kept by itself at any time.
    if (/keep-versions\.ts/.test(new Error().stack ?? '')) return transaction(work)
    database.transaction = transaction
    reached.resolve()
    await released.promise
    return transaction(work)
  }
  return { reached: reached.promise, release: released.resolve }
}

/** The request to each endpoint; all of it is new for each call. */
async function startLate(t: TestContext, kind: TestDatabase) {
  // Solvers write to the team too.
  const app = await startWebApp(t, kind, { MEADOW_SOLVE_WORKERS: '0' })
  const { fixtures, team, database, signIn } = app
  const ann = await signIn('Ann', 'owner')
  const teamPath = `/teams/${team.id}`
  await changeTeam(database, team.key, (change) => addCredits(change, 10))
  const folder = async () => `/folders/${(await fixtures.folder(team, `Folder ${Math.random()}`)).id}`
  const document = async () => `/documents/${await fixtures.document(team)}`
  const version = async () => {
    const path = `${await document()}/versions`
    const { json } = await ann.request('POST', path, { name: 'First' })
    return `${path}/${json.version.id}`
  }
  /** A thread with a comment of the sender. */
  const thread = async (sender: Signed = ann) => {
    const path = `${await document()}/threads`
    const { json } = await sender.request('POST', path, { anchor: { kind: 'document' }, text: 'Why?' })
    return { path: `${path}/${json.thread.id}`, comment: json.comments[0].id }
  }
  const seen = { name: 'Front', place: { kind: 'graph', clusters: [], x: 0, y: 0, width: 1, height: 1 } }
  const view = async () => {
    const path = `${await document()}/views`
    return `${path}/${(await ann.request('POST', path, seen)).json.view.id}`
  }
  const file = async () => `/files/${await fixtures.file(team)}`
  const item = async () => {
    const path = `${await folder()}/uploads?fileName=Passing.ghcluster`
    return (await ann.request('POST', path, createClusterFile(), octets)).json.upload.fileId
  }
  const binned = async () => {
    await ann.request('DELETE', await document())
    return `/bin/${(await ann.get(`${teamPath}/bin`)).json.items[0].id}`
  }
  const member = async () => `${teamPath}/members/${(await signIn('Mel', 'member')).userId}`
  const invitation = async () => {
    const { json } = await ann.request('POST', `${teamPath}/invitations`, { role: 'viewer' })
    return `${teamPath}/invitations/${json.invitation.id}`
  }
  const token = async () => `${teamPath}/tokens/${(await fixtures.token(team)).id}`
  const userCode = async (): Promise<string> => {
    const body = new URLSearchParams({ client_id: 'CI' })
    return (await app.request('/oauth/device_authorization', { method: 'POST', body })).json.user_code
  }
  const address = { name: 'CI', url: 'https://hooks.example.org/', events: ['document.solved'] }
  /** A new one: a team has few of them. */
  const webhook = async () => {
    for (const { id } of (await ann.get(`${teamPath}/webhooks`)).json.webhooks)
      await ann.request('DELETE', `${teamPath}/webhooks/${id}`)
    return `${teamPath}/webhooks/${(await ann.request('POST', `${teamPath}/webhooks`, address)).json.webhook.id}`
  }
  const octets = { headers: { 'content-type': 'application/octet-stream' } }
  const calls: Record<string, (sender: Signed) => Promise<Parameters<Signed['request']>>> = {
    changeTeamSettings: async () => ['PATCH', teamPath, { name: 'Changed' }],
    changeTeamSecurity: async () => ['PATCH', `${teamPath}/security`, { requiresSecondFactor: false }],
    changeMember: async () => ['PATCH', await member(), { role: 'viewer' }],
    removeMember: async () => ['DELETE', await member()],
    createInvitation: async () => ['POST', `${teamPath}/invitations`, { role: 'viewer' }],
    withdrawInvitation: async () => ['DELETE', await invitation()],
    createWebhook: async () => ['POST', `${teamPath}/webhooks`, address],
    changeWebhook: async () => ['PATCH', await webhook(), { enabled: false }],
    removeWebhook: async () => ['DELETE', await webhook()],
    showWebhookSecret: async () => ['POST', `${await webhook()}/secret`],
    rotateWebhookSecret: async () => ['POST', `${await webhook()}/rotation`, { overlapHours: 1 }],
    testWebhook: async () => ['POST', `${await webhook()}/tests`],
    replayDelivery: async () => ['POST', `${await webhook()}/deliveries/msg_0/replay`],
    replayFailed: async () => ['POST', `${await webhook()}/replays`, { since: '2026-01-01T00:00:00.000Z' }],
    createApiToken: async () => ['POST', `${teamPath}/tokens`, { name: 'CI' }],
    confirmDevice: async () => [
      'POST',
      `${teamPath}/device`,
      { code: await userCode(), token: { name: 'CI' } },
    ],
    downloadAuditEvents: async () => ['POST', `${teamPath}/audit/downloads`, { format: 'csv' }],
    revokeApiToken: async () => ['DELETE', await token()],
    replaceApiToken: async () => ['POST', `${await token()}/replacement`, { overlapHours: 0 }],
    changeTokenPolicy: async () => ['PATCH', `${teamPath}/token-policy`, { longestDays: 30 }],
    createAppFolder: async () => ['POST', `${await folder()}/folders`, { name: 'New' }],
    changeAppFolder: async () => ['PATCH', await folder(), { name: 'Changed' }],
    binFolder: async () => ['DELETE', await folder()],
    createAppDocument: async () => ['POST', `${await folder()}/documents`, { name: 'New' }],
    duplicateDocument: async () => ['POST', `${await document()}/duplicate`, {}],
    changeAppDocument: async () => ['PATCH', await document(), { name: 'Changed' }],
    binDocument: async () => ['DELETE', await document()],
    createVersion: async () => ['POST', `${await document()}/versions`, { name: 'First' }],
    changeVersion: async () => ['PATCH', await version(), { name: 'Changed' }],
    restoreVersion: async () => ['POST', `${await version()}/restore`, { appliedBy: 'server' }],
    copyVersion: async () => ['POST', `${await version()}/copy`, {}],
    deleteVersion: async () => ['DELETE', await version()],
    createThread: async () => [
      'POST',
      `${await document()}/threads`,
      { anchor: { kind: 'document' }, text: 'Late' },
    ],
    changeThread: async () => ['PATCH', (await thread()).path, { isResolved: true }],
    addComment: async () => ['POST', `${(await thread()).path}/comments`, { text: 'Late' }],
    async changeComment(sender) {
      const { path, comment } = await thread(sender)
      return ['PATCH', `${path}/comments/${comment}`, { text: 'Late' }]
    },
    async deleteComment(sender) {
      const { path, comment } = await thread(sender)
      return ['DELETE', `${path}/comments/${comment}`]
    },
    createView: async () => ['POST', `${await document()}/views`, seen],
    changeView: async () => ['PATCH', await view(), { name: 'Late' }],
    deleteView: async () => ['DELETE', await view()],
    async restoreView() {
      const path = await view()
      await ann.request('DELETE', path)
      return ['POST', `${path}/restore`]
    },
    async markCommentsRead() {
      const { path, comment } = await thread()
      return ['POST', `${path.replace(/threads.*/, 'comments/read')}`, { upTo: comment }]
    },
    changeFile: async () => ['PATCH', await file(), { name: 'Changed' }],
    binFile: async () => ['DELETE', await file()],
    placeLibraryItem: async () => ['POST', `${await document()}/placements`, { fileId: await item() }],
    askForSolve: async () => ['POST', `${await document()}/solves`],
    solveDocuments: async () => [
      'POST',
      `${teamPath}/solves`,
      { documentIds: [await fixtures.document(team)] },
    ],
    async stopSolves() {
      const documentIds = [await fixtures.document(team)]
      await ann.request('POST', `${teamPath}/solves`, { documentIds })
      return ['POST', `${teamPath}/solves/stop`, { documentIds }]
    },
    uploadFile: async () => [
      'POST',
      `${await folder()}/uploads?fileName=a.gh`,
      createDefinitionFile(),
      octets,
    ],
    moveItems: async () => [
      'POST',
      `${teamPath}/items/move`,
      {
        items: [{ kind: 'document', id: await fixtures.document(team) }],
        folderId: (await fixtures.folder(team, 'Target')).id,
      },
    ],
    binItems: async () => [
      'POST',
      `${teamPath}/items/bin`,
      { items: [{ kind: 'document', id: await fixtures.document(team) }] },
    ],
    restoreBinItems: async () => [
      'POST',
      `${teamPath}/items/restore`,
      { binItemIds: [(await binned()).slice('/bin/'.length)] },
    ],
    restoreBinItem: async () => ['POST', `${await binned()}/restore`],
    deleteBinItem: async () => ['DELETE', await binned()],
    emptyBin: async () => {
      await binned()
      return ['DELETE', `${teamPath}/bin`]
    },
    deleteTeam: async () => [
      'POST',
      `${teamPath}/deletion`,
      { name: (await ann.get(teamPath)).json.team.name },
    ],
  }
  const readVersion = async () => {
    const { version } = await database.read
      .selectFrom('team')
      .where('id', '=', team.key)
      .select('version')
      .executeTakeFirstOrThrow()
    return version
  }
  /** What is stored beside documents, which changes no version. */
  const readBeside = async () => [
    await database.read.selectFrom('comment').selectAll().orderBy('id').execute(),
    await database.read.selectFrom('comment_thread').selectAll().orderBy('id').execute(),
    await database.read.selectFrom('comment_read').selectAll().orderBy('thread_id').execute(),
    await database.read.selectFrom('named_view').selectAll().orderBy('id').execute(),
  ]
  return { ...app, ann, calls, readVersion, readBeside, memberPath: `${teamPath}/members` }
}

for (const kind of DATABASES) {
  describe(`a write whose sender loses the right to it, on ${kind.name}`, kind.options, () => {
    test('[APP-11] given every endpoint that changes a team, when its sender is removed, demoted or signed out between the check and the write, then nothing is stored, and the response is the one that they get from now on', async (t) => {
      const { ann, calls, signIn, database, readVersion, readBeside, memberPath } = await startLate(t, kind)
      assert.deepEqual(Object.keys(calls).sort(), WRITES.toSorted())
      const ends: Record<string, [number, (bob: Signed) => ReturnType<Signed['request']>]> = {
        removed: [404, ({ userId }) => ann.request('DELETE', `${memberPath}/${userId}`)],
        demoted: [403, ({ userId }) => ann.request('PATCH', `${memberPath}/${userId}`, { role: 'viewer' })],
        signedOut: [401, (bob) => bob.request('POST', '/sign-out')],
      }
      for (const [index, [name, prepare]] of Object.entries(calls).entries()) {
        for (const [turn, [how, [expected, end]]] of Object.entries(ends).entries()) {
          if (how === 'demoted' && FOR_VIEWERS.includes(name)) continue
          // Every endpoint comes with every end on SQLite, and with one of them on PostgreSQL, where only the lock differs.
          if (kind.name === 'postgres' && turn !== index % 3 && !FOR_VIEWERS.includes(name)) continue
          const bob = await signIn('Bob', 'owner')
          const call = await prepare(bob)
          const { reached, release } = holdNextTransaction(database, bob)
          const response = bob.request(...call)
          await reached
          const { status, text } = await end(bob)
          assert.ok(status < 300, text)
          const before = [await readVersion(), await readBeside()]
          release()
          const late = await response
          assert.equal(late.status, expected, `${name}, ${how}: ${late.text}`)
          assert.deepEqual([await readVersion(), await readBeside()], before, `${name}, ${how}`)
        }
      }
    })

    test('[APP-11] given a member who is made an owner between the check and the write, when the write is stored, then it is accepted', async (t) => {
      const { ann, calls, signIn, database, memberPath } = await startLate(t, kind)
      const bob = await signIn('Bob', 'member')
      const call = await calls.createAppFolder!(bob)
      const { reached, release } = holdNextTransaction(database, bob)
      const response = bob.request(...call)
      await reached
      await ann.request('PATCH', `${memberPath}/${bob.userId}`, { role: 'owner' })
      release()
      assert.equal((await response).status, 201)
    })
  })
}
