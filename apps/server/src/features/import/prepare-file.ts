import { createHash } from 'node:crypto'
import { type FileHandle, lstat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Note } from '@meadow/grasshopper'
import type { Unsolvable } from '@meadow/solver'
import type { ImportedItem } from '../../library/imported.ts'
import type { TeamFileContent } from '../../library/team-files.ts'
import type { BlobStore } from '../../platform/blobs/blobs.ts'
import type { Database } from '../../platform/database/database.ts'
import { cleanName } from '../../platform/database/names.ts'
import type { FolderKey } from '../../platform/database/tables.ts'
import { reasonOf } from '../../platform/system-errors.ts'
import {
  discardBlobsUnlessUsed,
  MAX_INLINE_BYTES,
  type NewContent,
  storeContentBytes,
} from '../../team/content-blobs.ts'
import type { DocumentSource } from '../../team/document-writes.ts'
import type { DefinitionParser, ParsedDocument, ParsedFile } from './definition-parser.ts'
import { ImportError, StorageError } from './import-result.ts'
import { openBelow } from './open-below.ts'
import type { PlannedFile } from './plan-import.ts'
import { withoutExtension } from './walk-files.ts'

/** The folders that files come from and go to. */
export interface ImportRoot {
  /** The folder on the disk that paths are relative to. */
  from: string
  /** The real path of the folder below which the real path of every file has to be. */
  realRoot: string
  /** The corresponding folder of the team. */
  target: FolderKey
  /** Reads unchanged files again: a newer version of Meadow may read more of them. */
  force: boolean
}

interface FileProperties extends PlannedFile {
  /** The name of what is made of the file. */
  name: string
  source: DocumentSource
}

/** A file that was read and parsed. */
export interface PreparedFile extends FileProperties {
  original: FileBytes
  /** Undefined when the bytes are those of the last import. */
  parsed: { kind: 'document'; document: ParsedDocument } | { kind: 'file'; file: ParsedFile } | undefined
}

/** What was read of a file, with its large parts in the blob store. */
export type StoredContent = StoredDocument | { kind: 'file'; file: TeamFileContent }

export interface StoredDocument {
  kind: 'document'
  content: NewContent
  references: readonly string[]
  report: { notes: readonly Note[]; unsolvable: readonly Unsolvable[] }
}

/** A prepared file whose content is stored. */
export interface StoredFile extends FileProperties {
  content: StoredContent | undefined
}

/** What shows whether a file has changed. */
export interface FileStats {
  sizeBytes: number
  /** Whole milliseconds since 1970. */
  mtimeMs: number
  /** The time of creation, but not later than `mtimeMs`: a copy of a file is created after its last change. */
  birthtimeMs: number
}

type FileBytes = Uint8Array<ArrayBuffer>

/** Whether size and time of a file are those of the last import. */
export const isUnchanged = (stats: FileStats, { from, force }: ImportRoot, previous: ImportedItem): boolean =>
  !force &&
  previous.from === from &&
  previous.sizeBytes === stats.sizeBytes &&
  previous.mtimeMs === stats.mtimeMs

/** Reads a file, and parses it unless its bytes are those of the last import. All errors are about this file. */
export async function prepareFile(
  parser: DefinitionParser,
  root: ImportRoot,
  planned: PlannedFile,
): Promise<PreparedFile> {
  const { file, item } = planned
  const path = join(root.from, file.path)
  const { bytes, stats } = await readStableFile(root.realRoot, path)
  const sha256 = sha256Of(bytes)
  const name = cleanName(file.fileKind === 'definition' ? await nameOf(path, file.name) : file.name)
  const source = createSource(root, file.path, stats, sha256)
  const properties = { ...planned, name, source, original: bytes }
  if (item?.sha256 === sha256 && !root.force) return { ...properties, parsed: undefined }
  if (file.fileKind !== 'definition') {
    return { ...properties, parsed: { kind: 'file', file: await parser.readFile(bytes, file.fileKind) } }
  }
  const document = await parser.parse(bytes)
  return {
    ...properties,
    source: { ...source, view: document.view },
    parsed: { kind: 'document', document },
  }
}

/**
 * The resolution of time stamps on FAT. Within this time after being read, a file may change again without a change of
 * its time.
 */
const MTIME_RESOLUTION_MS = 2000

function createSource(
  { target, from }: ImportRoot,
  path: string,
  { sizeBytes, mtimeMs, birthtimeMs }: FileStats,
  sha256: string,
): DocumentSource {
  const isTooRecent = Math.abs(Date.now() - mtimeMs) < MTIME_RESOLUTION_MS
  return {
    root: target,
    from,
    path,
    sha256,
    blob: sha256,
    sizeBytes,
    mtimeMs: isTooRecent ? null : mtimeMs,
    times: { created: birthtimeMs, modified: mtimeMs },
  }
}

/** The name without its extension; `Tower.ghx` keeps it when there is a `Tower.gh` in the same folder. */
async function nameOf(path: string, fileName: string): Promise<string> {
  const keepsExtension = /x$/i.test(fileName) && (await exists(path.slice(0, -1)))
  return keepsExtension ? fileName : withoutExtension(fileName)
}

const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  )

/** Definitions are a few megabytes; this bounds the memory that a file can take. */
export const MAX_FILE_BYTES = 256 * 2 ** 20

const ATTEMPTS = 3

/**
 * The bytes and stats of a file below `realRoot` at one point in time: a file that changes while it is read is read again.
 * Throws an {@link ImportError}, or an error of the operating system.
 */
export async function readStableFile(
  realRoot: string,
  path: string,
): Promise<{ bytes: FileBytes; stats: FileStats }> {
  await using file = await openBelow(realRoot, path)
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const before = toFileStats(await file.stat())
    if (before.sizeBytes > MAX_FILE_BYTES) {
      throw new ImportError(`it is larger than ${MAX_FILE_BYTES / 2 ** 20} MB`)
    }
    const bytes = await readBytes(file, before.sizeBytes)
    const after = toFileStats(await file.stat())
    if (
      bytes.length === after.sizeBytes &&
      before.sizeBytes === after.sizeBytes &&
      before.mtimeMs === after.mtimeMs
    ) {
      return { bytes, stats: after }
    }
  }
  throw new ImportError('it was being written to: import again when it is finished')
}

/** Reads at most `size` bytes from the start of a file. */
async function readBytes(file: FileHandle, size: number): Promise<FileBytes> {
  const buffer = Buffer.allocUnsafeSlow(size)
  let length = 0
  while (length < size) {
    const { bytesRead } = await file.read(buffer, length, size - length, length)
    if (bytesRead === 0) break
    length += bytesRead
  }
  return buffer.subarray(0, length)
}

/** Throws an {@link ImportError} when it is not a file. */
export function toFileStats(stats: {
  isFile(): boolean
  size: number
  mtimeMs: number
  birthtimeMs: number
}): FileStats {
  if (!stats.isFile()) throw new ImportError('it is not a regular file')
  const mtimeMs = toTimestampRange(stats.mtimeMs)
  // 0 where the file system does not record it.
  const birthtimeMs = Math.min(toTimestampRange(stats.birthtimeMs) || mtimeMs, mtimeMs)
  return { sizeBytes: stats.size, mtimeMs, birthtimeMs }
}

/** The end of the year 9999: later times have ISO timestamps of another form. */
const MAX_TIME_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

const toTimestampRange = (ms: number): number => Math.min(Math.max(Math.trunc(ms), 0), MAX_TIME_MS)

/**
 * Stores the bytes of a file, and what is too large for the database. The digests are recorded before, so that the blobs
 * of a killed import are removed later. Throws a {@link StorageError} when they cannot be written.
 */
export async function storeFile(
  { blobs, database }: { blobs: BlobStore; database: Database },
  { original, parsed, ...file }: PreparedFile,
): Promise<StoredFile> {
  if (!parsed) return { ...file, content: undefined }
  await discardBlobsUnlessUsed(database, [file.source.blob, ...listExtraBlobs(parsed).map(sha256Of)])
  try {
    const [stored] = await Promise.all([storeParsed(blobs, parsed, file.source), blobs.put(original)])
    return { ...file, ...stored }
  } catch (error) {
    throw new StorageError(reasonOf(error), { cause: error })
  }
}

type Parsed = NonNullable<PreparedFile['parsed']>

/** What goes into the blob store beside the file: a large content, large clusters, or a picture. */
function listExtraBlobs(parsed: Parsed): Uint8Array[] {
  if (parsed.kind === 'file') return parsed.file.thumbnail ? [parsed.file.thumbnail] : []
  const { content, facts } = parsed.document
  return [content, facts.clusters].filter(({ length }) => length > MAX_INLINE_BYTES)
}

async function storeParsed(
  blobs: BlobStore,
  parsed: Parsed,
  source: DocumentSource,
): Promise<Pick<StoredFile, 'content' | 'source'>> {
  if (parsed.kind === 'file') {
    const { facts, objectIds, thumbnail } = parsed.file
    const picture = thumbnail && (await blobs.put(thumbnail))
    const file = { facts: JSON.stringify(facts), thumbnail: picture?.digest, objectIds }
    return { source, content: { kind: 'file', file } }
  }
  const { content, facts, references, notes, unsolvable } = parsed.document
  const [stored, clusters] = await Promise.all([
    storeContentBytes(blobs, content),
    storeContentBytes(blobs, facts.clusters),
  ])
  return {
    source: { ...source, facts: { file: facts.file, clusters } },
    content: { kind: 'document', content: stored, references, report: { notes, unsolvable } },
  }
}

export const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
