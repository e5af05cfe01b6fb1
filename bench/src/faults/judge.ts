import { join } from 'node:path'
import { createAuditLog } from '@meadow/server/src/audit/audit-log.store.ts'
import { verifyBlobs } from '@meadow/server/src/features/doctor/verify-blobs.ts'
import {
  collectGarbage,
  discardUnnamedBlobs,
} from '@meadow/server/src/features/housekeeping/garbage-collection.ts'
import { openBlobs } from '@meadow/server/src/platform/blobs/open-blobs.ts'
import type { Database } from '@meadow/server/src/platform/database/database.ts'
import { TIME_COLUMNS } from '@meadow/server/src/platform/database/time-columns.ts'
import { BACKED_UP, LEFT_OUT } from '@meadow/server/src/platform/database/transfer/backed-up-tables.ts'
import { listBlobReferences } from '@meadow/server/src/team/blob-references.ts'
import { sql } from 'kysely'
import type { Operation } from './operations.ts'
import type { World } from './world.ts'

/** What a service contains: what users see, and how many rows each table has. */
export type Picture = ReadonlyMap<string, string>

/**
 * Tables whose rows are not the same after each run: what processes say about themselves, records of attempts, and what
 * a server adds or puts together by itself, such as versions after a pause.
 */
const UNCOUNTED = new Set([
  ...['process', 'service_clock', 'probe', 'probe_answer', 'blob_store', 'exclusive_task', 'rate_window'],
  ...['schema_version', 'schema_version_lock', 'document_search', 'search_slot', 'deleted_document_key'],
  ...['audit_chain', 'audit_event', 'token_reads', 'failed_attempt', 'webhook_attempt', 'backup_run'],
  ...['discarded_blob', 'recent_document', 'mirror_run', 'document_change', 'export_file', 'link_key'],
  ...['document_snapshot', 'document_version', 'version_base', 'version_source', 'version_value', 'solve'],
  ...['document_graph', 'document_use', 'used_thing', 'uses_reader', 'document_thumbnail'],
])

export async function takePicture(operation: Operation, world: World, isServed: boolean): Promise<Picture> {
  const picture = new Map<string, string>()
  if (isServed)
    for (const [name, value] of Object.entries(await operation.view(world)))
      picture.set(name, JSON.stringify(value))
  for (const table of [...BACKED_UP, ...Object.keys(LEFT_OUT)]) {
    if (UNCOUNTED.has(table)) continue
    picture.set(`rows of ${table}`, String(await countRows(world.database, table)))
  }
  return picture
}

async function countRows({ read }: Database, table: string): Promise<number> {
  const counted = sql<{ count: number }>`(select count(*) as count from ${sql.table(table)})`.as('counted')
  return Number((await read.selectFrom(counted).select('count').executeTakeFirstOrThrow()).count)
}

/** Says where a picture is neither of these two, or with `isPerItem` some of it not; undefined when it is. */
export function compare(seen: Picture, allowed: readonly Picture[], isPerItem = false): string | undefined {
  const differences = allowed.map((picture) => listDifferences(seen, [picture]))
  const fewest = isPerItem
    ? listDifferences(seen, allowed)
    : differences.reduce((best, next) => (next.length < best.length ? next : best))
  return fewest.length === 0 ? undefined : fewest.join('; ')
}

function listDifferences(seen: Picture, allowed: readonly Picture[]): string[] {
  const names = new Set([seen, ...allowed].flatMap((picture) => [...picture.keys()]))
  return [...names].flatMap((name) => {
    const value = seen.get(name)
    const expected = allowed.map((picture) => picture.get(name))
    if (expected.includes(value)) return []
    // Each item has rows of its own.
    const numbers = expected.map(Number)
    const isBetween = Number(value) > Math.min(...numbers) && Number(value) < Math.max(...numbers)
    if (name.startsWith('rows of') && isBetween) return []
    return [`${name} is ${shorten(value)}, and not ${[...new Set(expected)].map(shorten).join(' or ')}`]
  })
}

const shorten = (text: string | undefined): string =>
  text === undefined ? 'missing' : text.length > 160 ? `${text.slice(0, 160)}… (${text.length})` : text

const HELD = /lease_until|watched_until|next_at|resume_at/
const LEASES = TIME_COLUMNS.filter(({ column, use }) => use === 'ends' && HELD.test(column))
const PAUSES = TIME_COLUMNS.filter(({ column, use }) => use === 'pause' && HELD.test(column))

const partsOf = (column: string) => column.split('.') as [string, string]

/** Ends the leases and pauses that processes have left, as if their time had passed. */
export const lapse = (database: Database, { isDead }: { isDead: boolean }): Promise<void> =>
  database.transaction(async (write) => {
    for (const { column, lengthMs } of [...LEASES, ...PAUSES]) {
      const [table, name] = partsOf(column)
      await sql`update ${sql.table(table)} set ${sql.ref(name)} = ${sql.ref(name)} - ${lengthMs}
        where ${sql.ref(name)} > 0`.execute(write)
    }
    // A process that was killed counts as alive for a while.
    if (isDead) await write.updateTable('process').set({ seen_at: 0 }).execute()
  })

/** Finds work that is held, or waits, in words; undefined when there is none. */
export async function findPending({ read }: Database): Promise<string | undefined> {
  for (const { column } of LEASES) {
    const [table, name] = partsOf(column)
    const held = sql<{ at: number }>`(select ${sql.ref(name)} as at from ${sql.table(table)}
      where ${sql.ref(name)} > ${Date.now()})`.as('held')
    const row = await read.selectFrom(held).selectAll().executeTakeFirst()
    if (row && table !== 'webhook_delivery' && table !== 'backup_run') return `${column} is ${row.at}`
  }
  const waiting = await read
    .selectFrom('webhook_delivery')
    .where('state', '=', 'waiting')
    .select('public_id')
    .executeTakeFirst()
  return waiting && `the delivery ${waiting.public_id} waits`
}

const DAY_MS = 24 * 3_600_000

/** Lists what is wrong with a service, whatever was done: the audit log, blobs, and what a search finds. */
export async function listFaults({ database, place, api }: World, isSearched: boolean): Promise<string[]> {
  const faults: string[] = []
  const log = createAuditLog(database)
  for (const { id } of await log.listChains()) {
    const { broken } = await log.verify(id)
    if (broken) faults.push(`the audit chain ${id} is broken at ${broken.seq}: ${broken.reason}`)
  }
  const blobs = await openBlobs({ kind: 'disk', folder: join(place.folder, 'data', 'blobs') })
  // A week later, and again after the time of grace.
  await discardUnnamedBlobs(database, blobs, Date.now() + 8 * DAY_MS)
  await collectGarbage(database, blobs, Date.now() + 10 * DAY_MS)
  await blobs.removeMetadata('searched-for-garbage')
  for (const { what, fault } of (await verifyBlobs(database, blobs)).faults)
    faults.push(`${what} is ${fault}`)
  const referenced = new Set<string>()
  for await (const page of listBlobReferences(database.read))
    for (const { digest } of page) referenced.add(digest)
  for await (const { digest, size } of blobs.list())
    if (!referenced.has(digest))
      faults.push(`the blob ${digest.slice(0, 8)} of ${size} bytes is never removed`)
  const { rows: unbalanced } = await sql<{
    public_id: string
  }>`select public_id from team where credit_tenths <>
    (select coalesce(sum(credit_tenths), 0) from credit_entry where team_id = team.id)`.execute(
    database.read as never,
  )
  for (const { public_id } of unbalanced)
    faults.push(`the credits of ${public_id} are not the sum of its entries`)
  if (!isSearched) return faults
  const rows = await database.read
    .selectFrom('document')
    .innerJoin('folder', 'folder.id', 'document.folder_id')
    .where('document.bin_id', 'is', null)
    .select(['document.name', 'document.public_id as id'])
    .execute()
  for (const { name, id } of rows) {
    const { json } = await api(`/documents?q=${encodeURIComponent(name)}`)
    const found = json.documents.filter((document: { id: string }) => document.id === id)
    if (found.length !== 1) faults.push(`a search for ${name} finds it ${found.length} times`)
  }
  const listed = (await api('/documents')).json.documents.length
  if (listed !== rows.length) faults.push(`${listed} documents of ${rows.length} are found`)
  return faults
}
