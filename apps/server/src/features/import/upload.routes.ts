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
import type { DefinitionParser, StoredDocument } from './definition-parser.ts'
import { describeNotes, describeUnsolvable, ImportError } from './import-result.ts'
import { RECEIVE_LIMITS, receiveUpload } from './receive-upload.ts'
import { isDefinitionName, withoutExtension } from './walk-files.ts'
import { writeUpload } from './write-upload.ts'

export interface UploadParts {
  catalogue: Pick<Catalogue, 'changeTeamFor'>
  blobs: BlobStore
  parser: Pick<DefinitionParser, 'parseBlob'>
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

export const uploadRoutes = ({ catalogue, blobs, parser, discard, semaphore, log }: UploadParts) => [
  serveApp(uploadFile, async ({ access, query, body, person, signal, actor }) => {
    const fileName = readFileName(query.fileName)
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
    const { content, facts, references, notes, unsolvable, view } = await parseFile(
      parser,
      digest,
      access.team,
    )
    for (const part of [content, facts.clusters]) if (part.kind === 'blob') await discard(part.digest)
    const upload = await catalogue
      .changeTeamFor(actor, (change) =>
        writeUpload(
          change,
          access.folder,
          { fileName, digest, bytes: size, content, facts, references, view },
          query.onConflict ?? 'ask',
          blobs,
        ),
      )
      .catch(rethrowFilingError('folder_not_found'))
    return { upload: { ...upload, remarks: [...describeNotes(notes), ...describeUnsolvable(unsolvable)] } }
  }),
]

/** The last part of a path: browsers send a name only, other clients may send a path. */
function readFileName(text: string): string {
  const fileName = text.slice(Math.max(text.lastIndexOf('/'), text.lastIndexOf('\\')) + 1)
  if (!isDefinitionName(fileName)) throw new HttpError('file_kind_not_accepted')
  readNameInput(withoutExtension(fileName))
  return readNameInput(fileName)
}

async function parseFile(
  parser: Pick<DefinitionParser, 'parseBlob'>,
  digest: string,
  team: TeamKey,
): Promise<StoredDocument> {
  try {
    return await parser.parseBlob(digest, String(team))
  } catch (error) {
    if (!(error instanceof ImportError)) throw error
    throw new HttpError('file_not_readable', {
      sentence: `That file cannot be read: ${error.message}.`,
      cause: error,
    })
  }
}
