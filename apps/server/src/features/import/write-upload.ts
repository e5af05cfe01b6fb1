import type { SavedView, Upload } from '@meadow/contract/web'
import { OutdatedError, type PreparedReplacement, TooLargeHereError } from '../../content/replace-content.ts'
import { readSmallContent, toStoredJson } from '../../content/stored-json.ts'
import { createDocument, updateDocument } from '../../library/documents.ts'
import { findImported, type ImportedItem } from '../../library/imported.ts'
import type { BlobStore } from '../../platform/blobs/blobs.ts'
import type { DocumentKey, FolderKey } from '../../platform/database/tables.ts'
import type { NewContent } from '../../team/content-blobs.ts'
import type { DocumentSource, SourceFacts } from '../../team/document-writes.ts'
import type { TeamTransaction } from '../../team/team-transaction.ts'
import { withoutExtension } from './walk-files.ts'

/** A file that was received and parsed. */
export interface ReceivedFile {
  /** The name of the file without a path. */
  fileName: string
  digest: string
  bytes: number
  content: NewContent
  facts: SourceFacts
  references: readonly string[]
  /** The view that it was saved at. */
  view?: SavedView | undefined
  /** What was made of the file for a large document that it replaces. */
  prepared?: PreparedReplacement | undefined
}

/**
 * Stands for the folder on a disk that an imported file comes from. Other folders are absolute paths, so that no import
 * regards the documents of uploads as those of missing files.
 */
const UPLOADED = 'upload'

/** The document is too large to be replaced in the transaction, or was edited after that was prepared. */
export class UnpreparedError extends Error {
  readonly document: DocumentKey

  constructor(document: DocumentKey) {
    super('A large document was not prepared.')
    this.document = document
  }
}

/** Writes an uploaded file into a folder, inside a transaction. Throws an {@link UnpreparedError}. */
export async function writeUpload(
  change: TeamTransaction,
  folder: FolderKey,
  file: ReceivedFile,
  onConflict: 'ask' | 'replace' | 'copy',
  blobs: BlobStore,
): Promise<Omit<Upload, 'remarks'>> {
  const current = await findUploaded(change, folder, file.fileName)
  if (current?.kind !== 'document') return create(change, folder, file, file.fileName)
  const { key, id, name, seq, sourceSeq } = current
  const upload = { documentId: id, fileId: null, name, wasEdited: seq > sourceSeq }
  if (current.sha256 === file.digest) return { ...upload, outcome: 'unchanged' }
  switch (onConflict) {
    case 'ask':
      return { ...upload, outcome: 'conflict' }
    case 'copy':
      return create(change, folder, file, await findFreeName(change, folder, file.fileName))
    case 'replace':
      await updateDocument(change, key, {
        content: file.content,
        references: file.references,
        readContent: () => readSmallContent(blobs, toStoredJson(file.content)),
        blobs,
        prepared: file.prepared ?? 'needed',
        source: sourceOf(folder, file, file.fileName),
      }).catch((error: unknown) => {
        if (error instanceof TooLargeHereError || error instanceof OutdatedError)
          throw new UnpreparedError(key)
        throw error
      })
      return { ...upload, outcome: 'replaced' }
  }
}

async function create(change: TeamTransaction, folder: FolderKey, file: ReceivedFile, path: string) {
  const name = withoutExtension(path)
  const { id } = await createDocument(change, {
    folder,
    name,
    content: file.content,
    references: file.references,
    source: sourceOf(folder, file, path),
  })
  return { outcome: 'created' as const, documentId: id, fileId: null, name, wasEdited: false }
}

const sourceOf = (root: FolderKey, file: ReceivedFile, path: string): DocumentSource => ({
  ...uploadedSource(root, file, path),
  view: file.view,
  facts: file.facts,
})

/** Returns the source of an uploaded file as it is stored. */
export const uploadedSource = (
  root: FolderKey,
  { digest, bytes }: Pick<ReceivedFile, 'digest' | 'bytes'>,
  path: string,
) => ({
  root,
  from: UPLOADED,
  path,
  mtimeMs: null,
  sha256: digest,
  blob: digest,
  sizeBytes: bytes,
})

/**
 * Finds `Tower (2).gh`, or the next number that no upload into the folder has. `stem` is the name without extension, by
 * default that of a definition.
 */
export async function findFreeName(
  change: TeamTransaction,
  folder: FolderKey,
  fileName: string,
  stem = withoutExtension(fileName),
): Promise<string> {
  for (let number = 2; ; number++) {
    const name = `${stem} (${number})${fileName.slice(stem.length)}`
    if (!(await findUploaded(change, folder, name))) return name
  }
}

/** Finds what an earlier upload of this name into the folder made, unless it is in the bin. */
export async function findUploaded(
  change: TeamTransaction,
  folder: FolderKey,
  path: string,
): Promise<ImportedItem | undefined> {
  const items = await findImported(change.write, folder, [path])
  return items.find(({ bin }) => bin === null)
}
