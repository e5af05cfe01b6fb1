import { basename } from 'node:path/posix'
import type { SolutionId } from '@meadow/contract'
import {
  readVersionSource,
  readVersionText,
  type VersionSource,
} from '../../content/history/versions.store.ts'
import { readStoredBytes } from '../../content/read-graph.ts'
import { type Reserve, readStoredJson } from '../../content/stored-json.ts'
import type { BlobStore } from '../../platform/blobs/blobs.ts'
import type { Database } from '../../platform/database/database.ts'
import { toTimestamp } from '../../platform/database/times.ts'
import type { CopiedSource } from '../../team/document-writes.ts'
import type { VersionedDocument, VersionStore } from './versions.store.ts'

/** The bytes themselves, and the response that is made of them. */
const COPIES = 2

/** Writes the answer of `readVersionFile`. */
export async function writeVersionFile(
  source: VersionSource | undefined,
  blobs: Pick<BlobStore, 'read' | 'size'>,
  reserve: Reserve,
): Promise<Uint8Array> {
  if (!source) return Buffer.from('{"file":null,"clusters":{}}')
  const { name, created, modified, facts } = source
  const file = {
    name: basename(name),
    createdAt: created === null ? null : toTimestamp(created),
    modifiedAt: modified === null ? null : toTimestamp(modified),
    ...(facts && JSON.parse(facts.file)),
  }
  const start = Buffer.from(`{"file":${JSON.stringify(file)},"clusters":`)
  const end = Buffer.from('}')
  if (!facts) return Buffer.concat([start, Buffer.from('{}'), end])
  const { clusters } = facts
  const size = 'bytes' in clusters ? clusters.bytes.length : ((await blobs.size(clusters.digest)) ?? 0)
  await reserve(COPIES * (start.length + size))
  return Buffer.concat([start, await readStoredBytes(blobs, clusters), end])
}

/** The imported file of a version, for a document that is a copy of it. */
export async function toCopiedSource(
  { blob, name, created, modified, facts, reading }: VersionSource,
  blobs: Pick<BlobStore, 'size'>,
): Promise<CopiedSource> {
  return {
    ...{ root: null, from: null, mtimeMs: null, sha256: blob, blob, facts, reading },
    path: basename(name),
    sizeBytes: (await blobs.size(blob)) ?? 0,
    times: created === null || modified === null ? undefined : { created, modified },
  }
}

/** A version with what its definition is written of. */
interface ExportableVersion {
  seq: number
  at: number
  /** The digest of its imported file. */
  original: string | null
  reading: number | null
  solutionId: SolutionId | null
  readContent(): Promise<Uint8Array>
}

/** Finds versions to be exported, by the ids that callers send. */
export const createFindVersion =
  ({ read }: Pick<Database, 'read'>, blobs: BlobStore, store: Pick<VersionStore, 'find'>) =>
  async (
    document: VersionedDocument,
    id: string,
    reserve: Reserve,
  ): Promise<ExportableVersion | undefined> => {
    const version = await store.find(document, id)
    if (!version) return undefined
    const { key, seq, at, solutionId } = version
    const source = await readVersionSource(read, key)
    return {
      seq,
      at: Date.parse(at),
      original: source?.blob ?? null,
      reading: source?.reading ?? null,
      solutionId,
      async readContent() {
        const bytes = await readVersionText(read, blobs, key)
        if (!bytes) throw new Error(`The version ${id} was removed while it was exported.`)
        return readStoredJson(blobs, { bytes }, reserve)
      },
    }
  }
