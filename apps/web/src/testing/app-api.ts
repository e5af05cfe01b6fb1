import { readFile } from 'node:fs/promises'
import { type LiveDocument, openLive } from '@meadow/client/live'
import type { AppDocument, Me, Upload } from '@meadow/contract/web'
import { until } from '../../../server/src/testing/until.ts'
import type { Demo } from './start-demo.ts'

const DEFINITIONS = new URL('../../../server/src/features/demo/definitions/', import.meta.url)

/** Only failing tests wait for it. */
const PATIENCE_MS = 60_000

type Fill = Parameters<LiveDocument['edit']>[0]

export interface Person {
  name: string
  /** Of their session: `name=value`. */
  cookie: string
  me: Me
}

/** What tests and measures do through the API, where the page is not the subject. */
export interface AppApi {
  /** The demo's owner. Only one session is made, however often this is asked. */
  owner(): Promise<Person>
  /** Somebody new, in the demo's team. */
  invite(name: string, role: 'member' | 'viewer'): Promise<Person>
  /** The response to a person at a path of the web app's endpoints. */
  ask(person: Person, path: string, asked?: { method: string; body?: unknown }): Promise<Response>
  /** Creates a document of the demo's team; returns its id. */
  make(name: string, fill?: Fill): Promise<string>
  /** Edits a document as the owner would in another window. */
  edit(documentId: string, work: Fill): Promise<void>
  findDocument(name: string): Promise<string>
  /** Asks for a solve, and resolves when the document is solved. */
  solve(documentId: string): Promise<void>
  /** Uploads a definition into the root folder; returns the id of its document. */
  upload(fileName: string, bytes: Uint8Array<ArrayBuffer>): Promise<string>
  /** Uploads a definition of the demo, by the name of its file without the extension, as a document of this name. */
  uploadDemo(file: string, name: string): Promise<string>
}

export function createAppApi(findDemo: () => Demo): AppApi {
  let signedIn: Promise<Person> | undefined

  const request = (
    path: string,
    { method, body, cookie }: { method: string; body?: unknown; cookie: string },
  ) =>
    fetch(`${findDemo().address}/app/v1${path}`, {
      method,
      headers: {
        cookie,
        origin: findDemo().address,
        ...(body instanceof Uint8Array && { 'content-type': 'application/octet-stream' }),
        ...(body !== undefined && !(body instanceof Uint8Array) && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && {
        body: body instanceof Uint8Array ? new Blob([body as Uint8Array<ArrayBuffer>]) : JSON.stringify(body),
      }),
    })

  /** The person that the response signs in. */
  async function readPerson(answer: Response): Promise<Person> {
    if (!answer.ok) throw new Error(`${answer.url} answered ${answer.status}: ${await answer.text()}`)
    const cookie = answer.headers.getSetCookie().map((line) => line.split(';')[0]!)
    const session = (await answer.json()) as { me?: Me } & Me
    const me = session.me ?? session
    return { name: me.person.name, cookie: cookie.join('; '), me }
  }

  const api: AppApi = {
    owner() {
      const { email, password } = findDemo()
      signedIn ??= request('/sign-in', { method: 'POST', body: { email, password }, cookie: '' }).then(
        readPerson,
      )
      return signedIn
    },
    async ask(person, path, { method, body } = { method: 'GET' }) {
      return request(path, { method, body, cookie: person.cookie })
    },
    async invite(name, role) {
      const owner = await api.owner()
      const body = { role }
      const made = await api.ask(owner, `/teams/${owner.me.teams[0]!.id}/invitations`, {
        method: 'POST',
        body,
      })
      const { url } = (await made.json()) as { url: string }
      // Teams of other files may have somebody of this name on the same server.
      const email = `${name.toLowerCase()}.${findDemo().email}`
      const account = { name, email, password: 'a long enough one' }
      const accepted = { secret: new URL(url).hash.slice(1), account }
      return readPerson(await request('/invitations/accept', { method: 'POST', body: accepted, cookie: '' }))
    },
    async make(name, fill) {
      const owner = await api.owner()
      const folder = owner.me.teams[0]!.rootFolderId
      const made = await api.ask(owner, `/folders/${folder}/documents`, { method: 'POST', body: { name } })
      const { document } = (await made.json()) as { document: { id: string } }
      if (fill) await api.edit(document.id, fill)
      return document.id
    },
    async edit(documentId, work) {
      const { cookie } = await api.owner()
      const { address } = findDemo()
      const live = await openLive({ address, documentId, cookie, timeoutMs: PATIENCE_MS })
      live.edit(work)
      await live.durable()
      live.close()
    },
    async findDocument(name) {
      const { address, token } = findDemo()
      const headers = { authorization: `Bearer ${token}` }
      const answer = await fetch(`${address}/api/v1/documents?q=${encodeURIComponent(name)}`, { headers })
      const { documents } = (await answer.json()) as { documents: { id: string }[] }
      return documents[0]!.id
    },
    async solve(documentId) {
      const owner = await api.owner()
      await api.ask(owner, `/documents/${documentId}/solves`, { method: 'POST' })
      await until('the document is solved', async () => {
        const answer = await api.ask(owner, `/documents/${documentId}`)
        return ((await answer.json()) as { document: AppDocument }).document.solve === 'solved'
      })
    },
    async upload(fileName, bytes) {
      const owner = await api.owner()
      const path = `/folders/${owner.me.teams[0]!.rootFolderId}/uploads?fileName=${encodeURIComponent(fileName)}`
      const answer = await api.ask(owner, path, { method: 'POST', body: bytes })
      if (!answer.ok) throw new Error(`${fileName}: ${await answer.text()}`)
      return ((await answer.json()) as { upload: Upload }).upload.documentId!
    },
    async uploadDemo(file, name) {
      return api.upload(`${name}.gh`, new Uint8Array(await readFile(new URL(`${file}.gh`, DEFINITIONS))))
    },
  }
  return api
}

/** A person's session as the cookies of a browser. */
export const toCookies = ({ cookie }: Person, url: string) =>
  cookie.split('; ').map((pair) => {
    const [name, ...value] = pair.split('=')
    return { name: name!, value: value.join('='), url }
  })
