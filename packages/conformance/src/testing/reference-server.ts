import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Settings } from '../settings.ts'

/** A small service that does what the contract says, and nothing else. Tests break it, one sentence at a time. */

export interface Document {
  id: string
  name: string
  visibility: string
  createdAt: string
  updatedAt: string
  folder: string
}

export interface Folder {
  id: string
  name: string
  parent: string | null
}

interface Team {
  name: string
  root: string | undefined
  folders: Folder[]
  documents: Document[]
}

export interface Request {
  method: string
  /** The path behind `/api/v1`; undefined outside of it. */
  path: string | undefined
  segments: readonly string[]
  query: URLSearchParams
  /** The value of the header `Authorization`. */
  authorization: string
  team: Team
  scopes: readonly string[]
}

export interface Response {
  status: number
  body: unknown
  headers?: Record<string, string>
}

type Step = (request: Request) => Response

/** The parts of the service that a breach replaces. Each is called by way of this object. */
export interface Parts {
  /** Everything below and outside of the prefix. */
  handle: Step
  authenticate(request: Request): Response | undefined
  route: Step
  folder(team: Team, folder: Folder): object
  summary(document: Document): object
  item(team: Team, document: Document): object
  find(team: Team, query: URLSearchParams): Document[]
  document(document: Document): object
  solution(document: Document, query: URLSearchParams): Response
  export(document: Document, query: URLSearchParams): Response
  /** The answer to a document or folder that is not the team's. */
  missing(kind: 'document' | 'folder', team: Team, id: string): Response
  /** The answer to a link. */
  file(name: string): Response
  /** The answer where an address belongs to another team than the token. */
  misdirected(): Response | undefined
}

const HOUR_MS = 3_600_000

export const ok = (body: unknown): Response => ({ status: 200, body })
export const refuse = (status: number, error: string): Response => ({ status, body: { error } })

/** Documents whose solutions are in these states. */
const STATES = { neverSolved: 409, solving: 202, failed: 502, solved: 200, withGeometry: 200 } as const

const SCOPES = ['team', 'folders', 'documents', 'solutions', 'exports']

function createTeam(name: string): Team {
  const folder = (id: string, parent: string | null): Folder => ({ id: `${name}-${id}`, name: id, parent })
  const folders = [
    folder('root', null),
    folder('a', `${name}-root`),
    folder('b', `${name}-a`),
    folder('c', `${name}-b`),
    folder('d', `${name}-root`),
  ]
  const names = [
    'neverSolved',
    'solving',
    'failed',
    'solved',
    'withGeometry',
    'My tower',
    'Tower',
    'Old tower',
  ]
  const more = Array.from({ length: 60 }, (_, i) => `Item ${i}`)
  const documents = [...names, 'A new tower', '100% wood', ...more].map((title, i): Document => {
    const time = (days: number) => new Date(Date.UTC(2026, 0, 1 + days, 9, 30)).toISOString()
    return {
      id: `${name}-doc-${title}`,
      name: title,
      visibility: 'private',
      createdAt: time((i * 11) % 97),
      updatedAt: time((i * 37) % 97),
      folder: folders[i % folders.length]!.id,
    }
  })
  return { name, root: folders[0]!.id, folders, documents }
}

/** The parts of a service that breaks nothing. `at` is the address of the server. */
function createParts(at: () => string): Parts {
  const parts: Parts = {
    handle(request) {
      if (request.path === undefined) return refuse(403, 'API tokens are refused here.')
      return parts.authenticate(request) ?? parts.route(request)
    },
    authenticate: ({ authorization }) =>
      tokenOf(authorization) in TOKENS ? undefined : refuse(401, 'Send a valid token.'),
    route(request) {
      const { segments, team, query, method } = request
      const [kind = '', id = '', part = ''] = segments
      const scope = { solution: 'solutions', export: 'exports' }[part] ?? kind
      if (method !== 'GET') return refuse(405, 'Only GET is allowed here.')
      if (!SCOPES.includes(scope)) return refuse(404, 'There is no such endpoint.')
      if (!request.scopes.includes(scope)) return refuse(403, 'This token lacks the scope.')
      if (kind === 'team' || id === 'root' || query.get('folderId') === 'root')
        if (team.root === undefined) return refuse(500, 'This team is not set up correctly.')
      if (kind === 'team') return ok({ team: { name: team.name, rootFolderId: team.root } })
      if (kind === 'folders') {
        const folder = findFolder(team, id)
        return folder ? ok({ folder: parts.folder(team, folder) }) : parts.missing('folder', team, id)
      }
      if (id === '') {
        const within = query.get('folderId')
        if (within !== null && !findFolder(team, within)) return parts.missing('folder', team, within)
        return ok({ found: parts.find(team, query).map((one) => parts.item(team, one)) })
      }
      const document = team.documents.find((one) => one.id === id)
      if (!document) return parts.missing('document', team, id)
      if (part === 'solution') return parts.solution(document, query)
      return part === 'export' ? parts.export(document, query) : ok({ document: parts.document(document) })
    },
    folder: (team, { id, name, parent }) => ({
      id,
      name,
      parentId: parent,
      path: listAncestors(team, parent).map((one) => ({ id: one.id, name: one.name })),
      folders: team.folders.filter((one) => one.parent === id).map((one) => ({ id: one.id, name: one.name })),
      documents: team.documents.filter((one) => one.folder === id).map((one) => parts.summary(one)),
    }),
    summary: ({ folder: _, ...summary }) => summary,
    item: (team, document) => ({
      ...parts.summary(document),
      folder: { id: document.folder },
      isRoot: document.folder === team.root,
    }),
    find(team, query) {
      const q = (query.get('q') ?? '').toLowerCase()
      const within = query.get('folderId')
      const home = within === 'root' ? team.root : within
      const matching = team.documents
        .filter(({ name }) => name.toLowerCase().includes(q))
        .filter(({ folder }) => !home || listAncestors(team, folder).some(({ id }) => id === home))
      return sortFound(matching, q).slice(0, 50)
    },
    document: ({ id }) => ({
      version: 1,
      nodes: {
        [`${id}-n1`]: { inputs: {}, outputs: { o1: 0 }, sources: {}, values: { o1: 3 } },
        [`${id}-n2`]: {
          inputs: { i1: 0 },
          outputs: { o2: 0 },
          sources: { i1: { nodeInstanceId: `${id}-n1`, portInstanceId: 'o1' } },
          values: {},
        },
      },
    }),
    solution(document, query) {
      const format = query.get('format') ?? 'json'
      if (!['json', 'bimz'].includes(format)) return refuse(400, 'This format is not accepted.')
      const status = statusOf(document)
      if (status !== 200) return refuse(status, 'There is no solution yet.')
      const hasGeometry = document.name === 'withGeometry'
      const node = `${document.id}-n1`
      if (format === 'bimz')
        return ok({ objects: { x: { node, port: 'o1', branch: '{0}', geometry: null } } })
      const includesGeometry = hasGeometry && query.get('includeGeometry') === 'true'
      const value = includesGeometry ? { value: 3, geometry: 'sphere' } : { value: 3 }
      return ok({
        data: { solutionId: `solve of ${document.id}`, [node]: { o1: { '{0}': [value] } } },
        includesGeometry,
      })
    },
    export(document, query) {
      const format = query.get('format')
      const version = query.get('modelerVersion')
      if (format !== '.gh' && format !== '.3dm') return refuse(400, 'This format is not accepted.')
      if (version !== null && (format === '.gh' || !['7', '8', '9'].includes(version)))
        return refuse(400, 'This version is not accepted.')
      const status = statusOf(document)
      if (status === 409) return refuse(409, 'It was never solved.')
      const expiresAt = new Date(Date.now() + HOUR_MS).toISOString()
      return ok({ export: { url: `${at()}/files/version-${version ?? 9}`, expiresAt } })
    },
    missing: (kind) => refuse(404, `Could not find that ${kind}.`),
    file: (name) => (name === 'expired' ? refuse(410, 'This link has expired.') : ok(`${name} of a model`)),
    misdirected: () => refuse(403, 'This is another team.'),
  }
  return parts
}

/** Sorts what a search finds: names that start with `q` first, each group the latest change first. */
export function sortFound(documents: readonly Document[], q: string): Document[] {
  const starts = ({ name }: Document) => Number(name.toLowerCase().startsWith(q.toLowerCase()))
  return documents.toSorted((a, b) => starts(b) - starts(a) || b.updatedAt.localeCompare(a.updatedAt))
}

const findFolder = (team: Team, id: string): Folder | undefined =>
  team.folders.find((folder) => folder.id === (id === 'root' ? team.root : id))

/** The folders above this one and itself, root first. */
function listAncestors({ folders }: Team, id: string | null): Folder[] {
  const folder = folders.find((one) => one.id === id)
  return folder ? [...listAncestors({ folders } as Team, folder.parent), folder] : []
}

const statusOf = ({ name }: Document): number => STATES[name as keyof typeof STATES] ?? 409

const ACME = createTeam('acme')
const ROOTLESS: Team = { name: 'rootless', root: undefined, folders: [], documents: [] }

/** What each token reads. */
const TOKENS: Record<string, { team: Team; scopes: readonly string[] }> = {
  'token-all': { team: ACME, scopes: SCOPES },
  'token-limited': { team: ACME, scopes: ['team', 'folders', 'documents', 'solutions'] },
  'token-other': { team: createTeam('other'), scopes: SCOPES },
  'token-rootless': { team: ROOTLESS, scopes: SCOPES },
}

export const tokenOf = (authorization: string): string => /^bearer +(\S+)$/i.exec(authorization)?.[1] ?? ''

/** Starts the service with parts that `replace` has changed. Under the host name `localhost` it belongs to one team. */
export async function startReference(replace: (parts: Parts) => void = () => {}) {
  const server = createServer((incoming, outgoing) => {
    const { status, body, headers = {} } = respond(incoming)
    const type = { 'content-type': 'application/json' }
    outgoing.writeHead(status, { ...type, ...headers })
    outgoing.end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  server.listen(0)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const baseUrl = `http://127.0.0.1:${port}`
  const parts = createParts(() => baseUrl)
  replace(parts)

  function respond({ url = '', method = '', headers }: IncomingMessage): Response {
    // Files are kept elsewhere, where the links lead.
    if (url.startsWith('/files/'))
      return { ...ok(''), status: 302, headers: { location: url.replace('files', 'stored') } }
    if (url.startsWith('/stored/')) return parts.file(url.slice('/stored/'.length))
    const { authorization = '', host } = headers
    const { team, scopes } = TOKENS[tokenOf(authorization)] ?? { team: ACME, scopes: SCOPES }
    const misdirected = host?.startsWith('localhost') && team !== ACME ? parts.misdirected() : undefined
    if (misdirected) return misdirected
    const [path = '', query = ''] = url.split('?')
    const below = /^\/api\/v1(\/.*)$/.exec(path)?.[1]
    const segments = (below ?? '').split('/').slice(1).map(decode)
    return parts.handle({
      method,
      path: below,
      segments,
      query: new URLSearchParams(query),
      authorization,
      team,
      scopes,
    })
  }

  const idOf = (name: string) => `acme-doc-${name}`
  const settings: Settings = {
    baseUrl,
    token: 'token-all',
    limitedTokens: ['token-limited'],
    revokedToken: 'token-revoked',
    otherToken: 'token-other',
    rootlessToken: 'token-rootless',
    teamUrl: `http://localhost:${port}`,
    neverSolved: idOf('neverSolved'),
    solving: idOf('solving'),
    failed: idOf('failed'),
    solved: idOf('solved'),
    withGeometry: idOf('withGeometry'),
    withoutGeometry: idOf('solved'),
    expiredLink: `${baseUrl}/files/expired`,
  }
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { settings, close }
}

/** What does not decode is an id that nothing has. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
