import { type FileKind, findFileKind, MAX_UPLOAD_BYTES, type Upload, uploadFile } from '@meadow/contract/web'
import type { Catalogue, TeamChange } from '../../catalogue/catalogue.ts'
import type { ShareLimits } from '../../http/admission.ts'
import { serveApp } from '../../http/app-api/app-route.ts'
import { rethrowFilingError } from '../../http/app-api/filing-errors.ts'
import { readNameInput } from '../../http/app-api/read-input.ts'
import { HttpError } from '../../http/http-error.ts'
import type { BlobStore } from '../../platform/blobs/blobs.ts'
import { FairSemaphore } from '../../platform/concurrency/fair-semaphore.ts'
import { cleanName } from '../../platform/database/names.ts'
import type { FolderKey, TeamKey } from '../../platform/database/tables.ts'
import type { Log } from '../../platform/log.ts'
import type { DefinitionParser } from './definition-parser.ts'
import { describeNotes, describeUnsolvable, ImportError } from './import-result.ts'
import { RECEIVE_LIMITS, receiveUpload } from './receive-upload.ts'
import { isDefinitionName, withoutExtension } from './walk-files.ts'
import { type ReceivedFile, writeUpload } from './write-upload.ts'
import { writeUploadedFile } from './write-uploaded-file.ts'

export interface UploadParts {
  catalogue: Pick<Catalogue, 'changeTeamFor'>
  blobs: BlobStore
  parser: Pick<DefinitionParser, 'parseBlob' | 'readBlobFile'>
  /** Records that a blob can be removed later unless something names it. */
  discard(digest: string): Promise<void>
  /** From `createUploadSemaphore`. */
  semaphore: FairSemaphore
  log: Log
}

/** For one person, for one team, and for this process. */
export interface UploadLimits {
  atOnce: ShareLimits
  /** A queued upload occupies a connection; its file is not read. */
  queued: ShareLimits
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
    const { blobs, discard, semaphore, log } = parts
    const fileName = readFileName(query.fileName)
    const onConflict = query.onConflict ?? 'ask'
    // Held until the document is written, so that an upload also counts while it waits to be parsed.
    using _ = await semaphore.acquire([access.teamId, person.userId], { signal })
    const limits = { maxBytes: MAX_UPLOAD_BYTES, ...RECEIVE_LIMITS }
    const { digest, size } = await receiveUpload(blobs, body, limits).catch((error) => {
      // There is no response, and therefore no request in the log.
      if (error instanceof HttpError && error.code === 'upload_broke_off')
        log.info({ team: access.teamId, user: person.userId, refusal: error.code }, 'upload broke off')
      throw error
    })
    // In any case: a blob that a document names is not removed.
    await discard(digest)
    const received = { fileName, digest, bytes: size }
    const kind = findFileKind(fileName)
    const { write, remarks } = kind
      ? await readLibraryUpload(parts, access.team, kind, received, onConflict)
      : await readDefinitionUpload(parts, access.team, received, onConflict)
    const upload = await parts.catalogue
      .changeTeamFor(actor, async (change) => {
        const written = await write(change, access.folder)
        recordUpload(change, written, received)
        return written
      })
      .catch(rethrowFilingError('folder_not_found'))
    return { upload: { ...upload, remarks } }
  }),
]

function recordUpload(
  change: TeamChange,
  { outcome, documentId, fileId, name }: Omit<Upload, 'remarks'>,
  { bytes, digest }: Received,
): void {
  if (outcome === 'unchanged' || outcome === 'conflict') return
  const thing = documentId
    ? { kind: 'document', id: documentId, name }
    : { kind: 'file', id: fileId ?? undefined, name }
  change.record({ action: 'upload.done', thing, details: { outcome, bytes, sha256: digest } })
}

type Received = Pick<ReceivedFile, 'fileName' | 'digest' | 'bytes'>
type OnConflict = Parameters<typeof writeUpload>[3]

/** What a file becomes, and what there is to say about it. */
interface ReadUpload {
  write(change: TeamChange, folder: FolderKey): Promise<Omit<Upload, 'remarks'>>
  remarks: string[]
}

async function readDefinitionUpload(
  { parser, blobs, discard }: UploadParts,
  team: TeamKey,
  file: Received,
  onConflict: OnConflict,
): Promise<ReadUpload> {
  const { content, facts, references, notes, unsolvable, view } = await readOrRefuse(
    parser.parseBlob(file.digest, String(team)),
  )
  for (const part of [content, facts.clusters]) if (part.kind === 'blob') await discard(part.digest)
  return {
    write: (change, folder) =>
      writeUpload(change, folder, { ...file, content, facts, references, view }, onConflict, blobs),
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
    if (!(error instanceof ImportError)) throw error
    throw new HttpError('file_not_readable', {
      sentence: `That file cannot be read: ${error.message}.`,
      cause: error,
    })
  }
}
