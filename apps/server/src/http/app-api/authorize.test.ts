import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { API_ERRORS, MEMBER_ROLES } from '@meadow/contract'
import { APP_ENDPOINTS, APP_ERRORS, type AppEndpoint } from '@meadow/contract/web'
import { setMember } from '../../access/members.ts'
import { listTokens } from '../../access/team-tokens.ts'
import { createTokenSecret } from '../../access/tokens.ts'
import { putFolderIntoBin } from '../../library/bin.ts'
import { changeTeam } from '../../team/team-transaction.ts'
import { createDefinitionFile } from '../../testing/definition-file.ts'
import { startWebApp } from '../../testing/start-web-app.ts'

async function startGuard(t: TestContext) {
  const app = await startWebApp(t)
  const { signIn, open } = app
  const [owner, member, viewer, stranger] = await Promise.all([
    signIn('Ann', 'owner'),
    signIn('Ben', 'member'),
    signIn('Cem', 'viewer'),
    signIn('Dan'),
  ])
  const people = { owner, member, viewer, stranger, nobody: open() }
  const call = (who: keyof typeof people, endpoint: AppEndpoint, path: string) =>
    people[who].request(endpoint.method, path, bodyOf(endpoint), headersOf(endpoint))
  return { ...app, people, call }
}

/** Nothing that is accepted: the error about it comes after the authorization. */
const bodyOf = ({ body }: AppEndpoint) => (body === undefined ? undefined : {})
const headersOf = ({ method }: AppEndpoint) => (method === 'GET' ? { redirect: 'manual' as const } : {})

/** Those that name something of a team. */
const ofTeam = APP_ENDPOINTS.filter(({ needs }) => needs !== 'anyone' && needs !== 'person')

test('[APP-1] given an API token, when it comes to any endpoint, with a session or without, then it is rejected with the usual sentence', async (t) => {
  const { secret, people } = await startGuard(t)
  const rejected = [403, { error: API_ERRORS.token_outside_the_api.sentence }]
  for (const endpoint of APP_ENDPOINTS) {
    const path = endpoint.path.replaceAll(/:\w+/g, 'nothing')
    const call = async (who: 'owner' | 'nobody', token: string) => {
      const headers = { authorization: `Bearer ${token}` }
      const { status, json } = await people[who].request(endpoint.method, path, bodyOf(endpoint), { headers })
      return [status, json]
    }
    assert.deepEqual(await call('owner', secret), rejected, endpoint.name)
    assert.deepEqual(await call('nobody', createTokenSecret()), rejected, endpoint.name)
  }
})

test('[APP-1] given a session, when it comes to the API, then it grants no access', async (t) => {
  const { people, get } = await startGuard(t)
  for (const path of ['/team', '/folders/root', '/documents', '/nothing']) {
    const { status } = await get(path, { token: null, headers: { cookie: people.owner.cookie } })
    assert.equal(status, 401, path)
  }
})

test('[APP-3] given ids of another team, of the bin, and of nothing, when each endpoint is called with them, then all get the same response', async (t) => {
  const { people, fixtures, database, team, call } = await startGuard(t)
  const other = await fixtures.team('Other')
  const [theirs, binned] = [await fixtures.folder(other, 'Theirs'), await fixtures.folder(team, 'Binned')]
  const [theirDocument, binnedDocument] = [
    await fixtures.document(other, { folder: theirs.key }),
    await fixtures.document(team, { folder: binned.key }),
  ]
  const [theirFile, binnedFile] = [
    await fixtures.file(other, theirs.key),
    await fixtures.file(team, binned.key),
  ]
  await changeTeam(database, team.key, (change) => putFolderIntoBin(change, binned.key, people.owner.userId))
  const theirItem = await changeTeam(database, other.key, (change) =>
    putFolderIntoBin(change, theirs.key, people.stranger.userId),
  )
  const ids: Record<string, string[]> = {
    teamId: [other.id, 'team_0000000000000000', '%00', 'x'.repeat(300)],
    folderId: [theirs.id, binned.id, 'fld_0000000000000000', '%00', 'root'],
    documentId: [theirDocument, binnedDocument, 'doc_0000000000000000', '%00', '%zz'],
    fileId: [theirFile, binnedFile, theirDocument, 'fil_0000000000000000', '%00'],
    binItemId: [theirItem, 'bin_0000000000000000', '%00'],
  }
  for (const endpoint of ofTeam) {
    const [, name] = /:(\w+)/.exec(endpoint.path)!
    const responses = await Promise.all(
      ids[name!]!.map((id) =>
        call('owner', endpoint, endpoint.path.replace(`:${name}`, id).replaceAll(/:\w+/g, 'nothing')),
      ),
    )
    for (const { status, text } of responses) {
      assert.equal(status, 404, `${endpoint.name}: ${text}`)
      assert.equal(text, responses[0]!.text)
    }
  }
})

test('[APP-3] given every other id that an endpoint takes, when it is one of another team, then it is as if there were no such thing, and nothing changes there', async (t) => {
  const { people, fixtures, team, database } = await startGuard(t)
  const { owner } = people
  const other = await fixtures.team('Other')
  const theirs = await fixtures.folder(other, 'Theirs')
  const document = await fixtures.document(team)
  const folder = await fixtures.folder(team, 'Folder')
  const file = await fixtures.file(team)
  const theirFile = await fixtures.file(other)
  await changeTeam(database, other.key, (change) => setMember(change, people.stranger.userId, 'owner'))
  const invite = await people.stranger.request('POST', `/teams/${other.id}/invitations`, { role: 'owner' })
  const { id: token } = await fixtures.token(other)
  const solution = `/documents/${document}/solutions/sol_0000000000000000`
  const versionIn = async (person: typeof owner, id: string) =>
    (await person.request('POST', `/documents/${id}/versions`, { name: 'Kept' })).json.version.id
  const addWebhook = async (person: typeof owner, path: string) => {
    const webhook = { name: 'CI', url: 'https://hooks.example.org/', events: ['document.solved'] }
    return (await person.request('POST', path, webhook)).json.webhook.id
  }
  const [webhooks, theirWebhooks] = [`/teams/${team.id}/webhooks`, `/teams/${other.id}/webhooks`]
  const ownWebhook = `${webhooks}/${await addWebhook(owner, webhooks)}`
  const theirId = await addWebhook(people.stranger, theirWebhooks)
  const theirWebhook = `${webhooks}/${theirId}`
  const { deliveryId } = (await people.stranger.request('POST', `${theirWebhooks}/${theirId}/tests`)).json
  const ownVersion = `/documents/${document}/versions/${await versionIn(owner, document)}`
  const theirDocument = await fixtures.document(other, { folder: theirs.key })
  const theirVersion = `/documents/${document}/versions/${await versionIn(people.stranger, theirDocument)}`
  const commentOn = async (person: typeof owner, id: string) => {
    const body = { anchor: { kind: 'document' }, text: 'Why?' }
    const { thread, comments } = (await person.request('POST', `/documents/${id}/threads`, body)).json
    return { thread: thread.id, comment: comments[0].id }
  }
  const ours = await commentOn(owner, document)
  const foreign = await commentOn(people.stranger, theirDocument)
  const theirThread = `/documents/${document}/threads/${foreign.thread}`
  const theirComment = `/documents/${document}/threads/${ours.thread}/comments/${foreign.comment}`
  const view = { name: 'Front', place: { kind: 'graph', clusters: [], x: 0, y: 0, width: 1, height: 1 } }
  const { id: viewId } = (await people.stranger.request('POST', `/documents/${theirDocument}/views`, view))
    .json.view
  const theirView = `/documents/${document}/views/${viewId}`
  const calls: Record<string, () => ReturnType<typeof owner.request>> = {
    'changeMember userId': () =>
      owner.request('PATCH', `/teams/${team.id}/members/${people.stranger.userId}`, { role: 'viewer' }),
    'removeMember userId': () =>
      owner.request('DELETE', `/teams/${team.id}/members/${people.stranger.userId}`),
    'withdrawInvitation invitationId': () =>
      owner.request('DELETE', `/teams/${team.id}/invitations/${invite.json.invitation.id}`),
    'revokeApiToken tokenId': () => owner.request('DELETE', `/teams/${team.id}/tokens/${token}`),
    'replaceApiToken tokenId': () =>
      owner.request('POST', `/teams/${team.id}/tokens/${token}/replacement`, { overlapHours: 0 }),
    'changeAppFolder parentId': () =>
      owner.request('PATCH', `/folders/${folder.id}`, { parentId: theirs.id }),
    'moveItems folderId': () =>
      owner.request('POST', `/teams/${team.id}/items/move`, {
        items: [{ kind: 'document', id: document }],
        folderId: theirs.id,
      }),
    'changeAppDocument folderId': () =>
      owner.request('PATCH', `/documents/${document}`, { folderId: theirs.id }),
    'placeLibraryItem fileId': () =>
      owner.request('POST', `/documents/${document}/placements`, { fileId: theirFile }),
    'changeFile folderId': () => owner.request('PATCH', `/files/${file}`, { folderId: theirs.id }),
    'duplicateDocument folderId': () =>
      owner.request('POST', `/documents/${document}/duplicate`, { folderId: theirs.id }),
    'readVersion versionId': () => owner.get(theirVersion),
    'readVersionGraph versionId': () => owner.get(`${theirVersion}/graph`),
    'readVersionFile versionId': () => owner.get(`${theirVersion}/file`),
    'readVersionStored versionId': () => owner.get(`${theirVersion}/stored`),
    'readVersionSolution versionId': () => owner.get(`${theirVersion}/solution`),
    'changeVersion versionId': () => owner.request('PATCH', theirVersion, { name: 'Mine' }),
    'deleteVersion versionId': () => owner.request('DELETE', theirVersion),
    'restoreVersion versionId': () =>
      owner.request('POST', `${theirVersion}/restore`, { appliedBy: 'server' }),
    'copyVersion versionId': () => owner.request('POST', `${theirVersion}/copy`, {}),
    'copyVersion folderId': () => owner.request('POST', `${ownVersion}/copy`, { folderId: theirs.id }),
    'exportVersion versionId': () => owner.request('POST', `${theirVersion}/exports`, { format: '.gh' }),
    'readThread threadId': () => owner.get(theirThread),
    'changeThread threadId': () => owner.request('PATCH', theirThread, { isResolved: true }),
    'addComment threadId': () => owner.request('POST', `${theirThread}/comments`, { text: 'Mine' }),
    'changeComment threadId': () =>
      owner.request('PATCH', `${theirThread}/comments/${foreign.comment}`, { text: 'Mine' }),
    'changeComment commentId': () => owner.request('PATCH', theirComment, { text: 'Mine' }),
    'deleteComment threadId': () => owner.request('DELETE', `${theirThread}/comments/${foreign.comment}`),
    'deleteComment commentId': () => owner.request('DELETE', theirComment),
    'changeView viewId': () => owner.request('PATCH', theirView, { name: 'Mine' }),
    'deleteView viewId': () => owner.request('DELETE', theirView),
    'restoreView viewId': () => owner.request('POST', `${theirView}/restore`),
    'searchTeam folderId': () => owner.get(`/teams/${team.id}/search?folderId=${theirs.id}`),
    'suggestUses folderId': () => owner.get(`/teams/${team.id}/uses/suggestions?folderId=${theirs.id}`),
    'findUses folderId': () => owner.get(`/teams/${team.id}/uses?kind=component&key=x&folderId=${theirs.id}`),
    'listMirrorRuns mirrorId': () => owner.get(`/teams/${team.id}/mirrors/mir_0000000000000000/runs`),
    'createApiToken folders': () =>
      owner.request('POST', `/teams/${team.id}/tokens`, { name: 'CI', folders: [folder.id, theirs.id] }),
    'createWebhook folder': () =>
      owner.request('POST', webhooks, {
        ...{ name: 'CI', url: 'https://hooks.example.org/', events: ['document.solved'] },
        folder: theirs.id,
      }),
    'changeWebhook folder': () => owner.request('PATCH', ownWebhook, { folder: theirs.id }),
    'markCommentsRead upTo': () =>
      owner.request('POST', `/documents/${document}/comments/read`, { upTo: foreign.comment }),
    'markCommentsRead thread': () =>
      owner.request('POST', `/documents/${document}/comments/read`, {
        upTo: ours.comment,
        thread: foreign.thread,
      }),
    'changeWebhook webhookId': () => owner.request('PATCH', theirWebhook, { enabled: false }),
    'removeWebhook webhookId': () => owner.request('DELETE', theirWebhook),
    'showWebhookSecret webhookId': () => owner.request('POST', `${theirWebhook}/secret`),
    'rotateWebhookSecret webhookId': () =>
      owner.request('POST', `${theirWebhook}/rotation`, { overlapHours: 0 }),
    'testWebhook webhookId': () => owner.request('POST', `${theirWebhook}/tests`),
    'listDeliveries webhookId': () => owner.get(`${theirWebhook}/deliveries`),
    'replayDelivery webhookId': () =>
      owner.request('POST', `${theirWebhook}/deliveries/${deliveryId}/replay`),
    'replayDelivery deliveryId': () => owner.request('POST', `${ownWebhook}/deliveries/${deliveryId}/replay`),
    'replayFailed webhookId': () =>
      owner.request('POST', `${theirWebhook}/replays`, { since: '2026-01-01T00:00:00.000Z' }),
    'readPlayerScene solutionId': () => owner.get(`${solution}/player-scene`),
    'readEditorScene solutionId': () => owner.get(`${solution}/scene`),
    'readPortData solutionId': () => owner.get(`${solution}/nodes/x/ports/y`),
    'readPortData nodeInstanceId': () => owner.get(`${solution}/nodes/x/ports/y`),
    'readPortData portInstanceId': () => owner.get(`${solution}/nodes/x/ports/y`),
  }
  const taken = APP_ENDPOINTS.flatMap(({ name, params, query, body }) => {
    const others = [...Object.keys(params.properties).slice(1), ...membersOf(query), ...membersOf(body)]
    return others.filter((member) => NAMES_ONE.test(member)).map((member) => `${name} ${member}`)
  })
  assert.deepEqual(Object.keys(calls).sort(), taken.sort())
  const versionOf = async () =>
    (await database.read.selectFrom('team').where('id', '=', other.key).select('version').executeTakeFirst())!
  /** What raises no version of the team. */
  const readTheirs = async () => {
    const path = `/documents/${theirDocument}`
    const paths = [`${path}/threads/${foreign.thread}`, `${path}/versions`, `${path}/views`, theirWebhooks]
    const [discussion, versions, views, addresses] = await Promise.all(
      paths.map(async (path) => (await people.stranger.get(path)).json),
    )
    const [{ name, events, state }] = addresses.webhooks
    return { discussion, versions, views, webhook: { name, events, state } }
  }
  const before = [await versionOf(), await readTheirs()]
  for (const [what, call] of Object.entries(calls)) {
    const { status, text } = await call()
    assert.equal(status, 404, `${what}: ${text}`)
  }
  assert.deepEqual([await versionOf(), await readTheirs()], before)
})

/** What has an id, or some. `items` and `binItemIds` may be in part missing, and have tests of their own (FILE-10, FILE-12). */
const NAMES_ONE = /Id$|^(folders?|upTo|thread)$/

const membersOf = (schema: unknown): string[] =>
  Object.keys((schema as { properties?: object } | undefined)?.properties ?? {})

test('[APP-5] given a public document, when somebody without an account looks, then they see it, and nothing of its team, and cannot change it', async (t) => {
  const { people, fixtures, team } = await startGuard(t)
  const id = await fixtures.document(team, { visibility: 'public', name: 'Shown' })
  for (const who of ['nobody', 'stranger'] as const) {
    const { json } = await people[who].get(`/documents/${id}`)
    const { name, role, path, creditTenths, fileName } = json.document
    assert.deepEqual([name, role, path, creditTenths, fileName], ['Shown', null, [], null, null])
    for (const path of ['/graph', '/solution'])
      assert.equal((await people[who].get(`/documents/${id}${path}`)).status, 200)
    for (const path of ['/exports', '/duplicate', '/solves']) {
      const { status } = await people[who].request('POST', `/documents/${id}${path}`, {})
      assert.equal(status, who === 'nobody' ? 401 : 404, path)
    }
  }
})

test('[APP-5] given a public document that was imported, when somebody of no team looks, then they do not get the name of its file, and its team does', async (t) => {
  const { people, fixtures, team } = await startGuard(t)
  const folder = await fixtures.folder(team, 'Folder')
  const octets = { headers: { 'content-type': 'application/octet-stream' } }
  const path = `/folders/${folder.id}/uploads?fileName=secret-client.gh`
  const { json } = await people.member.request('POST', path, createDefinitionFile(), octets)
  const document = `/documents/${json.upload.documentId}`
  await people.member.request('PATCH', document, { visibility: 'public', name: 'Shown' })
  assert.equal((await people.viewer.get(document)).json.document.fileName, 'secret-client.gh')
  for (const who of ['nobody', 'stranger'] as const)
    assert.equal((await people[who].get(document)).json.document.fileName, null, who)
})

test('[APP-6] given a page of another site, when a browser sends a write for it, then it is rejected; reads and our own pages are not', async (t) => {
  const { people, address } = await startGuard(t)
  const rename = (headers: Record<string, string>) =>
    people.owner.request('PATCH', '/me', { name: 'Changed' }, { headers })
  const other: Record<string, string>[] = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: address.replace('http:', 'https:').replace('127.0.0.1', '127.0.0.2') },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site', origin: address },
  ]
  for (const headers of other) assert.equal((await rename(headers)).status, 403, JSON.stringify(headers))
  assert.equal((await people.owner.get('/me')).json.person.name, 'Ann')
  assert.equal((await people.owner.get('/me', { headers: { origin: 'https://evil.example' } })).status, 200)
  for (const headers of [{ origin: address }, { origin: address, 'sec-fetch-site': 'same-origin' }]) {
    assert.equal((await rename(headers)).status, 200)
  }
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
    const sent = await people.owner.request('PATCH', '/me', '{"name":"Changed"}', {
      headers: { 'content-type': type },
    })
    assert.equal(sent.status, 415, type)
  }
})

test('[APP-6] given a base URL, when a page below it sends a write through a proxy that changes the host, then it is accepted; pages of other origins are rejected', async (t) => {
  const { signIn } = await startWebApp(t, undefined, { MEADOW_BASE_URL: 'https://meadow.example.org' })
  const ann = await signIn('Ann')
  const statusFor = async (origin: string) =>
    (await ann.request('PATCH', '/me', { name: 'Changed' }, { headers: { origin } })).status
  assert.equal(await statusFor('https://meadow.example.org'), 200)
  for (const origin of [
    'http://meadow.example.org',
    'https://meadow.example.org:8443',
    'https://example.org',
  ])
    assert.equal(await statusFor(origin), 403, origin)
})

test('[APP-7] given bodies and parameters that do not match the declaration, when they are sent, then the response states which', async (t) => {
  const { people, team } = await startGuard(t)
  const create = (body: unknown, init?: RequestInit) =>
    people.owner.request('POST', `/teams/${team.id}/tokens`, body, init)
  const cases: [unknown, RequestInit, number, RegExp][] = [
    [{}, {}, 400, /The body is not/],
    [{ name: 5 }, {}, 400, /"name" in the body/],
    [{ name: 'x', scopes: ['all'] }, {}, 400, /"scopes\.0" in the body/],
    [{ name: '' }, {}, 400, /A name has 1 to 255 characters/],
    [{ name: '   ' }, {}, 400, /A name (has|is)/],
    [{ name: 'a\0b' }, {}, 400, /A name (has|is)/],
    [{ name: 'x'.repeat(256) }, {}, 400, /A name (has|is)/],
    [{ name: 'x'.repeat(70_000) }, {}, 413, /too large/],
    [[], {}, 400, /The body/],
    ['"x"', {}, 400, /The body/],
    [undefined, {}, 415, /JSON/],
    ['{', { headers: { 'content-type': 'application/json; charset=utf-8' } }, 400, /not accepted/],
  ]
  for (const [body, init, status, sentence] of cases) {
    const created = await create(body, init)
    assert.equal(created.status, status, JSON.stringify(body)?.slice(0, 100))
    assert.match(created.json.error, sentence)
  }
  const { status, json } = await people.owner.get(`/documents/nothing/solutions/x/nodes/y/ports/z?from=-1`)
  assert.deepEqual([status, json.error], [404, APP_ERRORS.document_not_found.sentence])
})

test('[APP-6] given every endpoint that writes, when a browser calls it for a page of another site, then it is rejected, and nothing changes', async (t) => {
  const { people, team, fixtures, secret, get, database } = await startGuard(t)
  const { id } = await fixtures.document(team).then((id) => ({ id }))
  const token = (await listTokens(database.read, team.key))[0]!
  const headers = { origin: 'https://evil.example' }
  for (const { name, method, path, body } of APP_ENDPOINTS.filter(({ method }) => method !== 'GET')) {
    const filled = path
      .replace(':teamId', team.id)
      .replace(':documentId', id)
      .replace(':tokenId', token.id)
      .replace(':userId', people.member.userId)
      .replaceAll(/:\w+/g, 'nothing')
    const { status, json } = await people.owner.request(method, filled, bodyOf({ body } as AppEndpoint), {
      headers,
    })
    const rejected = [403, { error: APP_ERRORS.request_from_another_site.sentence }]
    assert.deepEqual([status, json], rejected, `${name} ${method}`)
  }
  assert.equal((await people.owner.get(`/documents/${id}`)).status, 200)
  assert.equal((await people.owner.get(`/teams/${team.id}/members`)).json.members.length, 3)
  assert.equal((await get('/team', { token: secret })).status, 200)
})

test('[APP-8] given the host name of a team, when it is requested there, then only that team is there', async (t) => {
  const { people, fixtures, database, team, address } = await startGuard(t)
  const other = await fixtures.team('Beta', 'localhost')
  // Newer than the team with the host name, as the first one is older.
  const third = await fixtures.team('Gamma')
  for (const { key } of [other, third])
    await changeTeam(database, key, (change) => setMember(change, people.owner.userId, 'viewer'))
  const at = async (path: string) => {
    const response = await fetch(`${address.replace('127.0.0.1', 'localhost')}/app/v1${path}`, {
      headers: { cookie: people.owner.cookie },
    })
    return { status: response.status, json: (await response.json()) as { teams: { id: string }[] } }
  }
  assert.deepEqual(
    (await at('/me')).json.teams.map(({ id }) => id),
    [other.id],
  )
  assert.equal((await at(`/teams/${other.id}`)).status, 200)
  for (const { id } of [team, third]) {
    assert.equal((await at(`/teams/${id}`)).status, 404)
    assert.equal((await people.owner.get(`/teams/${id}`)).status, 200)
  }
})

test('[APP-9] given reads and writes, when they are answered, then the headers state which caches may store it', async (t) => {
  const { people, team } = await startGuard(t)
  const path = `/teams/${team.id}`
  const first = await people.owner.get(path)
  assert.equal(first.headers.get('cache-control'), 'no-store')
  const tag = first.headers.get('etag')!
  assert.equal((await people.owner.get(path, { headers: { 'if-none-match': tag } })).status, 304)
  const changed = await people.owner.request('PATCH', path, { name: 'Renamed' })
  assert.equal(changed.headers.get('cache-control'), 'no-store')
  assert.equal((await people.owner.get(path, { headers: { 'if-none-match': tag } })).status, 200)
})

test('[APP-7] given the endpoints, then each has a name of its own, and every parameter of its path is declared', () => {
  const names = APP_ENDPOINTS.map(({ name }) => name)
  assert.equal(new Set(names).size, names.length)
  const addresses = APP_ENDPOINTS.map(({ method, path }) => `${method} ${path}`)
  assert.equal(new Set(addresses).size, addresses.length)
  for (const { path, params } of APP_ENDPOINTS) {
    const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!)
    assert.deepEqual(Object.keys(params.properties).sort(), inPath.sort(), path)
  }
  assert.deepEqual([...MEMBER_ROLES], ['owner', 'member', 'viewer'])
})
