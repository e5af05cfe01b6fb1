import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { BlobStore } from '../../platform/blobs/blobs.ts'
import { type BlobFault, findBlobFault } from '../../platform/blobs/copy-blobs.ts'
import { DigestSet } from '../../platform/blobs/digest-set.ts'
import { BoundedTasks } from '../../platform/concurrency/bounded-tasks.ts'
import { TokenBucket } from '../../platform/concurrency/token-bucket.ts'
import type { Database } from '../../platform/database/database.ts'
import type { DocumentKey, ExportFileKey, SolveKey, TeamFileKey } from '../../platform/database/tables.ts'
import { BLOB_COLUMNS, type BlobReference, listBlobReferences } from '../../team/blob-references.ts'

/** A blob that is missing or damaged, and a row that needs it. */
export interface VerifiedFault extends BlobFault {
  /** What the blob is: "the content of a document". */
  what: string
  /** The public id of the document or file that it belongs to; null when that is not known. */
  of: string | null
}

export interface Verification {
  blobs: number
  bytes: number
  faults: VerifiedFault[]
}

export interface VerifyOptions {
  signal?: AbortSignal | undefined
  /** The maximum rate of reading; undefined for no limit. */
  bytesPerSecond?: number | undefined
  onBlob?: ((digest: string) => void) | undefined
}

const CONCURRENT = 4

/**
 * Reads every blob that a row refers to, and compares it with its digest. Blobs are read once, in pieces; of each, 24 to
 * 48 bytes are remembered. One that is removed meanwhile, with its row, is no fault.
 */
export async function verifyBlobs(
  database: Database,
  blobs: Pick<BlobStore, 'open'>,
  { signal, bytesPerSecond, onBlob = () => {} }: VerifyOptions = {},
): Promise<Verification> {
  const seen = new DigestSet()
  const result: Verification = { blobs: 0, bytes: 0, faults: [] }
  const bucket = bytesPerSecond && new TokenBucket({ burst: bytesPerSecond, perSecond: bytesPerSecond })
  const count = async (bytes: number) => {
    signal?.throwIfAborted()
    result.bytes += bytes
    if (bucket && !bucket.spend(bytes)) await sleep(bucket.debtMs(), undefined, { signal })
  }
  await using tasks = new BoundedTasks(CONCURRENT, CONCURRENT)
  for await (const page of listBlobReferences(database.read)) {
    for (const reference of page) {
      signal?.throwIfAborted()
      const { digest } = reference
      if (seen.has(digest)) continue
      seen.add(digest)
      await tasks.start(1, async () => {
        const fault = await findBlobFault(blobs, digest, count)
        if (fault && (await isReferenced(database, reference))) {
          const { what } = BLOB_COLUMNS[reference.column]!
          result.faults.push({ digest, fault, what, of: await findOwner(database, reference) })
        }
        result.blobs++
        onBlob(digest)
      })
    }
  }
  await tasks.finish()
  return result
}

/** Whether the row still refers to the blob. */
async function isReferenced({ read }: Database, { column, key, digest }: BlobReference): Promise<boolean> {
  const { table, column: name, key: keyName } = BLOB_COLUMNS[column]!
  const rows = sql<{ key: number; digest: string | null }>`(
    select ${sql.ref(keyName)} as key, ${sql.ref(name)} as digest from ${sql.table(table)})`.as('reference')
  const row = await read
    .selectFrom(rows)
    .where('key', '=', key)
    .where('digest', '=', digest)
    .select('key')
    .executeTakeFirst()
  return row !== undefined
}

async function findOwner({ read }: Database, { column, key }: BlobReference): Promise<string | null> {
  const { table } = BLOB_COLUMNS[column]!
  if (table === 'team_file') {
    const file = read.selectFrom('team_file').where('id', '=', key as TeamFileKey)
    return (await file.select('public_id').executeTakeFirst())?.public_id ?? null
  }
  const document =
    table === 'solve'
      ? read
          .selectFrom('solve')
          .where('id', '=', key as SolveKey)
          .select('document_id as key')
      : table === 'export_file'
        ? read
            .selectFrom('export_file')
            .where('id', '=', key as ExportFileKey)
            .select('document_id as key')
        : undefined
  const owner = document ? (await document.executeTakeFirst())?.key : (key as DocumentKey)
  if (owner === undefined || owner === null) return null
  const row = await read.selectFrom('document').where('id', '=', owner).select('public_id').executeTakeFirst()
  return row?.public_id ?? null
}
