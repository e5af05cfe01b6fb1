import { randomUUID } from 'node:crypto'
import type { DocumentId, TokenId, UserId } from '@meadow/contract'
import type { Database, Select, Write } from '../../platform/database/database.ts'
import type { DocumentKey, ExportFileKey, SolveKey } from '../../platform/database/tables.ts'
import { isPublicId } from '../../platform/public-ids.ts'
import { discardBlobs } from '../../team-writes/content-blobs.ts'
import type { MadeFile } from './make-file.ts'

/**
 * Every SQL statement about exports. A file is leased by the process that makes it and then completed or abandoned; it
 * is retained while links may lead to it, and deleted once it is obsolete.
 */
export interface ExportStore {
  /** Undefined when the document or the solve does not exist any more. */
  findInputs(document: DocumentKey, solve: SolveKey): Promise<ExportInputs | undefined>
  /** Undefined when it has not been made. */
  findFile(cacheKey: string): Promise<StoredFile | undefined>
  /** The right to make a file; undefined when another process has it, or the file exists. */
  lease(source: FileSource, leaseMs: number): Promise<FileLease | undefined>
  /** False when the lease is lost: another process may make the file. */
  renew(lease: FileLease, leaseMs: number): Promise<boolean>
  /** Records that the file was made. False when the lease is lost. */
  complete(lease: FileLease, file: MadeFile, retainedUntil: number): Promise<boolean>
  abandon(lease: FileLease): Promise<void>
  /** Extends the retention of a file. False when it does not exist any more. */
  retain(file: ExportFileKey, until: number): Promise<boolean>
  delete(file: ExportFileKey): Promise<void>
  /**
   * Whether a link still works: its token is not revoked, or its user is a member of the team, and the document is not
   * deleted; and whether it was requested under the host name of another team.
   */
  checkGrant(token: TokenId | UserId, document: DocumentId, host: string): Promise<LinkGrant>
  /** Some files that no link leads to and no request would be answered with. */
  listObsolete(now: number, limit: number): Promise<ObsoleteFile[]>
  /** Deletes the rows, and discards the blobs that nothing else names. */
  deleteObsolete(files: readonly ObsoleteFile[]): Promise<void>
}

/** `foreign`: the host name belongs to another team. */
export type LinkGrant = 'granted' | 'ended' | 'foreign'

/** What an export reads of a document and a solve of it. Times are milliseconds since 1970. */
export interface ExportInputs {
  name: string
  /** The last entry of the document's log. */
  seq: number
  updatedAt: number
  /** The blob of the file that it was imported from. */
  original: string | null
  /** How the content was read from it; null for the first reading. */
  reading: number | null
  solvedAt: number
  /** Why there is geometry but no model file. */
  modelFault: string | null
}

/** What a file is made from. */
export interface FileSource {
  /** Differs whenever the bytes may. */
  cacheKey: string
  document: DocumentKey
  /** Of a definition: the document's `seq`. */
  seq: number | null
  /** Of a model. */
  solve: SolveKey | null
}

export interface StoredFile extends MadeFile {
  key: ExportFileKey
  /** Milliseconds since 1970. Until then the file is retained even when it is obsolete. */
  retainedUntil: number
}

/** The exclusive right to make a file, until the lease expires. */
export interface FileLease {
  key: ExportFileKey
  /** Distinguishes this lease from all others of the same file. */
  leaseId: string
}

interface ObsoleteFile {
  key: ExportFileKey
  /** Null when it was never completed. */
  digest: string | null
}

/** `now` in milliseconds since 1970. Processes that share a database need clocks that agree within a second or two. */
export function createExportStore(database: Database, now: () => number = Date.now): ExportStore {
  const { read } = database
  const inputs = database.prepare((read, { document, solve }: { document: DocumentKey; solve: SolveKey }) =>
    read
      .selectFrom('document')
      .innerJoin('solve', 'solve.document_id', 'document.id')
      .where('document.id', '=', document)
      .where('solve.id', '=', solve)
      .select([
        'document.name',
        'document.seq',
        'document.updated_at as updatedAt',
        'document.source_blob as original',
        'document.source_reading as reading',
        'solve.ended_at as solvedAt',
        'solve.model_fault as modelFault',
      ]),
  )
  const files = database.prepare((read, { cacheKey }: { cacheKey: string }) =>
    read
      .selectFrom('export_file')
      .where('made_of', '=', cacheKey)
      .where('digest', 'is not', null)
      .select(['id as key', 'digest', 'bytes', 'warnings', 'kept_until as retainedUntil']),
  )
  const grantsOfTokens = database.prepare((read, { caller, document, host }: GrantParameters) =>
    selectLinkedDocument(read, document, host)
      .innerJoin('token', 'token.team_id', 'document.team_id')
      .where('token.public_id', '=', caller as TokenId)
      .where('token.revoked_at', 'is', null),
  )
  const grantsOfMembers = database.prepare((read, { caller, document, host }: GrantParameters) =>
    selectLinkedDocument(read, document, host)
      .innerJoin('membership', 'membership.team_id', 'document.team_id')
      .where('membership.user_id', '=', caller as UserId),
  )
  return {
    async findInputs(document, solve) {
      const row = await inputs.first({ document, solve })
      // The table has a constraint: a successful solve has an end.
      return row && { ...row, solvedAt: row.solvedAt! }
    },
    async findFile(cacheKey) {
      const row = await files.first({ cacheKey })
      if (!row) return undefined
      // The table has a constraint: all of these are null, or none.
      const { key, digest, bytes, warnings, retainedUntil } = row
      return { key, digest: digest!, bytes: bytes!, warnings: JSON.parse(warnings!), retainedUntil }
    },
    lease: (source, leaseMs) =>
      database.transaction((write) => leaseFile(write, source, { now: now(), leaseMs })),
    renew: (lease, leaseMs) =>
      database.transaction(async (write) => {
        const renewed = await updateLeased(write, lease)
          .set({ lease_until: now() + leaseMs })
          .executeTakeFirst()
        return renewed.numUpdatedRows > 0n
      }),
    complete: (lease, { digest, bytes, warnings }, retainedUntil) =>
      database.transaction(async (write) => {
        const completed = await updateLeased(write, lease)
          .set({
            digest,
            bytes,
            warnings: JSON.stringify(warnings),
            claimed_by: null,
            lease_until: null,
            kept_until: retainedUntil,
          })
          .executeTakeFirst()
        return completed.numUpdatedRows > 0n
      }),
    abandon: ({ key, leaseId }) =>
      database.transaction(async (write) => {
        await write
          .deleteFrom('export_file')
          .where('id', '=', key)
          .where('claimed_by', '=', leaseId)
          .execute()
      }),
    retain: (file, until) =>
      database.transaction(async (write) => {
        const retained = await write
          .updateTable('export_file')
          .set({ kept_until: until })
          .where('id', '=', file)
          .executeTakeFirst()
        return retained.numUpdatedRows > 0n
      }),
    delete: (file) =>
      database.transaction(async (write) => {
        await write.deleteFrom('export_file').where('id', '=', file).execute()
      }),
    async checkGrant(caller, document, host) {
      const grants = isPublicId('usr', caller) ? grantsOfMembers : grantsOfTokens
      const row = await grants.first({ caller, document, host })
      if (!row) return 'ended'
      return row.teamOfHost === null || row.teamOfHost === row.team ? 'granted' : 'foreign'
    },
    listObsolete: (now, limit) => listObsolete(read, now, limit),
    deleteObsolete: (files) => database.transaction((write) => deleteFiles(write, files)),
  }
}

interface GrantParameters {
  caller: TokenId | UserId
  document: DocumentId
  host: string
}

/** A document that is not in the bin, its team, and the team whose host name this is. */
const selectLinkedDocument = (read: Select, document: DocumentId, host: string) =>
  read
    .selectFrom('document')
    .leftJoin('team as team_of_host', (join) => join.on('team_of_host.host', '=', host))
    .where('document.public_id', '=', document)
    .where('document.bin_id', 'is', null)
    .select(['document.team_id as team', 'team_of_host.id as teamOfHost'])

/** Takes over an expired lease. */
async function leaseFile(
  write: Write,
  { cacheKey, document, seq, solve }: FileSource,
  { now, leaseMs }: { now: number; leaseMs: number },
): Promise<FileLease | undefined> {
  const leaseId = randomUUID()
  const leased = { claimed_by: leaseId, lease_until: now + leaseMs }
  const row = await write
    .insertInto('export_file')
    .values({
      made_of: cacheKey,
      document_id: document,
      seq,
      solve_id: solve,
      ...leased,
      digest: null,
      bytes: null,
      warnings: null,
      kept_until: now,
    })
    .onConflict((conflict) =>
      conflict.column('made_of').doUpdateSet(leased).where('export_file.lease_until', '<', now),
    )
    .returning('id as key')
    .executeTakeFirst()
  return row && { key: row.key, leaseId }
}

/** The row of a lease, to be updated; no row when the lease is lost. */
const updateLeased = (write: Write, { key, leaseId }: FileLease) =>
  write.updateTable('export_file').where('id', '=', key).where('claimed_by', '=', leaseId)

/** Files that are neither retained nor leased, of documents or solves that were replaced or deleted. */
const listObsolete = (read: Select, now: number, limit: number): Promise<ObsoleteFile[]> =>
  read
    .selectFrom('export_file as file')
    .leftJoin('document', 'document.id', 'file.document_id')
    .leftJoin('solve', 'solve.id', 'file.solve_id')
    .where('file.kept_until', '<', now)
    .where(({ or, eb }) => or([eb('file.lease_until', 'is', null), eb('file.lease_until', '<', now)]))
    .where(({ or, and, eb, ref }) =>
      or([
        and([
          eb('file.seq', 'is not', null),
          or([eb('document.seq', 'is', null), eb('document.seq', '!=', ref('file.seq'))]),
        ]),
        and([
          eb('file.seq', 'is', null),
          or([eb('solve.id', 'is', null), eb('solve.superseded_at', 'is not', null)]),
        ]),
      ]),
    )
    .orderBy('file.id')
    .select(['file.id as key', 'file.digest'])
    .limit(limit)
    .execute()

async function deleteFiles(write: Write, files: readonly ObsoleteFile[]): Promise<void> {
  if (files.length === 0) return
  const keys = files.map(({ key }) => key)
  await write.deleteFrom('export_file').where('id', 'in', keys).execute()
  const digests = files.flatMap(({ digest }) => digest ?? [])
  await discardBlobs(write, [...new Set(digests)])
}
