import {
  answered,
  asked,
  type Body,
  type Breach,
  body,
  breach,
  denied,
  foreign,
  found,
  isBimz,
  isDocument,
  isExport,
  isExportOf,
  isFolder,
  isJson,
  isSearch,
  isSolution,
  isTeam,
  listed,
  made,
  opened,
  part,
  refused,
} from './breach.ts'
import { ok, refuse, sortFound, tokenOf } from './reference-server.ts'

const isWithQ = (query: URLSearchParams) => query.has('q')
const isWide = (query: URLSearchParams) => !query.has('q') && !query.has('folderId')

/** The pattern of SQL as a regular expression. */
const like = (pattern: string): RegExp =>
  new RegExp(
    pattern
      .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
      .replaceAll('%', '.*')
      .replaceAll('_', '.'),
    'i',
  )

const noFolder = () => refuse(404, 'Could not find that folder.')

/** Servers that each break one sentence of the parts 4 to 7 of the contract. */
export const BREACHES_OF_ENDPOINTS: readonly Breach[] = [
  breach(
    'C4.1',
    'shows a search to everybody',
    opened((request) => isSearch(request) && request.authorization === ''),
  ),
  breach(
    'C4.2',
    'has another type',
    answered((request, normal) => {
      const response = isTeam(request) ? normal() : undefined
      return response?.status === 200 ? { ...response, headers: { 'content-type': 'text/json' } } : undefined
    }),
  ),
  breach(
    'C4.3',
    'has a list of one team',
    body(isTeam, ({ team }) => ({ team: [team] })),
  ),
  breach(
    'C4.4',
    'has a list of one folder',
    body(isFolder, ({ folder }) => ({ folder: [folder] })),
  ),
  breach(
    'C4.5',
    'does not say whether a document is unfiled',
    made('item', ({ isRoot: _, ...it }) => it),
  ),
  breach(
    'C4.6',
    'has a bare document',
    body(isDocument, (it) => it.document),
  ),
  breach(
    'C4.8',
    'has a bare link',
    body(isExport, (it) => it.export),
  ),
  breach(
    'C4.9',
    "has no folder 'root'",
    denied(({ path }) => path === '/folders/root', noFolder),
  ),
  breach(
    'C4.10 C7.11',
    "says 403 to another team's folder",
    answered(({ path }, normal) =>
      path === '/folders/other-root' && normal().status === 404
        ? refuse(403, 'This folder is not yours.')
        : undefined,
    ),
  ),
  breach(
    'C4.11',
    'heeds the case of a name',
    found(({ name }, q) => name.includes(q)),
  ),
  breach(
    'C4.12',
    'takes % and _ for wildcards',
    found(({ name }, q) => like(q).test(name)),
  ),
  breach(
    'C4.13',
    'has what was changed last first',
    listed(isWithQ, (documents) => sortFound(documents, '')),
  ),
  breach(
    'C4.14',
    'sorts all but the first match by name',
    listed(isWithQ, ([first, ...others]) => [
      ...(first ? [first] : []),
      ...others.sort((a, b) => a.name.localeCompare(b.name)),
    ]),
  ),
  breach(
    'C4.15',
    'finds documents with an A without q',
    listed(isWide, (_, __, all) => all.filter(({ name }) => name.startsWith('A'))),
  ),
  breach(
    'C4.16',
    'has the oldest first',
    listed(isWide, (documents) => documents.toReversed()),
  ),
  breach(
    'C4.17',
    'finds only what is directly in a folder',
    listed(
      (query) => /-[a-d]$/.test(query.get('folderId') ?? ''),
      (documents, query) => documents.filter(({ folder }) => folder === query.get('folderId')),
    ),
  ),
  breach(
    'C4.18',
    "has no folder 'root' in a search",
    denied(({ query }) => query.get('folderId') === 'root', noFolder),
  ),
  breach(
    'C4.19',
    'has other words for a folder in a search',
    answered((request, normal) =>
      request.query.has('folderId') && normal().status === 404
        ? refuse(404, 'The folder of this search is missing.')
        : undefined,
    ),
  ),
  breach(
    'C4.20',
    'returns all documents',
    listed(isWide, (_, __, all) => sortFound(all, '')),
  ),
  breach(
    'C4.21',
    'has pages',
    listed(
      (query) => query.has('limit'),
      (documents, query) => documents.slice(0, Number(query.get('limit'))),
    ),
  ),
  breach(
    'C4.23',
    "shows another team's document",
    foreign('document', () => ok({ document: { version: 1, nodes: {} } })),
  ),
  breach(
    'C4.25',
    'never has geometry',
    asked(isJson, (query) => query.delete('includeGeometry')),
  ),
  breach(
    'C4.26',
    'refuses geometry of a BIM document',
    denied(
      (request) => isBimz(request) && request.query.has('includeGeometry'),
      () => refuse(409, 'It has geometry anyway.'),
    ),
  ),
  breach(
    'C4.27',
    'has another form without a format',
    body(
      (request) => isJson(request) && !request.query.has('format'),
      (it) => ({ ...it, form: 'other' }),
    ),
  ),
  breach(
    'C4.28',
    'takes a format with a dot',
    asked(isSolution, (query) => query.get('format') === '.json' && query.set('format', 'json')),
  ),
  breach(
    'C4.29',
    'has values in place of data',
    body(isJson, ({ data, ...it }) => ({ ...it, values: data })),
  ),
  breach(
    'C4.30',
    'says 502 where there is no geometry',
    answered((request, normal) =>
      isJson(request) &&
      request.query.get('includeGeometry') === 'true' &&
      (normal().body as Body).includesGeometry === false
        ? refuse(502, 'There is no geometry.')
        : undefined,
    ),
  ),
  breach(
    'C4.33',
    'exports definitions by default',
    asked(isExport, (query) => query.size === 0 && query.set('format', '.gh')),
  ),
  breach(
    'C4.34',
    'takes a format without a dot',
    asked(isExport, (query) => query.get('format') === 'gh' && query.set('format', '.gh')),
  ),
  breach(
    'C4.35',
    'takes any modelerVersion',
    asked(
      isExportOf('.3dm'),
      (query) => query.get('modelerVersion') === '10' && query.set('modelerVersion', '9'),
    ),
  ),
  breach(
    'C4.36',
    'exports for version 7 by default',
    asked(isExportOf('.3dm'), (query) => query.has('modelerVersion') || query.set('modelerVersion', '7')),
  ),
  breach(
    'C4.37',
    'ignores a modelerVersion with .gh',
    asked(isExportOf('.gh'), (query) => query.delete('modelerVersion')),
  ),
  breach(
    'C5.1',
    'takes a token from the address',
    opened(({ query }) => query.has('access_token')),
  ),
  breach(
    'C5.2',
    "finds another team's documents",
    listed(isWide, (documents) =>
      documents.map((one, i) => (i === 49 ? { ...one, id: 'other-doc-Tower' } : one)),
    ),
  ),
  breach(
    'C5.4',
    'takes a revoked token',
    opened(({ authorization }) => tokenOf(authorization) === 'token-revoked'),
  ),
  breach(
    'C5.4',
    'says 403 without a token',
    refused(401, () => refuse(403, 'Send a token.')),
  ),
  breach(
    'C5.5a',
    'takes the token of another team anywhere',
    part('misdirected', () => () => undefined),
  ),
  breach(
    'C5.5b',
    'says 401 to a token that lacks the scope',
    refused(403, () => refuse(401, 'This token lacks the scope.')),
  ),
  breach(
    'C5.6',
    'takes a token at the web app',
    answered(({ path }) => (path === undefined ? ok({}) : undefined)),
  ),
  breach(
    'C7.1',
    'refuses parameters that it does not know',
    answered(({ query }) => (query.has('unknown') ? refuse(400, 'This parameter is unknown.') : undefined)),
  ),
  breach(
    'C7.3',
    'has other words where the root folder is missing',
    refused(500, () => refuse(500, 'Something is wrong.')),
  ),
  breach(
    'C7.4',
    'says only that it found nothing',
    part(
      'missing',
      (missing) => (kind, team, id) =>
        kind === 'document' ? refuse(404, 'There is nothing here.') : missing(kind, team, id),
    ),
  ),
  breach(
    'C7.5',
    'has a code in errors',
    refused(405, (response) => ({ ...response, body: { ...(response.body as object), code: 'x' } })),
  ),
  breach(
    'C7.5',
    'has errors as text',
    refused(401, () => ({ status: 401, body: 'Send a token.', headers: { 'content-type': 'text/plain' } })),
  ),
  breach(
    'C7.10',
    'says 400 to ids that do not decode',
    answered(({ path }) => (path?.includes('%zz') ? refuse(400, 'This does not decode.') : undefined)),
  ),
  breach(
    'C7.11',
    "has other words for another team's document",
    foreign('document', () => refuse(404, 'Could not see that document.')),
  ),
  breach(
    'C7.14',
    'loses documents whose solves failed',
    denied(
      (request) => isDocument(request) && request.segments[1] === 'acme-doc-failed',
      () => refuse(500, 'The document is lost.'),
    ),
  ),
]
