import {
  answered,
  asked,
  type Body,
  type Breach,
  body,
  breach,
  isBimz,
  isExport,
  isJson,
  isTeam,
  made,
  part,
  solved,
} from './breach.ts'
import { ok, refuse } from './reference-server.ts'

const running = () => refuse(202, 'A solve is running.')

/** Changes each document in a folder. */
const inFolders = (change: (summary: Body) => object) =>
  made('folder', (it) => ({ ...it, documents: it.documents.map(change) }))

/** Changes one document where a search finds it; it is in the root folder. */
const oneItem = (change: (item: Body) => object) =>
  made('item', (it) => (it.name === 'Item 45' ? change(it) : it))

const nodes = (change: (node: Body) => object) =>
  made('document', (it) => ({
    ...it,
    nodes: Object.fromEntries(Object.entries(it.nodes).map(([id, node]) => [id, change(node)])),
  }))

const exported = (change: (made: Body) => object) =>
  body(isExport, (it) => ({ export: { ...it.export, ...change(it.export) } }))

/** Servers that each break one sentence of the parts 1 to 3 of the contract. */
export const BREACHES_OF_RESOURCES: readonly Breach[] = [
  breach(
    'C1.1 C3.1 C3.2',
    'has no solution endpoint for what was never solved',
    solved(
      (_, { status }) => status === 409,
      () => refuse(404, 'Could not find that document.'),
    ),
  ),
  breach(
    'C1.4',
    'changes things by DELETE',
    answered(({ method }) => (method === 'DELETE' ? ok({ deleted: true }) : undefined)),
  ),
  breach('C1.6', 'starts a solve when a document is exported', (parts) => {
    const started = new Set<string>()
    const { export: make } = parts
    parts.export = (document, query) => {
      started.add(document.id)
      return make(document, query)
    }
    // It fails at once, which leaves the document as it was.
    solved(({ id }, { status }) => status === 409 && started.delete(id), running)(parts)
  }),
  breach(
    'C1.9',
    'reads the same team with every token',
    body(isTeam, () => ({ team: { name: 'acme', rootFolderId: 'acme-root' } })),
  ),
  breach(
    'C2.1',
    'has times in seconds',
    made('summary', (it) => ({ ...it, updatedAt: it.updatedAt.replace('.000', '') })),
  ),
  breach(
    'C2.2',
    'has no name of the team',
    body(isTeam, ({ team: { name: _, ...team } }) => ({ team })),
  ),
  breach(
    'C2.3',
    'names no folder as the root',
    body(isTeam, ({ team }) => ({ team: { ...team, rootFolderId: `${team.rootFolderId}x` } })),
  ),
  breach(
    'C2.4',
    'has another id in a folder',
    made('folder', (it) => ({ ...it, id: `${it.id}/` })),
  ),
  breach(
    'C2.5',
    'has no name of the root',
    made('folder', (it) => (it.parentId === null ? { ...it, name: null } : it)),
  ),
  breach(
    'C2.6',
    'has an empty parent at the root',
    made('folder', (it) => ({ ...it, parentId: it.parentId ?? '' })),
  ),
  breach(
    'C2.7',
    'has the ancestors from the inside out',
    made('folder', (it) => ({ ...it, path: it.path.toReversed() })),
  ),
  breach(
    'C2.8',
    'calls folders otherwise in their parents',
    made('folder', (it) => ({
      ...it,
      folders: it.folders.map((one: Body) => ({ ...one, name: one.name.toUpperCase() })),
    })),
  ),
  breach(
    'C2.9',
    'leaves the first document out of a folder',
    made('folder', (it) => (it.name === 'd' ? { ...it, documents: it.documents.slice(1) } : it)),
  ),
  breach(
    'C2.10',
    'has a number as an id in a search',
    oneItem((it) => ({ ...it, id: 45 })),
  ),
  breach(
    'C2.11',
    'has null as a name in a search',
    oneItem((it) => ({ ...it, name: null })),
  ),
  breach(
    'C2.12',
    'has no visibility',
    made('summary', ({ visibility: _, ...it }) => it),
  ),
  breach(
    'C2.13',
    'has no time of creation in folders',
    inFolders(({ createdAt: _, ...it }) => it),
  ),
  breach(
    'C2.14',
    'has no time of change in folders',
    inFolders(({ updatedAt: _, ...it }) => it),
  ),
  breach(
    'C2.15',
    'has a folder in a search that is nowhere',
    oneItem((it) => ({ ...it, folder: { id: 'nowhere' }, isRoot: false })),
  ),
  breach(
    'C2.16',
    'says that no document is unfiled',
    made('item', (it) => ({ ...it, isRoot: false })),
  ),
  breach(
    'C2.18',
    'has a text as the version',
    made('document', (it) => ({ ...it, version: '1' })),
  ),
  breach(
    'C2.19',
    'has words in place of the order of ports',
    nodes((it) => ({ ...it, outputs: { o1: 'first', o2: 'first' } })),
  ),
  breach(
    'C2.20',
    'has wires without the node',
    nodes((it) => ({ ...it, sources: it.sources.i1 ? { i1: { portInstanceId: 'o1' } } : {} })),
  ),
  breach(
    'C2.21',
    'lists values without their ports',
    nodes((it) => ({ ...it, values: Object.values(it.values) })),
  ),
  breach(
    'C2.22 C2.27',
    'keys a solution by the index of a node',
    body(isJson, ({ data: { solutionId, ...trees }, ...it }) => ({
      ...it,
      data: { solutionId, ...Object.values(trees) },
    })),
  ),
  breach(
    'C2.23',
    'has one id for all solves',
    body(isJson, (it) => ({ ...it, data: { ...it.data, solutionId: 'x' } })),
  ),
  breach(
    'C2.24',
    'has 0 and 1 as includesGeometry',
    body(isJson, (it) => ({ ...it, includesGeometry: Number(it.includesGeometry) })),
  ),
  breach(
    'C2.25',
    'sends geometry unless it is refused',
    asked(isJson, (query) => query.has('includeGeometry') || query.set('includeGeometry', 'true')),
  ),
  breach(
    'C2.26',
    'lists the objects of a BIM document',
    body(isBimz, (it) => ({ objects: Object.values(it.objects) })),
  ),
  breach(
    'C2.27',
    'leaves the port out of the objects of a BIM document',
    body(isBimz, ({ objects: { x } }) => ({ objects: { x: { ...x, port: undefined } } })),
  ),
  breach(
    'C2.29',
    'has a relative link',
    exported(({ url }) => ({ url: new URL(url).pathname })),
  ),
  breach(
    'C2.30',
    'has links that never end',
    part('file', () => () => ok('a file')),
  ),
  breach(
    'C2.31',
    'has seconds at the end of a link',
    exported(({ expiresAt }) => ({ expiresAt: expiresAt.replace(/\.\d+/, '') })),
  ),
  breach(
    'C2.32',
    'has links that end after a day',
    exported(() => ({ expiresAt: new Date(Date.now() + 86_400_000).toISOString() })),
  ),
  breach(
    'C3.1',
    'has no solution endpoint for one document',
    solved(
      ({ name }) => name === 'Tower',
      () => refuse(404, 'Could not find that document.'),
    ),
  ),
  breach(
    'C3.2',
    'says 202 to what was never solved',
    solved(({ name }, { status }) => name === 'neverSolved' && status === 409, running),
  ),
  breach(
    'C3.3',
    'has an empty solution while a solve runs',
    solved(
      (_, { status }) => status === 202,
      () => ok({}),
    ),
  ),
  breach(
    'C3.4',
    'says 409 after a solve that failed',
    solved(
      (_, { status }) => status === 502,
      () => refuse(409, 'There is no solution.'),
    ),
  ),
  breach(
    'C3.5',
    'says 202 to what was solved',
    solved(({ name }, { status }) => name === 'solved' && status === 200, running),
  ),
  breach(
    'C3.7',
    'exports what was never solved',
    part('export', (make) => (document, query) => {
      const response = make(document, query)
      return response.status === 409 ? ok({ export: {} }) : response
    }),
  ),
]
