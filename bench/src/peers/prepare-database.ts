import pg from 'pg'

/** What the peers get beside Meadow's own tables, so that they too have an index to search with. */
const STATEMENTS = [
  'create extension if not exists pg_trgm',
  'create index if not exists document_peer_name on document using gin (name gin_trgm_ops)',
  'create index if not exists document_peer_updated on document (updated_at desc)',
  // PostgREST follows a table's reference to itself only through a function.
  `create or replace function folders(folder) returns setof folder rows 40 language sql stable as
    $$ select * from folder where parent_id = $1.id order by name $$`,
  // PostGraphile has no filter for a part of a text of its own.
  `create or replace function search_documents(pattern text) returns setof document language sql stable as
    $$ select * from document where name ilike pattern order by updated_at desc limit 50 $$`,
  'analyze',
]

export async function prepareDatabase(url: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    for (const statement of STATEMENTS) await client.query(statement)
  } finally {
    await client.end()
  }
}

/** A pattern for LIKE that finds the text anywhere. */
export const patternOf = (text: string, anything: string): string =>
  `${anything}${text.replace(/[\\%_]/g, '\\$&')}${anything}`
