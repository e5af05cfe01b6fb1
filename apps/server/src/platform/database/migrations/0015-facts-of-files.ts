import { CompiledQuery } from 'kysely'
import type { Dialect } from '../database.ts'
import type { Migration } from '../migration.ts'

/**
 * What an imported file says beside its graph. The documents that were imported before have none of it until they are
 * imported again, and their contents are those of the first reading (`Reading` of @meadow/grasshopper).
 */
export const factsOfFiles: Migration = {
  name: 'facts of files',
  async up(write, dialect) {
    for (const statement of STATEMENTS[dialect]) await write.executeQuery(CompiledQuery.raw(statement))
  },
}

const STATEMENTS: Record<Dialect, string[]> = {
  sqlite: [
    'alter table document add column source_facts text',
    'alter table document add column source_reading integer',
    `create table document_facts (
      document_id integer primary key references document on delete cascade,
      digest text not null,
      file text not null,
      clusters blob,
      clusters_blob text,
      check ((clusters is null) <> (clusters_blob is null))
    ) strict`,
    'create index document_facts_blob on document_facts (clusters_blob) where clusters_blob is not null',
  ],
  postgres: [
    'alter table document add column source_facts text collate "C"',
    'alter table document add column source_reading integer',
    `create table document_facts (
      document_id integer primary key references document on delete cascade,
      digest text collate "C" not null,
      file text not null,
      clusters bytea,
      clusters_blob text collate "C",
      check ((clusters is null) <> (clusters_blob is null))
    )`,
    'create index document_facts_blob on document_facts (clusters_blob) where clusters_blob is not null',
  ],
}
