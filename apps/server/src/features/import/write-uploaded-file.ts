import type { Upload } from '@meadow/contract/web'
import { FILE_KINDS, type FileKind } from '@meadow/contract/web/terms'
import { findImported, type ImportedFile } from '../../library/imported.ts'
import { createFile, type TeamFileContent, updateFile } from '../../library/team-files.ts'
import type { FolderKey } from '../../platform/database/tables.ts'
import type { DocumentSource } from '../../team/document-writes.ts'
import type { TeamTransaction } from '../../team/team-transaction.ts'
import { UPLOADED } from './write-upload.ts'

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
  if (!current) return create(change, folder, file, fileName)
  const upload = { documentId: null, fileId: current.id, name: current.name, wasEdited: false }
  if (current.sha256 === digest) return { ...upload, outcome: 'unchanged' }
  if (onConflict === 'ask') return { ...upload, outcome: 'conflict' }
  if (onConflict === 'copy') return create(change, folder, file, await findFreeName(change, folder, file))
  await updateFile(change, current.key, { ...contentOf(file), source: sourceOf(folder, file, fileName) })
  return { ...upload, outcome: 'replaced' }
}

async function create(change: TeamTransaction, folder: FolderKey, file: ReceivedLibraryFile, name: string) {
  const source = sourceOf(folder, file, name)
  const { id } = await createFile(change, { folder, name, kind: file.kind, source, ...contentOf(file) })
  return { outcome: 'created' as const, documentId: null, fileId: id, name, wasEdited: false }
}

const contentOf = ({ facts, thumbnail, objectIds }: TeamFileContent): TeamFileContent => ({
  facts,
  thumbnail,
  objectIds,
})

const sourceOf = (root: FolderKey, { digest, bytes }: ReceivedLibraryFile, path: string): DocumentSource => ({
  root,
  from: UPLOADED,
  path,
  sha256: digest,
  blob: digest,
  sizeBytes: bytes,
  mtimeMs: null,
})

/** `Site (2).3dm`, or the next number that no upload into the folder has. */
async function findFreeName(
  change: TeamTransaction,
  folder: FolderKey,
  { fileName, kind }: ReceivedLibraryFile,
): Promise<string> {
  const end = fileName.length - FILE_KINDS[kind].length
  for (let number = 2; ; number++) {
    const name = `${fileName.slice(0, end)} (${number})${fileName.slice(end)}`
    if (!(await findUploaded(change, folder, name))) return name
  }
}

/** The file of an earlier upload of this name into the folder, unless it is in the bin. */
async function findUploaded(change: TeamTransaction, folder: FolderKey, path: string) {
  const items = await findImported(change.write, folder, [path])
  return items.find((item): item is ImportedFile => item.kind !== 'document' && item.bin === null)
}
