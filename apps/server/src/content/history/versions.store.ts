import type { GraphContent, UserId } from '@meadow/contract'
import type { ChangeAuthorKind, VersionKind } from '@meadow/contract/web/terms'
import { fingerprintWithFile } from '@meadow/document'
import { listReferences, type Reference } from '@meadow/document/live'
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
import type { ChangeAuthor } from '../../team-writes/change-author.ts'
import { discardBlobs, MAX_INLINE_BYTES, type NewContent } from '../../team-writes/content-blobs.ts'
import type { SourceFacts } from '../../team-writes/document-writes.ts'
import { decodeBase, decodeDelta, encodeBase, encodeDelta, MAX_BASE_BYTES } from './version-text.ts'

/** A document as it was at a position in its log, to be kept as a version. */
export interface NewVersion {
  document: DocumentKey
  seq: number
  /** Milliseconds since 1970. */
  at: number
  kind: VersionKind
  /** The content as JSON, in which large values may be references to blobs; or the blob that is the document's content. */
  json: { bytes: Uint8Array } | { digest: string }
  /** Of the change `seq`, where the log does not have it. */
  author?: ChangeAuthor | undefined
}

/** Who made how many changes. */
export type CountedAuthor = [kind: ChangeAuthorKind, user: UserId | null, changes: number]

/** A new version, encoded against the newest base of its document, or as a new base. */
export interface EncodedVersion extends NewVersion {
  nodes: number
  wires: number
  /** With its imported file, of which this is the digest. */
  fingerprintWith(file: string | null): string
  references: readonly Reference[]
  stored:
    | { base: VersionBaseKey; delta: Uint8Array | null }
    | { newBase: { content: Uint8Array } | { blob: string; isPlain: boolean; bytes: number } }
}

/** A base may be replaced by a shorter one when a difference from it is longer than this. */
const MIN_DELTA_BYTES = 1024

/**
 * Encodes a version. Large bases go into the blob store, unless `putBase` is undefined. Reads with `select`, so that it
 * also works inside a transaction.
 */
export async function encodeVersion(
  select: Select,
  blobs: Pick<BlobStore, 'read'>,
  version: NewVersion,
  putBase?: (bytes: Uint8Array) => Promise<string>,
): Promise<EncodedVersion> {
  const text = 'bytes' in version.json ? version.json.bytes : await getBlob(blobs, version.json.digest)
  const json = new TextDecoder().decode(text)
  const content: GraphContent = JSON.parse(json)
  const nodes = Object.values(content.nodes)
  const described = {
    ...version,
    nodes: nodes.length,
    wires: nodes
      .flatMap(({ sources }) => Object.values(sources))
      .reduce((sum, { length }) => sum + length, 0),
    fingerprintWith: (file: string | null) => fingerprintWithFile(content, file),
    references: listReferences(json),
  }
  const base = await findNewestBase(select, version.document)
  const delta = base && (await tryDelta(blobs, base, text))
  if (base && delta !== undefined) return { ...described, stored: { base: base.id, delta } }
  if ('digest' in version.json) {
    const plain = { blob: version.json.digest, isPlain: true, bytes: 0 }
    return { ...described, stored: { newBase: plain } }
  }
  const bytes = await encodeBase(text)
  const newBase =
    putBase && bytes.length > MAX_INLINE_BYTES
      ? { blob: await putBase(bytes), isPlain: false, bytes: bytes.length }
      : { content: bytes }
  return { ...described, stored: { newBase } }
}

type BaseRow = NonNullable<Awaited<ReturnType<typeof findNewestBase>>>

const findNewestBase = (select: Select, document: DocumentKey) =>
  select
    .selectFrom('version_base')
    .where('document_id', '=', document)
    .orderBy('id', 'desc')
    .limit(1)
    .selectAll()
    .executeTakeFirst()

/**
 * The difference of a text from a base: null when there is none, undefined when the text should be a base itself. That is
 * so when the differences from the base have grown, in sum, by more than the size of a base: edits take a document further
 * and further away from it.
 */
async function tryDelta(
  blobs: Pick<BlobStore, 'read'>,
  base: BaseRow,
  text: Uint8Array,
): Promise<Uint8Array | null | undefined> {
  const { content, least_delta, growth } = base
  const baseText = await readBaseText(blobs, base).catch(() => undefined)
  if (!baseText || baseText.length > MAX_BASE_BYTES || text.length > MAX_BASE_BYTES) return undefined
  if (Buffer.compare(baseText, text) === 0) return null
  const delta = await encodeDelta(text, baseText)
  if (delta.length <= MIN_DELTA_BYTES && growth <= MIN_DELTA_BYTES) return delta
  const baseBytes = content?.length ?? Math.max(base.bytes, Math.floor(baseText.length / 10))
  const grown = growth + Math.max(0, delta.length - (least_delta || delta.length))
  return grown > baseBytes || delta.length > baseBytes / 2 ? undefined : delta
}

async function readBaseText(
  blobs: Pick<BlobStore, 'read'>,
  { content, blob, is_plain }: Pick<BaseRow, 'content' | 'blob' | 'is_plain'>,
): Promise<Uint8Array> {
  const bytes = content ?? (await getBlob(blobs, blob!))
  return is_plain === 1 ? bytes : decodeBase(bytes)
}

async function getBlob(blobs: Pick<BlobStore, 'read'>, digest: string): Promise<Uint8Array> {
  const bytes = await blobs.read(digest)
  if (!bytes) throw new Error(`The blob ${digest} of a version is missing.`)
  return bytes
}

/** Where a version is. */
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

/** The text of a version: its JSON, in which large values may be references. */
export async function readVersionText(
  select: Select,
  blobs: Pick<BlobStore, 'read'>,
  version: VersionKey,
): Promise<Uint8Array | undefined> {
  const row = await select
    .selectFrom('document_version as version')
    .innerJoin('version_base as base', 'base.id', 'version.base_id')
    .where('version.id', '=', version)
    .select(['version.delta', 'base.content', 'base.blob', 'base.is_plain'])
    .executeTakeFirst()
  if (!row) return undefined
  const base = await readBaseText(blobs, row)
  return row.delta === null ? base : decodeDelta(row.delta, base)
}

/** The imported file of a version. */
export interface VersionSource {
  key: VersionSourceKey
  blob: string
  reading: number | null
  /** Its path when it was imported. */
  name: string
  created: number | null
  modified: number | null
  /** What it says beside its graph; undefined when it was not read. */
  facts: (SourceFacts & { digest: string }) | undefined
}

/** Undefined for a version of a document that was made here. */
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
