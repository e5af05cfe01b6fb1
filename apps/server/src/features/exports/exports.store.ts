import { randomUUID } from 'node:crypto'
import type { DocumentId, TokenId, UserId } from '@meadow/contract'
import type { Database } from '../../platform/database/database.ts'
import type { DocumentKey, ExportFileKey, SolveKey } from '../../platform/database/tables.ts'
import { isPublicId } from '../../platform/public-ids.ts'
import type { MadeFile } from './export-request.ts'
import type { ExportFacts } from './exportable.ts'
import { claimFile, type FileClaim, updateClaimed } from './file-claims.ts'
import { dropFiles, listStale, type StaleFile } from './stale-files.ts'

/** What decides a file's bytes, and what it is kept for. */
export interface FileRecipe {
  /** No two that differ have the same. */
  madeOf: string
  document: DocumentKey
  /** Of a definition: the document's `seq`. */
  seq: number | null
  /** Of a model. */
  solve: SolveKey | null
}

/** A file that was made. */
export interface StoredFile extends MadeFile {
  key: ExportFileKey
  /** Milliseconds since 1970: until then it stays, whatever it was made of. */
  keptUntil: number
}

/** Every SQL statement about exports. */
export interface ExportStore {
  /** Undefined when the document or the solve is gone. */
  findFacts(document: DocumentKey, solve: SolveKey): Promise<ExportFacts | undefined>
  /** Undefined when it is not made yet. */
  findFile(madeOf: string): Promise<StoredFile | undefined>
  /** The right to make a file, for as long as its lease; undefined when somebody else has it, or made it already. */
  claim(recipe: FileRecipe, leaseMs: number): Promise<FileClaim | undefined>
  /** False when the claim is lost: somebody else may make it now. */
  renew(claim: FileClaim, leaseMs: number): Promise<boolean>
  /** The file is made and stays until then at least. False when the claim is lost. */
  end(claim: FileClaim, file: MadeFile, keptUntil: number): Promise<boolean>
  giveUp(claim: FileClaim): Promise<void>
  /** False when the file is gone meanwhile. */
  keep(file: ExportFileKey, until: number): Promise<boolean>
  forget(file: ExportFileKey): Promise<void>
  /**
   * Whether a link that hangs on these still works: the token is not revoked, or the person is a member of the team,
   * and the document is not deleted.
   */
  isGranted(token: TokenId | UserId, document: DocumentId): Promise<boolean>
  /** Some files that no link leads to any more and nobody would be given. */
  listStale(now: number, limit: number): Promise<StaleFile[]>
  /** Forgets files; their blobs go when nothing else names them. */
  drop(files: readonly StaleFile[]): Promise<void>
}

/** `now` in milliseconds since 1970. Processes that share a database need clocks that agree within a second or two. */
export function createExportStore(database: Database, now: () => number = Date.now): ExportStore {
  const { read } = database
  const facts = database.prepare((read, { document, solve }: { document: DocumentKey; solve: SolveKey }) =>
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
        'solve.ended_at as solvedAt',
        'solve.model_fault as modelFault',
      ]),
  )
  const files = database.prepare((read, { madeOf }: { madeOf: string }) =>
    read
      .selectFrom('export_file')
      .where('made_of', '=', madeOf)
      .where('digest', 'is not', null)
      .select(['id as key', 'digest', 'bytes', 'warnings', 'kept_until as keptUntil']),
  )
  const grants = database.prepare((read, { token, document }: { token: TokenId; document: DocumentId }) =>
    read
      .selectFrom('token')
      .innerJoin('document', 'document.team_id', 'token.team_id')
      .where('token.public_id', '=', token)
      .where('token.revoked_at', 'is', null)
      .where('document.public_id', '=', document)
      .where('document.bin_id', 'is', null)
      .select('token.id'),
  )
  const memberships = database.prepare((read, { user, document }: { user: UserId; document: DocumentId }) =>
    read
      .selectFrom('membership')
      .innerJoin('document', 'document.team_id', 'membership.team_id')
      .where('membership.user_id', '=', user)
      .where('document.public_id', '=', document)
      .where('document.bin_id', 'is', null)
      .select('document.id'),
  )
  return {
    async findFacts(document, solve) {
      const row = await facts.first({ document, solve })
      // A solve that succeeded has ended: a check of the table.
      return row && { ...row, solvedAt: row.solvedAt! }
    },
    async findFile(madeOf) {
      const row = await files.first({ madeOf })
      if (!row) return undefined
      // All of these are there, or none: a check of the table.
      const { key, digest, bytes, warnings, keptUntil } = row
      return { key, digest: digest!, bytes: bytes!, warnings: JSON.parse(warnings!), keptUntil }
    },
    claim: (recipe, leaseMs) => {
      const claim = { claimedBy: randomUUID(), now: now(), leaseMs }
      return database.transaction((write) => claimFile(write, recipe, claim))
    },
    renew: (claim, leaseMs) =>
      database.transaction(async (write) => {
        const renewed = await updateClaimed(write, claim)
          .set({ lease_until: now() + leaseMs })
          .executeTakeFirst()
        return renewed.numUpdatedRows > 0n
      }),
    end: (claim, { digest, bytes, warnings }, keptUntil) =>
      database.transaction(async (write) => {
        const ended = await updateClaimed(write, claim)
          .set({
            digest,
            bytes,
            warnings: JSON.stringify(warnings),
            claimed_by: null,
            lease_until: null,
            kept_until: keptUntil,
          })
          .executeTakeFirst()
        return ended.numUpdatedRows > 0n
      }),
    giveUp: ({ key, claimedBy }) =>
      database.transaction(async (write) => {
        await write
          .deleteFrom('export_file')
          .where('id', '=', key)
          .where('claimed_by', '=', claimedBy)
          .execute()
      }),
    keep: (file, until) =>
      database.transaction(async (write) => {
        const kept = await write
          .updateTable('export_file')
          .set({ kept_until: until })
          .where('id', '=', file)
          .executeTakeFirst()
        return kept.numUpdatedRows > 0n
      }),
    forget: (file) =>
      database.transaction(async (write) => {
        await write.deleteFrom('export_file').where('id', '=', file).execute()
      }),
    isGranted: async (token, document) =>
      (await (isPublicId('usr', token)
        ? memberships.first({ user: token, document })
        : grants.first({ token: token as TokenId, document }))) !== undefined,
    listStale: (before, limit) => listStale(read, before, limit),
    drop: (files) => database.transaction((write) => dropFiles(write, files)),
  }
}
