import pg from 'pg'

/** Additions to Meadow's tables, so that the peers have indexes for their searches. */
const STATEMENTS = [
  'create extension if not exists pg_trgm',
  'create index if not exists document_peer_name on document using gin (name gin_trgm_ops)',
  'create index if not exists document_peer_updated on document (updated_at desc)',
  // PostgREST embeds a table in itself only through a function.
  `create or replace function folders(folder) returns setof folder rows 40 language sql stable as
    $$ select * from folder where parent_id = $1.id order by name $$`,
  // PostGraphile itself cannot filter by a part of a text.
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

/** A LIKE pattern that matches the text anywhere. */
export const patternOf = (text: string, anything: string): string =>
  `${anything}${text.replace(/[\\%_]/g, '\\$&')}${anything}`
