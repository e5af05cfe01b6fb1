import { once } from 'node:events'
import { connect } from 'node:net'
import { addNodes, type LiveDocument, openLive, removeNodes, renameNode } from '@meadow/client/live'
import { API_PREFIX } from '@meadow/contract'
import { APP_PREFIX } from '@meadow/contract/web'
import { createSlider } from '@meadow/server/src/features/live/testing/sliders.ts'
import { createDefinitionFile } from '@meadow/server/src/testing/definition-file.ts'
import type { Random } from '@meadow/server/src/testing/random.ts'
import type { WebhookReceiver } from '@meadow/server/src/testing/webhook-receiver.ts'
import { rejectOn } from '../harness/reject-on.ts'
import { addressOf, type HttpRequest, sendRequest } from '../harness/request.ts'

/** What clients work with. */
export interface Load {
  readonly server: { host: string; port: number }
  readonly team: { id: string; root: string; token: string }
  readonly person: { email: string; password: string }
  readonly receiver: WebhookReceiver
  readonly random: Random
  /** The cookie of a session that has just begun. */
  cookie: string
  /** A document that can be solved, and that nobody changes. */
  readonly template: string
  /** Copies of it, the oldest first. */
  readonly documents: string[]
  /** The cursor of the change feed. */
  cursor: string | undefined
  /** A number that was not returned before. */
  next(): number
  /** Imports a folder with one new definition; returns the id of its document. */
  importFile(name: string): Promise<string>
}

/** How many copies of the template there are. */
export const DOCUMENTS = 4

/** No answer takes so long but one that does not come. */
const PATIENCE_MS = 60_000

async function send({ server }: Load, request: HttpRequest, status: number) {
  const signal = AbortSignal.timeout(PATIENCE_MS)
  const response = await sendRequest(server, request, { signal })
  const text = response.body.toString()
  if (response.status !== status)
    throw new Error(
      `${request.method ?? ''} ${request.path} was answered with ${response.status}: ${text.slice(0, 200)}`,
    )
  const isJson = response.headers['content-type']?.startsWith('application/json')
  // biome-ignore lint/suspicious/noExplicitAny: operations look into bodies of every shape.
  return { headers: response.headers, json: (isJson && text ? JSON.parse(text) : undefined) as any }
}

/** Sends a request of the web app, which has to be answered with this status. */
function app(load: Load, method: string, path: string, status: number, body?: object | Uint8Array) {
  const headers = { cookie: load.cookie, origin: addressOf(load.server) }
  const sent = body instanceof Uint8Array ? { bytes: body } : body && { json: JSON.stringify(body) }
  return send(load, { method, path: APP_PREFIX + path, headers, ...sent }, status)
}

function api(load: Load, path: string, status = 200, headers: Record<string, string> = {}) {
  const authorization = `Bearer ${load.team.token}`
  return send(load, { path: API_PREFIX + path, headers: { authorization, ...headers } }, status)
}

/** Opens a document, and closes it when the work is done and stored. */
async function live(load: Load, documentId: string, work: (live: LiveDocument) => void): Promise<void> {
  const { cookie, server } = load
  const opened = await openLive({ address: addressOf(server), cookie, documentId, timeoutMs: PATIENCE_MS })
  try {
    work(opened)
    await Promise.race([opened.durable(), rejectOn(AbortSignal.timeout(PATIENCE_MS))])
  } finally {
    opened.close()
  }
}

const teamPath = ({ team }: Load) => `/teams/${team.id}`

/** Moves something to the bin; returns the id that it has there. */
async function bin(load: Load, kind: 'document' | 'folder', id: string): Promise<string> {
  const { json } = await app(load, 'POST', `${teamPath(load)}/items/bin`, 200, { items: [{ kind, id }] })
  return json.binItemIds[0]
}

/** Moves a document to the bin and deletes it there. */
async function purge(load: Load, id: string): Promise<void> {
  await app(load, 'DELETE', `/bin/${await bin(load, 'document', id)}`, 204)
}

export async function signIn(load: Load): Promise<string> {
  const { headers } = await app(load, 'POST', '/sign-in', 200, load.person)
  return headers['set-cookie']![0]!.split(';')[0]!
}

async function addDocument(load: Load): Promise<string> {
  const name = `New ${load.next()}`
  return (await app(load, 'POST', `/folders/${load.team.root}/documents`, 201, { name })).json.document.id
}

/** Waits for the solution of a document. */
async function solved(load: Load, id: string): Promise<void> {
  const end = performance.now() + PATIENCE_MS
  const authorization = `Bearer ${load.team.token}`
  const request = {
    path: `${API_PREFIX}/documents/${id}/solution`,
    headers: { authorization, prefer: 'wait=5' },
  }
  let status = 0
  while (performance.now() < end) {
    ;({ status } = await sendRequest(load.server, request, { signal: AbortSignal.timeout(PATIENCE_MS) }))
    if (status === 200) return
  }
  throw new Error(`The document ${id} was not solved: the last answer was ${status}.`)
}

/** What clients do. Each operation removes what it has made. */
export const OPERATIONS: Record<string, (load: Load) => Promise<void>> = {
  async edit(load) {
    const id = await addDocument(load)
    const [first, second] = [createSlider(), createSlider(200)]
    await live(load, id, (opened) => opened.edit((doc) => addNodes(doc, [first, second])))
    await live(load, id, (opened) => {
      for (let step = 0; step < 20; step++)
        opened.edit((doc) => renameNode(doc, first.instanceId, `Step ${step}`))
      opened.edit((doc) => removeNodes(doc, [second.instanceId]))
    })
    await purge(load, id)
  },

  async edit_together(load) {
    const id = load.random.pick(load.documents)
    const slider = createSlider(load.random.whole(0, 1000))
    await live(load, id, (one) => one.edit((doc) => addNodes(doc, [slider])))
    await Promise.all(
      [1, 2, 3].map((step) =>
        live(load, id, (other) => other.edit((doc) => renameNode(doc, slider.instanceId, `By ${step}`))),
      ),
    )
    await live(load, id, (one) => one.edit((doc) => removeNodes(doc, [slider.instanceId])))
  },

  async versions(load) {
    const id = await addDocument(load)
    await live(load, id, (opened) => opened.edit((doc) => addNodes(doc, [createSlider()])))
    const { json } = await app(load, 'POST', `/documents/${id}/versions`, 201, { name: 'Kept' })
    await live(load, id, (opened) => opened.edit((doc) => removeNodes(doc, Object.keys(opened.read().nodes))))
    const version = `/documents/${id}/versions/${json.version.id}`
    await app(load, 'GET', `${version}/graph`, 200)
    await app(load, 'POST', `${version}/restore`, 200, { appliedBy: 'server' })
    const copied = await app(load, 'POST', `${version}/copy`, 201, {})
    await app(load, 'DELETE', version, 204)
    for (const one of [copied.json.document.id, id]) await purge(load, one)
  },

  async folders(load) {
    const body = { name: `Folder ${load.next()}` }
    const { json } = await app(load, 'POST', `/folders/${load.team.root}/folders`, 201, body)
    const folderId = json.folder.id
    const id = await addDocument(load)
    const copy = await app(load, 'POST', `/documents/${id}/duplicate`, 201, { folderId })
    await app(load, 'PATCH', `/documents/${id}`, 200, { folderId, name: `Moved ${load.next()}` })
    await app(load, 'POST', `${teamPath(load)}/favourites`, 204, {
      items: [{ kind: 'document', id: copy.json.document.id }],
      isFavourite: true,
    })
    await app(load, 'POST', `/documents/${id}/opened`, 204)
    await app(load, 'POST', `/bin/${await bin(load, 'folder', folderId)}/restore`, 200)
    await app(load, 'DELETE', `/bin/${await bin(load, 'folder', folderId)}`, 204)
  },

  async upload(load) {
    const name = `Upload ${load.next()}.gh`
    const path = `/folders/${load.team.root}/uploads?fileName=${encodeURIComponent(name)}`
    const made = await app(load, 'POST', path, 200, createDefinitionFile({ text: name, panels: 5 }))
    const next = createDefinitionFile({ text: `${name} again`, panels: 6 })
    await app(load, 'POST', `${path}&onConflict=replace`, 200, next)
    await purge(load, made.json.upload.documentId)
  },

  async solve(load) {
    const id = load.random.pick(load.documents)
    await app(load, 'POST', `/documents/${id}/solves`, 202)
    await solved(load, id)
    await app(load, 'GET', `/documents/${id}/solution`, 200)
  },

  async export(load) {
    const id = load.random.pick(load.documents)
    await solved(load, id)
    for (const format of ['.3dm', '.gh']) {
      const { json } = await app(load, 'POST', `/documents/${id}/exports`, 200, { format })
      await send(load, { path: json.export.url.replace(addressOf(load.server), '') }, 200)
    }
  },

  async read(load) {
    const id = load.random.pick(load.documents)
    for (const path of ['/team', '/folders/root', `/documents/${id}`, `/documents/${id}`])
      await api(load, path)
    for (let turn = 0; turn < 20; turn++) {
      await api(load, `/documents?q=${load.random.whole(1, 100_000)}`)
    }
  },

  async refused(load) {
    await api(load, `/documents/doc_${load.next()}`, 404)
    await api(load, '/team', 401, { authorization: `Bearer mdw_${load.random.uuid()}` })
    await api(load, `/nowhere/${load.next()}`, 404)
    await app(load, 'GET', `/documents/doc_${load.next()}`, 404)
  },

  async changes(load) {
    const since = load.cursor === undefined ? '' : `?since=${encodeURIComponent(load.cursor)}`
    load.cursor = (await api(load, `/changes${since}`)).json.changes.cursor
  },

  async token(load) {
    const body = { name: `Token ${load.next()}`, scopes: ['team:read'] }
    const { json } = await app(load, 'POST', `${teamPath(load)}/tokens`, 201, body)
    await api(load, '/team', 200, { authorization: `Bearer ${json.secret}` })
    await app(load, 'DELETE', `${teamPath(load)}/tokens/${json.token.id}`, 204)
    await api(load, '/team', 401, { authorization: `Bearer ${json.secret}` })
  },

  async webhook(load) {
    const url = load.receiver.url
    const body = { name: `Hook ${load.next()}`, url, events: ['document.changed'] }
    const { json } = await app(load, 'POST', `${teamPath(load)}/webhooks`, 201, body)
    const path = `${teamPath(load)}/webhooks/${json.webhook.id}`
    const id = await addDocument(load)
    await app(load, 'POST', `${path}/tests`, 202)
    await app(load, 'GET', `${path}/deliveries`, 200)
    await purge(load, id)
    await app(load, 'DELETE', path, 204)
  },

  async comments(load) {
    const id = load.random.pick(load.documents)
    const body = { anchor: { kind: 'document' }, text: `What about ${load.next()}?` }
    const { json } = await app(load, 'POST', `/documents/${id}/threads`, 201, body)
    const comment = `/documents/${id}/threads/${json.thread.id}/comments/${json.comments[0].id}`
    await app(load, 'DELETE', comment, 204)
    const place = { kind: 'graph', clusters: [], x: 0, y: 0, width: 100, height: 100 }
    const view = await app(load, 'POST', `/documents/${id}/views`, 201, {
      name: `View ${load.next()}`,
      place,
    })
    await app(load, 'DELETE', `/documents/${id}/views/${view.json.view.id}`, 204)
  },

  async invitation(load) {
    const { json } = await app(load, 'POST', `${teamPath(load)}/invitations`, 201, { role: 'viewer' })
    await app(load, 'DELETE', `${teamPath(load)}/invitations/${json.invitation.id}`, 204)
    // This one ends by itself.
    const body = { role: 'viewer', expiresInDays: 1 }
    await app(load, 'POST', `${teamPath(load)}/invitations`, 201, body)
  },

  async session(load) {
    const own: Load = Object.assign(Object.create(load), { cookie: '' })
    own.cookie = await signIn(own)
    await app(own, 'GET', '/me', 200)
    await app(own, 'POST', '/sign-out', 204)
    await app(own, 'GET', '/me', 401)
  },

  /** Connections that end in the middle of a request, of a response, and of an edit. */
  async dropped(load) {
    const { host, port } = load.server
    const head = `GET ${API_PREFIX}/folders/root HTTP/1.1\r\nhost: ${host}\r\n`
    for (const text of ['', head, `${head}authorization: Bearer ${load.team.token}\r\n\r\n`]) {
      const socket = connect({ host, port }).on('error', () => {})
      await once(socket, 'connect')
      if (text !== '') await new Promise((resolve) => socket.write(text, resolve))
      socket.resetAndDestroy()
      await once(socket, 'close')
    }
    const opened = await openLive({
      address: addressOf(load.server),
      cookie: load.cookie,
      documentId: load.random.pick(load.documents),
    })
    opened.edit((doc) => addNodes(doc, []))
    opened.close()
  },
}

/** Adds a webhook that stays. Some messages are answered with an error, and sent again. */
export async function addWebhook(load: Load): Promise<void> {
  const body = { name: 'Always', url: load.receiver.url, events: ['document.changed', 'document.solved'] }
  await app(load, 'POST', `${teamPath(load)}/webhooks`, 201, body)
  load.receiver.answer = (_request, response) =>
    void response.writeHead(load.random.whole(1, 10) === 1 ? 500 : 204).end()
}

export async function importOne(load: Load): Promise<void> {
  await purge(load, await load.importFile(`import-${load.next()}`))
}

/** Replaces the oldest document by a copy of the template, so that no history grows for ever. */
export async function replaceOldest(load: Load): Promise<void> {
  const name = `Tubes ${load.next()}`
  const { json } = await app(load, 'POST', `/documents/${load.template}/duplicate`, 201, { name })
  const { id } = json.document
  await app(load, 'POST', `/documents/${id}/solves`, 202)
  await solved(load, id)
  load.documents.push(id)
  if (load.documents.length > DOCUMENTS) await purge(load, load.documents.shift()!)
}
