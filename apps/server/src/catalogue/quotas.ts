import { formatBytes } from '@meadow/contract'
import type { Write } from '../platform/database/database.ts'
import type { DocumentKey, TeamKey } from '../platform/database/tables.ts'
import type { DocumentSource } from '../team-writes/document-writes.ts'
import type { NewContent } from '../team-writes/store-content.ts'

/** How much a team may store; null: no limit. */
export interface TeamLimits {
  bytes: number | null
  documents: number | null
}

/**
 * What a team stores, the bin included. Bytes are those of the original files and of the contents as JSON, each
 * document's for itself, also where several share a blob. Solutions and exports are not counted.
 */
export interface TeamUse {
  bytes: number
  documents: number
}

/** The team may not store that much. The message completes "… was not imported: …". */
export class QuotaError extends Error {
  override readonly name = 'QuotaError'
}

/** What is about to be stored of a document. */
export interface StoredParts {
  content: NewContent
  source?: DocumentSource | undefined
}

/**
 * Throws a {@link QuotaError} when storing this takes the team above a limit. To be called before it is written, in the
 * transaction that holds the team's lock, so that two who store at once do not both take the last room. What makes a
 * team store no more than before is always accepted. `replaced`: the document whose parts make way.
 */
export async function checkQuota(
  write: Write,
  team: TeamKey,
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
  const added = (source?.sizeBytes ?? 0) + sizeOf(content) - (await findSize(write, replaced))
  if (added > 0 && found.bytes + added > found.maxBytes) {
    throw new QuotaError(
      `the team stores ${formatBytes(found.bytes)} and may store ${formatBytes(found.maxBytes)} (the bin included); ` +
        `this needs ${formatBytes(added)} more`,
    )
  }
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
