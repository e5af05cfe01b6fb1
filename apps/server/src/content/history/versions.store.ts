import type { UserId } from '@meadow/contract'
import type { ChangeAuthorKind, VersionKind } from '@meadow/contract/web/terms'
import type { Reference } from '@meadow/document/live'
import type { BlobStore } from '../../platform/blobs/blobs.ts'
import type { Select, Write } from '../../platform/database/database.ts'
import { inBatches } from '../../platform/database/in-batches.ts'
import type {
  DocumentKey,
  VersionBaseKey,
  VersionKey,
  VersionSourceKey,
} from '../../platform/database/tables.ts'
import { createPublicId } from '../../platform/public-ids.ts'
import type { ChangeAuthor } from '../../team/change-author.ts'
import { discardBlobs, MAX_INLINE_BYTES, type NewContent } from '../../team/content-blobs.ts'
import type { SourceFacts } from '../../team/document-writes.ts'
import { type HistoryWork, readText, type StoredBase, type StoredVersion } from './history-work.ts'
import { decodeBase, encodeBase } from './version-text.ts'

/** A document as it was at a position in its log, to be kept as a version. */
export interface NewVersion {
  document: DocumentKey
  seq: number
  /** Milliseconds since 1970. */
  at: number
  kind: VersionKind
  /** The content as JSON, in which large values may be references to blobs; or the blob that is the document's content. */
  json: { bytes: Uint8Array } | { digest: string }
  /** The author of the change `seq`, where the log does not have it. */
  author?: ChangeAuthor | undefined
}

/** Who made how many changes. */
export type CountedAuthor = [kind: ChangeAuthorKind, user: UserId | null, changes: number]

/** A new version, encoded against the newest base of its document, or as a new base. */
export interface EncodedVersion extends NewVersion {
  nodes: number
  wires: number
  /** Returns the fingerprint of the content and its imported file, of which `file` is the digest. */
  fingerprintWith(file: string | null): string
  references: readonly Reference[]
  stored:
    | { base: VersionBaseKey; delta: Uint8Array | null }
    | { newBase: { content: Uint8Array } | { blob: string; isPlain: boolean; bytes: number } }
}

/** Encodes a version against the newest base of its document. Large bases go into the blob store, with `putBase`. */
export async function encodeVersion(
  select: Select,
  work: Pick<HistoryWork, 'encode'>,
  version: NewVersion,
  putBase?: (bytes: Uint8Array) => Promise<string>,
): Promise<EncodedVersion> {
  const { json } = version
  const base = await findNewestBase(select, version.document)
  const request = {
    kind: 'encode' as const,
    json,
    base: base && {
      ...toStoredBase(base),
      bytes: base.bytes,
      leastDelta: base.least_delta,
      growth: base.growth,
    },
  }
  const encoded = await work.encode(request, await findGroup(select, version.document))
  const { nodes, wires, fingerprint, hasClusters, references, delta, newBase } = encoded
  const described = {
    ...{ ...version, nodes, wires, references },
    fingerprintWith: (file: string | null) =>
      file !== null && hasClusters ? `${fingerprint} ${file}` : fingerprint,
  }
  if (base && delta !== undefined) return { ...described, stored: { base: base.id, delta } }
  if ('digest' in json)
    return { ...described, stored: { newBase: { blob: json.digest, isPlain: true, bytes: 0 } } }
  const bytes = newBase!
  const stored =
    putBase && bytes.length > MAX_INLINE_BYTES
      ? { blob: await putBase(bytes), isPlain: false, bytes: bytes.length }
      : { content: bytes }
  return { ...described, stored: { newBase: stored } }
}

/** Whom the work on a document counts for: its team. */
export async function findGroup(select: Select, document: DocumentKey): Promise<string> {
  const row = await select
    .selectFrom('document')
    .where('id', '=', document)
    .select('team_id as team')
    .executeTakeFirst()
  return String(row?.team)
}

const findNewestBase = (select: Select, document: DocumentKey) =>
  select
    .selectFrom('version_base')
    .where('document_id', '=', document)
    .orderBy('id', 'desc')
    .limit(1)
    .selectAll()
    .executeTakeFirst()

interface BaseColumns {
  content: Uint8Array | null
  blob: string | null
  is_plain: 0 | 1
}

const toStoredBase = ({ content, blob, is_plain }: BaseColumns): StoredBase => ({
  content,
  blob,
  isPlain: is_plain === 1,
})

/** A version and its position in the log. */
export interface VersionPlace {
  key: VersionKey
  seq: number
}

/** The newest version of a document. */
export const findNewest = (select: Select, document: DocumentKey): Promise<VersionPlace | undefined> =>
  select
    .selectFrom('document_version')
    .where('document_id', '=', document)
    .orderBy('seq', 'desc')
    .limit(1)
    .select(['id as key', 'seq'])
    .executeTakeFirst()

/**
 * Stores a version. Call it with the lock of the team. Nothing is stored, and the result is the newest version, when the
 * document has one as of this position or a later one; the result is undefined when the document was deleted, and
 * `outdated` when the base of the difference was removed meanwhile.
 */
export async function insertVersion(
  write: Write,
  version: EncodedVersion,
): Promise<VersionPlace | 'outdated' | undefined> {
  const { document, seq, at, kind, nodes, wires, stored } = version
  const row = await write
    .selectFrom('document')
    .where('id', '=', document)
    .select(['team_id as team', 'source_blob as file'])
    .executeTakeFirst()
  if (!row) return undefined
  const newest = await findNewest(write, document)
  if (newest && newest.seq >= seq) return newest
  const base = await storeBase(write, document, stored)
  if (base === undefined) return 'outdated'
  const delta = 'base' in stored ? stored.delta : null
  const { id: key } = await write
    .insertInto('document_version')
    .values({
      public_id: createPublicId('ver'),
      team_id: row.team,
      document_id: document,
      seq,
      at,
      kind,
      name: null,
      named_by: null,
      authors: JSON.stringify(await countAuthors(write, document, newest?.seq ?? 0, version)),
      nodes,
      wires,
      fingerprint: version.fingerprintWith(row.file),
      base_id: base,
      delta,
      bytes: delta?.length ?? 0,
      source_id: await storeSource(write, document),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await storeReferences(write, version, newest?.seq)
  return { key, seq }
}

async function storeBase(
  write: Write,
  document: DocumentKey,
  stored: EncodedVersion['stored'],
): Promise<VersionBaseKey | undefined> {
  if ('base' in stored) {
    const length = stored.delta?.length ?? 0
    const updated = await write
      .updateTable('version_base')
      .set(({ eb, val }) => ({
        least_delta: eb
          .case()
          .when('least_delta', '=', 0)
          .then(val(length))
          .else(eb.ref('least_delta'))
          .end(),
        growth: eb
          .case()
          .when(eb.and([eb('least_delta', '>', 0), eb('least_delta', '<', length)]))
          .then(eb('growth', '+', eb(val(length), '-', eb.ref('least_delta'))))
          .else(eb.ref('growth'))
          .end(),
      }))
      .where('id', '=', stored.base)
      .where('document_id', '=', document)
      .executeTakeFirst()
    return updated.numUpdatedRows > 0n ? stored.base : undefined
  }
  const { newBase } = stored
  const columns =
    'content' in newBase
      ? { content: newBase.content, blob: null, is_plain: 0 as const, bytes: newBase.content.length }
      : {
          content: null,
          blob: newBase.blob,
          is_plain: newBase.isPlain ? (1 as const) : (0 as const),
          bytes: newBase.bytes,
        }
  const { id } = await write
    .insertInto('version_base')
    .values({ document_id: document, ...columns })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** The authors of the changes after `since`, those with the most changes first. */
async function countAuthors(
  write: Write,
  document: DocumentKey,
  since: number,
  { seq, author }: Pick<NewVersion, 'seq' | 'author'>,
): Promise<CountedAuthor[]> {
  const counted = await listAuthors(write, document, since, seq)
  return author ? [...counted, [author.kind, author.user ?? null, 1]] : counted
}

/** The authors of the changes after `since`, up to `seq`, with the most changes first. */
export async function listAuthors(
  select: Select,
  document: DocumentKey,
  since: number,
  seq: number,
): Promise<CountedAuthor[]> {
  const rows = await select
    .selectFrom('document_change')
    .where('document_id', '=', document)
    .where('seq', '>', since)
    .where('seq', '<=', seq)
    .where('author_kind', 'is not', null)
    .groupBy(['author_kind', 'user_id'])
    .select(({ fn }) => ['author_kind', 'user_id', fn.countAll<number | string>().as('count')])
    .execute()
  return rows
    .map(({ author_kind, user_id, count }): CountedAuthor => [author_kind!, user_id, Number(count)])
    .sort((a, b) => b[2] - a[2])
}

/** The row for the imported file that the document has now; null when it was made here. */
async function storeSource(write: Write, document: DocumentKey): Promise<VersionSourceKey | null> {
  const source = await write
    .selectFrom('document')
    .where('id', '=', document)
    .select([
      'source_blob',
      'source_reading',
      'source_path',
      'source_created',
      'source_modified',
      'source_facts',
    ])
    .executeTakeFirstOrThrow()
  const { source_blob: blob, source_reading: reading, source_facts: facts } = source
  if (blob === null) return null
  const known = await write
    .selectFrom('version_source')
    .where('document_id', '=', document)
    .where('blob', '=', blob)
    .orderBy('id', 'desc')
    .select(['id', 'reading', 'facts'])
    .execute()
  const same = known.find((one) => one.reading === reading && one.facts === facts)
  if (same) return same.id
  const stored = await write
    .selectFrom('document_facts')
    .where('document_id', '=', document)
    .select(['file', 'clusters', 'clusters_blob'])
    .executeTakeFirst()
  const { id } = await write
    .insertInto('version_source')
    .values({
      document_id: document,
      blob,
      reading,
      name: source.source_path ?? '',
      created: source.source_created,
      modified: source.source_modified,
      facts,
      file: stored?.file ?? null,
      clusters: stored?.clusters ? await encodeBase(stored.clusters) : null,
      clusters_blob: stored?.clusters_blob ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Keeps the large values of the version. Values that only versions before it refer to are kept for those. */
async function storeReferences(
  write: Write,
  { document, seq, references }: EncodedVersion,
  previous: number | undefined,
): Promise<void> {
  const wanted = new Map(references.map((one) => [one.digest, one]))
  const open = await write
    .selectFrom('version_value')
    .where('document_id', '=', document)
    .where('to_seq', 'is', null)
    .select('digest')
    .execute()
  const known = new Set(open.map(({ digest }) => digest))
  for (const digests of inBatches([...known].filter((digest) => !wanted.has(digest)))) {
    await write
      .updateTable('version_value')
      .set({ to_seq: previous ?? seq })
      .where('document_id', '=', document)
      .where('to_seq', 'is', null)
      .where('digest', 'in', digests)
      .execute()
  }
  for (const some of inBatches([...wanted.values()].filter(({ digest }) => !known.has(digest)))) {
    const rows = some.map(({ digest, bytes, isTree }) => ({
      document_id: document,
      digest,
      from_seq: seq,
      to_seq: null,
      bytes,
      is_tree: isTree ? (1 as const) : (0 as const),
    }))
    await write.insertInto('version_value').values(rows).execute()
  }
}

/** A version as it is stored; undefined when it was removed. */
export async function findStoredVersion(
  select: Select,
  version: VersionKey,
): Promise<StoredVersion | undefined> {
  const row = await select
    .selectFrom('document_version as version')
    .innerJoin('version_base as base', 'base.id', 'version.base_id')
    .where('version.id', '=', version)
    .select(['version.delta', 'base.content', 'base.blob', 'base.is_plain'])
    .select(({ selectFrom }) =>
      selectFrom('version_value')
        .whereRef('version_value.document_id', '=', 'version.document_id')
        .whereRef('version_value.from_seq', '<=', 'version.seq')
        .where(({ eb, or, ref }) =>
          or([eb('version_value.to_seq', 'is', null), eb('version_value.to_seq', '>=', ref('version.seq'))]),
        )
        .select(({ fn }) => fn.sum<number | string | null>('version_value.bytes').as('bytes'))
        .as('valueBytes'),
    )
    .executeTakeFirst()
  return row && { base: toStoredBase(row), delta: row.delta, valueBytes: Number(row.valueBytes ?? 0) }
}

/** The text of a version: its JSON, in which large values may be references. */
export async function readVersionText(
  select: Select,
  blobs: Pick<BlobStore, 'read'>,
  version: VersionKey,
): Promise<Uint8Array | undefined> {
  const stored = await findStoredVersion(select, version)
  return stored && readText(blobs, stored)
}

/** The imported file of a version. */
export interface VersionSource {
  key: VersionSourceKey
  blob: string
  reading: number | null
  /** The path of the file when it was imported. */
  name: string
  created: number | null
  modified: number | null
  /** What the file says beside its graph; undefined when it was not read. */
  facts: (SourceFacts & { digest: string }) | undefined
}

/** Resolves with undefined for a version of a document that was made here. */
export async function readVersionSource(
  select: Select,
  version: VersionKey,
): Promise<VersionSource | undefined> {
  const row = await select
    .selectFrom('document_version as version')
    .innerJoin('version_source as source', 'source.id', 'version.source_id')
    .where('version.id', '=', version)
    .selectAll('source')
    .executeTakeFirst()
  if (!row) return undefined
  const { id: key, blob, reading, name, created, modified, facts, file, clusters, clusters_blob } = row
  const source = { key, blob, reading, name, created, modified }
  if (facts === null || file === null) return { ...source, facts: undefined }
  const stored: NewContent = clusters
    ? { kind: 'inline', bytes: await decodeBase(clusters) }
    : { kind: 'blob', digest: clusters_blob!, size: 0 }
  return { ...source, facts: { digest: facts, file, clusters: stored } }
}

/** Removes versions of a document, and what only they needed. */
export async function deleteVersions(
  write: Write,
  document: DocumentKey,
  versions: readonly VersionKey[],
): Promise<void> {
  for (const keys of inBatches(versions)) {
    await write
      .deleteFrom('document_version')
      .where('document_id', '=', document)
      .where('id', 'in', keys)
      .execute()
  }
  const bases = await write
    .deleteFrom('version_base')
    .where('document_id', '=', document)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('document_version')
            .whereRef('document_version.base_id', '=', 'version_base.id')
            .select('document_version.id'),
        ),
      ),
    )
    .returning('blob')
    .execute()
  const sources = await write
    .deleteFrom('version_source')
    .where('document_id', '=', document)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('document_version')
            .whereRef('document_version.source_id', '=', 'version_source.id')
            .select('document_version.id'),
        ),
      ),
    )
    .returning(['blob', 'clusters_blob'])
    .execute()
  const values = await write
    .deleteFrom('version_value')
    .where('document_id', '=', document)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('document_version as version')
            .whereRef('version.document_id', '=', 'version_value.document_id')
            .whereRef('version.seq', '>=', 'version_value.from_seq')
            .where(({ eb, or, ref }) =>
              or([
                eb('version_value.to_seq', 'is', null),
                eb('version.seq', '<=', ref('version_value.to_seq')),
              ]),
            )
            .select('version.id'),
        ),
      ),
    )
    .returning('digest')
    .execute()
  const digests = [
    ...bases.map(({ blob }) => blob),
    ...sources.flatMap(({ blob, clusters_blob }) => [blob, clusters_blob]),
    ...values.map(({ digest }) => digest),
  ].filter((digest) => digest !== null)
  await discardBlobs(write, [...new Set(digests)])
}
