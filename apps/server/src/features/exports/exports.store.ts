import type {
  Completeness,
  DocumentId,
  ExportFormat,
  SolutionId,
  TokenId,
  Unit,
  UserId,
} from '@meadow/contract'
import { type RawBuilder, sql } from 'kysely'
import { isMembershipOpen } from '../../access/required-factors.ts'
import {
  type IsInScope,
  isInFoldersOf,
  prepareInScope,
  type ResourceScope,
} from '../../access/resource-scope.ts'
import { recordEvent } from '../../audit/record-event.ts'
import type { RequestContext } from '../../audit/request-context.ts'
import { readCompleteness } from '../../library/completeness.ts'
import type { BlobLink } from '../../platform/blobs/blob-links.ts'
import type { LinkKey } from '../../platform/blobs/signed-links.ts'
import type { Database, Select, Write } from '../../platform/database/database.ts'
import { timeOf } from '../../platform/database/database-clock.ts'
import type { DocumentKey, ExportFileKey, SolveKey, TeamKey } from '../../platform/database/tables.ts'
import { isPublicId } from '../../platform/public-ids.ts'
import { isHeld, type Lease, openQueue, type Queue, UNLEASED } from '../../platform/queue.ts'
import { discardBlobs } from '../../team/content-blobs.ts'
import type { MadeFile, StoredModel } from './make-file.ts'

/**
 * Every SQL statement about exports. A file is leased by the process that makes it and then completed or abandoned; it
 * is retained while links may lead to it, and deleted once it is obsolete.
 */
export interface ExportStore {
  /** Finds a document in one statement; undefined when it is not in scope, or has no solution. */
  find(
    resourceScope: ResourceScope,
    documentId: string,
    format: ExportFormat,
  ): Promise<ExportSource | undefined>
  /** Finds a version of a document with its own solution; undefined when the document was deleted. */
  findVersion(
    team: TeamKey,
    documentId: string,
    version: ExportedVersion,
    format: ExportFormat,
  ): Promise<ExportSource | undefined>
  /** How long a lease outlives the process that holds it, in milliseconds. */
  readonly leaseMs: number
  /** Takes the right to make a file; undefined when another process has it, or the file exists. */
  lease(source: FileSource): Promise<FileLease | undefined>
  /** Renews a lease; false when it is lost, so that another process may make the file. */
  renew(lease: FileLease): Promise<boolean>
  /** Records that the file was made. False when the lease is lost. */
  complete(lease: FileLease, file: MadeFile, retainedUntil: number): Promise<boolean>
  abandon(lease: FileLease): Promise<void>
  /** Extends the retention of a file. False when it does not exist any more. */
  retain(file: ExportFileKey, until: number): Promise<boolean>
  delete(file: ExportFileKey): Promise<void>
  /**
   * Whether a link still works: its token is not revoked and reaches the document, or its user is a member of the team,
   * and the document is not deleted; and whether it was requested under the host name of another team.
   */
  checkGrant(token: TokenId | UserId, document: DocumentId, host: string): Promise<LinkGrant>
  /** Records that a link was followed, by the bearer of a link. */
  recordDownload(link: BlobLink, from: Pick<RequestContext, 'address' | 'request'>): Promise<void>
  /** Lists some files that no link leads to and no request would be answered with. */
  listObsolete(before: number, limit: number): Promise<ObsoleteFile[]>
  /** Returns the time by the clock that decides, in milliseconds since 1970. */
  now(): number
  /** Deletes the rows, and discards the blobs that nothing else names. */
  deleteObsolete(files: readonly ObsoleteFile[]): Promise<void>
}

/** `foreign`: the host name belongs to another team. */
export type LinkGrant = 'granted' | 'ended' | 'foreign'

/** A document, its most recent solution (decision 27), and what was made of them. Times are milliseconds since 1970. */
export interface ExportSource {
  document: DocumentKey
  documentId: DocumentId
  name: string
  /** The last entry of the document's log. */
  seq: number
  updatedAt: number
  /** The blob of the file that it was imported from. */
  original: string | null
  /** How the content was read from that file; null for the first reading. */
  reading: number | null
  /** Undefined for a version that was never solved, or whose solution is not kept. */
  solution: ExportedSolution | undefined
  /** The files of this content or solution in the format, under any name and from any version of the writer. */
  files: readonly StoredFile[]
  /** Signs the link. */
  linkKey: LinkKey
}

export interface ExportedSolution {
  key: SolveKey
  id: SolutionId
  solvedAt: number
  /** Undefined when there is no geometry, or no file could be written of it. */
  model: StoredModel | undefined
  /** Why there is geometry but no model file. */
  modelFault: string | null
  units: Unit
  /** Null for solutions that were made before completeness. */
  completeness: Completeness | null
}

/** A version of a document, to be exported. */
export interface ExportedVersion {
  seq: number
  /** Milliseconds since 1970. */
  at: number
  original: string | null
  reading: number | null
  solutionId: SolutionId | null
}

/** What a file is made from. */
export interface FileSource {
  /** Differs whenever the bytes of the file may differ. */
  cacheKey: string
  document: DocumentKey
  /** The document's `seq` for a definition, null for a model. */
  seq: number | null
  /** The solve for a model, null for a definition. */
  solve: SolveKey | null
}

export interface StoredFile extends MadeFile {
  key: ExportFileKey
  cacheKey: string
  /** Milliseconds since 1970. Until then the file is retained even when it is obsolete. */
  retainedUntil: number
}

/** The exclusive right to make a file. */
export type FileLease = Lease<ExportFileKey>

interface ObsoleteFile {
  key: ExportFileKey
  /** Null when the file was never completed. */
  digest: string | null
}

/** `now` in milliseconds since 1970, by default by the clock of the database. */
export function createExportStore(
  database: Database,
  now: () => number = () => timeOf(database.read),
): ExportStore {
  const { read } = database
  const queue = openQueue(database, 'export_file', { now })
  const prepareFind = (format: ExportFormat) =>
    prepareInScope(database, (read, parameters: SourceParameters, isInScope) =>
      selectSources(read, format, parameters, isInScope),
    )
  const sources = { '.gh': prepareFind('.gh'), '.3dm': prepareFind('.3dm') }
  const grantsOfTokens = database.prepare((read, { caller, document, host }: GrantParameters) =>
    selectLinkedDocument(read, document, host)
      .innerJoin('token', 'token.team_id', 'document.team_id')
      .where('token.public_id', '=', caller as TokenId)
      .where('token.revoked_at', 'is', null)
      .where(({ eb, or }) =>
        or([eb('token.is_limited', '=', 0), isInFoldersOf(sql.ref('token.id'), 'document.folder_id')]),
      ),
  )
  const grantsOfMembers = database.prepare((read, { caller, document, host }: GrantParameters) =>
    selectLinkedDocument(read, document, host)
      .innerJoin('membership', 'membership.team_id', 'document.team_id')
      .where('membership.user_id', '=', caller as UserId)
      .where(isMembershipOpen()),
  )
  return {
    async find(resourceScope, id, format) {
      return isPublicId('doc', id) ? toSource(await sources[format].all(resourceScope, { id })) : undefined
    },
    async findVersion(team, id, version, format) {
      if (!isPublicId('doc', id)) return undefined
      const rows = await selectVersionSources(read, format, { team, id, version }).execute()
      const { seq, at: updatedAt, original, reading } = version
      const source = toSource(rows)
      return source && { ...source, seq, updatedAt, original, reading }
    },
    lease: (source) => database.transaction((write) => leaseFile(write, source, queue, now())),
    renew: queue.renew,
    leaseMs: queue.leaseMs,
    complete: (lease, { digest, bytes, warnings }, retainedUntil) =>
      database.transaction(async (write) => {
        const completed = await write
          .updateTable('export_file')
          .set({
            digest,
            bytes,
            warnings: JSON.stringify(warnings),
            kept_until: retainedUntil,
            ...UNLEASED,
          })
          .where(isHeld('export_file', lease))
          .executeTakeFirst()
        if (completed.numUpdatedRows === 0n) return false
        await recordExport(write, lease, { digest, bytes })
        return true
      }),
    abandon: (lease) =>
      database.transaction(async (write) => {
        await write.deleteFrom('export_file').where(isHeld('export_file', lease)).execute()
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
    recordDownload: ({ token: id, document, fileName, digest }, from) =>
      database.transaction(async (write) => {
        const found = await write
          .selectFrom('document')
          .where('public_id', '=', document)
          .select(['team_id as team', 'name'])
          .executeTakeFirst()
        if (!found) return
        recordEvent(write, {
          ...from,
          action: 'export.downloaded',
          actor: { kind: 'link', id, name: await findCallerName(write, id) },
          token: isPublicId('tok', id) ? id : undefined,
          team: found.team,
          target: { kind: 'document', id: document, name: found.name },
          details: { fileName, sha256: digest },
        })
      }),
    listObsolete(before, limit) {
      const isFree = openQueue(database, 'export_file', { now: () => Math.max(before, now()) }).isFree('file')
      return listObsolete(read, { before, isFree, limit })
    },
    now,
    deleteObsolete: (files) => database.transaction((write) => deleteFiles(write, files)),
  }
}

/** The name of the token, or the e-mail address of the person, that a link was made for. */
async function findCallerName(write: Write, caller: TokenId | UserId): Promise<string | undefined> {
  if (isPublicId('usr', caller)) {
    const user = write.selectFrom('user').where('id', '=', caller).select('email')
    return (await user.executeTakeFirst())?.email
  }
  const token = write
    .selectFrom('token')
    .where('public_id', '=', caller as TokenId)
    .select('name')
  return (await token.executeTakeFirst())?.name
}

async function recordExport(
  write: Write,
  { key }: FileLease,
  { digest, bytes }: Pick<MadeFile, 'digest' | 'bytes'>,
): Promise<void> {
  const { team, ...document } = await write
    .selectFrom('export_file')
    .innerJoin('document', 'document.id', 'export_file.document_id')
    .where('export_file.id', '=', key)
    .select(['document.team_id as team', 'document.public_id as id', 'document.name'])
    .executeTakeFirstOrThrow()
  const target = { kind: 'document', ...document }
  recordEvent(write, { action: 'export.made', team, target, details: { bytes, sha256: digest } })
}

interface SourceParameters {
  team: TeamKey
  id: DocumentId
}

/** A literal, because SQLite recompiles a query for each value that it compares with the conditions of indexes. */
const SOLVED = sql.lit('solved' as const)

/** A document that was solved, its last solution, the key that signs links, and a row for each file of the format. */
const selectSources = (
  read: Select,
  format: ExportFormat,
  { team, id }: SourceParameters,
  isInScope: IsInScope,
) =>
  read
    .selectFrom('document')
    .innerJoin('solve', (join) =>
      join.on('solve.id', '=', ({ selectFrom }) =>
        selectFrom('solve as solved')
          .select('solved.id')
          .whereRef('solved.document_id', '=', 'document.id')
          .where('solved.state', '=', SOLVED)
          .orderBy('solved.id', 'desc')
          .limit(1),
      ),
    )
    .innerJoin('link_key', (join) => join.on('link_key.retired_at', 'is', null))
    .leftJoin('export_file as file', (join) =>
      (format === '.gh'
        ? join.onRef('file.document_id', '=', 'document.id').onRef('file.seq', '=', 'document.seq')
        : join.onRef('file.solve_id', '=', 'solve.id')
      ).on('file.digest', 'is not', null),
    )
    .where('document.public_id', '=', id)
    .where('document.team_id', '=', team)
    .where('document.bin_id', 'is', null)
    .where(isInScope('document.folder_id'))
    .select(SOURCE_COLUMNS)

const SOURCE_COLUMNS = [
  'document.id as document',
  'document.public_id as documentId',
  'document.name',
  'document.seq',
  'document.updated_at as updatedAt',
  'document.source_blob as original',
  'document.source_reading as reading',
  'solve.id as solve',
  'solve.public_id as solutionId',
  'solve.ended_at as solvedAt',
  'solve.model',
  'solve.model_bytes as modelBytes',
  'solve.model_objects as modelObjects',
  'solve.model_fault as modelFault',
  'solve.units',
  'solve.completeness',
  'link_key.id as linkKey',
  'link_key.secret',
  'file.id as file',
  'file.made_of as cacheKey',
  'file.digest',
  'file.bytes',
  'file.warnings',
  'file.kept_until as retainedUntil',
] as const

/** Does what `selectSources` does for a version, with its solution if there is one. */
const selectVersionSources = (
  read: Select,
  format: ExportFormat,
  { team, id, version }: SourceParameters & { version: ExportedVersion },
) =>
  read
    .selectFrom('document')
    .leftJoin('solve', (join) =>
      join
        .onRef('solve.document_id', '=', 'document.id')
        .on('solve.public_id', '=', version.solutionId)
        .on('solve.state', '=', SOLVED),
    )
    .innerJoin('link_key', (join) => join.on('link_key.retired_at', 'is', null))
    .leftJoin('export_file as file', (join) =>
      (format === '.gh'
        ? join.onRef('file.document_id', '=', 'document.id').on('file.seq', '=', version.seq)
        : join.onRef('file.solve_id', '=', 'solve.id')
      ).on('file.digest', 'is not', null),
    )
    .where('document.public_id', '=', id)
    .where('document.team_id', '=', team)
    .where('document.bin_id', 'is', null)
    .select(SOURCE_COLUMNS)

type SourceRow = Awaited<ReturnType<ReturnType<typeof selectVersionSources>['execute']>>[number]

/** The rows differ in their files only. */
function toSource(rows: readonly SourceRow[]): ExportSource | undefined {
  const [row] = rows
  if (!row) return undefined
  const { document, documentId, name, seq, updatedAt, original, reading } = row
  const { solve, solutionId, solvedAt, model, modelBytes, modelObjects, modelFault, units, completeness } =
    row
  const solution = solve !== null && {
    key: solve,
    id: solutionId!,
    // The table has constraints: what a successful solve always has, what a model has, and what a finished file has.
    solvedAt: solvedAt!,
    model: model === null ? undefined : { digest: model, bytes: modelBytes!, objects: modelObjects! },
    modelFault,
    units: units ?? 'none',
    completeness: readCompleteness(completeness),
  }
  const linkKey = { id: row.linkKey, secret: row.secret, retiredAt: null }
  const files = rows.flatMap(({ file, cacheKey, digest, bytes, warnings, retainedUntil }) =>
    file === null
      ? []
      : {
          key: file,
          cacheKey: cacheKey!,
          digest: digest!,
          bytes: bytes!,
          warnings: JSON.parse(warnings!) as string[],
          retainedUntil: retainedUntil!,
        },
  )
  return {
    ...{ document, documentId, name, seq, updatedAt, original, reading, files, linkKey },
    solution: solution || undefined,
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
    .innerJoin('team', (join) =>
      join.onRef('team.id', '=', 'document.team_id').on('team.deleted_at', 'is', null),
    )
    .leftJoin('team as team_of_host', (join) => join.on('team_of_host.host', '=', host))
    .where('document.public_id', '=', document)
    .where('document.bin_id', 'is', null)
    .select(['document.team_id as team', 'team_of_host.id as teamOfHost'])

/** Takes over an expired lease. */
async function leaseFile(
  write: Write,
  { cacheKey, document, seq, solve }: FileSource,
  queue: Queue,
  now: number,
): Promise<FileLease | undefined> {
  const leased = queue.take()
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
      conflict
        .column('made_of')
        .doUpdateSet(leased)
        .where('export_file.digest', 'is', null)
        .where(queue.isFree()),
    )
    .returning('id as key')
    .executeTakeFirst()
  return row && { key: row.key, leaseId: leased.claimed_by }
}

/** Files that are neither retained nor leased, of documents or solves that were replaced or deleted. */
const listObsolete = (
  read: Select,
  { before, isFree, limit }: { before: number; isFree: RawBuilder<boolean>; limit: number },
): Promise<ObsoleteFile[]> =>
  read
    .selectFrom('export_file as file')
    .leftJoin('document', 'document.id', 'file.document_id')
    .leftJoin('solve', 'solve.id', 'file.solve_id')
    .where('file.kept_until', '<', before)
    .where(isFree)
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
