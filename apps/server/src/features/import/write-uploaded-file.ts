import type { Upload } from '@meadow/contract/web'
import { FILE_KINDS, type FileKind } from '@meadow/contract/web/terms'
import { createFile, type TeamFileContent, updateFile } from '../../library/team-files.ts'
import type { FolderKey } from '../../platform/database/tables.ts'
import type { TeamTransaction } from '../../team/team-transaction.ts'
import { findFreeName, findUploaded, uploadedSource } from './write-upload.ts'

/** A model, user object or cluster that was received and read. */
export interface ReceivedLibraryFile extends TeamFileContent {
  /** The name of the file without a path. */
  fileName: string
  kind: FileKind
  digest: string
  bytes: number
}

/** Does what `writeUpload` does, for a file that is not a definition. */
export async function writeUploadedFile(
  change: TeamTransaction,
  folder: FolderKey,
  file: ReceivedLibraryFile,
  onConflict: 'ask' | 'replace' | 'copy',
): Promise<Omit<Upload, 'remarks'>> {
  const { fileName, digest } = file
  const current = await findUploaded(change, folder, fileName)
  if (!current || current.kind === 'document') return create(change, folder, file, fileName)
  const upload = { documentId: null, fileId: current.id, name: current.name, wasEdited: false }
  if (current.sha256 === digest) return { ...upload, outcome: 'unchanged' }
  if (onConflict === 'ask') return { ...upload, outcome: 'conflict' }
  if (onConflict === 'copy') {
    const stem = fileName.slice(0, -FILE_KINDS[file.kind].length)
    return create(change, folder, file, await findFreeName(change, folder, fileName, stem))
  }
  await updateFile(change, current.key, {
    ...contentOf(file),
    source: uploadedSource(folder, file, fileName),
  })
  return { ...upload, outcome: 'replaced' }
}

async function create(change: TeamTransaction, folder: FolderKey, file: ReceivedLibraryFile, name: string) {
  const source = uploadedSource(folder, file, name)
  const { id } = await createFile(change, { folder, name, kind: file.kind, source, ...contentOf(file) })
  return { outcome: 'created' as const, documentId: null, fileId: id, name, wasEdited: false }
}

const contentOf = ({ facts, thumbnail, objectIds }: TeamFileContent): TeamFileContent => ({
  facts,
  thumbnail,
  objectIds,
})
