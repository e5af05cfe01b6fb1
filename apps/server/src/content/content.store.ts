import type { UserId } from '@meadow/contract'
import type { Reference } from '@meadow/document/live'
import type { BlobStore } from '../platform/blobs/blobs.ts'
import type { Database, Write } from '../platform/database/database.ts'
import { timeOf } from '../platform/database/database-clock.ts'
import type { DocumentKey, SnapshotFormat, TeamKey } from '../platform/database/tables.ts'
import { discardContent } from '../team/content-blobs.ts'
import { lockTeam } from '../team/raise-version.ts'
import { addValues, hasValues, markUnusedValues } from './document-values.ts'
import type { HistoryWork } from './history/history-work.ts'
import { findNewest } from './history/versions.store.ts'

/** A value as of a position in a document's log. */
export interface AsOf<T> {
  seq: number
  value: T
}

/** A content as JSON, or the blob that holds it. */
export type StoredJson = { bytes: Uint8Array } | { digest: string }

export interface LoggedChange {
  seq: number
  update: Uint8Array
}

/** A document as a whole, as of a position in its log. */
export interface DocumentSnapshot {
  seq: number
  /** The Yjs state as one update. */
  state: Uint8Array
  /** The content as JSON, in which large values are references to blobs. */
  json: Uint8Array
  /** The last change after `since` that a picture of the geometry depends on; `since` itself when there was none. */
  shown: { seq: number; since: number }
}

/** All SQL about the contents of documents and their logs, except appending (see `change-log.ts`). */
export interface ContentStore {
  /** The head of the log, and the document's team. */
  findHead(document: DocumentKey): Promise<{ seq: number; team: TeamKey } | undefined>
  /** Resolves with undefined when the stored content is older than `seq`. */
  findJson(document: DocumentKey, seq: number): Promise<AsOf<StoredJson> | undefined>
  /** The Yjs state; undefined when the document was never opened for editing. */
  findState(document: DocumentKey): Promise<AsOf<Uint8Array> | undefined>
  /** The changes after `seq`, in order. */
  listChanges(document: DocumentKey, seq: number): Promise<LoggedChange[]>
  /** The users that the document's Yjs clients belong to. */
  listOwners(document: DocumentKey): Promise<Map<number, UserId>>
  /**
   * Stores the state that editing starts from, unless something was changed since `seq` or the document has a state
   * already. `values` are the blobs that it refers to.
   */
  putFirstState(
    document: DocumentKey,
    team: TeamKey,
    state: AsOf<Uint8Array>,
    values: readonly Reference[],
  ): Promise<void>
  /** Compacts the log: stores a snapshot in place of an older one, and deletes the changes up to it. */
  compact(document: DocumentKey, snapshot: DocumentSnapshot): Promise<void>
}

export interface ContentParts {
  database: Pick<Database, 'read' | 'transaction'>
  store: ContentStore
  blobs: BlobStore
  /** Encodes versions, and the state of a document that is opened for editing the first time. */
  history: Pick<HistoryWork, 'encode' | 'project' | 'open'>
}

/** How many changes stay in the log after compaction, for other processes that are about to fetch them. */
const RETAINED_CHANGES = 200

export function createContentStore(database: Database): ContentStore {
  const { read } = database
  const readSnapshot = database.prepare((read, { document, format, since }: SnapshotParameters) =>
    read
      .selectFrom('document_snapshot')
      .where('document_id', '=', document)
      .where('format', '=', format)
      .where('seq', '>=', since)
      .select(['seq', 'content', 'blob']),
  )
  const readChanges = database.prepare((read, { document, seq }: { document: DocumentKey; seq: number }) =>
    read
      .selectFrom('document_change')
      .where('document_id', '=', document)
      .where('seq', '>', seq)
      .orderBy('seq')
      .select(['seq', 'change as update']),
  )
  const readHead = database.prepare((read, { document }: { document: DocumentKey }) =>
    read.selectFrom('document').where('id', '=', document).select(['seq', 'team_id as team']),
  )
  return {
    findHead: (document) => readHead.first({ document }),
    async findJson(document, since) {
      const row = await readSnapshot.first({ document, format: 'json', since })
      if (!row) return undefined
      // A check of the table guarantees that one of the two is set.
      return { seq: row.seq, value: row.content ? { bytes: row.content } : { digest: row.blob! } }
    },
    async findState(document) {
      const row = await readSnapshot.first({ document, format: 'yjs', since: 0 })
      return row && { seq: row.seq, value: row.content! }
    },
    listChanges: (document, seq) => readChanges.all({ document, seq }),
    async listOwners(document) {
      const clients = read.selectFrom('document_client').where('document_id', '=', document)
      const rows = await clients.select(['client', 'user_id']).execute()
      return new Map(rows.map(({ client, user_id }) => [client, user_id]))
    },
    putFirstState: (document, team, { seq, value }, values) =>
      database.transaction(async (write) => {
        await lockTeam(write, team)
        if (!(await isHead(write, document, seq))) return
        await write
          .insertInto('document_snapshot')
          .values({ document_id: document, format: 'yjs', seq, content: value, blob: null })
          .onConflict((conflict) => conflict.columns(['document_id', 'format']).doNothing())
          .execute()
        await addValues(write, document, values)
      }),
    compact: (document, { seq, state, json, shown }) =>
      database.transaction(async (write) => {
        const found = await write
          .selectFrom('document')
          .where('id', '=', document)
          .select('team_id')
          .executeTakeFirst()
        if (!found) return
        // The size that is set below counts towards the team's quota.
        await lockTeam(write, found.team_id)
        if ((await hasValues(write, document)) && (await isHead(write, document, seq)))
          await markUnusedValues(write, document, state, timeOf(write))
        await discardContent(write, document)
        const at = await findChangeTime(write, document, seq)
        await write
          .insertInto('document_snapshot')
          .values([
            { document_id: document, format: 'json', seq, content: json, blob: null, at },
            { document_id: document, format: 'yjs', seq, content: state, blob: null, at },
          ])
          .onConflict((conflict) =>
            conflict
              .columns(['document_id', 'format'])
              .doUpdateSet(({ ref }) => ({
                seq: ref('excluded.seq'),
                content: ref('excluded.content'),
                blob: null,
                at: ref('excluded.at'),
                author_kind: null,
                user_id: null,
              }))
              .where(({ eb, ref }) => eb('document_snapshot.seq', '<', ref('excluded.seq'))),
          )
          .execute()
        await updateSize(write, document, seq, json.length)
        await write
          .updateTable('document')
          .where('id', '=', document)
          .where(({ or, eb }) => or([eb('shown_until', 'is', null), eb('shown_until', '<', seq)]))
          .set(({ eb, ref }) => ({
            shown_seq:
              shown.seq > shown.since
                ? shown.seq
                : // What was known when it was opened goes on.
                  eb
                    .case()
                    .when('shown_until', '>=', shown.since)
                    .then(ref('shown_seq'))
                    .else(shown.seq)
                    .end(),
            shown_until: seq,
          }))
          .execute()
        // The next version counts the authors of the changes since this one.
        const newest = await findNewest(write, document)
        await write
          .deleteFrom('document_change')
          .where('document_id', '=', document)
          .where('seq', '<=', Math.min(seq - RETAINED_CHANGES, newest?.seq ?? 0))
          .execute()
      }),
  }
}

/** Finds when a change was made; null when the log does not have it. */
async function findChangeTime(write: Write, document: DocumentKey, seq: number): Promise<number | null> {
  const change = await write
    .selectFrom('document_change')
    .where('document_id', '=', document)
    .where('seq', '=', seq)
    .select('at')
    .executeTakeFirst()
  return change?.at ?? null
}

async function isHead(write: Write, document: DocumentKey, seq: number): Promise<boolean> {
  const head = await write
    .selectFrom('document')
    .where('id', '=', document)
    .where('seq', '=', seq)
    .select('seq')
    .executeTakeFirst()
  return head !== undefined
}

/** Sets the size of the content with its large values, unless a newer content is stored already. */
async function updateSize(
  write: Write,
  document: DocumentKey,
  seq: number,
  jsonBytes: number,
): Promise<void> {
  const values = await write
    .selectFrom('document_value')
    .where('document_id', '=', document)
    .where('unused_at', 'is', null)
    .select(({ fn }) => fn.sum<number | string | null>('bytes').as('bytes'))
    .executeTakeFirst()
  await write
    .updateTable('document')
    .set({ content_bytes: jsonBytes + Number(values?.bytes ?? 0) })
    .where('id', '=', document)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('document_snapshot')
          .where('document_id', '=', document)
          .where('format', '=', 'json')
          .where('seq', '=', seq)
          .select('seq'),
      ),
    )
    .execute()
}

interface SnapshotParameters {
  document: DocumentKey
  format: SnapshotFormat
  since: number
}
