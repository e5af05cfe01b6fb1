import { join } from 'node:path'
import { findFreePort } from '@meadow/server/src/testing/find-free-port.ts'
import type { HttpRequest } from '../load/request.ts'
import type { Read } from '../requests/contender.ts'
import type { ServerProcess } from '../servers/server-process.ts'
import { patternOf } from './prepare-database.ts'
import { startPeer } from './start-peer.ts'

/** PostGraphile 5 with its recommended preset, in production mode, over the tables of Meadow. */
export async function startPostgraphile(modules: string, databaseUrl: string): Promise<ServerProcess> {
  const port = await findFreePort()
  const cli = join(modules, 'postgraphile', 'dist', 'cli-run.js')
  const preset = 'postgraphile/presets/amber'
  const args = [cli, '-P', preset, '-c', databaseUrl, '-s', 'public', '-n', '127.0.0.1', '-p', String(port)]
  return startPeer(process.execPath, args, {
    // Presets are resolved from here.
    cwd: join(modules, '..'),
    env: { PATH: process.env.PATH, NODE_ENV: 'production', GRAPHILE_ENV: 'production' },
    port,
    probe: graphql('{ __typename }'),
  })
}

const DOCUMENT = 'publicId name visibility createdAt updatedAt'
const FOLDER = `query ($folder: String!) { folderByPublicId(publicId: $folder) {
  publicId name foldersByParentId(orderBy: NAME_ASC) { nodes { publicId name } }
  documentsByFolderId { nodes { ${DOCUMENT} } } } }`
const SEARCH = `query ($pattern: String!) { searchDocuments(pattern: $pattern) { nodes {
  ${DOCUMENT} folderByFolderId { publicId name } } } }`

/** Reads of a folder with its content, and searches by a part of a name; undefined for other reads. */
export function postgraphileRequest(read: Read): HttpRequest | undefined {
  if (read.kind === 'folder') return graphql(FOLDER, { folder: read.folder })
  if (read.kind === 'search' && !read.folder) return graphql(SEARCH, { pattern: patternOf(read.q, '%') })
  return undefined
}

const graphql = (query: string, variables?: object): HttpRequest => ({
  path: '/graphql',
  json: JSON.stringify({ query, variables }),
})
