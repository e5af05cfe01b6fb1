import { type Actor, changeTeamFor } from '../../access/current-roles.ts'
import { createSmallHistoryWork, type HistoryWork } from '../../content/history/history-work.ts'
import { keepVersions } from '../../content/history/keep-versions.ts'
import {
  isSameSource,
  type RestoredVersion,
  writeRestoredVersion,
} from '../../content/history/version-changes.ts'
import { findGroup, findStoredVersion, readVersionSource } from '../../content/history/versions.store.ts'
import { OutdatedError, ReplaceError, readUpdates, TooLargeHereError } from '../../content/replace-content.ts'
import type { BlobStore } from '../../platform/blobs/blobs.ts'
import type { Database } from '../../platform/database/database.ts'
import type { DocumentKey, TeamKey, VersionKey } from '../../platform/database/tables.ts'
import { changeTeam, type TeamTransaction } from '../../team/team-transaction.ts'

export interface RestoreParts {
  database: Database
  blobs: BlobStore
  history: HistoryWork
  /** The person who restores; undefined for the operator. */
  actor: Actor | undefined
  team: TeamKey
}

export interface Restored {
  /** The document as it was before. */
  before: VersionKey
  /** The JSON of the content that the document should get, for a caller who applies it. */
  json: Uint8Array | undefined
  changedFile: boolean
}

/** The document may be edited between the work and the transaction, but hardly this many times. */
const MAX_ATTEMPTS = 5

/**
 * Restores a version of a document. Undefined when the version was removed meanwhile. Throws a `ReplaceError` when its
 * content cannot be edited, and what `changeTeam` throws. What takes long is done before the transaction, in which it is
 * only checked that the document is still the same.
 */
export async function restoreVersion(
  parts: RestoreParts,
  document: DocumentKey,
  version: VersionKey,
  isApplied: boolean,
): Promise<Restored | undefined> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    try {
      return await tryRestore(parts, document, version, isApplied)
    } catch (error) {
      if (!(error instanceof OutdatedError || error instanceof TooLargeHereError)) throw error
    }
  }
  throw new ReplaceError('The document was edited again and again meanwhile. Try again.')
}

async function tryRestore(
  { database, blobs, history, actor, team }: RestoreParts,
  document: DocumentKey,
  version: VersionKey,
  isApplied: boolean,
): Promise<Restored | undefined> {
  const { read } = database
  const before = await keepVersions({ database, blobs, history }, document, 'restore')
  const stored = await findStoredVersion(read, version)
  if (!stored) return undefined
  const now = await read
    .selectFrom('document')
    .where('id', '=', document)
    .select(['seq', 'source_blob as blob', 'source_facts as facts', 'source_reading as reading'])
    .executeTakeFirst()
  if (!now || !before) throw new ReplaceError('The document was deleted.')
  const updates = await readUpdates(read, document)
  const prepared = await history.restore(
    { kind: 'restore', version: stored, updates, isContentWanted: !isApplied },
    await findGroup(read, document),
  )
  const source = await readVersionSource(read, version)
  const restored: RestoredVersion = {
    ...{ version, prepared, source, isApplied, seq: now.seq, isLive: updates !== undefined },
    history: createSmallHistoryWork(blobs),
  }
  const work = (change: TeamTransaction) => writeRestoredVersion(change, document, restored)
  await (actor ? changeTeamFor(database, actor, work) : changeTeam(database, team, work))
  const changedFile = source !== undefined && !isSameSource(source, now)
  return { before: before.key, json: prepared.json, changedFile }
}
