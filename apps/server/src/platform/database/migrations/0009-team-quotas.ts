import { CompiledQuery } from 'kysely'
import type { Dialect } from '../database.ts'
import type { Migration } from '../migration.ts'

/**
 * What a team stores and how much it may store. Triggers keep the team's counters (decision 0023): whatever writes or
 * deletes a document, they are right in the same transaction.
 */
export const teamQuotas: Migration = {
  name: 'team quotas',
  async up(write, dialect) {
    const { long, length, triggers } = PARTS[dialect]
    for (const statement of [...columns(long), ...counts(length), ...triggers]) {
      await write.executeQuery(CompiledQuery.raw(statement))
    }
  },
}

const columns = (long: string) => [
  // Null: a blob that is still to be measured.
  `alter table document add column content_bytes ${long}`,
  'create index document_unmeasured on document (id) where content_bytes is null',
  'alter table team add column document_count integer not null default 0',
  `alter table team add column stored_bytes ${long} not null default 0`,
  // Null: no limit.
  'alter table team add column max_documents integer',
  `alter table team add column max_bytes ${long}`,
]

const counts = (length: string) => [
  `update document set content_bytes = (
    select ${length}(stored.content) + coalesce((select sum(bytes) from document_value
      where document_id = document.id and unused_at is null), 0)
    from document_snapshot as stored
    where stored.document_id = document.id and stored.format = 'json' and stored.content is not null)`,
  `update team set document_count = counted.documents, stored_bytes = counted.bytes
    from (select team_id, count(*) as documents,
        sum(coalesce(source_size, 0) + coalesce(content_bytes, 0)) as bytes
      from document group by team_id) as counted
    where counted.team_id = team.id`,
]

const bytesOf = (row: 'old' | 'new') => `coalesce(${row}.source_size, 0) + coalesce(${row}.content_bytes, 0)`

const INSERTED = `update team set document_count = document_count + 1, stored_bytes = stored_bytes + ${bytesOf('new')}
  where id = new.team_id;`
const UPDATED = `update team set stored_bytes = stored_bytes + (${bytesOf('new')}) - (${bytesOf('old')})
  where id = new.team_id;`
const DELETED = `update team set document_count = document_count - 1, stored_bytes = stored_bytes - (${bytesOf('old')})
  where id = old.team_id;`

const PARTS: Record<Dialect, { long: string; length: string; triggers: string[] }> = {
  sqlite: {
    long: 'integer',
    length: 'length',
    triggers: [
      `create trigger document_inserted after insert on document begin ${INSERTED} end`,
      `create trigger document_updated after update of source_size, content_bytes on document
        when ${bytesOf('new')} <> ${bytesOf('old')} begin ${UPDATED} end`,
      `create trigger document_deleted after delete on document begin ${DELETED} end`,
    ],
  },
  postgres: {
    long: 'bigint',
    length: 'octet_length',
    triggers: [
      `create function count_document() returns trigger language plpgsql as $$ begin
        if tg_op = 'INSERT' then ${INSERTED} end if;
        if tg_op = 'UPDATE' then ${UPDATED} end if;
        if tg_op = 'DELETE' then ${DELETED} end if;
        return null;
      end $$`,
      `create trigger document_counted after insert or delete on document
        for each row execute function count_document()`,
      `create trigger document_measured after update of source_size, content_bytes on document
        for each row when (${bytesOf('new')} <> ${bytesOf('old')}) execute function count_document()`,
    ],
  },
}
