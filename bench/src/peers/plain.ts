import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type ServerProcess, startHelper } from '../harness/processes.ts'
import { readMeadowFacts } from '../requests/facts.ts'
import type { TeamData } from './data.ts'
import type { Peer } from './peer.ts'

const API: Pick<Peer<never>, 'requestOf' | 'readFacts'> = {
  requestOf(read) {
    if (read.kind === 'folder') return { path: `/folders/${read.folder}` }
    if (read.kind === 'document') return { path: `/documents/${read.document}` }
    if (read.kind === 'search' && !read.folder)
      return { path: `/documents?${new URLSearchParams({ q: read.q })}` }
    return { reason: 'has no such read' }
  },
  readFacts: readMeadowFacts,
}

/** A plain server on the tables of the peers. */
export const plainPostgres: Peer<string> = {
  ...API,
  name: 'Fastify + Kysely on PostgreSQL',
  start: (_options, databaseUrl) => startPlain(databaseUrl),
}

/** A plain server on a SQLite file with the same tables. */
export const plainSqlite: Peer<TeamData> = {
  ...API,
  name: 'Fastify + Kysely',
  start: async ({ folder }, data) => startPlain(await createFile(join(folder, 'plain.sqlite'), data)),
}

async function startPlain(location: string): Promise<ServerProcess> {
  const helper = startHelper(new URL('plain/plain-server.ts', import.meta.url), {
    args: [location],
    env: { PATH: process.env.PATH, NODE_ENV: 'production' },
  })
  const port = await helper.run<number>('listen')
  return { pid: helper.pid, host: '127.0.0.1', port, [Symbol.asyncDispose]: helper[Symbol.asyncDispose] }
}

const TABLES = `
  create table folder (id text primary key, parent_id text references folder, name text not null) strict;
  create table document (
    id text primary key, folder_id text not null references folder, name text not null, name_lower text not null,
    visibility text not null, created_at text not null, updated_at text not null) strict;
  create table content (document_id text primary key references document, body text not null) strict;
  create index folder_parent on folder (parent_id, name);
  create index document_folder on document (folder_id, name);
  create index document_updated on document (updated_at desc);
  create virtual table document_names using fts5 (
    name_lower, content = 'document', tokenize = 'trigram', detail = 'full');`

/** Writes the team to a SQLite file, and returns its path. */
async function createFile(path: string, { folders, documents, contents }: TeamData): Promise<string> {
  await rm(path, { force: true })
  const database = new DatabaseSync(path)
  try {
    database.exec(`pragma journal_mode = off; begin; ${TABLES}`)
    const addFolder = database.prepare('insert into folder values (?, ?, ?)')
    for (const { id, parentId, name } of folders) addFolder.run(id, parentId, name)
    const addDocument = database.prepare('insert into document values (?, ?, ?, ?, ?, ?, ?)')
    for (const { id, folderId, name, visibility, createdAt, updatedAt } of documents) {
      addDocument.run(id, folderId, name, name.toLowerCase(), visibility, createdAt, updatedAt)
    }
    const addContent = database.prepare('insert into content values (?, ?)')
    for (const { id, body } of contents) addContent.run(id, body)
    database.exec(`insert into document_names (document_names) values ('rebuild'); commit; analyze`)
  } finally {
    database.close()
  }
  return path
}
