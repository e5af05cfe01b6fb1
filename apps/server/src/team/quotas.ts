import { formatBytes } from '@meadow/contract/terms'
import type { Select, Write } from '../platform/database/database.ts'
import type { DocumentKey, TeamKey } from '../platform/database/tables.ts'
import type { NewContent } from './content-blobs.ts'
import type { DocumentSource } from './document-writes.ts'
import type { TeamWrite } from './team-transaction.ts'

/** How much a team may store; null for no limit. */
export interface TeamLimits {
  bytes: number | null
  documents: number | null
}

/**
 * What a team stores, the bin included. Bytes are the sum of the original files, those of models and library items too,
 * and of the contents as JSON, counted for each document, also where several share a blob. Solutions and exports are not
 * counted.
 */
export interface TeamUse {
  bytes: number
  documents: number
}

/** Reads what the team stores and how much it may store. */
export async function getQuota(read: Select, team: TeamKey): Promise<{ limits: TeamLimits; use: TeamUse }> {
  const row = await read
    .selectFrom('team')
    .where('id', '=', team)
    .select(['max_bytes', 'max_documents', 'stored_bytes', 'document_count'])
    .executeTakeFirstOrThrow()
  return {
    limits: { bytes: row.max_bytes, documents: row.max_documents },
    use: { bytes: row.stored_bytes, documents: row.document_count },
  }
}

/** The team may not store that much. The message completes "… was not imported: …". */
export class QuotaError extends Error {
  override readonly name = 'QuotaError'
}

/** The parts of a document that are about to be stored. */
export interface StoredParts {
  content: NewContent
  source?: Pick<DocumentSource, 'sizeBytes'> | undefined
}

/**
 * Throws a {@link QuotaError} when storing this would take the team above a limit. Call it before writing, in the
 * transaction that holds the team's lock, so that two concurrent writes cannot both take the last room. A change that
 * does not increase what the team stores is always accepted. `replaced` is the document whose parts are replaced.
 */
export async function checkQuota(
  { write, team }: TeamWrite,
  { content, source }: StoredParts,
  replaced?: DocumentKey,
): Promise<void> {
  const found = await write
    .selectFrom('team')
    .where('id', '=', team)
    .select([
      'max_bytes as maxBytes',
      'max_documents as maxDocuments',
      'stored_bytes as bytes',
      'document_count as documents',
    ])
    .executeTakeFirstOrThrow()
  if (replaced === undefined && found.maxDocuments !== null && found.documents >= found.maxDocuments) {
    throw new QuotaError(
      `the team has ${count(found.documents)} documents, and may have ${count(found.maxDocuments)} (the bin included)`,
    )
  }
  if (found.maxBytes === null) return
  checkBytes(found, (source?.sizeBytes ?? 0) + sizeOf(content) - (await findSize(write, replaced)))
}

/** Checks the quota for a file that is not a document: its bytes count, less those that it replaces. */
export async function checkFileQuota({ write, team }: TeamWrite, bytes: number, replaced = 0): Promise<void> {
  const found = await write
    .selectFrom('team')
    .where('id', '=', team)
    .select(['max_bytes as maxBytes', 'stored_bytes as bytes'])
    .executeTakeFirstOrThrow()
  checkBytes(found, bytes - replaced)
}

function checkBytes({ bytes, maxBytes }: { bytes: number; maxBytes: number | null }, added: number): void {
  if (maxBytes === null || added <= 0 || bytes + added <= maxBytes) return
  throw new QuotaError(
    `the team stores ${formatBytes(bytes)} and may store ${formatBytes(maxBytes)} (the bin included); ` +
      `this needs ${formatBytes(added)} more`,
  )
}

export const sizeOf = (content: NewContent): number =>
  content.kind === 'inline' ? content.bytes.length : content.size

async function findSize(write: Write, document: DocumentKey | undefined): Promise<number> {
  if (document === undefined) return 0
  const row = await write
    .selectFrom('document')
    .where('id', '=', document)
    .select(['source_size', 'content_bytes'])
    .executeTakeFirst()
  return (row?.source_size ?? 0) + (row?.content_bytes ?? 0)
}

const count = (number: number): string => number.toLocaleString('en')
