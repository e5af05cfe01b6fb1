import { join } from 'node:path'
import { findFreePort } from '@meadow/server/src/testing/find-free-port.ts'
import type { HttpRequest } from '../harness/request.ts'
import { documentFacts, folderFacts, searchFacts } from '../requests/facts.ts'
import { escapePattern, PEER_SCHEMA } from './data.ts'
import { type Peer, startPeer } from './peer.ts'

const SUMMARY = 'id: rowId name visibility createdAt updatedAt'
const FOLDER = `query ($id: String!) { folder: folderByRowId(rowId: $id) {
  id: rowId name folders: foldersByParentId(orderBy: NAME_ASC) { nodes { id: rowId name } }
  documents: documentsByFolderId { nodes { ${SUMMARY} } } } }`
const DOCUMENT = `query ($id: String!) { document: documentByRowId(rowId: $id) {
  ${SUMMARY} content: contentByDocumentId { body } } }`
const SEARCH = `query ($pattern: String!) { found: searchDocuments(pattern: $pattern) { nodes {
  ${SUMMARY} folder: folderByFolderId { id: rowId name } } } }`

/** PostGraphile 5 with its recommended preset, in production mode. */
export const postgraphile: Peer<string> = {
  name: 'PostGraphile',
  async start({ modules }, databaseUrl) {
    const port = await findFreePort()
    const cli = join(modules, 'postgraphile', 'dist', 'cli-run.js')
    const preset = 'postgraphile/presets/amber'
    const args = ['-P', preset, '-c', databaseUrl, '-s', PEER_SCHEMA, '-n', '127.0.0.1', '-p', String(port)]
    return startPeer(process.execPath, [cli, ...args], {
      // Presets are resolved from here.
      cwd: join(modules, '..'),
      env: { PATH: process.env.PATH, NODE_ENV: 'production', GRAPHILE_ENV: 'production' },
      port,
      probe: graphql('{ __typename }'),
    })
  },
  requestOf(read) {
    if (read.kind === 'folder') return graphql(FOLDER, { id: read.folder })
    if (read.kind === 'document') return graphql(DOCUMENT, { id: read.document })
    if (read.kind === 'search' && !read.folder) return graphql(SEARCH, { pattern: escapePattern(read.q) })
    return { reason: 'has no such read' }
  },
  readFacts(_read, body) {
    const { data } = JSON.parse(body)
    if (data.folder) {
      const { folders, documents } = data.folder
      return folderFacts({ ...data.folder, folders: folders.nodes, documents: documents.nodes })
    }
    if (data.document) return documentFacts({ ...data.document, ...data.document.content.body })
    return searchFacts(data.found.nodes)
  },
}

const graphql = (query: string, variables?: object): HttpRequest => ({
  path: '/graphql',
  json: JSON.stringify({ query, variables }),
})
