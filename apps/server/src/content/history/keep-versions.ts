import { createHash } from 'node:crypto'
import type { VersionKind } from '@meadow/contract/web/terms'
import type { BlobStore } from '../../platform/blobs/blobs.ts'
import type { Database, Write } from '../../platform/database/database.ts'
import type { DocumentKey } from '../../platform/database/tables.ts'
import { discardBlobs } from '../../team/content-blobs.ts'
import { lockTeam } from '../../team/raise-version.ts'
import { listDueVersions } from './due-versions.ts'
import type { HistoryWork } from './history-work.ts'
import {
  encodeVersion,
  findNewest,
  insertVersion,
  type NewVersion,
  type VersionPlace,
} from './versions.store.ts'

/** What versions are kept with. */
export interface VersionParts {
  database: Pick<Database, 'read' | 'transaction'>
  blobs: Pick<BlobStore, 'put'>
  /** Encodes versions: large ones in child processes. */
  history: Pick<HistoryWork, 'encode' | 'project'>
}

/**
 * Keeps the versions of a document that are due, see `listDueVersions`: to be called before its log is shortened. With
 * `headKind` also the document as it is now. Returns the newest version, undefined when the document was deleted or has
 * none.
 */
export async function keepVersions(
  parts: VersionParts,
  document: DocumentKey,
  headKind?: VersionKind,
): Promise<VersionPlace | undefined> {
  const { read } = parts.database
  const due = await listDueVersions(read, parts.history, document, headKind)
  for (const version of due) await keepVersion(parts, version)
  return findNewest(read, document)
}

async function keepVersion({ database, blobs, history }: VersionParts, version: NewVersion): Promise<void> {
  const { read, transaction } = database
  const putBase = async (bytes: Uint8Array) => {
    // Removed later unless the version refers to it, which it does not when this process is killed here.
    const digest = createHash('sha256').update(bytes).digest('hex')
    await transaction((write) => discardBlobs(write, [digest]))
    return (await blobs.put(bytes)).digest
  }
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const encoded = await encodeVersion(read, history, version, putBase)
    const inserted = await transaction(async (write) => {
      const found = await write
        .selectFrom('document')
        .where('id', '=', version.document)
        .select('team_id as team')
        .executeTakeFirst()
      if (!found) return undefined
      await lockTeam(write, found.team)
      return insertVersion(write, encoded)
    })
    if (inserted !== 'outdated') return
  }
  throw new Error(`The bases of document ${version.document} were removed again and again.`)
}

/** Versions are removed at the same time, but hardly this many times. */
const MAX_ATTEMPTS = 3

/** Keeps due versions inside the transaction that replaces the content, which holds the lock of the team. */
export async function keepVersionsIn(
  write: Write,
  history: Pick<HistoryWork, 'encode' | 'project'>,
  document: DocumentKey,
  headKind: VersionKind,
): Promise<void> {
  for (const version of await listDueVersions(write, history, document, headKind)) {
    await insertVersion(write, await encodeVersion(write, history, version))
  }
}
