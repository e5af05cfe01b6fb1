import { MAX_UPLOAD_BYTES, uploadFile } from '@meadow/contract/web'
import type { Catalogue } from '../../catalogue/catalogue.ts'
import { storeContentBytes } from '../../catalogue/store-content.ts'
import { serveApp } from '../../http/app/app-route.ts'
import { readNameOrRefuse } from '../../http/app/read-name.ts'
import { refuseFiling } from '../../http/app/refuse-filing.ts'
import { refuse } from '../../http/refusal.ts'
import type { BlobStore } from '../../platform/blobs/blobs.ts'
import { isDefinitionName, withoutExtension } from './definition-name.ts'
import { ImportError } from './import-error.ts'
import type { MadeDocument } from './make-document.ts'
import { describeNotes } from './note-words.ts'
import { receiveUpload } from './receive-upload.ts'
import { writeUpload } from './upload-file.ts'
import type { UploadReader } from './upload-reader.ts'

export interface UploadParts {
  catalogue: Pick<Catalogue, 'changeTeam'>
  blobs: BlobStore
  reader: Pick<UploadReader, 'read'>
  /** Notes that nothing names a blob. */
  discard(digest: string): Promise<void>
}

/** So many arrive, or wait to be read, at once. */
const MAX_AT_ONCE = 32

export const uploadRoutes = ({ catalogue, blobs, reader, discard }: UploadParts) => {
  let underWay = 0
  return [
    serveApp(uploadFile, async ({ here, query, body }) => {
      const fileName = readFileName(query.fileName)
      if (underWay >= MAX_AT_ONCE) throw refuse('too_many_uploads', { headers: { 'retry-after': '5' } })
      underWay++
      try {
        const { digest, size } = await receiveUpload(blobs, body, MAX_UPLOAD_BYTES)
        // Whatever comes of it: what a document names is kept all the same.
        await discard(digest)
        const document = await readOrRefuse(reader, digest)
        const content = await storeContentBytes(blobs, document.content)
        if (content.kind === 'blob') await discard(content.digest)
        const upload = await catalogue
          .changeTeam(here.team, (change) =>
            writeUpload(
              change,
              here.folder,
              { fileName, digest, bytes: size, content },
              query.onConflict ?? 'ask',
              blobs,
            ),
          )
          .catch(refuseFiling('folder_not_found'))
        return { upload: { ...upload, remarks: describeNotes(document.notes) } }
      } finally {
        underWay--
      }
    }),
  ]
}

/** Browsers send a name alone; whatever else sends a path is told by its end. */
function readFileName(text: string): string {
  const fileName = text.slice(Math.max(text.lastIndexOf('/'), text.lastIndexOf('\\')) + 1)
  if (!isDefinitionName(fileName)) throw refuse('file_kind_not_accepted')
  readNameOrRefuse(withoutExtension(fileName))
  return readNameOrRefuse(fileName)
}

async function readOrRefuse(reader: Pick<UploadReader, 'read'>, digest: string): Promise<MadeDocument> {
  try {
    return await reader.read(digest)
  } catch (error) {
    if (!(error instanceof ImportError)) throw error
    throw refuse('file_not_readable', {
      sentence: `That file cannot be read: ${error.message}.`,
      cause: error,
    })
  }
}
