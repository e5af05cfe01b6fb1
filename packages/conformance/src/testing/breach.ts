import { type Document, type Parts, type Request, type Response, sortFound } from './reference-server.ts'

/**
 * A server that breaks the contract. The first check is the one of the sentence that it breaks; where others are
 * listed, their sentences say in part the same.
 */
export interface Breach {
  caughtBy: readonly [string, ...string[]]
  does: string
  apply(parts: Parts): void
}

// biome-ignore lint/suspicious/noExplicitAny: a breach makes any shape of any other.
export type Body = any

/** Describes a breach. `caughtBy` has ids with spaces between. */
export const breach = (caughtBy: string, does: string, apply: (parts: Parts) => void): Breach => ({
  caughtBy: caughtBy.split(' ') as [string],
  does,
  apply,
})

/** Replaces one part of the service by one that is made of it. */
export const part =
  <Name extends keyof Parts>(name: Name, replace: (original: Parts[Name]) => Parts[Name]) =>
  (parts: Parts) => {
    parts[name] = replace(parts[name])
  }

/** Changes the body that a part makes. */
export const made = (
  name: 'folder' | 'summary' | 'item' | 'document',
  change: (body: Body, ...made: Body[]) => object,
) =>
  part(
    name,
    (original) =>
      (...parameters: Body[]) =>
        change((original as Body)(...parameters), ...parameters),
  )

/** Answers some requests in another way: `answer` returns undefined for the others. */
export const answered = (answer: (request: Request, normal: () => Response) => Response | undefined) =>
  part('handle', (handle) => (request) => answer(request, () => handle(request)) ?? handle(request))

/** Changes the successful bodies of one endpoint. */
export const body = (
  endpoint: (request: Request) => boolean,
  change: (body: Body, request: Request) => unknown,
) =>
  answered((request, normal) => {
    if (request.path === undefined || !endpoint(request)) return undefined
    const response = normal()
    return response.status === 200 ? { ...response, body: change(response.body, request) } : undefined
  })

/** Gives another answer where the answer would be a success. */
export const denied = (isFor: (request: Request) => boolean, answer: () => Response) =>
  answered((request, normal) => (isFor(request) && normal().status === 200 ? answer() : undefined))

/** Gives another answer to refusals with this status. */
export const refused = (status: number, change: (response: Response) => Response) =>
  answered((request, normal) => {
    const response = normal()
    return request.path !== undefined && response.status === status ? change(response) : undefined
  })

/** Lets requests pass without a token. */
export const opened = (isFor: (request: Request) => boolean) =>
  part('authenticate', (authenticate) => (request) => (isFor(request) ? undefined : authenticate(request)))

/** Changes the parameters of a request before it is answered. */
export const asked = (endpoint: (request: Request) => boolean, change: (query: URLSearchParams) => void) =>
  part('route', (route) => (request) => {
    if (endpoint(request)) change(request.query)
    return route(request)
  })

/** Answers to ids of the other team in another way. */
export const foreign = (kind: 'document' | 'folder', answer: () => Response) =>
  part(
    'missing',
    (missing) => (askedKind, team, id) =>
      askedKind === kind && id.startsWith('other-') ? answer() : missing(askedKind, team, id),
  )

/** Replaces the answer to the solutions of some documents. */
export const solved = (isFor: (document: Document, response: Response) => boolean, answer: () => Response) =>
  part('solution', (solution) => (document, query) => {
    const response = solution(document, query)
    return isFor(document, response) ? answer() : response
  })

/** Finds the documents that `matches` in place of those whose names contain `q`. */
export const found = (matches: (document: Document, q: string) => boolean) =>
  part('find', (find) => (team, query) => {
    const q = query.get('q')
    if (q === null) return find(team, query)
    return sortFound(
      team.documents.filter((one) => matches(one, q)),
      q,
    ).slice(0, 50)
  })

/** Changes what a search with `q` finds, or one without, or both. */
export const listed = (
  isFor: (query: URLSearchParams) => boolean,
  change: (documents: Document[], query: URLSearchParams, all: readonly Document[]) => Document[],
) =>
  part('find', (find) => (team, query) => {
    const documents = find(team, query)
    return isFor(query) ? change(documents, query, team.documents) : documents
  })

export const isTeam = ({ path }: Request) => path === '/team'
export const isSearch = ({ path }: Request) => path === '/documents'
export const isFolder = ({ segments }: Request) => segments[0] === 'folders'
export const isDocument = ({ segments }: Request) => segments[0] === 'documents' && segments.length === 2
export const isSolution = ({ segments }: Request) => segments[2] === 'solution'
export const isBimz = (request: Request) => isSolution(request) && request.query.get('format') === 'bimz'
export const isJson = (request: Request) => isSolution(request) && !isBimz(request)
export const isExport = ({ segments }: Request) => segments[2] === 'export'
export const isExportOf = (format: string) => (request: Request) =>
  isExport(request) && request.query.get('format') === format
