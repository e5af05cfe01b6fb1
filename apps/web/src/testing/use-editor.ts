import { type LiveDocument, openLive } from '@meadow/client/live'
import type { Me } from '@meadow/contract/web'
import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import { type StartedApp, useApp } from './start-app.ts'
import type { Demo } from './start-demo.ts'

/** Only failing tests wait for it. */
const PATIENCE_MS = 180_000

type Fill = Parameters<LiveDocument['edit']>[0]

export interface Person {
  name: string
  /** Of their session: `name=value`. */
  cookie: string
  me: Me
}

/** Operations for tests of the document page, through the API where the page is not the subject. */
export interface EditorApp extends StartedApp {
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
  /** A window with a document in it, by default of the owner. */
  show(documentId: string, options?: ShowOptions): Promise<Page>
}

interface ShowOptions extends BrowserContextOptions {
  person?: Person
}

export function useEditor(start: () => Promise<Demo>): EditorApp {
  const app = useApp(start)
  let signedIn: Promise<Person> | undefined

  const request = (
    path: string,
    { method, body, cookie }: { method: string; body?: unknown; cookie: string },
  ) =>
    fetch(`${app.demo.address}/app/v1${path}`, {
      method,
      headers: {
        cookie,
        origin: app.demo.address,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })

  /** The person that the response signs in. */
  async function readPerson(answer: Response): Promise<Person> {
    if (!answer.ok) throw new Error(`${answer.url} answered ${answer.status}: ${await answer.text()}`)
    const cookie = answer.headers.getSetCookie().map((line) => line.split(';')[0]!)
    const session = (await answer.json()) as { me?: Me } & Me
    const me = session.me ?? session
    return { name: me.person.name, cookie: cookie.join('; '), me }
  }

  const editor = {
    owner() {
      const { email, password } = app.demo
      signedIn ??= request('/sign-in', { method: 'POST', body: { email, password }, cookie: '' }).then(
        readPerson,
      )
      return signedIn
    },
    async ask(person, path, { method, body } = { method: 'GET' }) {
      return request(path, { method, body, cookie: person.cookie })
    },
    async invite(name, role) {
      const owner = await editor.owner()
      const body = { role }
      const made = await editor.ask(owner, `/teams/${owner.me.teams[0]!.id}/invitations`, {
        method: 'POST',
        body,
      })
      const { url } = (await made.json()) as { url: string }
      const account = { name, email: `${name.toLowerCase()}@example.org`, password: 'a long enough one' }
      const accepted = { secret: new URL(url).hash.slice(1), account }
      return readPerson(await request('/invitations/accept', { method: 'POST', body: accepted, cookie: '' }))
    },
    async make(name, fill) {
      const owner = await editor.owner()
      const folder = owner.me.teams[0]!.rootFolderId
      const made = await editor.ask(owner, `/folders/${folder}/documents`, { method: 'POST', body: { name } })
      const { document } = (await made.json()) as { document: { id: string } }
      if (fill) await editor.edit(document.id, fill)
      return document.id
    },
    async edit(documentId, work) {
      const { cookie } = await editor.owner()
      const live = await openLive({ address: app.demo.address, documentId, cookie, timeoutMs: PATIENCE_MS })
      live.edit(work)
      await live.durable()
      live.close()
    },
    async findDocument(name) {
      const { address, token } = app.demo
      const headers = { authorization: `Bearer ${token}` }
      const answer = await fetch(`${address}/api/v1/documents?q=${encodeURIComponent(name)}`, { headers })
      const { documents } = (await answer.json()) as { documents: { id: string }[] }
      return documents[0]!.id
    },
    async show(documentId, { person, ...options } = {}) {
      const page = await app.open({ isSignedOut: true, ...options })
      const { cookie } = person ?? (await editor.owner())
      const cookies = cookie.split('; ').map((pair) => {
        const [name, ...value] = pair.split('=')
        return { name: name!, value: value.join('='), url: app.demo.address }
      })
      await page.context().addCookies(cookies)
      await page.goto(`/documents/${documentId}`)
      await page.locator('.react-flow__pane').waitFor()
      return page
    },
  } satisfies Omit<EditorApp, keyof StartedApp>
  return Object.defineProperties(editor, Object.getOwnPropertyDescriptors(app)) as EditorApp
}

/** A node on the canvas, by its name. */
export const findNode = (page: Page, name: string): Locator =>
  page.locator('.react-flow__node').filter({ hasText: name })

/** As with a double click on the empty canvas. */
export async function addNode(page: Page, typed: string, at: { x: number; y: number }): Promise<void> {
  await page.locator('.react-flow__pane').dblclick({ position: at })
  const field = page.getByRole('combobox', { name: 'What to add' })
  await field.fill(typed)
  await page.getByRole('option').first().waitFor()
  await page.keyboard.press('Enter')
  await field.waitFor({ state: 'detached' })
}
