import { MAX_UPLOAD_BYTES, uploadFile } from '@meadow/contract/web'
import type { Catalogue } from '../../catalogue/catalogue.ts'
import type { ShareLimits } from '../../http/admission.ts'
import { serveApp } from '../../http/app-api/app-route.ts'
import { rethrowFilingError } from '../../http/app-api/filing-errors.ts'
import { readNameInput } from '../../http/app-api/read-input.ts'
import { HttpError } from '../../http/http-error.ts'
import type { BlobStore } from '../../platform/blobs/blobs.ts'
import { FairSemaphore } from '../../platform/concurrency/fair-semaphore.ts'
import type { TeamKey } from '../../platform/database/tables.ts'
import type { Log } from '../../platform/log.ts'
import { isDefinitionName, withoutExtension } from './definition-name.ts'
import type { StoredDocument } from './definition-reader.ts'
import { ImportError } from './import-error.ts'
import { describeNotes } from './note-words.ts'
import { RECEIVE_LIMITS, receiveUpload } from './receive-upload.ts'
import { writeUpload } from './upload-file.ts'
import type { UploadReader } from './upload-reader.ts'

export interface UploadParts {
  catalogue: Pick<Catalogue, 'changeTeamFor'>
  blobs: BlobStore
  reader: Pick<UploadReader, 'read'>
  /** Notes that nothing names a blob. */
  discard(digest: string): Promise<void>
  /** Of `createUploadShares`. */
  shares: FairSemaphore
  log: Log
}

/** Of one person, of one team, and in this process. */
export interface UploadLimits {
  atOnce: ShareLimits
  /** An upload that waits for its turn takes a connection, and nothing of its file is read meanwhile. */
  queued: ShareLimits
  /** How long one waits, in milliseconds. */
  queueMs: number
}

/** Limits how many uploads may be under way at once. */
export const createUploadShares = ({ atOnce, queued, queueMs }: UploadLimits): FairSemaphore =>
  new FairSemaphore({
    limits: [atOnce.process, atOnce.team, atOnce.caller],
    maxWaiting: [queued.process, queued.team, queued.caller],
    maxWaitMs: queueMs,
  })

export const uploadRoutes = ({ catalogue, blobs, reader, discard, shares, log }: UploadParts) => [
  serveApp(uploadFile, async ({ access, query, body, person, signal, actor }) => {
    const fileName = readFileName(query.fileName)
    // From the first byte until the document is written: it counts while it waits to be read, too.
    using _ = await shares.acquire([access.teamId, person.userId], { signal: signal })
    const limits = { maxBytes: MAX_UPLOAD_BYTES, ...RECEIVE_LIMITS }
    const { digest, size } = await receiveUpload(blobs, body, limits).catch((error) => {
      // Nobody is left to be answered, so no request is logged.
      if (error instanceof HttpError && error.code === 'upload_broke_off')
        log.info({ team: access.teamId, user: person.userId, refusal: error.code }, 'upload broke off')
      throw error
    })
    // Whatever comes of it: what a document names is kept all the same.
    await discard(digest)
    const { content, notes } = await readOrRefuse(reader, digest, access.team)
    if (content.kind === 'blob') await discard(content.digest)
    const upload = await catalogue
      .changeTeamFor(actor, (change) =>
        writeUpload(
          change,
          access.folder,
          { fileName, digest, bytes: size, content },
          query.onConflict ?? 'ask',
          blobs,
        ),
      )
      .catch(rethrowFilingError('folder_not_found'))
    return { upload: { ...upload, remarks: describeNotes(notes) } }
  }),
]

/** Browsers send a name alone; whatever else sends a path is told by its end. */
function readFileName(text: string): string {
  const fileName = text.slice(Math.max(text.lastIndexOf('/'), text.lastIndexOf('\\')) + 1)
  if (!isDefinitionName(fileName)) throw new HttpError('file_kind_not_accepted')
  readNameInput(withoutExtension(fileName))
  return readNameInput(fileName)
}

async function readOrRefuse(
  reader: Pick<UploadReader, 'read'>,
  digest: string,
  team: TeamKey,
): Promise<StoredDocument> {
  try {
    return await reader.read(digest, team)
  } catch (error) {
    if (!(error instanceof ImportError)) throw error
    throw new HttpError('file_not_readable', {
      sentence: `That file cannot be read: ${error.message}.`,
      cause: error,
    })
  }
}
