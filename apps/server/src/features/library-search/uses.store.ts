import { createHash } from 'node:crypto'
import { IS_UNINDEXED } from '../../library/index-state.ts'
import type { Database, Write } from '../../platform/database/database.ts'
import { timeOf } from '../../platform/database/database-clock.ts'
import { inBatches } from '../../platform/database/in-batches.ts'
import { foldName } from '../../platform/database/names.ts'
import type { DocumentKey, TeamKey, UsedThingKey } from '../../platform/database/tables.ts'
import { lockTeam } from '../../team/raise-version.ts'
import type { CountedUse, DocumentUses } from './reading/document-uses.ts'
import { foldScript } from './reading/scripts.ts'
import { identityOf, type Use } from './reading/uses-of-node.ts'
import type { DocumentToRead, UnreadDocument } from './reading/uses-reader.ts'

/** A document whose index is not up to date. */
export interface UnindexedDocument extends DocumentToRead {
  team: TeamKey
}

export interface UnindexedQuery {
  limit: number
  team?: TeamKey | undefined
  /** Leaves out documents that were indexed since this time, in milliseconds since 1970. */
  before?: number | undefined
  except?: readonly DocumentKey[]
}

/** What a document uses, as of a position in its log and a file. */
export interface ReadDocument extends UnindexedDocument {
  seq: number
  uses: DocumentUses | UnreadDocument
}

/** All SQL that maintains the index of uses. */
export interface UsesStore {
  /** Documents that are not in the bin and have changed since they were indexed, or were never indexed. */
  listUnindexed(options: UnindexedQuery): Promise<UnindexedDocument[]>
  /** Counts the documents that are not indexed, of one team, or of all. */
  countUnindexed(team?: TeamKey): Promise<number>
  /**
   * Replaces the uses of documents in one transaction. Those that were deleted meanwhile are left out, and so are those
   * that another transaction is writing: they stay not indexed.
   */
  put(documents: readonly ReadDocument[]): Promise<void>
  /** Makes every document count as not indexed when another version made the index. */
  startVersion(version: string): Promise<void>
  /** Deletes things that no document uses any more; returns their number. */
  deleteUnused(): Promise<number>
}

export function createUsesStore(database: Database): UsesStore {
  const { read } = database
  return {
    async listUnindexed({ limit, team, before, except = [] }) {
      let query = read
        .selectFrom('document')
        .leftJoin('document_graph', 'document_graph.document_id', 'document.id')
        .where(IS_UNINDEXED)
      if (team !== undefined) query = query.where('team_id', '=', team)
      if (except.length > 0) query = query.where('id', 'not in', except)
      if (before !== undefined) {
        query = query.where(({ eb, or }) =>
          or([eb('indexed_at', 'is', null), eb('indexed_at', '<=', before)]),
        )
      }
      return query
        .select(['id as key', 'team_id as team', 'source_blob as source'])
        .orderBy('team_id')
        .orderBy('id')
        .limit(limit)
        .execute()
    },

    async countUnindexed(team) {
      let query = read.selectFrom('document').where(IS_UNINDEXED)
      if (team !== undefined) query = query.where('team_id', '=', team)
      const row = await query
        .select(({ fn }) => fn.countAll<number | string>().as('count'))
        .executeTakeFirst()
      return Number(row?.count ?? 0)
    },

    async put(documents) {
      if (documents.length === 0) return
      await database.transaction(async (write) => {
        const free = await lockFree(database, write, documents)
        const changed: WithHash[] = []
        for (const document of free) {
          const withHash = { ...document, usesHash: hashUses(document.uses) }
          if (await claim(write, withHash)) changed.push(withHash)
        }
        for (const [team, ofTeam] of Map.groupBy(changed, ({ team }) => team)) {
          const uses = ofTeam.flatMap((document) => usesOf(document))
          const things = await ensureThings(write, team, uses)
          for (const document of ofTeam) await putUses(write, document, things)
        }
      })
    },

    async startVersion(version) {
      const made = await read.selectFrom('uses_reader').select('version').executeTakeFirst()
      if (made?.version === version) return
      // Team by team, with its lock, as all changes of documents do. If this process ends meanwhile, the next one starts over.
      for (const { id } of await read.selectFrom('team').select('id').execute()) {
        await database.transaction(async (write) => {
          await lockTeam(write, id)
          await write
            .updateTable('document')
            .set({ uses_seq: null })
            .where('team_id', '=', id)
            .where('uses_seq', 'is not', null)
            .execute()
        })
      }
      await database.transaction((write) =>
        write
          .insertInto('uses_reader')
          .values({ id: 1, version })
          .onConflict((conflict) => conflict.column('id').doUpdateSet({ version }))
          .execute(),
      )
    },

    async deleteUnused() {
      const unused = await read
        .selectFrom('used_thing')
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(selectFrom('document_use').whereRef('thing_id', '=', 'used_thing.id').select('thing_id')),
          ),
        )
        .select('id')
        .execute()
      let count = 0
      for (const batch of inBatches(unused.map(({ id }) => id))) {
        const deleted = await database.transaction((write) =>
          write
            .deleteFrom('used_thing')
            .where('id', 'in', batch)
            // It may be in use again.
            .where(({ not, exists, selectFrom }) =>
              not(
                exists(
                  selectFrom('document_use').whereRef('thing_id', '=', 'used_thing.id').select('thing_id'),
                ),
              ),
            )
            .executeTakeFirst(),
        )
        count += Number(deleted.numDeletedRows)
      }
      return count
    },
  }
}

type WithHash = ReadDocument & { usesHash: string }

const usesOf = ({ uses }: ReadDocument): CountedUse[] => ('uses' in uses ? uses.uses : [])

function hashUses(uses: ReadDocument['uses']): string {
  if (!('uses' in uses)) return ''
  const rows = uses.uses.map((use) => `${identityOf(use)} ${use.nodes} ${use.nested}`)
  return createHash('sha256').update(rows.sort().join('\n')).digest('hex').slice(0, 32)
}

/**
 * Locks the rows of documents that no other transaction has locked, and returns these documents. Changes lock several
 * documents in any order, after their team; waiting for one of them while holding others could be a deadlock.
 */
async function lockFree(
  { dialect }: Pick<Database, 'dialect'>,
  write: Write,
  documents: readonly ReadDocument[],
): Promise<ReadDocument[]> {
  // On SQLite only one transaction writes.
  if (dialect === 'sqlite') return [...documents]
  const rows = await write
    .selectFrom('document')
    .where(
      'id',
      'in',
      documents.map(({ key }) => key),
    )
    .select('id')
    .forNoKeyUpdate()
    .skipLocked()
    .execute()
  const locked = new Set(rows.map(({ id }) => id))
  return documents.filter(({ key }) => locked.has(key))
}

/**
 * Records what the document was read of. False when it was deleted, or when it uses what it
 * used before, so that its uses need not be written.
 */
async function claim(write: Write, { key, seq, source, uses, usesHash }: WithHash): Promise<boolean> {
  const updated = await write
    .updateTable('document')
    .set({ uses_seq: seq, uses_source: source })
    .where('id', '=', key)
    .executeTakeFirst()
  if (updated.numUpdatedRows === 0n) return false
  const before = await write
    .selectFrom('document_graph')
    .where('document_id', '=', key)
    .select('uses_hash')
    .executeTakeFirst()
  const facts =
    'uses' in uses
      ? { nodes: uses.nodes, graph_hash: uses.graphHash, gap: uses.gap, is_read: 1 as const }
      : { nodes: 0, graph_hash: null, gap: uses.gap, is_read: 0 as const }
  const row = { ...facts, uses_hash: usesHash, indexed_at: timeOf(write) }
  await write
    .insertInto('document_graph')
    .values({ document_id: key, ...row })
    .onConflict((conflict) => conflict.column('document_id').doUpdateSet(row))
    .execute()
  return before?.uses_hash !== usesHash
}

/** The keys of things, which are inserted where they are missing. */
async function ensureThings(
  write: Write,
  team: TeamKey,
  uses: readonly Use[],
): Promise<ReadonlyMap<string, UsedThingKey>> {
  const wanted = new Map(uses.map((use) => [identityOf(use), use]))
  const known = new Map<string, UsedThingKey>()
  const find = async (some: readonly Use[]) => {
    const rows = await write
      .selectFrom('used_thing')
      .where('team_id', '=', team)
      .where(
        'key',
        'in',
        some.map(({ key }) => key),
      )
      .select(['id', 'kind', 'key', 'version'])
      .execute()
    for (const { id, kind, key, version } of rows) {
      const identity = JSON.stringify([kind, key, version])
      if (wanted.has(identity)) known.set(identity, id)
    }
  }
  for (const some of inBatches([...wanted.values()])) await find(some)
  const missing = [...wanted]
    .filter(([identity]) => !known.has(identity))
    .sort(([a], [b]) => (a < b ? -1 : 1))
  for (const some of inBatches(missing.map(([, use]) => use))) {
    await write
      .insertInto('used_thing')
      .values(some.map((use) => toRow(team, use)))
      .onConflict((conflict) => conflict.columns(['team_id', 'kind', 'key', 'version']).doNothing())
      .execute()
    await find(some)
  }
  return known
}

const toRow = (team: TeamKey, { kind, key, version, name, detail, text }: Use) => ({
  team_id: team,
  kind,
  key,
  version,
  name,
  words_folded: foldName(kind === 'unsolvable' ? name : `${name}\n${detail}`),
  detail,
  script: text === undefined ? null : foldScript(text),
})

async function putUses(
  write: Write,
  document: WithHash,
  things: ReadonlyMap<string, UsedThingKey>,
): Promise<void> {
  await write.deleteFrom('document_use').where('document_id', '=', document.key).execute()
  const rows = usesOf(document).map((use) => ({
    document_id: document.key,
    thing_id: things.get(identityOf(use))!,
    nodes: use.nodes,
    nested: use.nested,
  }))
  for (const some of inBatches(rows)) await write.insertInto('document_use').values(some).execute()
}
