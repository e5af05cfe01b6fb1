import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { DocumentId, DocumentSummary } from '@meadow/contract'
import pg from 'pg'
import { sendRequest } from '../harness/request.ts'
import { type Contender, requestsOf } from '../requests/contender.ts'

/** The content of a document, without its properties. */
export interface StoredContent {
  id: DocumentId
  /** The JSON of `nodes`, `groups` and `configuration`. */
  body: string
}

/** The contents of the documents that are measured, read from Meadow. */
export async function* readContents(meadow: Contender): AsyncGenerator<StoredContent> {
  const { smallDocuments, largeDocuments } = meadow.team
  for (const document of [...smallDocuments, ...largeDocuments]) {
    const target = requestsOf(meadow, { name: '', reads: [{ kind: 'document', document }], manner: 'first' })
    const { body } = await sendRequest(target, target.requests[0]!)
    const { nodes, groups, configuration } = JSON.parse(body.toString()).document
    yield { id: document, body: JSON.stringify({ nodes, groups, configuration }) }
  }
}

/** A team as plain lists, for peers that do not use PostgreSQL. */
export interface TeamData {
  folders: { id: string; parentId: string | null; name: string }[]
  documents: (DocumentSummary & { folderId: string })[]
  contents: StoredContent[]
}

const FOLDERS = `select folder.public_id as id, parent.public_id as parentId, folder.name
  from folder left join folder parent on parent.id = folder.parent_id order by folder.id`
const DOCUMENTS = `select document.public_id as id, folder.public_id as folderId, document.name, visibility,
    document.created_at as createdAt, updated_at as updatedAt
  from document join folder on folder.id = document.folder_id`

/** Reads the team from Meadow's SQLite database. */
export async function readTeamData(
  dataDir: string,
  contents: AsyncIterable<StoredContent>,
): Promise<TeamData> {
  const database = new DatabaseSync(join(dataDir, 'meadow.sqlite'), { readOnly: true })
  try {
    const folders = database.prepare(FOLDERS).all() as unknown as TeamData['folders']
    const rows = database.prepare(DOCUMENTS).all() as unknown as DocumentRow[]
    const documents = rows.map(({ createdAt, updatedAt, ...document }) => ({
      ...document,
      createdAt: toTimestamp(createdAt),
      updatedAt: toTimestamp(updatedAt),
    }))
    return { folders, documents, contents: await Array.fromAsync(contents) }
  } finally {
    database.close()
  }
}

type DocumentRow = Omit<TeamData['documents'][number], 'createdAt' | 'updatedAt'> & {
  createdAt: number
  updatedAt: number
}

const toTimestamp = (ms: number) => new Date(ms).toISOString() as DocumentSummary['createdAt']

/** The schema of the peers: the data of Meadow's tables, stored as one would do it without Meadow's other features. */
export const PEER_SCHEMA = 'peer'

/**
 * The statements that copy Meadow's data into separate tables, with an index for each read. `analyze` gives the planner
 * figures.
 */
const TABLES = [
  'create extension if not exists pg_trgm',
  `drop schema if exists ${PEER_SCHEMA} cascade`,
  `create schema ${PEER_SCHEMA}`,
  `set search_path to ${PEER_SCHEMA}, public`,
  'create table folder (id text primary key, parent_id text references folder, name text not null)',
  `insert into folder select folder.public_id, parent.public_id, folder.name from public.folder
    left join public.folder parent on parent.id = folder.parent_id order by folder.id`,
  `create table document (
    id text primary key, folder_id text not null references folder, name text not null, visibility text not null,
    created_at timestamptz not null, updated_at timestamptz not null)`,
  `insert into document select document.public_id, folder.public_id, document.name, visibility,
      to_timestamp(document.created_at / 1000.0), to_timestamp(updated_at / 1000.0)
    from public.document join public.folder on folder.id = document.folder_id`,
  // The body is text that is sent as it is stored, which is faster to read than jsonb.
  'create table content (document_id text primary key references document, body json not null)',
]

const INDEXES = [
  'create index on folder (parent_id, name)',
  'create index on document (folder_id, name)',
  'create index on document using gin (name gin_trgm_ops)',
  'create index on document (updated_at desc)',
  // PostgREST embeds a table in itself only through a function.
  `create function folders(folder) returns setof folder rows 40 language sql stable as
    $$ select * from ${PEER_SCHEMA}.folder where parent_id = $1.id order by name $$`,
  // This has the order of Meadow's searches, for peers that cannot order by an expression. `pattern` is escaped for
  // LIKE.
  `create function search_documents(pattern text) returns setof document rows 50 language sql stable as $$
    select id, folder_id, name, visibility, created_at, updated_at from (
      (select *, 0 as place from ${PEER_SCHEMA}.document where name ilike pattern || '%'
        order by updated_at desc limit 50)
      union all
      (select *, 1 from ${PEER_SCHEMA}.document
        where name ilike '%' || pattern || '%' and not name ilike pattern || '%'
        order by updated_at desc limit 50)
    ) found order by place, updated_at desc limit 50 $$`,
  'analyze',
]

/**
 * Creates the tables of the peers in Meadow's database, in place of existing ones. It takes some seconds at 100,000
 * documents.
 */
export async function prepareDatabase(url: string, contents: AsyncIterable<StoredContent>): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    for (const statement of TABLES) await client.query(statement)
    for await (const { id, body } of contents)
      await client.query('insert into content values ($1, $2)', [id, body])
    for (const statement of INDEXES) await client.query(statement)
  } finally {
    await client.end()
  }
}

/** Returns a LIKE pattern that matches a text. */
export const escapePattern = (text: string): string => text.replace(/[\\%_]/g, '\\$&')
