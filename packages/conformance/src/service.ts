import { type Answer, type HttpClient, openHttpClient, type Sent } from './http-client.ts'
import { isObject, isText, type Members, memberOf, NotChecked, need } from './sentence.ts'
import { nameOf, type Settings } from './settings.ts'

/** An id that no service issues. */
export const NOTHING = 'conformance-nothing-has-this-id'

/** How much of a team is read at most. A larger team is checked by its first folders and documents. */
const MAX_FOLDERS = 1000
const MAX_DOCUMENTS = 200

/** A folder as it was read, with its members as they came. */
export interface ReadFolder {
  id: string
  members: Members
  folders: readonly Members[]
  documents: readonly Members[]
  /** The ids of the folders above it, from the root on. */
  above: readonly string[]
}

/** A document that a folder lists. */
export interface ListedDocument {
  id: string
  name: string
  folder: ReadFolder
}

/** What a token lets one read, found from the team's root folder on. Each is read once. */
export interface Reader {
  /** The id of the team's root folder. */
  root(): Promise<string>
  folders(): Promise<readonly ReadFolder[]>
  /** At least one. Throws `NotChecked` without any. */
  documents(): Promise<readonly [ListedDocument, ...ListedDocument[]]>
}

/** A server under test, and what the run was given and has found out about it. */
export interface Service extends Reader {
  settings: Settings
  /** Sends a request below `/api/v1` with the token, or with another one, or with none (`null`). */
  get(path: string, sent?: Sent & { token?: string | null }): Promise<Answer>
  /** Sends a request to an address as it is, without a token. */
  send(address: string, sent?: Sent): Promise<Answer>
  /** The other team. Throws `NotChecked` without its token. */
  other(): Reader & { token: string }
  /** Ids of the other team, which the token must not see. Throws `NotChecked` without its token. */
  foreign(): Promise<{ folder: string; document: string }>
  /**
   * The id of a document to whose solution this is the status: one of the settings that are named, otherwise the first
   * one of the team.
   */
  documentWith(status: number, ...settings: StateSetting[]): Promise<string>
  /** The status of the solution of each document of the team, up to a number of documents. */
  states(): Promise<ReadonlyMap<string, number>>
  close(): void
}

type StateSetting = 'neverSolved' | 'solving' | 'failed' | 'solved' | 'withGeometry' | 'withoutGeometry'

/** Opens a server to check it. Nothing is sent yet. */
export function openService(settings: Settings): Service {
  const { token, timeoutMs = 60_000 } = settings
  const baseUrl = settings.baseUrl.replace(/\/+$/, '')
  const client: HttpClient = openHttpClient(timeoutMs)

  const get: Service['get'] = (path, { token: sentToken = token, headers, ...sent } = {}) =>
    client.send(`${baseUrl}/api/v1${path}`, {
      ...sent,
      headers: { ...(sentToken !== null && { authorization: `Bearer ${sentToken}` }), ...headers },
    })

  const reader = createReader((path) => get(path))
  const other = once(() => {
    const otherToken = need(settings.otherToken, nameOf('otherToken'))
    return { ...createReader((path) => get(path, { token: otherToken })), token: otherToken }
  })
  const states = once(async () => {
    const found = new Map<string, number>()
    for (const { id } of (await reader.documents()).slice(0, MAX_DOCUMENTS))
      found.set(id, (await get(`/documents/${encodeURIComponent(id)}/solution`)).status)
    return found
  })

  async function foreign() {
    const [folder, [document]] = [await other().root(), await other().documents()]
    const own = [await reader.root(), ...(await reader.documents()).map(({ id }) => id)]
    if (own.includes(folder) || own.includes(document.id))
      throw new NotChecked('a team of its own for each token')
    return { folder, document: document.id }
  }

  return {
    settings,
    get,
    send: client.send,
    ...reader,
    other,
    foreign,
    states,
    async documentWith(status, ...names) {
      for (const name of names) if (settings[name] !== undefined) return settings[name]
      for (const [id, found] of await states()) if (found === status) return id
      throw new NotChecked(names.map(nameOf).join(' or '))
    },
    close: client.close,
  }
}

function createReader(get: (path: string) => Promise<Answer>): Reader {
  const root = once(async () => {
    const { json } = await get('/team')
    const id = memberOf(memberOf(json, 'team'), 'rootFolderId')
    const isRead = isText(id) && (await get(`/folders/${encodeURIComponent(id)}`)).status === 200
    return need(isRead ? id : undefined, "a team whose 'rootFolderId' can be read")
  })

  async function readFolder(id: string, above: readonly string[]): Promise<ReadFolder> {
    const { json } = await get(`/folders/${encodeURIComponent(id)}`)
    const members = memberOf(json, 'folder')
    const folders = memberOf(members, 'folders')
    const documents = memberOf(members, 'documents')
    if (!isObject(members) || !Array.isArray(folders) || !Array.isArray(documents))
      throw new NotChecked('folders that can be read')
    return { id, members, folders: folders.filter(isObject), documents: documents.filter(isObject), above }
  }

  const folders = once(async () => {
    const found = [await readFolder(await root(), [])]
    // The list grows while it is walked.
    for (const { id, folders: children, above } of found) {
      for (const child of children) {
        if (found.length === MAX_FOLDERS) return found
        const isNew = isText(child.id) && found.every((folder) => folder.id !== child.id)
        if (isNew) found.push(await readFolder(child.id as string, [...above, id]))
      }
    }
    return found
  })

  const documents = once(async () => {
    const found = new Map<unknown, ListedDocument>()
    for (const folder of await folders())
      for (const { id, name } of folder.documents)
        if (isText(id) && typeof name === 'string') found.set(id, { id, name, folder })
    const [first, ...others] = found.values()
    return [need(first, 'documents in the team'), ...others] as const
  })

  return { root, folders, documents }
}

/** Calls a function once, and returns what it returned then. */
function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
