import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findFreePort } from '@meadow/server/src/testing/find-free-port.ts'
import pg from 'pg'
import { runToEnd } from '../harness/processes.ts'
import { documentFacts, folderFacts, searchFacts } from '../requests/facts.ts'
import { PEER_SCHEMA } from './data.ts'
import { type Peer, startPeer } from './peer.ts'

const SCHEMA = 'directus'
const SUMMARY = ['id', 'name', 'visibility', 'created_at', 'updated_at']

/** The policy of requests without a token; Directus creates it with this id. */
const PUBLIC_POLICY = 'abf8a154-5b1c-4a46-ac9c-7300570f4f17'

/**
 * The statements that set up the collections, the lists of a folder and a document's content as fields, and read access
 * without a token for everything.
 */
const SETUP = [
  `insert into directus_collections (collection) values ('folder'), ('document'), ('content')`,
  `insert into directus_fields (collection, field, special) values
    ('folder', 'folders', 'o2m'), ('folder', 'documents', 'o2m'), ('document', 'contents', 'o2m'),
    ('content', 'body', 'cast-json')`,
  `insert into directus_relations (many_collection, many_field, one_collection, one_field) values
    ('folder', 'parent_id', 'folder', 'folders'), ('document', 'folder_id', 'folder', 'documents'),
    ('content', 'document_id', 'document', 'contents')`,
  `insert into directus_permissions (collection, action, permissions, fields, policy)
    select collection, 'read', '{}', '*', '${PUBLIC_POLICY}' from directus_collections`,
]

/** Directus in production mode, without its app. Its own tables are in a schema of their own. */
export const directus: Peer<string> = {
  name: 'Directus',
  canCache: true,
  async start({ modules, folder, caches }, databaseUrl) {
    const port = await findFreePort()
    const command = [
      '--import',
      fileURLToPath(new URL('without-isolated-vm.ts', import.meta.url)),
      join(modules, '@directus/api/dist/cli/run.js'),
    ]
    const env = environment(databaseUrl, folder, port, caches)
    if (await createSchema(databaseUrl)) {
      await runToEnd(process.execPath, [...command, 'bootstrap'], { cwd: folder, env })
      await query(databaseUrl, SETUP)
    }
    const probe = { path: '/server/ping' }
    return startPeer(process.execPath, [...command, 'start'], { cwd: folder, env, port, probe })
  },
  requestOf(read) {
    const items = (collection: string, fields: string[], parameters: Record<string, string> = {}) => ({
      path: `/items/${collection}?${new URLSearchParams({ ...parameters, fields: fields.join() })}`,
    })
    const below = (name: string, fields: string[]) => fields.map((field) => `${name}.${field}`)
    if (read.kind === 'folder') {
      const lists = [...below('folders', ['id', 'name']), ...below('documents', SUMMARY)]
      return items(`folder/${read.folder}`, ['id', 'name', ...lists])
    }
    if (read.kind === 'document') return items(`document/${read.document}`, [...SUMMARY, 'contents.body'])
    if (read.kind === 'search' && !read.folder) {
      const fields = [...SUMMARY, ...below('folder_id', ['id', 'name'])]
      const order = { sort: '-updated_at', limit: '50' }
      return items('document', fields, { ...order, ...(read.q && { 'filter[name][_icontains]': read.q }) })
    }
    return { reason: 'has no such read' }
  },
  readFacts({ kind }, body) {
    const { data } = JSON.parse(body)
    const summary = ({
      created_at: createdAt,
      updated_at: updatedAt,
      folder_id: folder,
      ...others
    }: Item) => ({
      ...others,
      folder,
      createdAt,
      updatedAt,
    })
    if (kind === 'folder') return folderFacts({ ...data, documents: data.documents.map(summary) })
    if (kind === 'document') return documentFacts({ ...summary(data), ...data.contents[0].body })
    return searchFacts(data.map(summary))
  },
}

// biome-ignore lint/suspicious/noExplicitAny: JSON of another server, which is compared with what is expected.
type Item = any

const environment = (databaseUrl: string, folder: string, port: number, caches: boolean) => ({
  PATH: process.env.PATH,
  NODE_ENV: 'production',
  DB_CLIENT: 'pg',
  DB_CONNECTION_STRING: databaseUrl,
  DB_SEARCH_PATH: `array:${SCHEMA},${PEER_SCHEMA}`,
  HOST: '127.0.0.1',
  PORT: String(port),
  SECRET: 'bench',
  ADMIN_EMAIL: 'admin@example.com',
  ADMIN_PASSWORD: 'bench',
  SERVE_APP: 'false',
  LOG_LEVEL: 'silent',
  TELEMETRY: 'false',
  WEBSOCKETS_ENABLED: 'false',
  PRESSURE_LIMITER_ENABLED: 'false',
  RATE_LIMITER_ENABLED: 'false',
  // The default limit of 100 would leave out documents of large folders.
  QUERY_LIMIT_DEFAULT: '-1',
  EXTENSIONS_PATH: join(folder, 'extensions'),
  STORAGE_LOCAL_ROOT: join(folder, 'uploads'),
  ...(caches && { CACHE_ENABLED: 'true', CACHE_STORE: 'memory', CACHE_TTL: '1h', CACHE_AUTO_PURGE: 'true' }),
})

/** Creates the schema for Directus's own tables. Resolves with whether it is new. */
async function createSchema(databaseUrl: string): Promise<boolean> {
  const [found] = await query(databaseUrl, [`select to_regnamespace('${SCHEMA}') is null as "isNew"`])
  if (found.isNew) await query(databaseUrl, [`create schema ${SCHEMA}`])
  return found.isNew
}

/** The rows of the last statement. */
// biome-ignore lint/suspicious/noExplicitAny: as above.
async function query(url: string, statements: readonly string[]): Promise<any[]> {
  const client = new pg.Client({ connectionString: url, options: `-c search_path=${SCHEMA}` })
  await client.connect()
  try {
    let rows: unknown[] = []
    for (const statement of statements) rows = (await client.query(statement)).rows
    return rows
  } finally {
    await client.end()
  }
}
