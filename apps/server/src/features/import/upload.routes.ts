import {
  type FileKind,
  findFileKind,
  MAX_UPLOAD_BYTES,
  previewUpload,
  type Upload,
  uploadFile,
} from '@meadow/contract/web'
import { isKilled } from '@meadow/processes'
import { changeTeamFor } from '../../access/current-roles.ts'
import type { StoredJson } from '../../content/content.store.ts'
import type { PreparedReplacement } from '../../content/replace-content.ts'
import { type Reserve, readStoredJson, toStoredJson } from '../../content/stored-json.ts'
import type { QuotaLimits } from '../../http/admission.ts'
import { serveApp } from '../../http/app-api/app-route.ts'
import { rethrowFilingError } from '../../http/app-api/filing-errors.ts'
import { readNameInput } from '../../http/app-api/read-input.ts'
import { HttpError } from '../../http/http-error.ts'
import type { BlobStore, StoredBlob } from '../../platform/blobs/blobs.ts'
import { FairSemaphore } from '../../platform/concurrency/fair-semaphore.ts'
import type { Database } from '../../platform/database/database.ts'
import { cleanName } from '../../platform/database/names.ts'
import type { DocumentKey, FolderKey, TeamKey } from '../../platform/database/tables.ts'
import type { Log } from '../../platform/log.ts'
import type { NewContent } from '../../team/content-blobs.ts'
import type { TeamTransaction } from '../../team/team-transaction.ts'
import type { DefinitionParser, StoredDocument } from './definition-parser.ts'
import { describeNotes, describeUnsolvable, ImportError } from './import-result.ts'
import { RECEIVE_LIMITS, receiveUpload } from './receive-upload.ts'
import { isDefinitionName, withoutExtension } from './walk-files.ts'
import { type ReceivedFile, UnpreparedError, writeUpload } from './write-upload.ts'
import { writeUploadedFile } from './write-uploaded-file.ts'

export interface UploadParts {
  database: Database
  blobs: BlobStore
  parser: Pick<DefinitionParser, 'parseBlob' | 'readBlobFile' | 'readStored'>
  /** Records that a blob can be removed later unless something names it. */
  discard(digest: string): Promise<void>
  /** Does what the function of this name does. */
  prepareReplacement(document: DocumentKey, content: StoredJson): Promise<PreparedReplacement>
  /** The semaphore that `createUploadSemaphore` makes. */
  semaphore: FairSemaphore
  log: Log
}

/** The limits of uploads for one person, for one team, and for this process. */
export interface UploadLimits {
  atOnce: QuotaLimits
  /** A queued upload occupies a connection; its file is not read. */
  queued: QuotaLimits
  /** The maximum wait, in milliseconds. */
  queueMs: number
}

/** Limits the number of concurrent uploads. */
export const createUploadSemaphore = ({ atOnce, queued, queueMs }: UploadLimits): FairSemaphore =>
  new FairSemaphore({
    limits: [atOnce.process, atOnce.team, atOnce.caller],
    maxWaiting: [queued.process, queued.team, queued.caller],
    maxWaitMs: queueMs,
  })

export const uploadRoutes = (parts: UploadParts) => [
  serveApp(uploadFile, async ({ access, query, body, person, signal, actor }) => {
    const fileName = readFileName(query.fileName)
    const onConflict = query.onConflict ?? 'ask'
    // Held until the document is written, so that an upload also counts while it waits to be parsed.
    using _ = await parts.semaphore.acquire([access.teamId, person.userId], { signal })
    const { digest, size } = await receive(parts, body, { team: access.teamId, user: person.userId })
    const received = { fileName, digest, bytes: size }
    const kind = findFileKind(fileName)
    const read = kind
      ? await readLibraryUpload(parts, access.team, kind, received, onConflict)
      : await readDefinitionUpload(parts, access.team, received, onConflict)
    const upload = await writePrepared(read, (write) =>
      changeTeamFor(parts.database, actor, async (change) => {
        const written = await write(change, access.folder)
        recordUpload(change, written, received)
        return written
      }),
    ).catch(rethrowFilingError('folder_not_found'))
    return { upload: { ...upload, remarks: read.remarks } }
  }),

  serveApp(previewUpload, async ({ access, query, body, person, signal, quota }) => {
    if (findFileKind(readFileName(query.fileName)))
      throw new HttpError('file_kind_not_accepted', { sentence: 'Only .gh and .ghx files can be compared.' })
    using _ = await parts.semaphore.acquire([access.teamId, person.userId], { signal })
    const { digest } = await receive(parts, body, { team: access.teamId, user: person.userId })
    const { content, facts } = await parseDefinition(parts, access.team, digest)
    const stored = await parts.parser.readStored(digest, undefined, String(access.team))
    const graph = await readPart(parts.blobs, content, quota.reserve)
    const clusters = await readPart(parts.blobs, facts.clusters, quota.reserve)
    return Buffer.concat([
      Buffer.from('{"graph":'),
      graph,
      Buffer.from(',"clusters":'),
      clusters,
      Buffer.from(`,"stored":${JSON.stringify(stored)}}`),
    ])
  }),
]

/** Stores the file of an upload, to be removed later unless a document names it. */
async function receive(
  { blobs, discard, log }: UploadParts,
  body: AsyncIterable<Uint8Array>,
  from: { team: string; user: string },
): Promise<StoredBlob> {
  const limits = { maxBytes: MAX_UPLOAD_BYTES, ...RECEIVE_LIMITS }
  const stored = await receiveUpload(blobs, body, limits).catch((error) => {
    // There is no response, and therefore no request in the log.
    if (error instanceof HttpError && error.code === 'upload_broke_off')
      log.info({ ...from, refusal: error.code }, 'upload broke off')
    throw error
  })
  // The blob is discarded in any case: it is not removed while a document names it.
  await discard(stored.digest)
  return stored
}

const readPart = (blobs: BlobStore, part: NewContent, reserve: Reserve) =>
  readStoredJson(blobs, part.kind === 'inline' ? { bytes: part.bytes } : { digest: part.digest }, reserve)

function recordUpload(
  change: TeamTransaction,
  { outcome, documentId, fileId, name }: Omit<Upload, 'remarks'>,
  { bytes, digest }: Received,
): void {
  if (outcome === 'unchanged' || outcome === 'conflict') return
  const target = documentId
    ? { kind: 'document', id: documentId, name }
    : { kind: 'file', id: fileId ?? undefined, name }
  change.record({ action: 'upload.done', target, details: { outcome, bytes, sha256: digest } })
}

type Received = Pick<ReceivedFile, 'fileName' | 'digest' | 'bytes'>
type OnConflict = Parameters<typeof writeUpload>[3]

/** What a file becomes, and what there is to say about it. */
interface ReadUpload {
  write(change: TeamTransaction, folder: FolderKey): Promise<Omit<Upload, 'remarks'>>
  /** Prepares what a large document is replaced with; before `write` is tried again. */
  prepare?(document: DocumentKey): Promise<void>
  remarks: string[]
}

/** The document may be edited after the preparation, but hardly so often. */
const MAX_ATTEMPTS = 5

/** Writes an upload; what is large is prepared before the transaction. */
async function writePrepared<T>(
  { write, prepare }: ReadUpload,
  run: (write: ReadUpload['write']) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run(write)
    } catch (error) {
      if (!(error instanceof UnpreparedError) || !prepare || attempt === MAX_ATTEMPTS) throw error
      await prepare(error.document)
    }
  }
}

async function parseDefinition(
  { parser, discard }: UploadParts,
  team: TeamKey,
  digest: string,
): Promise<StoredDocument> {
  const document = await readOrRefuse(parser.parseBlob(digest, String(team)))
  for (const part of [document.content, document.facts.clusters])
    if (part.kind === 'blob') await discard(part.digest)
  return document
}

async function readDefinitionUpload(
  parts: UploadParts,
  team: TeamKey,
  file: Received,
  onConflict: OnConflict,
): Promise<ReadUpload> {
  const { notes, unsolvable, ...document } = await parseDefinition(parts, team, file.digest)
  const received: ReceivedFile = { ...file, ...document }
  return {
    write: (change, folder) => writeUpload(change, folder, received, onConflict, parts.blobs),
    async prepare(key) {
      received.prepared = await parts.prepareReplacement(key, toStoredJson(document.content))
    },
    remarks: [...describeNotes(notes), ...describeUnsolvable(unsolvable)],
  }
}

async function readLibraryUpload(
  { parser, blobs, discard }: UploadParts,
  team: TeamKey,
  kind: FileKind,
  file: Received,
  onConflict: OnConflict,
): Promise<ReadUpload> {
  const { facts, thumbnail, objectIds } = await readOrRefuse(
    parser.readBlobFile(file.digest, kind, String(team)),
  )
  const picture = thumbnail && (await blobs.put(thumbnail))
  if (picture) await discard(picture.digest)
  const content = { facts: JSON.stringify(facts), thumbnail: picture?.digest, objectIds }
  return {
    write: (change, folder) => writeUploadedFile(change, folder, { ...file, ...content, kind }, onConflict),
    remarks: [],
  }
}

/** The last part of a path: browsers send a name only, other clients may send a path. */
function readFileName(text: string): string {
  const fileName = cleanName(text.slice(Math.max(text.lastIndexOf('/'), text.lastIndexOf('\\')) + 1))
  if (!isDefinitionName(fileName) && !findFileKind(fileName)) throw new HttpError('file_kind_not_accepted')
  readNameInput(withoutExtension(fileName))
  return readNameInput(fileName)
}

async function readOrRefuse<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading
  } catch (error) {
    if (!(error instanceof ImportError) || isKilled(error)) throw error
    throw new HttpError('file_not_readable', {
      sentence: `That file cannot be read: ${error.message}.`,
      cause: error,
    })
  }
}
